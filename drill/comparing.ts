import type { Client } from './client.ts'
import type { Record, Scan } from './record.ts'
import { inEvent, sendBatch } from './scanning.ts'

/** A check-in as it is listed. */
export interface Stored {
  _id: string
  guest_uid: string
  accesspoint_id: string
  access_status: number
  access_stamp: string
}

const PROBES_PER_BATCH = 500

/** Each scan's answers against what is stored of it: all that was answered is there, once, as it was answered. */
export function compareStored(record: Record, rows: Stored[]): string {
  const byStamp = Map.groupBy(rows, ({ access_stamp }) => access_stamp)
  let answers = 0
  for (const scan of record.scans) {
    const stored = byStamp.get(scan.stamp) ?? []
    byStamp.delete(scan.stamp)
    answers += scan.answers.length
    const wrong = (kind: string): void => record.violation(kind, [tell(scan), `stored: ${JSON.stringify(stored)}`])
    const [first] = scan.answers
    if (stored.length > 1) wrong('one scan is stored twice')
    if (new Set(scan.answers.map(({ _id, status }) => `${_id} ${status}`)).size > 1)
      wrong('two answers to one scan differ')
    if (!first && scan.how !== 'single') wrong('a device that insisted got no answer')
    const [row] = stored
    if (row && (row.guest_uid !== scan.place.uid || row.accesspoint_id !== scan.place.point))
      wrong('stored as another scan')
    if (scan.deletion?.answered !== undefined) {
      if (row) wrong('a deleted check-in is there')
    } else if (first && !scan.deletion && !row) wrong('an answered check-in is missing')
    if (first && row && (row._id !== first._id || row.access_status !== first.status))
      wrong('stored with another status or id than answered')
  }
  for (const [stamp, strange] of byStamp) record.violation('stored and never sent', [stamp, JSON.stringify(strange)])
  return `${answers} answers to ${record.scans.length} scans with ${rows.length} stored check-ins`
}

/** A granted check-in as it took up an access: surely from its answer to the wish to delete it, possibly from its first sending on. */
interface Holding {
  scan: Scan
  possibly: [from: number, to: number]
  surely: [from: number, to: number]
}

/** Each guest at each point, as it went: never in more often than allowed, never refused without a reason. */
export function compareHistories(record: Record, rows: Stored[]): string {
  const stored = new Map(rows.map((row) => [row.access_stamp, row]))
  const statusOf = (scan: Scan): number | undefined => scan.answers[0]?.status ?? stored.get(scan.stamp)?.access_status
  const histories = Map.groupBy(
    record.scans.filter(({ place }) => place.limit !== undefined),
    ({ place }) => `${place.uid} ${place.point}`,
  )
  for (const scans of histories.values()) {
    const { limit, refusal } = (scans[0] as Scan).place
    if (limit === undefined) continue
    const wrong = (kind: string, scan?: Scan): void =>
      record.violation(kind, [
        `limit ${limit}`,
        scan && `this one: ${tell(scan)}`,
        ...scans.map((each) => `${tell(each)}; stored ${stored.get(each.stamp)?.access_status ?? 'not'}`),
      ])
    const holdings = scans.filter((scan) => statusOf(scan) === 0).map(holdingOf)
    for (const scan of scans) {
      const status = statusOf(scan)
      if (status === undefined || status === 0) continue
      if (limit === -1) wrong('refused where there is no limit', scan)
      else if (status !== refusal) wrong('refused for the wrong reason', scan)
      else if (limit > 0) {
        const until = scan.answers[0]?.at ?? Number.POSITIVE_INFINITY
        if (
          most(
            holdings.map(({ possibly }) => possibly),
            [scan.sent[0] ?? 0, until],
          ) < limit
        )
          wrong('refused though an access was left', scan)
      }
    }
    if (limit === 0 && holdings.length > 0) wrong('granted without a right')
    if (
      limit > 0 &&
      most(
        holdings.map(({ surely }) => surely),
        [0, Number.POSITIVE_INFINITY],
      ) > limit
    )
      wrong('granted more often than allowed')
  }
  return `${histories.size} histories of a guest at a point`
}

function holdingOf(scan: Scan): Holding {
  const { sent, answers, deletion } = scan
  const end = Number.POSITIVE_INFINITY
  return {
    scan,
    possibly: [sent[0] ?? 0, deletion?.answered ?? end],
    // What was stored and not answered is there at the end, and nobody deletes it.
    surely: [answers[0]?.at ?? Number.MAX_VALUE, deletion?.sent ?? end],
  }
}

/** How many of the spans hold at once at most, within a window. */
function most(spans: [number, number][], [from, to]: [number, number]): number {
  const within = spans.filter(([begins, ends]) => begins <= to && ends >= from)
  const moments = within.map(([begins]) => Math.max(begins, from))
  return Math.max(0, ...moments.map((at) => within.filter(([begins, ends]) => begins <= at && ends >= at).length))
}

