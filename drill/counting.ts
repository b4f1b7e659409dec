import {
  type CountedGuest,
  type CountedPlaces,
  compareCounts,
  recountOf,
  type StoredCheckIn,
} from '@gatehouse/cli/demo/recount.ts'
import type { Left } from './changing.ts'
import type { DoorClient } from './client.ts'
import type { DrillEvent } from './drill-event.ts'
import { inEvent } from './scanning.ts'

/** All guests that must be there once the doors are closed: those of the event, and those that changers and movers leave. */
export function allLeft({ uids, queueUids, probe, category }: DrillEvent, left: readonly Left[]): Left {
  const all = [...left, { uids: [...uids, ...queueUids, probe.uid], categories: [category] }]
  return { uids: all.flatMap((each) => each.uids), categories: all.flatMap((each) => each.categories) }
}

/** Compares the system's counts with a recount of its lists, and the listed guests with those who must be there. */
export async function compareWithRecount(
  client: DoorClient,
  checkIns: StoredCheckIn[],
  { uids, categories }: Left,
): Promise<string> {
  const guests = await client.list<CountedGuest>(inEvent('guests.json'))
  const event = await client.read(inEvent('').replace(/\/$/, '.json'))
  const points = await client.list<CountedPlaces['points'][number]>(inEvent('accesspoints.json'))
  const areas = await client.list<CountedPlaces['areas'][number]>(inEvent('areas.json'))
  const statistics = await client.read(inEvent('statistics.json'))
  const listed = new Set(guests.map(({ uid }) => uid))
  const missing = uids.filter((uid) => !listed.has(uid)).map((uid) => `the guest ${uid} is missing`)
  const counts = { guest_count: guests.length, check_in_count: checkIns.length }
  const comparisons = [
    { compared: uids.length, differences: missing },
    compareCounts('', { guests_listed: uids.length }, { guests_listed: guests.length }),
    compareCounts('', counts, event),
    compareCounts('', recountOf(checkIns, guests, categories, { points, areas }), statistics),
  ]
  for (const difference of comparisons.flatMap(({ differences }) => differences))
    client.record.violation('counts', 'a count is wrong', [difference])
  return `${comparisons.reduce((sum, { compared }) => sum + compared, 0)} counts with a recount of the lists`
}
