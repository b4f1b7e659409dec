import type { ListRow } from '@gatehouse/proto/formats/lists/rows.ts'
import { GuestFinder } from '../check-ins/guest-finder.ts'
import type { Moment } from '../check-ins/moments.ts'
import { type GuestRights, mayEnter } from '../check-ins/points.ts'
import { type Arrival, CheckInRecorder } from '../check-ins/recorder.ts'
import { causeOf } from '../problem.ts'
import type { ImportPlan, UnimportableRow } from '../row-import.ts'
import type { EventSystem } from '../system.ts'
import type { TicketEvent } from './event.ts'
import type { TicketRow } from './rows.ts'

type Plan = ImportPlan<TicketRow>

/** The scans of tickets by another system, which become check-ins at one check-in point. */
export class TicketScans {
  /** Scans that are to be stored. */
  planned = 0
  /** Scans that are stored already. */
  stored = 0
  readonly #system: EventSystem
  readonly #event: TicketEvent
  readonly #finder: GuestFinder
  readonly #recorder: CheckInRecorder

  constructor(system: EventSystem, event: TicketEvent) {
    this.#system = system
    this.#event = event
    this.#finder = new GuestFinder(system)
    this.#recorder = new CheckInRecorder(system)
  }

  /** Begins to count anew. */
  begin(): void {
    this.planned = 0
    this.stored = 0
  }

  /** The scans of a guest who may enter at the point; a category that is still to be created may. */
  admitted(row: ListRow, guest: GuestRights, scans: Moment[], { warnings }: Pick<Plan, 'warnings'>): Moment[] {
    const { point, categories, isPointUnclear } = this.#event
    const category = categories.find(({ _id }) => _id === guest.guest_category_id)
    const isAdmitted = !isPointUnclear && (!category || !point || mayEnter(guest, point))
    if (scans.length === 0 || isAdmitted) return scans
    const cause = point
      ? causeOf('check_in_without_right', { category: category?.name ?? '', point: point.name })
      : causeOf('check_in_without_point')
    warnings.push({ row, problem: [cause] })
    return []
  }

  /** Tells guests who are there with all of their scans from those who lack some. */
  async settle(known: TicketRow[], plan: Plan): Promise<void> {
    const scanned = known.filter(({ arrivals }) => arrivals.length > 0)
    await this.#learnCodes(scanned)
    const found = await this.#finder.withCodes(scanned.flatMap(({ body }) => body.uid ?? []))
    for (const row of scanned) {
      const guest = found.get(row.body.uid ?? '')
      row.arrivals = guest ? this.admitted(row.row, guest, row.arrivals, plan) : []
    }
    const wanted = new Map(scanned.map((row) => [row, this.#arrivalsOf(row)]))
    const stored = await this.#recorder.stored([...wanted.values()].flat())
    plan.unfinished = []
    for (const row of known) {
      const left = (wanted.get(row) ?? []).filter((arrival) => !stored.has(arrival))
      this.stored += row.arrivals.length - left.length
      row.arrivals = left
      if (left.length > 0) plan.unfinished.push(row)
      else plan.alreadyThere.push(row)
    }
    for (const { arrivals } of [...plan.fresh, ...plan.unfinished]) this.planned += arrivals.length
  }

  /** Stores the scans of guests who are there. */
  async record(rows: readonly TicketRow[], { warnings }: { warnings: UnimportableRow[] }): Promise<void> {
    const scanned = rows.filter(({ arrivals }) => arrivals.length > 0)
    await this.#learnCodes(scanned)
    const all = scanned.flatMap((row) => this.#arrivalsOf(row).map((arrival) => ({ row: row.row, arrival })))
    const recorded = await this.#recorder.record(all.map(({ arrival }) => arrival))
    for (const [index, { row }] of all.entries()) {
      const { errors, refusal } = recorded[index] ?? {}
      if (refusal) warnings.push({ row, problem: [refusal] })
      if (errors) warnings.push({ row, problem: [causeOf('check_in_not_stored'), ...errors] })
    }
  }

  #arrivalsOf({ body: { uid }, arrivals }: TicketRow): Arrival[] {
    const { point } = this.#event
    return point && uid ? arrivals.map((moment) => ({ ...moment, guest_uid: uid, accesspoint_id: point._id })) : []
  }

  /** Reads the codes that guests got here, since the file has none. */
  async #learnCodes(rows: readonly TicketRow[]): Promise<void> {
    for (const row of rows) {
      if (row.body.uid) continue
      row.body.uid = (await this.#system.codeOf(row._id)) ?? null
    }
  }
}
