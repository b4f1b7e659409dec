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
export function removed(
  { guests, changes, bus }: Dependencies,
  { event_id, _id, uid, created_at: moved_from }: StoredGuest,
  as?: Pick<StoredGuest, 'revision'>,
): Promise<StoredGuest | null> {
  const uids = new Set([uid])
  return changes.changing({ event_id, uids, moved_from }, async () => {
    await changes.leaving({ event_id, uids: [uid], moved_from })
    const deleted = await guests.delete(event_id, _id, as)
    if (!deleted) return null
    uids.add(deleted.uid)
    bus.announce(topics.gone, { event_id, guest_id: _id })
    return deleted
  })
}
