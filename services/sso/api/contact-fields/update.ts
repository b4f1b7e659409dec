import { invalid } from '@gatehouse/proto/declaring/faults.ts'
import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import { unbound } from '../../callers.ts'
import * as topics from '../../topics.ts'
import type { Dependencies } from '../dependencies.ts'
import type { ContactField, contactFields } from './resource.ts'
import { KEY_TAKEN, keyErrors, labelOf, takenErrors } from './validation.ts'

/** Updates a contact field. */
export async function update(
  { fields, bus }: Dependencies,
  { params: { id }, body: given, accept, caller }: Call<(typeof contactFields)['actions']['update']>,
): Promise<ContactField> {
  const { account_id } = unbound(caller)
  const current = found(await fields.get(account_id, id))
  const body = await accept(keyErrors(given.key), () => takenErrors(fields, account_id, given.key, id))
  const label = body.label === undefined ? {} : { label: labelOf({ ...current, ...body }) }
  const updating = fields.update(account_id, id, { ...body, ...label })
  const field = await bus.announcing(topics.contactFields, account_id, updating)
  if (field === undefined) throw invalid(KEY_TAKEN)
  return found(field)
}
