import type { Collection } from 'mongodb'

/** A guest who owns a badge or file. */
export interface Owner {
  event_id: string
  guest_id: string
}

/** The next `limit` owners in a collection after `after`, by event and guest. The collection needs an index that begins with these. */
export async function ownersIn<T extends Owner>(
  collection: Collection<T>,
  after: Owner | undefined,
  limit: number,
): Promise<Owner[]> {
  const find = (filter: object, most: number): Promise<Owner[]> =>
    collection
      .find(filter)
      .sort({ event_id: 1, guest_id: 1 })
      .limit(most)
      .project<Owner>({ _id: 0, event_id: 1, guest_id: 1 })
      .toArray()
  if (!after) return find({}, limit)
  const sameEvent = await find({ event_id: after.event_id, guest_id: { $gt: after.guest_id } }, limit)
  if (sameEvent.length === limit) return sameEvent
  return [...sameEvent, ...(await find({ event_id: { $gt: after.event_id } }, limit - sameEvent.length))]
}
