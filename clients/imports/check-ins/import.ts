import { forEachConcurrently } from '@gatehouse/proto/concurrency/for-each.ts'
import { Message, messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { ListSource } from '@gatehouse/proto/formats/lists/list.ts'
import type { ListRow } from '@gatehouse/proto/formats/lists/rows.ts'
import type { ListForm } from '@gatehouse/proto/formats/lists/settings.ts'
import { type Cause, causeOf } from '../problem.ts'
import type { ImportableRow, ImportPlan, ImportResult, RowImport, UnimportableRow } from '../row-import.ts'
import type { EventSystem, FoundGuest } from '../system.ts'
import { type CheckInColumn, checkInColumns, describeCheckInColumn, isKnown } from './columns.ts'
import { GuestFinder } from './guest-finder.ts'
import type { DayOrder } from './moments.ts'
import { readMoment } from './moments.ts'
import { mayEnter, Points } from './points.ts'
import { type Arrival, CheckInRecorder } from './recorder.ts'
import { type Attendance, type RowDefaults, readAttendance } from './rows.ts'

/** What rows do not say themselves. */
export interface CheckInDestination {
  /** The check-in point, by name or id, of rows without one. */
  point?: string | undefined
  /** The time of rows without one. */
  at?: string | undefined
  dates?: DayOrder | undefined
}

/** A row that can be imported. */
type CheckInRow = ImportableRow<{ guest_uid: string; accesspoint: string; access_stamp: string }> & { arrival: Arrival }

/** Persons who are searched for at once. */
const CONCURRENCY = 8

/** Imports attendance that was recorded elsewhere as check-ins of one event. The same row is one check-in, however often the import runs. */
export class CheckInRowImport implements RowImport<CheckInColumn, CheckInRow> {
  readonly makesMissing = false
  readonly width = 1
  readonly isKnown = isKnown
  readonly describe = describeCheckInColumn
  readonly #system: EventSystem
  readonly #defaults: RowDefaults
  readonly #finder: GuestFinder
  readonly #recorder: CheckInRecorder
  /** Records the import in the audit log, once. */
  readonly #record: () => Promise<void>

  private constructor(system: EventSystem, defaults: RowDefaults) {
    this.#system = system
    this.#defaults = defaults
    this.#finder = new GuestFinder(system)
    this.#recorder = new CheckInRecorder(system)
    let recorded: Promise<void> | undefined
    this.#record = () => (recorded ??= system.record('check-ins'))
  }

  /** Throws one sentence when there is no such check-in point, and for a time that cannot be read. */
  static async into(system: EventSystem, { point, at, dates }: CheckInDestination): Promise<CheckInRowImport> {
    const [all, zone] = await Promise.all([system.points(), system.zone()])
    const points = new Points(all)
    const rules = { zone, dates, now: new Date() }
    const moment = at === undefined ? undefined : readMoment(at, rules)
    if (moment instanceof Message) throw new Error(`--at: ${moment}`)
    const fallback = point === undefined ? points.only : points.chosen(point)
    return new CheckInRowImport(system, { rules, points, point: fallback, at: moment?.at })
  }

  async columnsOf(list: ListSource, overrides?: ReadonlyMap<string, string>): Promise<CheckInColumn[]> {
    return checkInColumns(list, overrides)
  }

  async planner(
    columns: CheckInColumn[],
    form: ListForm,
  ): Promise<(rows: ListRow[]) => Promise<ImportPlan<CheckInRow>>> {
    await this.#system.refresh()
    return async (rows) => {
      const leftOut: string[] = []
      const plan: ImportPlan<CheckInRow> = { fresh: [], alreadyThere: [], bad: [], warnings: [], missing: [], leftOut }
      const said: { row: ListRow; attendance: Attendance }[] = []
      for (const row of rows) {
        const read = readAttendance(row, columns, form, this.#defaults)
        if ('leftOut' in read) leftOut.push(read.leftOut)
        else if ('problem' in read) plan.bad.push({ row, problem: read.problem })
        else said.push({ row, attendance: read.attendance })
      }
      const guests = await this.#guestsOf(said.map(({ attendance }) => attendance))
      const found: CheckInRow[] = []
      for (const { row, attendance } of said) {
        const read = rowOf(row, attendance, guests.get(attendance) as FoundGuest | Message)
        if ('problem' in read) plan.bad.push(read)
        else found.push(read)
      }
      const stored = await this.#recorder.stored(found.map(({ arrival }) => arrival))
      for (const each of found) (stored.has(each.arrival) ? plan.alreadyThere : plan.fresh).push(each)
      plan.bad.sort((a, b) => a.row.line - b.row.line)
      return plan
    }
  }

  async createMissing(): Promise<void> {}

  async run(rows: CheckInRow[], stop: AbortSignal, onDone: () => void): Promise<ImportResult> {
    const outcome = { imported: 0, alreadyThere: 0, bad: [], warnings: [], left: rows.length } satisfies ImportResult
    const { bad, warnings }: Record<'bad' | 'warnings', UnimportableRow[]> = outcome
    if (rows.length === 0 || stop.aborted) return outcome
    await this.#record()
    const recorded = await this.#recorder.record(rows.map(({ arrival }) => arrival))
    for (const [index, { errors, refusal }] of recorded.entries()) {
      const { row } = rows[index] as CheckInRow
      if (errors) bad.push({ row, problem: errors })
      else outcome.imported++
      if (refusal) warnings.push({ row, problem: [refusal] })
      onDone()
    }
    return { ...outcome, left: 0 }
  }

  /** The guest of each attendance, or why there is none. */
  async #guestsOf(said: Attendance[]): Promise<Map<Attendance, FoundGuest | Message>> {
    const guests = new Map<Attendance, FoundGuest | Message>()
    const known = await this.#finder.withCodes(said.flatMap(({ code }) => code ?? []))
    for (const each of said) {
      if (each.code !== undefined) guests.set(each, known.get(each.code) ?? messageOf('no_guest', { value: each.code }))
    }
    const persons = said.filter(({ code }) => code === undefined)
    await forEachConcurrently(persons, CONCURRENCY, new AbortController().signal, async (each) => {
      guests.set(each, await this.#finder.person(each.person))
    })
    return guests
  }
}

function rowOf(
  row: ListRow,
  { point, at, isMinute, persons }: Attendance,
  guest: FoundGuest | Message,
): CheckInRow | { row: ListRow; problem: Cause[] } {
  if (guest instanceof Message) return { row, problem: [{ message: guest }] }
  if (!mayEnter(guest, point)) return { row, problem: [causeOf('may_not_enter', { point: point.name })] }
  const body = { guest_uid: guest.uid, accesspoint: point.name, access_stamp: at.toISOString() }
  return { row, body, arrival: { guest_uid: guest.uid, accesspoint_id: point._id, at, isMinute, persons } }
}
