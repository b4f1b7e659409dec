import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import type { ShownArea } from './presenting.ts'
import type { areas } from './resource.ts'
import type { StoredArea } from './store.ts'

/** Deletes an area; its check-in points are then those of the event as a whole. */
export async function deleteArea(
  dependencies: Dependencies,
  { params: { event_id, id } }: Call<(typeof areas)['actions']['delete']>,
): Promise<ShownArea> {
  const deleted = deleteFromPoints(dependencies, event_id, id)
  const area = found(await dependencies.changeLog.adding(event_id, { rights: true }, deleted))
  // Its check-in points have left it.
  return { ...area, inside_count: 0 }
}

async function deleteFromPoints(
  { areas, accesspoints }: Dependencies,
  event_id: string,
  id: string,
): Promise<StoredArea | null> {
  const area = await areas.delete(event_id, id)
  // An earlier attempt may have died between the two writes.
  await accesspoints.leaveArea(event_id, id)
  return area
}
