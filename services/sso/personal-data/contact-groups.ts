import type { Subject } from '@gatehouse/proto/declaring/personal-data.ts'
import type { Dependencies } from './dependencies.ts'

const STAFF = 'since the contact is a staff member: delete that one first'
const UNNAMED =
  'since the request named a guest, whose address may be another person’s: ask by the e-mail address to delete the contact'

/** Contacts that share an outcome: they are deleted if there is no reason to keep them. */
interface ContactGroup {
  contact_ids: string[]
  reason: string | undefined
}

/** Returns a person's contacts by outcome. A request that names a contact's address deletes it, unless it is staff; what hangs on it follows. */
export async function contactGroupsOf(
  { staff }: Dependencies,
  { account_id, person }: Subject,
): Promise<ContactGroup[]> {
  const ids = person?.contact_ids ?? []
  if (ids.length === 0) return []
  const members = (await staff.ofAccount(account_id)).filter(({ contact_id }) => ids.includes(contact_id))
  const ofStaff = new Set(members.map(({ contact_id }) => contact_id))
  const others = ids.filter((id) => !ofStaff.has(id))
  return [
    { contact_ids: [...ofStaff, ...members.map(({ _id }) => _id)], reason: STAFF },
    { contact_ids: others, reason: person?.by_email ? undefined : UNNAMED },
  ]
}

/** Returns the subject with these contacts in place of all of the person's. */
export function withContacts<T extends Subject>(subject: T, contact_ids: string[]): T {
  return { ...subject, ...(subject.person && { person: { ...subject.person, contact_ids } }) }
}
