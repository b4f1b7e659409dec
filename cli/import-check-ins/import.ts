import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { Caller } from '@gatehouse/proto/declaring/resource.ts'
import { zoneOf } from '@gatehouse/proto/declaring/time-zones.ts'
import type { ListSource } from '@gatehouse/proto/formats/lists/list.ts'
import type { ListRow } from '@gatehouse/proto/formats/lists/rows.ts'
import type { ListForm } from '@gatehouse/proto/formats/lists/settings.ts'
import { recordAct } from '../acts.ts'
import { forEachConcurrently } from '../concurrency.ts'
import { ownerOf } from '../event-caller.ts'
import type { ImportableRow, ImportPlan, ImportResult, RowImport } from '../import/row-import.ts'
import { IMPORTER } from '../import-guests/rows.ts'
import { accesspoints, events } from '../permissions.ts'
import { retried } from '../retry.ts'
import { type CheckInColumn, checkInColumns, describeCheckInColumn, isKnown } from './columns.ts'
import { type FoundGuest, GuestFinder } from './guest-finder.ts'
import type { DayOrder } from './moments.ts'
import { readMoment } from './moments.ts'
import { mayEnter, Points } from './points.ts'
import { type Arrival, CheckInRecorder } from './recorder.ts'
import { type Attendance, type RowDefaults, readAttendance } from './rows.ts'

/** The event of the check-ins, and what rows do not say themselves. */
export interface CheckInDestination {
  event: string
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
  readonly #defaults: RowDefaults
  readonly #finder: GuestFinder
  readonly #recorder: CheckInRecorder
  /** Records the import in the audit log, once. */
  readonly #record: () => Promise<void>

  private constructor(bus: Bus, event: string, caller: Caller, defaults: RowDefaults) {
    this.#defaults = defaults
    this.#finder = new GuestFinder(bus, caller, event)
    this.#recorder = new CheckInRecorder(bus, caller, event)
    let recorded: Promise<void> | undefined
    this.#record = () => (recorded ??= recordAct(bus, caller, 'checkin.access_controls.import', event))
  }

  /** Throws one sentence when there is no such event or check-in point, and for a time that cannot be read. */
  static async into(bus: Bus, { event, point, at, dates }: CheckInDestination): Promise<CheckInRowImport> {
    const caller = await ownerOf(bus, event, IMPORTER)
    const [points, zone] = await Promise.all([pointsOf(bus, caller, event), timeZoneOf(bus, caller, event)])
    const rules = { zone, dates, now: new Date() }
    const moment = at === undefined ? undefined : readMoment(at, rules)
    if (typeof moment === 'string') throw new Error(`--at: ${moment}`)
    const fallback = point === undefined ? points.only : points.chosen(point)
    return new CheckInRowImport(bus, event, caller, { rules, points, point: fallback, at: moment?.at })
  }

  async columnsOf(list: ListSource, overrides?: ReadonlyMap<string, string>): Promise<CheckInColumn[]> {
    return checkInColumns(list, overrides)
  }

  async planner(
    columns: CheckInColumn[],
    form: ListForm,
  ): Promise<(rows: ListRow[]) => Promise<ImportPlan<CheckInRow>>> {
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
        const read = rowOf(row, attendance, guests.get(attendance) ?? 'No guest is found')
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
    const { bad, warnings }: Pick<Required<ImportResult>, 'bad' | 'warnings'> = outcome
    if (rows.length === 0 || stop.aborted) return outcome
    await this.#record()
    const recorded = await this.#recorder.record(rows.map(({ arrival }) => arrival))
    for (const [index, { error, refusal }] of recorded.entries()) {
      const { row } = rows[index] as CheckInRow
      if (error !== undefined) bad.push({ row, problem: error })
      else outcome.imported++
      if (refusal !== undefined) warnings.push({ row, problem: `is stored as refused: ${refusal}` })
      onDone()
    }
    return { ...outcome, left: 0 }
  }

  /** The guest of each attendance, or why there is none. */
  async #guestsOf(said: Attendance[]): Promise<Map<Attendance, FoundGuest | string>> {
    const guests = new Map<Attendance, FoundGuest | string>()
    const known = await this.#finder.withCodes(said.flatMap(({ code }) => code ?? []))
    for (const each of said) {
      if (each.code !== undefined) guests.set(each, known.get(each.code) ?? `No guest has the code ${each.code}`)
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
  guest: FoundGuest | string,
): CheckInRow | { row: ListRow; problem: string } {
  if (typeof guest === 'string') return { row, problem: guest }
  if (!mayEnter(guest, point)) return { row, problem: `The guest may not enter "${point.name}": give it a right there` }
  const body = { guest_uid: guest.uid, accesspoint: point.name, access_stamp: at.toISOString() }
  return { row, body, arrival: { guest_uid: guest.uid, accesspoint_id: point._id, at, isMinute, persons } }
}

/** The check-in points of an event. */
export async function pointsOf(bus: Bus, caller: Caller, event_id: string): Promise<Points> {
  return new Points(await retried(() => clientOf(bus, accesspoints).list({ caller, params: { event_id } })))
}

/** The time zone of an event, by a name that Intl knows. */
export async function timeZoneOf(bus: Bus, caller: Caller, event_id: string): Promise<string> {
  const { timezone } = await retried(() => clientOf(bus, events).read({ caller, params: { event_id } }))
  return zoneOf(timezone) ?? 'UTC'
}
