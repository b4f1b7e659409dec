import { type Call, required } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import * as topics from '../../topics.ts'
import type { Dependencies } from '../dependencies.ts'
import { memberErrors } from './errors.ts'
import { rename } from './people.ts'
import type { StaffMember, staffMembers } from './resource.ts'
import { updated } from './rules.ts'
import { withContact } from './shown.ts'

/** Updates a staff member. It is announced, because gateways know the role and the event of a session. */
export async function update(
  dependencies: Dependencies,
  { params: { id }, body: given, accept, caller }: Call<(typeof staffMembers)['actions']['update']>,
): Promise<StaffMember> {
  const { staff, bus } = dependencies
  const { account_id } = required(caller)
  const known = found(await staff.get(account_id, id))
  const { name, ...changes } = await accept(await memberErrors(dependencies, account_id, { ...known, ...given }))
  if (changes.event_id === '') changes.event_id = null
  if (name !== undefined) await rename(dependencies, account_id, known.contact_id, name)
  const changing = staff.change(account_id, (members) => updated(members, id, changes))
  return withContact(dependencies, account_id, found(await bus.announcing(topics.tokens, 'changed', changing)))
}
