import { invalid } from '@gatehouse/proto/declaring/faults.ts'
import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { newTimes } from '@gatehouse/proto/storage/documents.ts'
import { unbound } from '../../callers.ts'
import * as topics from '../../topics.ts'
import type { Dependencies } from '../dependencies.ts'
import type { ContactField, contactFields } from './resource.ts'
import { KEY_TAKEN, keyErrors, labelOf, takenErrors } from './validation.ts'

/** Creates a contact field. */
export async function create(
  { fields, bus }: Dependencies,
  { body: given, accept, caller, newId }: Call<(typeof contactFields)['actions']['create']>,
): Promise<ContactField> {
  const { account_id } = unbound(caller)
  const _id = newId()
  const body = await accept(keyErrors(given.key), () => takenErrors(fields, account_id, given.key, _id))
  const inserting = fields.insert({ _id, ...body, label: labelOf(body), account_id, ...newTimes() })
  const field = await bus.announcing(topics.contactFields, account_id, inserting)
  if (!field) throw invalid(KEY_TAKEN)
  return field
}
