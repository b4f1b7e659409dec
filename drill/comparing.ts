import type { StoredCheckIn } from '@gatehouse/cli/demo/recount.ts'
import type { DoorClient } from './client.ts'
import type { Invariant } from './invariants.ts'
import type { DrillRecord, RecordedScan } from './record.ts'
import { inEvent, sendAll } from './scanning.ts'

/** Makes all comparisons of check-ins with answers, and adds a line for each to `compared`; returns all check-ins. */
export async function compareCheckIns(client: DoorClient, compared: string[]): Promise<StoredCheckIn[]> {
  const { record } = client
  const list = (): Promise<StoredCheckIn[]> => client.list(inEvent('access_controls.json'))
  const rows = await list()
  compared.push(compareTroubles(record), compareStored(record, rows), compareHistories(record, rows))
  compared.push(await compareLeft(client, rows))
  const all = await list()
  compareStored(record, all)
  return all
}

/** Compares answers with stored check-ins: each answered scan is stored once, as it was answered. */
export function compareStored(record: DrillRecord, rows: StoredCheckIn[]): string {
  const byStamp = Map.groupBy(rows, ({ access_stamp }) => access_stamp)
  let answers = 0
  for (const scan of record.scans) {
    const stored = byStamp.get(scan.stamp) ?? []
    byStamp.delete(scan.stamp)
    answers += scan.answers.length
    const wrong = (invariant: Invariant, kind: string): void =>
      record.violation(invariant, kind, [describe(scan), `stored: ${JSON.stringify(stored)}`])
    const [first] = scan.answers
    if (stored.length > 1) wrong('once', 'one scan is stored twice')
    if (new Set(scan.answers.map(({ _id, status }) => `${_id} ${status}`)).size > 1)
      wrong('once', 'two answers to one scan differ')
    if (!first && scan.how !== 'single') wrong('recovery', 'a device that retried for a minute got no answer')
    const [row] = stored
    const isOther = ({ guest_uid, accesspoint_id, persons = 1 }: StoredCheckIn): boolean =>
      guest_uid !== scan.place.uid || accesspoint_id !== scan.place.point || persons !== scan.persons
    if (row && isOther(row)) wrong('stored', 'stored as another scan')
    if (scan.deletion?.answered !== undefined) {
      if (row) wrong('stored', 'a deleted check-in is stored')
    } else if (first && !scan.deletion && !row) wrong('stored', 'an answered check-in is missing')
    if (first && row && (row._id !== first._id || row.access_status !== first.status))
      wrong('stored', 'stored with another status or id than answered')
  }
  for (const [stamp, strange] of byStamp)
    record.violation('stored', 'stored and never sent', [stamp, JSON.stringify(strange)])
  return `${answers} answers to ${record.scans.length} scans with ${rows.length} stored check-ins`
}

/** The access that a granted check-in uses: surely from its answer until its deletion is sent, possibly from its first request until its deletion is answered. */
interface TakenAccess {
  persons: number
  possibly: [from: number, to: number]
  surely: [from: number, to: number]
}

/** Checks the history of each guest at each point: no more grants than allowed, and no refusal without a reason. */
export function compareHistories(record: DrillRecord, rows: StoredCheckIn[]): string {
  const stored = new Map(rows.map((row) => [row.access_stamp, row]))
  const statusOf = (scan: RecordedScan): number | undefined =>
    scan.answers[0]?.status ?? stored.get(scan.stamp)?.access_status
  const histories = Map.groupBy(
    record.scans.filter(({ place }) => place.limit !== undefined),
    ({ place }) => `${place.uid} ${place.point}`,
  )
  for (const scans of histories.values()) {
    const { limit, refusal } = (scans[0] as RecordedScan).place
    if (limit === undefined) continue
    const wrong = (invariant: Invariant, kind: string, scan?: RecordedScan): void =>
      record.violation(invariant, kind, [
        `limit ${limit}`,
        scan && `this one: ${describe(scan)}`,
        ...scans.map((each) => `${describe(each)}; stored ${stored.get(each.stamp)?.access_status ?? 'not'}`),
      ])
    const holdings = scans.filter((scan) => statusOf(scan) === 0).map(takenAccessOf)
    for (const scan of scans) {
      const status = statusOf(scan)
      if (status === undefined || status === 0) continue
      if (limit === -1) wrong('burnt', 'refused where there is no limit', scan)
      else if (status !== refusal) wrong('reasons', 'refused for the wrong reason', scan)
      else if (limit > 0) {
        const until = scan.answers[0]?.at ?? Number.POSITIVE_INFINITY
        const held = most(holdings, 'possibly', [scan.sent[0] ?? 0, until])
        if (held + scan.persons <= limit) wrong('burnt', 'refused though an access was left', scan)
      }
    }
    if (limit === 0 && holdings.length > 0) wrong('allowed', 'granted without a right')
    if (limit > 0 && most(holdings, 'surely', [0, Number.POSITIVE_INFINITY]) > limit)
      wrong('allowed', 'granted more often than allowed')
  }
  return `${histories.size} histories of a guest at a point`
}

