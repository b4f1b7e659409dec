import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { copiesOf, copyId } from '@gatehouse/proto/serving/copies.ts'
import type { Dependencies } from '../dependencies.ts'
import type { accesspoints } from './resource.ts'

type Copy = (typeof accesspoints)['actions']['copy']

/** Copies areas and check-in points of an event into another, which no door knows yet. */
export async function copy(
  { areas, accesspoints: store }: Dependencies,
  { body: { from_event_id, event_id, at } }: Call<Copy>,
): Promise<Output<Copy>> {
  // Read after the points: an area that is deleted meanwhile has left them.
  const points = await store.ofEvent(from_event_id)
  const areasThere = await areas.ofEvent(from_event_id)
  const areaIds = new Set(areasThere.map(({ _id }) => _id))
  await areas.insertMany(copiesOf(areasThere, event_id, at))
  const copies = copiesOf(points, event_id, at).map(({ has_gaps: _, ...point }) => ({
    ...point,
    area_id: point.area_id && areaIds.has(point.area_id) ? copyId(event_id, point.area_id) : null,
  }))
  await store.insertMany(copies)
  return { ids: points.map(({ _id }) => _id) }
}
