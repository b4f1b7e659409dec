import { ACCESS_GRANTED } from '@gatehouse/door/decision.ts'
import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import type { checkIns } from './resource.ts'
import type { CheckIn } from './store.ts'

type Delete = Call<(typeof checkIns)['actions']['delete']>

/** Deletes a check-in; a granted one gives its access back. */
export async function deleteCheckIn(
  { checkIns, accesspoints, changeLog }: Dependencies,
  { params: { event_id, id } }: Delete,
): Promise<CheckIn> {
  const checkIn = found(await checkIns.get(event_id, id))
  // Every door must know of the gap before the deletion makes it.
  if (checkIn.access_status === ACCESS_GRANTED && (await accesspoints.markGaps(event_id, checkIn.accesspoint_id)))
    await changeLog.add(event_id, { rights: true })
  return found(await checkIns.delete(checkIn))
}
