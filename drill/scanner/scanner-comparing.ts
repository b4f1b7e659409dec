import type { StoredCheckIn } from '@gatehouse/cli/demo/recount.ts'
import type { DrillRecord } from '../record.ts'
import type { ScanAttempt, Shown, Status } from './attempts.ts'
import { matched } from './matching.ts'
import { rightOf } from './scanner-event.ts'

/** A check-in as the server lists it, that of a walk-in under the guest's name. */
export interface RecordedCheckIn extends StoredCheckIn {
  decided_offline?: number | null
  isWalkIn?: true
}

/** A guest as the server lists it. */
export interface DrillGuest {
  uid: string
  last_name: string | null
  party_size: number
  source: string
}

/** The check-in points where guests come in, each with the exit of its area. */
export type Exits = ReadonlyMap<string, string>

/** The time of a scan is the server's, as far as a phone learns it on a network on which an answer takes up to 15 s. */
const CLOCK_MS = 10_000

/** Check-ins, those of walk-ins under the names by which their stewards know them. */
export function namedBy(walkIns: readonly DrillGuest[], rows: readonly RecordedCheckIn[]): RecordedCheckIn[] {
  const names = new Map(walkIns.map(({ uid, last_name }) => [uid, last_name ?? uid]))
  return rows.map((row) => {
    const guest_uid = names.get(row.guest_uid)
    return guest_uid === undefined ? row : { ...row, guest_uid, isWalkIn: true }
  })
}

/**
 * Compares what screens have shown with what the server lists at the end: there is one check-in for each scan that the app has taken, and it says
 * what the screen said; none that lets in whom the steward has undone.
 */
export function compareShown(record: DrillRecord, rows: readonly RecordedCheckIn[]): string {
  const places = new Set([...record.attempts.map(placeOf), ...rows.map(placeOfRow)])
  const attempts = Map.groupBy(record.attempts, placeOf)
  const stored = Map.groupBy(rows, placeOfRow)
  for (const place of places) {
    const taken = (attempts.get(place) ?? []).filter((attempt) => !isNotTaken(attempt))
    // Those that need no check-in come last, and take none that another scan needs.
    const made = taken.toSorted((one, other) => Number(mayLack(one)) - Number(mayLack(other)))
    const listed = stored.get(place) ?? []
    const ofMade = matched(made, listed, agree)
    const ofListed = matched(listed, made, (row, attempt) => agree(attempt, row))
    const history = [...made.map(describe), ...listed.map((row) => `stored: ${JSON.stringify(row)}`)]
    for (const attempt of made)
      if (!mayLack(attempt) && !ofMade.has(attempt))
        record.violation('shown', 'a scan is not on the server as its screen showed it', [
          describe(attempt),
          ...history,
        ])
    for (const row of listed) {
      if (ofListed.has(row)) continue
      const isUndone = made.some((attempt) => attempt.undo === 'done' && isAsShown(attempt, row))
      const [invariant, kind] = isUndone
        ? (['undone', 'a check-in that was undone is stored'] as const)
        : (['once', 'a check-in is stored that no scan stands for'] as const)
      record.violation(invariant, kind, [JSON.stringify(row), ...history])
    }
  }
  const taken = record.attempts.filter((attempt) => !isNotTaken(attempt))
  const undone = taken.filter(({ undo }) => undo === 'done')
  return `${taken.length} scans which the apps took, or may have taken, ${undone.length} of them undone, with ${rows.length} stored check-ins`
}

/** Compares what devices list as decided otherwise with what the server lists so, both with all stored check-ins. */
export function compareDifferences(
  record: DrillRecord,
  rows: readonly RecordedCheckIn[],
  conflicts: readonly RecordedCheckIn[],
): string {
  const nameOf = (uid: string, stamp: string): string => `${uid} at ${stamp}`
  const onDevices = record.endings.flatMap(({ differences }) => differences.map(({ uid, stamp }) => nameOf(uid, stamp)))
  const differing = rows.filter(
    ({ decided_offline, access_status }) =>
      isDecided(decided_offline) && (decided_offline === 0) !== (access_status === 0),
  )
  const expected = differing.map(({ guest_uid, access_stamp }) => nameOf(guest_uid, access_stamp))
  // A device does not list what its steward has undone.
  const undone = record.attempts.filter(({ undo }) => undo !== undefined)
  const listedAnyway = differing.filter((row) => !undone.some((each) => isSame(each, row) && agree(each, row)))
  const required = listedAnyway.map(({ guest_uid, access_stamp }) => nameOf(guest_uid, access_stamp))
  for (const missing of without(required, onDevices))
    record.violation('differences', 'no device lists what it decided otherwise than the server', [missing])
  for (const strange of without(onDevices, expected))
    record.violation('differences', 'a device lists a difference that the server has not recorded', [strange])
  const marked = rows
    .filter(({ decided_offline, access_status }) => isDecided(decided_offline) && decided_offline !== access_status)
    .map(({ _id }) => _id)
  const listed = conflicts.map(({ _id }) => _id)
  for (const missing of without(marked, listed))
    record.violation('differences', 'conflicts=true lacks a check-in that was decided otherwise', [missing])
  for (const strange of without(listed, marked))
    record.violation('differences', 'conflicts=true lists a check-in that was not decided otherwise', [strange])
  return `${onDevices.length} differences on devices with ${listed.length} of the server`
}

