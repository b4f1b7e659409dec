import type { StoredCheckIn } from '@gatehouse/cli/demo/recount.ts'
import type { DrillRecord } from '../record.ts'
import type { Right, ScanAttempt, Shown, Status } from './attempts.ts'
import { matched } from './matching.ts'

/** A check-in as the server lists it. */
export interface RecordedCheckIn extends StoredCheckIn {
  decided_offline?: number | null
}

/** The time of a scan is the server's, as far as a phone learns it on a network on which an answer takes up to 15 s. */
const CLOCK_MS = 10_000

/**
 * Compares what screens have shown with what the server lists at the end: there is one check-in for each scan that the app has taken, and it says
 * what the screen said.
 */
export function compareShown(record: DrillRecord, rows: readonly RecordedCheckIn[]): string {
  const places = new Set([...record.attempts.map(placeOf), ...rows.map(placeOfRow)])
  const attempts = Map.groupBy(record.attempts, placeOf)
  const stored = Map.groupBy(rows, placeOfRow)
  for (const place of places) {
    const taken = (attempts.get(place) ?? []).filter((attempt) => !isNotTaken(attempt))
    // Those whose tab was killed come last: they need no check-in, and take none that another scan needs.
    const made = taken.toSorted((one, other) => Number(one.isCutShort) - Number(other.isCutShort))
    const listed = stored.get(place) ?? []
    const ofMade = matched(made, listed, agree)
    const ofListed = matched(listed, made, (row, attempt) => agree(attempt, row))
    const history = [...made.map(describe), ...listed.map((row) => `stored: ${JSON.stringify(row)}`)]
    for (const attempt of made)
      if (!attempt.isCutShort && !ofMade.has(attempt))
        record.violation('shown', 'a scan is not on the server as its screen showed it', [
          describe(attempt),
          ...history,
        ])
    for (const row of listed)
      if (!ofListed.has(row))
        record.violation('once', 'a check-in is stored that no scan stands for', [JSON.stringify(row), ...history])
  }
  const taken = record.attempts.filter((attempt) => !isNotTaken(attempt))
  return `${taken.length} scans which the apps took, or may have taken, with ${rows.length} stored check-ins`
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
  for (const missing of without(expected, onDevices))
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

/** The server lets each guest in as often as allowed, for the right reasons; so does each device, for itself. */
export function compareRights(
  record: DrillRecord,
  rows: readonly RecordedCheckIn[],
  rightOf: (uid: string) => Right,
): string {
  const places = Map.groupBy(rows, placeOfRow)
  for (const here of places.values()) {
    const { limit, refusal } = rightOf((here[0] as RecordedCheckIn).guest_uid)
    const history = here.map((row) => `stored: ${JSON.stringify(row)}`)
    const granted = here.filter(({ access_status }) => access_status === 0).length
    if (granted > limit) record.violation('allowed', `granted ${granted} times, allowed ${limit}`, history)
    if (granted < Math.min(limit, here.length)) record.violation('burnt', 'refused though an access was left', history)
    if (here.some(({ access_status }) => access_status !== 0 && access_status !== refusal))
      record.violation('reasons', 'refused for the wrong reason', history)
  }
  const own = Map.groupBy(record.attempts, (attempt) => `${attempt.scanner} ${placeOf(attempt)}`)
  for (const made of own.values()) {
    const { limit } = rightOf((made[0] as ScanAttempt).uid)
    const letIn = made.filter(({ shown }) => shown.some((each) => 'status' in each && each.status === 0))
    // The server may say later that a guest whom the device had to turn away may enter.
    const byItself = letIn.filter(({ shown }) => !isCorrected(shown))
    if (byItself.length > limit)
      record.violation(
        'again',
        `one device let a guest in ${byItself.length} times, allowed ${limit}`,
        made.map(describe),
      )
  }
  return `${places.size} guests at a check-in point with their rights`
}

/** Nothing waits on any device. */
export function compareQueues(record: DrillRecord): string {
  for (const [scanner, { waiting }] of record.endings.entries())
    if (waiting !== undefined) record.violation('sent', 'a device still waits', [`scanner ${scanner} says: ${waiting}`])
  return `${record.endings.length} queues`
}

/** Whether a stored check-in can be that of a scan. */
function agree({ shown, begun, answered }: ScanAttempt, row: RecordedCheckIn): boolean {
  const at = Date.parse(row.access_stamp)
  if (at < begun - CLOCK_MS || at > (answered ?? begun) + CLOCK_MS) return false
  return shown.every((each) => {
    if (each.by === 'server') return each.status === row.access_status
    if (each.by === 'device') return each.status === row.decided_offline
    return true
  })
}

/** Whether the app has said last that a scan was not taken. */
function isNotTaken({ shown }: ScanAttempt): boolean {
  return shown.at(-1)?.by === 'app'
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

function describe({ scanner, uid, how, begun, answered, isCutShort, shown }: ScanAttempt): string {
  const said = shown.map((each) =>
    'status' in each ? `${each.status} by the ${each.by}` : each.by === 'app' ? each.text : 'undecided',
  )
  const times = `${new Date(begun).toISOString()}, answered ${answered ? new Date(answered).toISOString() : 'never'}`
  return `scanner ${scanner}: ${uid} ${how} ${times}${isCutShort ? ', its tab killed' : ''}; shown: ${said.join(', then ') || 'nothing'}`
}