/**
 * Nobody's access is burnt: whoever has accesses left by what is stored gets exactly those now, and then a refusal.
 */
export async function compareLeft(client: Client, record: Record, rows: Stored[]): Promise<string> {
  const granted = Map.groupBy(
    rows.filter(({ access_status }) => access_status === 0),
    (row) => `${row.guest_uid} ${row.accesspoint_id}`,
  )
  const places = new Map(record.scans.map(({ place }) => [`${place.uid} ${place.point}`, place]))
  const asked = [...places].flatMap(([name, place]) => {
    if (place.limit === undefined || place.limit < 1) return []
    const left = place.limit - (granted.get(name)?.length ?? 0)
    return [{ name, left, scans: Array.from({ length: Math.max(left, 0) + 1 }, () => record.scan(place, 'batch')) }]
  })
  const probes = asked.flatMap(({ scans }) => scans)
  for (let start = 0; start < probes.length; start += PROBES_PER_BATCH) {
    const batch = probes.slice(start, start + PROBES_PER_BATCH)
    for (let tries = 0; !(await sendBatch(client, batch, undefined)); tries++)
      if (tries === 10) throw new Error('the last scans are not answered')
  }
  for (const { name, left, scans } of asked) {
    const got = scans.filter(({ answers }) => answers[0]?.status === 0).length
    if (got !== left)
      record.violation('what is left is not what is given', [
        `${name}: ${left} left, ${got} granted`,
        ...scans.map(tell),
        ...(granted.get(name) ?? []).map((row) => JSON.stringify(row)),
      ])
  }
  return `${asked.length} guests at a point asked for what they have left`
}

/** What the system counts against a recount of its list. */
export async function compareCounts(
  client: Client,
  record: Record,
  rows: Stored[],
  guestCount: number,
): Promise<string> {
  const count = (of: (row: Stored) => boolean): number => rows.filter(of).length
  const distinct = (of: (row: Stored) => boolean): number => new Set(rows.filter(of).map((row) => row.guest_uid)).size
  const isGranted = ({ access_status }: Stored): boolean => access_status === 0
  const event = (await client.insist('GET', inEvent('').replace(/\/$/, '.json')))?.body
  const statistics = (await client.insist('GET', inEvent('statistics.json')))?.body
  const minutes = Map.groupBy(rows, ({ access_stamp }) => `${access_stamp.slice(0, 16)}:00.000Z`)
  const points = Map.groupBy(rows, ({ accesspoint_id }) => accesspoint_id)
  const expected: [string, unknown, unknown][] = [
    ['event.check_in_count', rows.length, event?.check_in_count],
    ['event.guest_count', guestCount, event?.guest_count],
    ['check_in_count', rows.length, statistics?.check_in_count],
    ['checked_in_guest_count', distinct(isGranted), statistics?.checked_in_guest_count],
    ...[0, 1, 2, 3].map((status): [string, unknown, unknown] => [
      `by_status ${status}`,
      count(({ access_status }) => access_status === status),
      statistics?.by_status.find(({ access_status }: Stored) => access_status === status)?.count,
    ]),
    ...[...points].map(([point, here]): [string, unknown, unknown] => {
      const given = statistics?.by_accesspoint.find(({ accesspoint_id }: Stored) => accesspoint_id === point)
      const granted = here.filter(isGranted)
      const unique = new Set(granted.map(({ guest_uid }) => guest_uid)).size
      return [
        `by_accesspoint ${point}`,
        [granted.length, here.length - granted.length, unique].join(),
        [given?.granted, given?.refused, given?.unique_guests].join(),
      ]
    }),
    ...[...minutes].map(([minute, here]): [string, unknown, unknown] => {
      const given = statistics?.timeline.find((row: { minute: string }) => row.minute === minute)
      const granted = here.filter(isGranted).length
      return [`timeline ${minute}`, [granted, here.length - granted].join(), [given?.granted, given?.refused].join()]
    }),
  ]
  for (const [what, wanted, given] of expected)
    if (wanted !== given) record.violation('a count is wrong', [`${what}: counted ${wanted}, answered ${given}`])
  return `${expected.length} counts with a recount of the list`
}

function tell({ place, stamp, how, sent, answers, deletion }: Scan): string {
  const given = answers.map(({ _id, status, at }) => `${status} (${_id}) at ${Math.round(at)}`)
  const deleted = deletion
    ? `; deletion sent at ${Math.round(deletion.sent)}, answered at ${Math.round(deletion.answered ?? -1)}`
    : ''
  return `${how} scan ${stamp} of ${place.uid} at ${place.point}: sent at ${sent.map(Math.round).join(', ')} ms, answered ${given.join(', ') || 'never'}${deleted}`
}
