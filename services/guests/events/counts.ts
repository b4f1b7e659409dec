import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { totalOf } from '../guests/guest-counts.ts'
import type { Event } from './resource.ts'
import type { StoredEvent } from './store.ts'

/** Returns events with their counts, for which one call asks. */
export async function withCounts({ guests, checkInClient }: Dependencies, events: StoredEvent[]): Promise<Event[]> {
  if (events.length === 0) return []
  const event_ids = events.map(({ _id }) => _id)
  const [guestCounts, doorCounts] = await Promise.all([
    guests.count(event_ids),
    checkInClient.counts({ body: { event_ids } }),
  ])
  const byEvent = new Map(doorCounts.map(({ event_id, ...counts }) => [event_id, counts]))
  return events.map((event) => ({
    ...event,
    guest_count: totalOf(guestCounts.get(event._id)),
    ...(byEvent.get(event._id) ?? { check_in_count: 0, signature_count: 0 }),
  }))
}

/** As {@link withCounts}, for one event. */
export async function withCountsOfOne(dependencies: Dependencies, event: StoredEvent): Promise<Event> {
  return found((await withCounts(dependencies, [event]))[0])
}
