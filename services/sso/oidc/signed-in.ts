import type { ContactStore, StoredContact } from '../api/contacts/store.ts'
import { Provider } from './library.ts'

/** The models that are issued to a signed-in contact, and become void when the contact's version changes. */
export const signedInModels = ['Session', 'AuthorizationCode', 'AccessToken', 'RefreshToken'] as const

/** Contacts that a token request has read. */
const contactsOfRequests = new WeakMap<object, Map<string, Promise<StoredContact | null>>>()

/**
 * A contact's current state. A token request needs it for the code, the session and the claims, and reads it once. What is issued carries
 * the version of the code, so it is void if the contact changes meanwhile.
 */
export function contactOnce(
  contacts: ContactStore,
  account_id: string,
  contact_id: string,
): Promise<StoredContact | null> {
  const oidc = Provider.ctx?.oidc
  if (oidc?.route !== 'token') return contacts.get(account_id, contact_id)
  const known = contactsOfRequests.get(oidc) ?? new Map<string, Promise<StoredContact | null>>()
  contactsOfRequests.set(oidc, known)
  const contact = known.get(contact_id) ?? contacts.get(account_id, contact_id)
  known.set(contact_id, contact)
  return contact
}

/**
 * Whether what was issued under a contact's version is still valid: the password is the same, and the contact is not blocked or deleted.
 */
export function isSignedIn(contact: StoredContact | null, version: unknown): contact is StoredContact {
  return contact !== null && !contact.is_blocked && contact.version === version
}

/** The contact's version at the sign-in of the current request: that of the code, token or session that it uses. */
export function versionAtHand(): number | undefined {
  const oidc = Provider.ctx?.oidc
  const { AuthorizationCode, RotatedRefreshToken, RefreshToken } = oidc?.entities ?? {}
  // A model that is just being issued is among them and has no version yet.
  const sources = [AuthorizationCode, RotatedRefreshToken, RefreshToken, oidc?.session] as (
    | { version?: number }
    | undefined
  )[]
  return sources.find((source) => source?.version !== undefined)?.version
}
