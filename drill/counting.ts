import type { Client } from './client.ts'
import type { Stored } from './comparing.ts'
import type { Record } from './record.ts'
import { inEvent } from './scanning.ts'

interface Listed {
  uid: string
  guest_category_id: string
}

/** What the system counts against a recount of its lists, and the guests against those who should be there. */
export async function compareCounts(
  client: Client,
  record: Record,
  rows: Stored[],
  expected: { uids: string[]; categories: string[] },
): Promise<string> {
  const guests = await client.list<Listed>(inEvent('guests.json'))
  const event = await client.read(inEvent('').replace(/\/$/, '.json'))
  const statistics = await client.read(inEvent('statistics.json'))
  const listed = guests.map(({ uid }) => uid)
  const counts: [string, unknown, unknown][] = [
    ['guests that are missing', '', expected.uids.filter((uid) => !listed.includes(uid)).join()],
    ['guests listed', expected.uids.length, listed.length],
    ['event.guest_count', guests.length, event?.guest_count],
    ['event.check_in_count', rows.length, event?.check_in_count],
    ['guest_count', guests.length, statistics?.guest_count],
    ...countsOfCheckIns(rows, statistics),
    ...countsOfCategories(rows, guests, expected.categories, statistics),
  ]
  for (const [what, wanted, given] of counts)
    if (wanted !== given)
      record.violation('counts', 'a count is wrong', [`${what}: counted ${wanted}, answered ${given}`])
  return `${counts.length} counts with a recount of the lists`
}

// biome-ignore lint/suspicious/noExplicitAny: an answer as it comes
function countsOfCheckIns(rows: Stored[], statistics: any): [string, unknown, unknown][] {
  const minutes = Map.groupBy(rows, ({ access_stamp }) => `${access_stamp.slice(0, 16)}:00.000Z`)
  const points = Map.groupBy(rows, ({ accesspoint_id }) => accesspoint_id)
  return [
    ['check_in_count', rows.length, statistics?.check_in_count],
    ['checked_in_guest_count', admitted(rows).size, statistics?.checked_in_guest_count],
    ...[0, 1, 2, 3].map((status): [string, unknown, unknown] => [
      `by_status ${status}`,
      rows.filter(({ access_status }) => access_status === status).length,
      statistics?.by_status.find(({ access_status }: Stored) => access_status === status)?.count,
    ]),
    ...[...points].map(([point, here]): [string, unknown, unknown] => {
      const given = statistics?.by_accesspoint.find(({ accesspoint_id }: Stored) => accesspoint_id === point)
      return [
        `by_accesspoint ${point}`,
        [...split(here), admitted(here).size].join(),
        [given?.granted, given?.refused, given?.unique_guests].join(),
      ]
    }),
    ...[...minutes].map(([minute, here]): [string, unknown, unknown] => {
      const given = statistics?.timeline.find((row: { minute: string }) => row.minute === minute)
      return [`timeline ${minute}`, split(here).join(), [given?.granted, given?.refused].join()]
    }),
  ]
}

function countsOfCategories(
  rows: Stored[],
  guests: Listed[],
  categories: string[],
  // biome-ignore lint/suspicious/noExplicitAny: an answer as it comes
  statistics: any,
): [string, unknown, unknown][] {
  const inside = admitted(rows)
  return categories.map((category) => {
    const members = guests.filter(({ guest_category_id }) => guest_category_id === category)
    const given = statistics?.by_guest_category.find((row: Listed) => row.guest_category_id === category)
    return [
      `by_guest_category ${category}`,
      [members.length, members.filter(({ uid }) => inside.has(uid)).length].join(),
      [given?.guest_count, given?.checked_in_guest_count].join(),
    ]
  })
}

/** The uids with a granted check-in. */
function admitted(rows: Stored[]): Set<string> {
  return new Set(rows.filter(({ access_status }) => access_status === 0).map(({ guest_uid }) => guest_uid))
}

/** How many are granted, and how many refused. */
function split(rows: Stored[]): [granted: number, refused: number] {
  const granted = rows.filter(({ access_status }) => access_status === 0).length
  return [granted, rows.length - granted]
}
