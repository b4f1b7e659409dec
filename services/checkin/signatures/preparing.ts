import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { NO_POINT } from '../accesspoints/store.ts'
import type { AccessCache } from '../door/access-cache.ts'
import type { GuestSignature } from './store.ts'

const NO_GUEST = { guest_uid: [messageOf('unknown_reference', { thing: 'a guest', owner: 'event' })] }

/** A signature as a device sends it. */
export type SubmittedSignature = Pick<GuestSignature, 'accesspoint_id' | 'guest_uid' | 'points'> & {
  access_stamp?: Date | null
}

/** Returns signatures, each under the uid of the guest for whom its `guest_uid` stands. */
export async function withUids<S extends Partial<SubmittedSignature>>(
  cache: AccessCache,
  event_id: string,
  given: S[],
): Promise<S[]> {
  const uids = await cache.uidsOf(
    event_id,
    given.map(({ guest_uid = '' }) => guest_uid),
  )
  return given.map((each, index) => (each.guest_uid === undefined ? each : { ...each, guest_uid: uids[index] }))
}

/** Returns the errors of each signature: its check-in point and its guest must be of the event. */
export async function errorsOf(
  cache: AccessCache,
  event_id: string,
  given: Partial<SubmittedSignature>[],
): Promise<FieldErrors[]> {
  await cache.catchUp(event_id)
  const rights = await cache.rightsOf(event_id)
  const uids = [...new Set(given.flatMap(({ guest_uid = [] }) => guest_uid))]
  const guests = await cache.guestsOf(event_id, uids)
  const unknown = new Set(uids.filter((_, index) => !guests[index]))
  return given.map(({ accesspoint_id, guest_uid }) => ({
    ...(accesspoint_id !== undefined && !rights.accesspoints.has(accesspoint_id) && NO_POINT),
    ...(guest_uid !== undefined && unknown.has(guest_uid) && NO_GUEST),
  }))
}

/** Returns a signature as it is stored. */
export function signatureOf(
  _id: string,
  event_id: string,
  { access_stamp, ...given }: SubmittedSignature,
): GuestSignature {
  const now = new Date()
  return { _id, event_id, ...given, access_stamp: access_stamp ?? now, created_at: now, updated_at: now }
}
