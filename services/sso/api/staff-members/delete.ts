import { type Call, required } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import * as topics from '../../topics.ts'
import type { Dependencies } from '../dependencies.ts'
import type { StaffMember, staffMembers } from './resource.ts'
import { removed } from './rules.ts'
import { withContact } from './shown.ts'

/** Deletes a staff member with the sessions and passkeys; the contact stays. */
export async function deleteMember(
  dependencies: Dependencies,
  { params: { id }, caller }: Call<(typeof staffMembers)['actions']['delete']>,
): Promise<StaffMember> {
  const { staff, sessionStore, passkeyStore, bus } = dependencies
  const { account_id } = required(caller)
  const removing = staff.change(account_id, (members) => removed(members, id))
  const member = found(await bus.announcing(topics.tokens, 'revoked', removing))
  await sessionStore.deleteOfMember(account_id, member._id)
  await passkeyStore.deleteOfContact(account_id, member.contact_id)
  return withContact(dependencies, account_id, member)
}
