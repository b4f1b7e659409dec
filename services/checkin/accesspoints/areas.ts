import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Dependencies } from '../dependencies.ts'
import type { StoredAccesspoint } from './store.ts'

/** Returns the error of a check-in point whose area is not one of its event. */
export async function areaErrors(
  { areas }: Dependencies,
  event_id: string,
  { area_id }: Partial<Pick<StoredAccesspoint, 'area_id'>>,
): Promise<FieldErrors> {
  if (!area_id || (await areas.get(event_id, area_id))) return {}
  return { area_id: [messageOf('unknown_reference', { thing: 'an area', owner: 'event' })] }
}

/** Takes a check-in point out of its area if that was deleted between the check and the write. */
export async function withoutGoneArea(
  { areas, accesspoints, changeLog }: Dependencies,
  point: StoredAccesspoint,
): Promise<StoredAccesspoint> {
  const { event_id, area_id } = point
  if (area_id === null || (await areas.get(event_id, area_id))) return point
  await changeLog.adding(event_id, { rights: true }, accesspoints.leaveArea(event_id, area_id))
  return { ...point, area_id: null }
}
