import type { ContactStore, StoredContact } from '../api/contacts/store.ts'
import type { StaffStore, StoredMember } from '../api/staff-members/store.ts'
import { isSignedIn } from '../oidc/signed-in.ts'
import type { ConsoleSession, ConsoleSessionStore } from './session-store.ts'

/** Who is at a session: the staff member and the contact. */
export interface SignedInStaff {
  session: ConsoleSession
  member: StoredMember
  contact: StoredContact
}

/** The stores that tell whose a session is. */
export interface IdentifyingDependencies {
  sessionStore: ConsoleSessionStore
  staff: StaffStore
  contacts: ContactStore
}

/**
 * Who is at the sessions with these hashes, by hash; none for those that have ended, or whose contact or role has. The sessions count as used,
 * unless the question `onlyLooks`: what a page asks by itself does not keep a session that nobody uses.
 */
export async function staffAt(
  { sessionStore, staff, contacts }: IdentifyingDependencies,
  hashes: string[],
  onlyLooks = false,
): Promise<Map<string, SignedInStaff>> {
  const found = await (onlyLooks ? sessionStore.find(hashes) : sessionStore.use(hashes))
  if (found.length === 0) return new Map()
  const [members, people] = await Promise.all([
    staff.ofAccounts([...new Set(found.map(({ account_id }) => account_id))]),
    Promise.all(found.map(({ account_id, contact_id }) => contacts.get(account_id, contact_id))),
  ])
  return new Map(
    found.flatMap((session, index) => {
      const { account_id, staff_member_id, contact_id, version, hash } = session
      const member = members.get(account_id)?.find(({ _id }) => _id === staff_member_id)
      const contact = people[index] ?? null
      const isIn = member?.contact_id === contact_id && isSignedIn(contact, version)
      return isIn ? [[hash, { session, member, contact }] as const] : []
    }),
  )
}
