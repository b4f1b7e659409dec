import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Dependencies } from '../dependencies.ts'

/** Returns the error for check-in points of another event. */
export async function accesspointErrors(
  { accesspointClient }: Dependencies,
  event_id: string,
  accesspoint_ids: string[] = [],
): Promise<FieldErrors> {
  const ids = [...new Set(accesspoint_ids)]
  const known = ids.length === 0 ? ids : (await accesspointClient.known({ body: { event_id, ids } })).ids
  return known.length === ids.length ? {} : { accesspoint_ids: [messageOf('unknown_accesspoints')] }
}
