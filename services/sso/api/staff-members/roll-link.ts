import { type Call, type Output, required } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { newLink } from './links.ts'
import type { staffMembers } from './resource.ts'
import { relinked } from './rules.ts'
import { withLink } from './shown.ts'

type RollLink = (typeof staffMembers)['actions']['roll_link']

/** Replaces the link of a staff member. */
export async function rollLink(
  dependencies: Dependencies,
  { params: { id }, caller }: Call<RollLink>,
): Promise<Output<RollLink>> {
  const { account_id } = required(caller)
  const made = newLink(dependencies.issuers)
  const member = await dependencies.staff.change(account_id, (members) => relinked(members, id, made.link))
  return withLink(dependencies, account_id, found(member), made)
}
