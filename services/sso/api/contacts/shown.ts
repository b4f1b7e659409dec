import type { ContactField } from '../contact-fields/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import { ownFields } from './own-fields.ts'
import type { Contact } from './resource.ts'
import type { StoredContact } from './store.ts'

/** Returns a contact for answers, with the account's contact fields beside the others. */
export function shown(contact: StoredContact, fields: ContactField[]): Contact {
  const { _id, email, first_name, last_name, is_blocked, password_hash, created_at, updated_at } = contact
  const has_password = password_hash !== null
  return {
    ...ownFields(contact, fields),
    ...{ _id, email, first_name, last_name, is_blocked, has_password, created_at, updated_at },
  }
}

/** As {@link shown}, with the contact fields as they are now. */
export async function shownContact({ fields }: Dependencies, contact: StoredContact): Promise<Contact> {
  return shown(contact, await fields.ofAccount(contact.account_id))
}
