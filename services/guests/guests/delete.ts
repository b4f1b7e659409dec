import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import * as topics from '../topics.ts'
import type { Guest, guests } from './resource.ts'
import type { StoredGuest } from './stored-guest.ts'

type Delete = typeof guests.actions.delete

/** Deletes a guest; its uid opens no door from then on. */
export async function deleteGuest(
  dependencies: Dependencies,
  { params: { event_id, id } }: Call<Delete>,
): Promise<Guest> {
  const { guests, outbox, presenter } = dependencies
  const current = found(await guests.get(event_id, id))
  const deleted = await outbox.publishing(
    { type: 'guest.deleted', event_id, items: [current] },
    async () => found(await removed(dependencies, current)),
    (deleted) => [presenter.forWebhooks(deleted)],
  )
  return presenter.shown(deleted)
}

/** Deletes a guest, only `as` it was read if that is given, and makes it known. Null if it is gone. */
export async function removed(
  dependencies: Dependencies,
  current: StoredGuest,
  as?: Pick<StoredGuest, 'revision'>,
): Promise<StoredGuest | null> {
  const { event_id, _id } = current
  const [deleted] = await removing(dependencies, event_id, [current], async () => {
    const one = await dependencies.guests.delete(event_id, _id, as)
    return one ? [one] : []
  })
  return deleted ?? null
}

/** Makes known that guests of an event are deleted, whom `remove` deletes and returns. */
export function removing(
  { changes, bus }: Dependencies,
  event_id: string,
  guests: StoredGuest[],
  remove: () => Promise<StoredGuest[]>,
): Promise<StoredGuest[]> {
  const uids = new Set(guests.map(({ uid }) => uid))
  const moved_from = new Date(Math.min(...guests.map(({ created_at }) => created_at.getTime())))
  return changes.changing({ event_id, uids, moved_from }, async () => {
    await changes.leaving({ event_id, uids: [...uids], moved_from })
    const deleted = await remove()
    for (const { uid } of deleted) uids.add(uid)
    const guest_ids = deleted.map(({ _id }) => _id)
    if (guest_ids.length > 0) bus.announce(topics.gone, { event_id, guest_ids })
    return deleted
  })
}
