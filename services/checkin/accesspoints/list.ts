import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Link } from '../links/store.ts'
import { mayUsePoint } from './device-points.ts'
import type { accesspoints } from './resource.ts'
import type { StoredAccesspoint } from './store.ts'

type List = Call<(typeof accesspoints)['actions']['list']>

/** A check-in point with the links of the categories that may enter. */
export type ShownAccesspoint = StoredAccesspoint & { guest_category_accesspoints: Link[] }

/** Returns the check-in points of an event that the caller may use. */
export async function list(
  { accesspoints, links }: Dependencies,
  { params: { event_id }, caller }: List,
): Promise<ShownAccesspoint[]> {
  const [points, all] = await Promise.all([accesspoints.ofEvent(event_id), links.ofEvent(event_id)])
  const byPoint = Map.groupBy(all, ({ accesspoint_id }) => accesspoint_id)
  return points
    .filter(({ _id }) => mayUsePoint(caller, _id))
    .map((point) => withLinks(point, byPoint.get(point._id) ?? []))
}

/** A check-in point as clients see it. */
export function withLinks(accesspoint: StoredAccesspoint, links: Link[]): ShownAccesspoint {
  return { ...accesspoint, guest_category_accesspoints: links }
}