/** The server lets as many of each guest's party in as allowed, for the right reasons. */
export function compareRights(record: DrillRecord, rows: readonly RecordedCheckIn[], exits: Exits): string {
  const places = Map.groupBy(
    rows.filter(({ isWalkIn }) => !isWalkIn),
    placeOfRow,
  )
  const waysOut = new Set(exits.values())
  const undone = new Set(record.attempts.filter(({ undo }) => undo !== undefined).map(placeOf))
  for (const [place, here] of places) {
    const { guest_uid, accesspoint_id } = here[0] as RecordedCheckIn
    const { limit, refusal, reentry } = rightOf(guest_uid, waysOut.has(accesspoint_id))
    const out = reentry ? (places.get(`${guest_uid} ${exits.get(accesspoint_id)}`) ?? []) : []
    const history = [...here, ...out].map((row) => `stored: ${JSON.stringify(row)}`)
    const granted = here.filter(isGranted)
    const total = granted.reduce((sum, row) => sum + personsOf(row), 0)
    const most = reentry ? mostInside(granted, out.filter(isGranted)) : total
    if (limit !== -1 && most > limit) record.violation('allowed', `let in ${most} persons, allowed ${limit}`, history)
    // What was undone may have been there when another was refused.
    const isLeft = (row: RecordedCheckIn): boolean => limit === -1 || total + personsOf(row) <= limit
    const refused = here.filter((row) => !isGranted(row))
    if (limit !== 0 && !undone.has(place) && refused.some(isLeft))
      record.violation('burnt', 'refused though an access was left', history)
    if (refused.some(({ access_status }) => access_status !== refusal))
      record.violation('reasons', 'refused for the wrong reason', history)
  }
  return `${places.size} guests at a check-in point with their rights`
}

/** Each device lets as many of a guest's party in as allowed, by what it has let in and out itself. */
export function compareOwn(record: DrillRecord, exits: Exits): string {
  const entries = record.attempts.filter(({ point, how }) => exits.has(point) && how !== 'walk-in')
  const goneOut = Map.groupBy(record.attempts, placeOf)
  const own = Map.groupBy(entries, (attempt) => `${attempt.scanner} ${placeOf(attempt)}`)
  for (const made of own.values()) {
    const { uid, point } = made[0] as ScanAttempt
    const { limit, reentry } = rightOf(uid, false)
    // A device knows of other devices' exits too.
    const out = reentry ? (goneOut.get(`${uid} ${exits.get(point)}`) ?? []) : []
    const allowed = [...out].reduce((sum, { persons }) => sum + persons, limit)
    const letIn = made.filter(
      ({ shown, undo }) => undo === undefined && shown.some((each) => 'status' in each && each.status === 0),
    )
    // The server may say later that a guest whom the device had to turn away may enter.
    const byItself = letIn.filter(({ shown }) => !isCorrected(shown)).reduce((sum, { persons }) => sum + persons, 0)
    if (byItself > allowed)
      record.violation('again', `one device let in ${byItself} persons, allowed ${allowed}`, made.map(describe))
  }
  return `${own.size} guests at a check-in point with what one device let in`
}

/** Each walk-in is one guest, who was let in once. */
export function compareWalkIns(
  record: DrillRecord,
  rows: readonly RecordedCheckIn[],
  guests: readonly DrillGuest[],
): string {
  const added = record.attempts.filter((attempt) => attempt.how === 'walk-in' && !isNotTaken(attempt))
  const names = new Set(added.map(({ uid }) => uid))
  const byName = Map.groupBy(guests, ({ last_name }) => last_name ?? '')
  for (const attempt of added) {
    const made = byName.get(attempt.uid) ?? []
    const history = [describe(attempt), ...made.map((guest) => JSON.stringify(guest))]
    if (made.length === 0 && !mayLack(attempt)) record.violation('added', 'a walk-in is no guest', history)
    if (made.length > 1) record.violation('added', 'a walk-in is several guests', history)
    if (made.some(({ party_size }) => party_size < attempt.persons))
      record.violation('added', 'a walk-in has a smaller party than came in', history)
  }
  for (const name of byName.keys())
    if (!names.has(name)) record.violation('added', 'a guest was added whom nobody has added', [name])
  for (const row of rows)
    if (row.isWalkIn && !isGranted(row)) record.violation('added', 'a walk-in is refused', [JSON.stringify(row)])
  return `${added.length} walk-ins with ${guests.length} guests`
}

