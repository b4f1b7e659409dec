import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { type Disowned, disownEach } from '@gatehouse/proto/storage/adopting.ts'
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

/** Deletes check-in points of another system that are gone there, unless guests were let in at them here. */
export async function disown(
  dependencies: Dependencies,
  { body: { event_id, ids } }: Call<(typeof accesspoints)['actions']['disown']>,
): Promise<Disowned[]> {
  const { accesspoints, checkIns, changeLog } = dependencies
  const stored = await accesspoints.withIds(event_id, ids)
  const disowned = disownEach(ids, stored, async ({ _id, updated_at }) => {
    if (await checkIns.hasOwnAt(event_id, _id)) return false
    return (await deleteWithLinks(dependencies, event_id, _id, { updated_at })) !== null
  })
  return changeLog.adding(event_id, { rights: true }, disowned)
}

async function deleteWithLinks(
  { accesspoints, entryPoints, links }: Dependencies,
  event_id: string,
  id: string,
  as?: { updated_at: Date },
): Promise<ShownAccesspoint | null> {
  // Guests may have come in there.
  if (await accesspoints.get(event_id, id)) await entryPoints.note(event_id, [id])
  const accesspoint = await accesspoints.delete(event_id, id, as)
  if (as && !accesspoint) return null
  const ofPoint = await links.ofPoint(event_id, id)
  // An earlier attempt may have died between the two deletions.
  await links.deleteOfPoint(event_id, id)
  return accesspoint && withLinks(accesspoint, ofPoint)
}
