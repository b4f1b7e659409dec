import { invalid } from '@gatehouse/proto/declaring/faults.ts'
import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import type { GuestField, guestFields } from './resource.ts'
import { fileErrors, KEY_TAKEN, keyErrors, newField } from './validation.ts'

type Create = typeof guestFields.actions.create

/** Creates a guest field. */
export async function create(
  { guestFields }: Dependencies,
  { params: { event_id }, body: given, accept, newId }: Call<Create>,
): Promise<GuestField> {
  const body = await accept(fileErrors(given), () => keyErrors(guestFields, event_id, given.key))
  const field = await guestFields.insert(newField(newId(), event_id, body))
  if (!field) throw invalid(KEY_TAKEN)
  return field
}
