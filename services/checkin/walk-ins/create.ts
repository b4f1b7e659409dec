import { derivedId } from '@gatehouse/proto/bus/client.ts'
import { timeOfRequest } from '@gatehouse/proto/bus/request-ids.ts'
import { isBlank } from '@gatehouse/proto/declaring/fields.ts'
import { type Call, type Output, required } from '@gatehouse/proto/declaring/resource.ts'
import { requirePoint } from '../accesspoints/device-points.ts'
import { enter } from '../check-ins/create.ts'
import { makerOf } from '../check-ins/ownership.ts'
import { shown } from '../check-ins/presenting.ts'
import type { Dependencies } from '../dependencies.ts'
import { errorsOf } from '../links/validation.ts'
import type { walkIns } from './resource.ts'

type Create = typeof walkIns.actions.create

/**
 * Creates a guest at the door and checks the guest in. The ids of both follow from the walk-in: a try that finds them stored changes nothing, and
 * one that finds only the guest checks it in.
 */
export async function create(
  dependencies: Dependencies,
  { params: { event_id }, body: given, accept, caller, newId, request_id }: Call<Create>,
): Promise<Output<Create>> {
  const { guestClient, door } = dependencies
  const { token_id } = required(caller)
  requirePoint(caller, given)
  const body = await accept(await errorsOf(dependencies, event_id, given))
  const { accesspoint_id, access_stamp, persons = 1, ...fields } = body
  const _id = isBlank(fields.uid) ? newId() : derivedId('walk_in', token_id, event_id, fields.uid)
  // Whoever comes along now belongs to the party.
  const party_size = Math.max(fields.party_size, persons)
  const guest = await guestClient.create_walk_in({ body: { ...fields, party_size, event_id, _id } })
  const { checkIn } = await enter(door, {
    _id: derivedId('walk_in', _id),
    event_id,
    accesspoint_id,
    guest_uid: guest.uid,
    access_stamp: access_stamp ?? undefined,
    persons,
    token_id: makerOf(caller),
    asked_at: request_id ? timeOfRequest(request_id) : undefined,
  })
  return { guest, access_control: shown(checkIn) }
}
