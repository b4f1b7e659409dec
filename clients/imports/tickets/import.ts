import { conflict } from '@gatehouse/proto/declaring/faults.ts'
import { Message, messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { ListSource } from '@gatehouse/proto/formats/lists/list.ts'
import { References } from '@gatehouse/proto/formats/lists/references.ts'
import type { ListRow } from '@gatehouse/proto/formats/lists/rows.ts'
import type { ListForm } from '@gatehouse/proto/formats/lists/settings.ts'
import { foldReference } from '@gatehouse/proto/formats/lists/values.ts'
import { type DayOrder, readMoment } from '../check-ins/moments.ts'
import { chosenColumns } from '../chosen-columns.ts'
import { causeOf, causesOf } from '../problem.ts'
import type { ImportCounts, ImportPlan, ImportResult, Missing, RowImport, UnimportableRow } from '../row-import.ts'
import type { CreatedGuest, EventSystem } from '../system.ts'
import { TicketEvent } from './event.ts'
import { contentOf, guestIdOf, guestOf, knownRow, newRow, type TicketRow } from './rows.ts'
import { TicketScans } from './scans.ts'
import {
  type FieldColumn,
  fieldColumns,
  knowsHeader,
  type TicketField,
  type TicketKind,
  type TicketSystem,
  ticketFields,
} from './systems/kinds.ts'
import { readTicket, type Ticket, type TicketRules } from './tickets.ts'

/** What files do not say themselves. */
export interface TicketDestination {
  /** The category, by name or id, of tickets without one. */
  category?: string | undefined
  /** The check-in point of the tickets, by name or id. */
  point?: string | undefined
  at?: string | undefined
  dates?: DayOrder | undefined
  unpaid?: boolean | undefined
  /** Names of categories that stay out. */
  without?: readonly string[] | undefined
  /** False to leave out when tickets were scanned. */
  checkIns?: boolean | undefined
}

/** What a pass over a file finds beside the rows. */
interface Sums {
  lacking: number
  codeless: number
}

/** What a column of tickets may be said to be. */
export const ticketTargets: readonly string[] = [...ticketFields, 'note', 'answer', '-']

/** Imports tickets of another system as guests of one event. A ticket is one guest, and its scan one check-in, however often the import runs. */
export class TicketRowImport implements RowImport<FieldColumn<TicketField>, TicketRow> {
  readonly makesMissing = true
  readonly width = 1
  readonly #from: TicketSystem
  readonly #system: EventSystem
  readonly #kind: TicketKind
  readonly #destination: TicketDestination
  readonly #rules: TicketRules
  readonly #event: TicketEvent
  readonly #scans: TicketScans
  /** Records the import in the audit log, once. */
  readonly #record: () => Promise<void>
  #sums: Sums = { lacking: 0, codeless: 0 }

  private constructor(
    system: EventSystem,
    [from, kind]: [TicketSystem, TicketKind],
    destination: TicketDestination,
    [rules, event]: [TicketRules, TicketEvent],
  ) {
    this.#system = system
    this.#from = from
    this.#kind = kind
    this.#destination = destination
    this.#rules = rules
    this.#event = event
    this.#scans = new TicketScans(system, event)
    let recorded: Promise<void> | undefined
    this.#record = () => (recorded ??= system.record('guests'))
  }

  /** Throws one sentence when there is no such check-in point, and for a time that cannot be read. */
  static async into(
    system: EventSystem,
    [from, kind]: [TicketSystem, TicketKind],
    to: TicketDestination,
  ): Promise<TicketRowImport> {
    const zone = await system.zone()
    const times = { zone: from.zone ?? zone, dates: to.dates, now: new Date() }
    const moment = to.at === undefined ? undefined : readMoment(to.at, { ...times, zone })
    if (moment instanceof Message) throw new Error(`--at: ${moment}`)
    const without = new Set((to.without ?? []).map(foldReference))
    const rules = { times, at: moment?.at, unpaid: to.unpaid, without }
    const event = await TicketEvent.open(system, to.point)
    return new TicketRowImport(system, [from, kind], to, [rules, event])
  }

  isKnown(header: string): boolean {
    return knowsHeader(this.#from, header)
  }

  async columnsOf({ headers }: ListSource, overrides: ReadonlyMap<string, string> = new Map()) {
    const columns = fieldColumns(this.#kind, headers, chosenColumns(headers, overrides, ticketTargets))
    if (this.#takesCheckIns && this.#event.isPointUnclear && columns.some(({ field }) => field === 'checked_in')) {
      throw conflict(messageOf('several_points'))
    }
    return columns
  }

  describe({ field }: FieldColumn<TicketField>): string {
    if (field === '-') return '(left out)'
    return field === 'answer' ? 'guest field' : field
  }

  /** Returns a function that plans the next chunk of a file; it writes nothing. */
  async planner(
    columns: FieldColumn<TicketField>[],
    form: ListForm,
    isForMissing: boolean,
  ): Promise<(rows: ListRow[]) => Promise<ImportPlan<TicketRow>>> {
    await this.#event.read()
    this.#sums = { lacking: 0, codeless: 0 }
    this.#scans.begin()
    const references = new References(this.#event.categories, [], {
      fallback: this.#destination.category,
      createMissing: true,
    })
    const lines = new Map<string, number>()
    return async (rows) => {
      const missing = this.#event.missingPoint
      const leftOut: string[] = []
      const plan: ImportPlan<TicketRow> = { fresh: [], alreadyThere: [], bad: [], warnings: [], missing, leftOut }
      const said: { row: ListRow; ticket: Ticket; _id: string }[] = []
      const gone: { row: ListRow; code: string }[] = []
      for (const row of rows) {
        const read = readTicket(row, columns, form, this.#rules)
        if ('problem' in read) plan.bad.push({ row, problem: read.problem })
        else if ('leftOut' in read) {
          leftOut.push(read.leftOut)
          if (read.leftOut === 'cancelled' && read.code !== undefined) gone.push({ row, code: read.code })
        } else {
          const identified = this.#identified(row, read.ticket, lines)
          if ('problem' in identified) plan.bad.push(identified)
          else said.push(identified)
        }
      }
      const known = await this.#sort(said, gone, references, plan)
      if (!isForMissing) await this.#scans.settle(known, plan)
      plan.bad.sort((a, b) => a.row.line - b.row.line)
      return plan
    }
  }

  async createMissing(missing: Missing[]): Promise<void> {
    await this.#event.create(missing)
  }

  async run(rows: TicketRow[], stop: AbortSignal, onDone: () => void): Promise<ImportResult> {
    const warnings: UnimportableRow[] = []
    const outcome: ImportResult & { warnings: UnimportableRow[] } = {
      ...{ imported: 0, alreadyThere: 0, bad: [], warnings, left: rows.length },
    }
    if (rows.length > 0) await this.#record()
    const fresh = rows.filter(({ isKnown }) => !isKnown)
    for await (const { guests, answers, tries } of this.#system.createGuests(fresh, stop)) {
      const there: TicketRow[] = []
      for (const [index, guest] of guests.entries()) {
        const answer = answers[index] as CreatedGuest
        if ('errors' in answer) outcome.bad.push({ row: guest.row, problem: causesOf(answer.errors) })
        else {
          there.push(guest)
          // A try without an answer may have stored it.
          outcome[answer.created || tries > 1 ? 'imported' : 'alreadyThere']++
        }
        onDone()
      }
      await this.#scans.record(there, outcome)
      outcome.left -= guests.length
    }
    if (stop.aborted) return outcome
    const known = rows.filter(({ isKnown }) => isKnown)
    await this.#scans.record(known, outcome)
    for (const _ of known) onDone()
    outcome.alreadyThere += known.length
    outcome.left -= known.length
    return outcome
  }

  get counts(): ImportCounts {
    const { lacking, codeless } = this.#sums
    const { planned, stored } = this.#scans
    const { withoutRights } = this.#event
    return { checkIns: planned, checkInsThere: stored, lackingTime: lacking, withoutRights, codeless }
  }

  get #takesCheckIns(): boolean {
    return this.#destination.checkIns !== false
  }

  /** A ticket with the id of its guest. A code may stand in a file once. */
  #identified(
    row: ListRow,
    ticket: Ticket,
    lines: Map<string, number>,
  ): { row: ListRow; ticket: Ticket; _id: string } | UnimportableRow {
    const { code } = ticket
    const key = code ?? contentOf(ticket)
    const copies = lines.get(key)
    if (code !== undefined && copies !== undefined)
      return {
        row,
        problem: [{ field: 'code', message: messageOf('duplicate_of_line', { value: code, line: copies }) }],
      }
    const copy = code === undefined ? (copies ?? 0) : 0
    lines.set(key, code === undefined ? copy + 1 : row.line)
    return { row, ticket, _id: guestIdOf(this.#system, this.#from.id, ticket, copy) }
  }

  /** Plans tickets of new guests. Returns those whose guests are there. */
  async #sort(
    said: { row: ListRow; ticket: Ticket; _id: string }[],
    gone: { row: ListRow; code: string }[],
    references: References,
    plan: ImportPlan<TicketRow>,
  ): Promise<TicketRow[]> {
    const found = await this.#system.known(
      said.map(({ ticket, _id }) => ({ _id, code: ticket.code, fields: ticket.fields })),
      [...said.flatMap(({ ticket }) => ticket.code ?? []), ...gone.map(({ code }) => code)],
    )
    for (const { row, code } of gone)
      if (found.codes.has(code)) plan.warnings.push({ row, problem: [causeOf('cancelled_elsewhere')] })
    const known: TicketRow[] = []
    for (const { row, ticket, _id } of said) {
      const arrivals = this.#takesCheckIns ? ticket.arrivals : []
      if (ticket.lacksTime && this.#takesCheckIns) this.#sums.lacking++
      if (found.ids.has(_id) || (ticket.code !== undefined && found.codes.has(ticket.code))) {
        known.push(knownRow(row, _id, ticket, arrivals))
        continue
      }
      const guest = guestOf(ticket, references, this.#event, this.#system)
      if ('problem' in guest) {
        plan.bad.push({ row, problem: guest.problem })
        continue
      }
      plan.missing.push(...guest.missing)
      if (ticket.code === undefined) this.#sums.codeless++
      plan.fresh.push(newRow(row, _id, guest.body, this.#scans.admitted(row, guest.body, arrivals, plan)))
    }
    return known
  }
}