function takenAccessOf(scan: RecordedScan): TakenAccess {
  const { sent, answers, deletion, persons } = scan
  const end = Number.POSITIVE_INFINITY
  return {
    persons,
    possibly: [sent[0] ?? 0, deletion?.answered ?? end],
    // Check-ins that were stored without an answer are never deleted.
    surely: [answers[0]?.at ?? Number.MAX_VALUE, deletion?.sent ?? end],
  }
}

/** The most persons who were inside at once, possibly or surely, within a window. */
function most(holdings: TakenAccess[], which: 'possibly' | 'surely', [from, to]: [number, number]): number {
  const within = holdings.filter(({ [which]: [begins, ends] }) => begins <= to && ends >= from)
  const moments = within.map(({ [which]: [begins] }) => Math.max(begins, from))
  const insideAt = (at: number): number =>
    within.reduce((sum, { persons, [which]: [begins, ends] }) => sum + (begins <= at && ends >= at ? persons : 0), 0)
  return Math.max(0, ...moments.map(insideAt))
}

/**
 * No access is burnt: guests with accesses left, by the stored check-ins, get exactly those now, and then a refusal.
 */
async function compareLeft(client: DoorClient, rows: StoredCheckIn[]): Promise<string> {
  const { record } = client
  const granted = Map.groupBy(
    rows.filter(({ access_status }) => access_status === 0),
    (row) => `${row.guest_uid} ${row.accesspoint_id}`,
  )
  const places = new Map(record.scans.map(({ place }) => [`${place.uid} ${place.point}`, place]))
  const asked = [...places].flatMap(([name, place]) => {
    if (place.limit === undefined || place.limit < 1) return []
    const left = place.limit - (granted.get(name) ?? []).reduce((sum, { persons = 1 }) => sum + persons, 0)
    return [{ name, left, scans: Array.from({ length: Math.max(left, 0) + 1 }, () => record.scan(place, 'batch', 1)) }]
  })
  await sendAll(
    client,
    asked.flatMap(({ scans }) => scans),
  )
  for (const { name, left, scans } of asked) {
    const got = scans.filter(({ answers }) => answers[0]?.status === 0).length
    if (got !== left)
      record.violation(got < left ? 'burnt' : 'allowed', 'grants differ from the accesses left', [
        `${name}: ${left} left, ${got} granted`,
        ...scans.map(describe),
        ...(granted.get(name) ?? []).map((row) => JSON.stringify(row)),
      ])
  }
  return `${asked.length} guests at a point scanned for their accesses left`
}

/** Compares closed connections and late answers with the faults of their gateways. */
export function compareTroubles(record: DrillRecord): string {
  for (const { gateway, what, sentAt, at } of record.closed)
    if (overlap(record, gateway, sentAt, at) === undefined)
      record.violation('failures', 'a connection was closed without a fault of its gateway', [`${gateway}: ${what}`])
  for (const { gateway, what, sentAt, at, maxMs } of record.slow)
    if (at - sentAt - (overlap(record, gateway, sentAt, at) ?? 0) > maxMs * record.slack)
      record.violation('deadline', 'answered too late', [`${gateway}: ${what}`])
  return `${record.closed.length} closed connections and ${record.slow.length} late answers with the faults of their gateways`
}

/** For how long, in ms, faults of a process lasted between two moments; undefined if there were none. */
function overlap({ faults }: DrillRecord, process: string, begin: number, end: number): number | undefined {
  const spans = faults
    .filter(({ name }) => name === process)
    .map(({ from, to, back = to }) => Math.min(back, end) - Math.max(from, begin))
    .filter((span) => span >= 0)
  return spans.length > 0 ? Math.max(...spans) : undefined
}

function describe({ place, stamp, how, persons, sent, answers, deletion }: RecordedScan): string {
  const given = answers.map(({ _id, status, at }) => `${status} (${_id}) at ${Math.round(at)}`)
  const deleted = deletion
    ? `; deletion sent at ${Math.round(deletion.sent)}, answered at ${Math.round(deletion.answered ?? -1)}`
    : ''
  return `${how} scan ${stamp} of ${place.uid} for ${persons} at ${place.point}: sent at ${sent.map(Math.round).join(', ')} ms, answered ${given.join(', ') || 'never'}${deleted}`
}
