import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { disownEach, isUntouched } from '@gatehouse/proto/storage/adopting.ts'
import type { Dependencies } from '../dependencies.ts'
import { finishDeletion } from './deletion.ts'
import type { exhibitors } from './resource.ts'

type Disown = typeof exhibitors.actions.disown

/** Deletes exhibitors of another system that are gone there, with their leads. One that has phones here, or leads that were made or changed here, stays. */
export async function disown(
  { exhibitors, leads }: Dependencies,
  { body: { event_id, ids } }: Call<Disown>,
): Promise<Output<Disown>> {
  return disownEach(ids, await exhibitors.withIds(event_id, ids), async ({ _id, updated_at, phones = [] }) => {
    if (phones.length > 0 || !(await leads.ofExhibitor(event_id, _id)).every(isUntouched)) return false
    const deleted = await exhibitors.markDeleted(event_id, _id, { updated_at })
    if (deleted) await finishDeletion(exhibitors, leads, deleted)
    return deleted !== null
  })
}
