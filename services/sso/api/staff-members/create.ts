import { type Call, type Output, required } from '@gatehouse/proto/declaring/resource.ts'
import { newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { memberErrors } from './errors.ts'
import { newLink } from './links.ts'
import { admit } from './people.ts'
import type { staffMembers } from './resource.ts'
import { added } from './rules.ts'
import { withLink } from './shown.ts'

type Create = (typeof staffMembers)['actions']['create']

/** Creates a staff member with a link to sign in. */
export async function create(
  dependencies: Dependencies,
  { body: given, accept, caller, newId }: Call<Create>,
): Promise<Output<Create>> {
  const { staff, issuers } = dependencies
  const { account_id } = required(caller)
  const _id = newId()
  const { email, name, role, event_id } = await accept(await memberErrors(dependencies, account_id, given))
  const made = newLink(issuers)
  const fields = { _id, role, event_id: event_id || null, last_signed_in_at: null, link: made.link, ...newTimes() }
  const member = await admit(dependencies, account_id, { email, name }, (members, contact_id) =>
    added(members, { ...fields, contact_id }, staff.cap),
  )
  return withLink(dependencies, account_id, member, made)
}
