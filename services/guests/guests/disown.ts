import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { disownEach } from '@gatehouse/proto/storage/adopting.ts'
import type { Dependencies } from '../dependencies.ts'
import { removed } from './delete.ts'
import type { guests } from './resource.ts'

type Disown = typeof guests.actions.disown

/** Deletes guests of another system who are gone there. Who was scanned here stays. */
export async function disown(
  dependencies: Dependencies,
  { body: { event_id, ids } }: Call<Disown>,
): Promise<Output<Disown>> {
  const stored = await dependencies.lookups.withIds(event_id, ids)
  const uids = stored.map(({ uid }) => uid)
  const scanned = new Set((await dependencies.checkInClient.made_here({ body: { event_id, uids } })).uids)
  return disownEach(ids, stored, async (guest) => {
    if (scanned.has(guest.uid)) return false
    return (await removed(dependencies, guest, { revision: guest.revision })) !== null
  })
}
