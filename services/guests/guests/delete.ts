import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import * as topics from '../topics.ts'
import type { Guest, guests } from './resource.ts'

type Delete = typeof guests.actions.delete

/** Deletes a guest; its uid opens no door from then on. */
export async function deleteGuest(
  { guests, changes, outbox, presenter, bus }: Dependencies,
  { params: { event_id, id } }: Call<Delete>,
): Promise<Guest> {
  const current = found(await guests.get(event_id, id))
  const { uid, created_at: moved_from } = current
  const uids = new Set([uid])
  const deleted = await outbox.publishing(
    { type: 'guest.deleted', event_id, items: [current] },
    () =>
      changes.changing({ event_id, uids, moved_from }, async () => {
        await changes.leaving({ event_id, uids: [uid], moved_from })
        const deleted = found(await guests.delete(event_id, id))
        uids.add(deleted.uid)
        bus.announce(topics.gone, { event_id, guest_id: id })
        return deleted
      }),
    (deleted) => [presenter.forWebhooks(deleted)],
  )
  return presenter.shown(deleted)
}
