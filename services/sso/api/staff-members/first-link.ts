import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import { newLink } from './links.ts'
import type { staffMembers } from './resource.ts'

type FirstLink = (typeof staffMembers)['actions']['first_link']

/** Creates a link for the first owner of an account, unless an owner has joined. */
export async function firstLink(
  { accounts, staff, audit, issuers }: Dependencies,
  { body: { account: slug } }: Call<FirstLink>,
): Promise<Output<FirstLink>> {
  const { _id: account_id } = await accounts.findOrCreate(slug)
  const { url, link } = newLink(issuers)
  const isOpen = await staff.putFirstLink(account_id, link)
  if (isOpen) await audit.recordAct({ account_id, action: 'sso.staff_members.first_link', token_id: 'cli' })
  return { sign_in_url: isOpen ? url : null }
}
