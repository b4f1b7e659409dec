import { GIVING_WAY, inChunks } from '@gatehouse/proto/concurrency/chunks.ts'
import { type Call, isRejected, type Output } from '@gatehouse/proto/declaring/resource.ts'
import { untilUnchanged } from '@gatehouse/proto/storage/documents.ts'
import { BSON } from 'mongodb'
import type { Dependencies } from '../dependencies.ts'
import { removing } from './delete.ts'
import type { guests } from './resource.ts'
import type { StoredGuest } from './stored-guest.ts'
import { NO_GUEST } from './validation.ts'

type BatchDelete = typeof guests.actions.batch_delete

/** Bytes of the guests that are deleted together: an outbox entry holds them as they were, and a document of the store at most 16 MiB. */
const BYTES_TOGETHER = 8 * 1024 * 1024

/** Deletes the guests of a batch; their uids open no door from then on. */
export function batch_delete(
  dependencies: Dependencies,
  { params: { event_id }, body }: Call<BatchDelete>,
): Promise<Output<BatchDelete>> {
  const deleteChunk = async (items: typeof body): Promise<Output<BatchDelete>> => {
    const ids = items.flatMap((item) => (isRejected(item) ? [] : item._id))
    const deleted = await deleteAll(dependencies, event_id, ids)
    return items.map((item) => {
      if (isRejected(item)) return item
      // Of several items with one id the first deletes the guest.
      return deleted.delete(item._id) ? { _id: item._id } : { errors: NO_GUEST }
    })
  }
  return inChunks(body, deleteChunk, GIVING_WAY)
}

/** Deletes guests, however often they change meanwhile. Returns the ids of those that there were. */
async function deleteAll(dependencies: Dependencies, event_id: string, ids: string[]): Promise<Set<string>> {
  const deleted = new Set<string>()
  return untilUnchanged('guest', async () => {
    const stored = await dependencies.lookups.withIds(event_id, ids)
    for (const together of bySize(stored)) {
      for (const { _id } of await deleteAsRead(dependencies, event_id, together)) deleted.add(_id)
    }
    return stored.every(({ _id }) => deleted.has(_id)) ? deleted : null
  })
}

/** Deletes guests as they were read, and makes it known. Returns those who are gone. */
function deleteAsRead(dependencies: Dependencies, event_id: string, current: StoredGuest[]): Promise<StoredGuest[]> {
  const { guests, outbox, presenter } = dependencies
  return outbox.publishing(
    { type: 'guest.deleted', event_id, items: current },
    () => removing(dependencies, event_id, current, () => guests.deleteAsRead(event_id, current)),
    (deleted) => deleted.map((guest) => presenter.forWebhooks(guest)),
  )
}

function bySize(guests: StoredGuest[]): StoredGuest[][] {
  let bytes = 0
  const parts = Map.groupBy(guests, (guest) => {
    bytes += BSON.calculateObjectSize(guest)
    return Math.floor(bytes / BYTES_TOGETHER)
  })
  return [...parts.values()]
}
