import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { type ShownAccesspoint, withLinks } from './list.ts'
import type { accesspoints } from './resource.ts'

/** Deletes a check-in point and its links. */
export async function deleteAccesspoint(
  dependencies: Dependencies,
  { params: { event_id, id } }: Call<(typeof accesspoints)['actions']['delete']>,
): Promise<ShownAccesspoint> {
  const deleted = deleteWithLinks(dependencies, event_id, id)
  return found(await dependencies.changeLog.adding(event_id, { rights: true }, deleted))
}

async function deleteWithLinks(
  { accesspoints, links }: Dependencies,
  event_id: string,
  id: string,
): Promise<ShownAccesspoint | null> {
  const accesspoint = await accesspoints.delete(event_id, id)
  const ofPoint = await links.ofPoint(event_id, id)
  // An earlier attempt may have died between the two deletions.
  await links.deleteOfPoint(event_id, id)
  return accesspoint && withLinks(accesspoint, ofPoint)
}
