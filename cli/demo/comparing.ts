import type { Client } from '../../clients/typescript/client.ts'
import { allPages } from '../pages.ts'
import type { AnsweredScan } from './arrivals.ts'
import { statusBy } from './decision-table.ts'
import type { DemoEvent } from './event.ts'
import { allowance, type DemoGuest, type DoorName } from './plan.ts'
import { type Comparison, compareCounts, recountOf, type StoredCheckIn } from './recount.ts'

/** Compares the answers that the scanners got with the system's check-ins and counts. */
export async function compareAnswers(
  gatehouse: Client,
  { event_id, doorIds, categoryIds }: DemoEvent,
  guests: DemoGuest[],
  answers: AnsweredScan[],
): Promise<Comparison[]> {
  const path = { event_id }
  const pages = allPages(async (query) => {
    const { data } = await gatehouse.GET('/api/v1/events/{event_id}/access_controls.json', { params: { path, query } })
    return data
  })
  const stored = await Array.fromAsync(pages)
  const { data: event } = await gatehouse.GET('/api/v1/events/{event_id}.json', { params: { path } })
  const { data: statistics } = await gatehouse.GET('/api/v1/events/{event_id}/statistics.json', { params: { path } })
  const counts = { guest_count: guests.length, check_in_count: answers.length, signature_count: 0 }
  const recounted = recountOf(
    answers.map(({ scan, ...answer }) => ({
      ...answer,
      guest_uid: scan.uid,
      accesspoint_id: doorIds.get(scan.door)!,
    })),
    guests.map(({ uid, category }) => ({ uid, guest_category_id: categoryIds.get(category)! })),
    [...categoryIds.values()],
  )
  return [
    compareStored(answers, stored, doorIds),
    compareAllowances(answers, guests),
    compareCounts('event counts equal a recount', counts, event),
    compareCounts('statistics equal a recount', { ...recounted, signature_count: 0 }, statistics),
  ]
}

/** Every answered check-in is stored as it was answered, and no other is stored. */
export function compareStored(
  answers: AnsweredScan[],
  stored: StoredCheckIn[],
  doorIds: ReadonlyMap<DoorName, string>,
): Comparison {
  const differences: string[] = []
  const byId = new Map(stored.map((checkIn) => [checkIn._id, checkIn]))
  if (byId.size < stored.length) differences.push(`${stored.length - byId.size} are listed more than once`)
  const answered = new Set(answers.map(({ _id }) => _id))
  if (answered.size < answers.length) differences.push(`${answers.length - answered.size} answers share an id`)
  for (const { _id, access_status, access_stamp, scan } of answers) {
    const found = byId.get(_id)
    if (!found) differences.push(`${_id} was answered with ${access_status} and is not stored`)
    else if (found.access_status !== access_status)
      differences.push(`${_id} was answered with ${access_status} and is stored with ${found.access_status}`)
    else if (
      found.guest_uid !== scan.uid ||
      found.accesspoint_id !== doorIds.get(scan.door) ||
      Date.parse(found.access_stamp) !== Date.parse(access_stamp)
    )
      differences.push(`${_id} is stored as another scan`)
  }
  for (const { _id } of stored) if (!answered.has(_id)) differences.push(`${_id} is stored and was never answered`)
  return { what: 'answered check-ins are those stored', compared: answers.length, differences }
}

/** All guests were granted as many check-ins as allowed, and every refusal has its reason. */
export function compareAllowances(answers: AnsweredScan[], guests: DemoGuest[]): Comparison {
  const categoryOf = new Map(guests.map(({ uid, category }) => [uid, category]))
  const places = Map.groupBy(answers, ({ scan }) => `${scan.uid} at ${scan.door}`)
  const differences: string[] = []
  for (const [place, here] of places) {
    const { uid, door } = here[0]!.scan
    const category = categoryOf.get(uid)
    const rights = { isGuest: category !== undefined, link: category && allowance(category, door), own: [] }
    const expected = here.map((_, used) => statusBy(rights, used))
    const given = here.map(({ access_status }) => access_status).sort()
    if (given.join() !== expected.join()) differences.push(`${place}: expected ${expected}, answered ${given}`)
  }
  return { what: 'guests at doors got in as often as allowed', compared: places.size, differences }
}