/** Nothing waits on any device. */
export function compareQueues(record: DrillRecord): string {
  for (const [scanner, { waiting }] of record.endings.entries())
    if (waiting !== undefined) record.violation('sent', 'a device still waits', [`scanner ${scanner} says: ${waiting}`])
  return `${record.endings.length} queues`
}

/** Whether a stored check-in can be that of a scan: if it was undone, only one that let nobody in. */
function agree(attempt: ScanAttempt, row: RecordedCheckIn): boolean {
  return isAsShown(attempt, row) && !(attempt.undo === 'done' && isGranted(row))
}

/** Whether a stored check-in is what the screen showed of a scan. */
function isAsShown({ shown, begun, answered, persons, how }: ScanAttempt, row: RecordedCheckIn): boolean {
  const at = Date.parse(row.access_stamp)
  if (at < begun - CLOCK_MS || at > (answered ?? begun) + CLOCK_MS || persons !== personsOf(row)) return false
  return shown.every((each) => {
    // What a device decided of a walk-in is not recorded, since the server lets each in.
    if (each.by === 'server' || (each.by === 'device' && how === 'walk-in')) return each.status === row.access_status
    if (each.by === 'device') return each.status === row.decided_offline
    return true
  })
}

/** Whether the server may have no check-in of a scan, since its tab was killed early or its steward has undone it. */
function mayLack({ isCutShort, undo }: ScanAttempt): boolean {
  return isCutShort || undo !== undefined
}

function isSame(attempt: ScanAttempt, row: RecordedCheckIn): boolean {
  return placeOf(attempt) === placeOfRow(row)
}

function isGranted({ access_status }: RecordedCheckIn): boolean {
  return access_status === 0
}

function personsOf({ persons = 1 }: RecordedCheckIn): number {
  return persons
}

/** The most of a party who were inside at once, by the stamps; of one moment, entries come first. */
function mostInside(entries: readonly RecordedCheckIn[], out: readonly RecordedCheckIn[]): number {
  const timeOf = ({ access_stamp }: RecordedCheckIn): number => Date.parse(access_stamp)
  let [inside, most] = [0, 0]
  for (const row of [...entries, ...out].toSorted((one, other) => timeOf(one) - timeOf(other))) {
    inside = out.includes(row) ? Math.max(0, inside - personsOf(row)) : inside + personsOf(row)
    most = Math.max(most, inside)
  }
  return most
}

/** Whether the app has said last that a scan was not taken, or has asked how many of a party come in. */
function isNotTaken({ shown }: ScanAttempt): boolean {
  const by = shown.at(-1)?.by
  return by === 'app' || by === 'question'
}

/** Whether the device turned the guest away at first. */
function isCorrected([first]: readonly Shown[]): boolean {
  return first !== undefined && 'status' in first && first.status !== 0
}

function isDecided(status: number | null | undefined): status is Status {
  return status !== null && status !== undefined
}

/** The items of a list that another one lacks, each as often as it lacks it. */
function without(items: readonly string[], others: readonly string[]): string[] {
  const left = Map.groupBy(others, (each) => each)
  return items.filter((item) => left.get(item)?.pop() === undefined)
}

function placeOf({ uid, point }: ScanAttempt): string {
  return `${uid} ${point}`
}

function placeOfRow({ guest_uid, accesspoint_id }: RecordedCheckIn): string {
  return `${guest_uid} ${accesspoint_id}`
}

function describe({ scanner, uid, how, persons, begun, answered, isCutShort, undo, shown }: ScanAttempt): string {
  const times = `${new Date(begun).toISOString()}, answered ${answered ? new Date(answered).toISOString() : 'never'}`
  const end = `${isCutShort ? ', its tab killed' : ''}${undo ? `, undo ${undo}` : ''}`
  return `scanner ${scanner}: ${uid} ${how} for ${persons} ${times}${end}; shown: ${shown.map(wordsOf).join(', then ') || 'nothing'}`
}

function wordsOf(shown: Shown): string {
  if ('status' in shown) return `${shown.status} by the ${shown.by}`
  if (shown.by === 'app') return shown.text
  return shown.by === 'question' ? 'how many' : 'undecided'
}
