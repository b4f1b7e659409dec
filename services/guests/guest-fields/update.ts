import { invalid } from '@gatehouse/proto/declaring/faults.ts'
import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import type { GuestField, guestFields } from './resource.ts'
import { fileErrors, KEY_TAKEN, keyErrors, labelOf } from './validation.ts'

type Update = typeof guestFields.actions.update

/** Changes a guest field. */
export async function update(
  { guestFields }: Dependencies,
  { params: { event_id, id }, body: given, accept }: Call<Update>,
): Promise<GuestField> {
  const current = found(await guestFields.get(event_id, id))
  const errors = fileErrors({ ...current, ...given })
  const body = await accept(errors, () => keyErrors(guestFields, event_id, given.key, id))
  const label = body.label === undefined ? {} : { label: labelOf({ ...current, ...body }) }
  const changed = await guestFields.update(event_id, id, { ...body, ...label })
  if (changed === undefined) throw invalid(KEY_TAKEN)
  return found(changed)
}
