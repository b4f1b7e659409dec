import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import type { StoredList } from '@gatehouse/proto/formats/raw-documents.ts'
import { boundPoints, mayUsePoint } from '../accesspoints/device-points.ts'
import type { Dependencies } from '../dependencies.ts'
import { type ShownCheckIn, shownList } from './presenting.ts'
import type { checkIns } from './resource.ts'

type List = Call<(typeof checkIns)['actions']['list']>

/** Returns one page of an event's check-ins. A device that is bound to check-in points finds only those there. */
export async function list(
  { checkInPages }: Dependencies,
  { params: { event_id }, query, caller }: List,
): Promise<StoredList<ShownCheckIn>> {
  const { conflicts, guest_uid, accesspoint_id, access_status, since, before, ...page } = query
  const asked = accesspoint_id === undefined ? boundPoints(caller) : [accesspoint_id]
  const points = asked?.filter((point) => mayUsePoint(caller, point))
  const filter = { points, guest_uid, access_status: access_status ?? undefined, since, before }
  return shownList(
    conflicts ? await checkInPages.conflicts(event_id, filter, page) : await checkInPages.page(event_id, filter, page),
  )
}
