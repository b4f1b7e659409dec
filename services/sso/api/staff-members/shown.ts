import type { Output } from '@gatehouse/proto/declaring/resource.ts'
import { languageOf } from '@gatehouse/proto/pages/languages.ts'
import { nameOf } from '../contacts/names.ts'
import type { StoredContact } from '../contacts/store.ts'
import type { Dependencies } from '../dependencies.ts'
import type { NewLink } from './links.ts'
import type { StaffMember, staffMembers } from './resource.ts'
import type { StoredMember } from './store.ts'

/** Returns a staff member with the name and address of the contact. */
export async function withContact(
  { contacts }: Dependencies,
  account_id: string,
  member: StoredMember,
): Promise<StaffMember> {
  return shown(member, await contacts.get(account_id, member.contact_id))
}

/** Returns a staff member with a new link, which is e-mailed too where a mail server is set. */
export async function withLink(
  { accounts, contacts, credentials }: Dependencies,
  account_id: string,
  member: StoredMember,
  { url, link }: NewLink,
): Promise<Output<(typeof staffMembers)['actions']['roll_link']>> {
  const [account, contact] = await Promise.all([accounts.get(account_id), contacts.get(account_id, member.contact_id)])
  if (account && contact) {
    const language = languageOf([account.locale ?? undefined], undefined)
    credentials.sendStaffLink(account, contact, { url, expires_at: link.expires_at }, language)
  }
  return { ...shown(member, contact), sign_in_url: url }
}

function shown(member: StoredMember, contact: StoredContact | null): StaffMember {
  const { _id, role, event_id, last_signed_in_at, created_at, updated_at } = member
  const { email = '' } = contact ?? {}
  const name = contact && nameOf(contact)
  return { _id, email, name, role, event_id, last_signed_in_at, created_at, updated_at }
}
