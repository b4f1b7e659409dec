import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { requirePoint } from '../accesspoints/device-points.ts'
import type { Dependencies } from '../dependencies.ts'
import { errorsOf, signatureOf, withUids } from './preparing.ts'
import type { signatures } from './resource.ts'
import type { GuestSignature } from './store.ts'

type Create = Call<(typeof signatures)['actions']['create']>

/** Stores a guest's signature. */
export async function create(
  { signatures, accessCache }: Dependencies,
  { params: { event_id }, body, accept, caller, newId }: Create,
): Promise<GuestSignature> {
  requirePoint(caller, body)
  const [given = body] = await withUids(accessCache, event_id, [body])
  const [errors] = await errorsOf(accessCache, event_id, [given])
  const { guest_uid, ...accepted } = await accept(errors)
  const signature = signatureOf(newId(), event_id, { ...accepted, guest_uid: given.guest_uid ?? guest_uid })
  const [stored = signature] = await signatures.insert([signature])
  return stored
}
