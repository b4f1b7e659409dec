import { conflict } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { found, untilUnchanged } from '@gatehouse/proto/storage/documents.ts'
import { ObjectId } from 'mongodb'
import { hashPassword } from '../../credentials/passwords.ts'
import * as topics from '../../topics.ts'
import { newContact } from '../contacts/creating.ts'
import { nameOf, namesOf } from '../contacts/names.ts'
import type { StoredContact } from '../contacts/store.ts'
import type { Dependencies } from '../dependencies.ts'
import { removed } from './rules.ts'
import type { StaffChange, StoredMember } from './store.ts'

type PeopleDependencies = Pick<Dependencies, 'contacts' | 'staff' | 'staffContacts' | 'audit' | 'bus'>

/**
 * Makes the contact with this address staff; `add` says how. Throws `conflict` if the contact gets another address or is deleted at the same
 * time.
 */
export async function admit(
  dependencies: PeopleDependencies,
  account_id: string,
  { email, name }: { email: string; name: string | null },
  add: (members: StoredMember[], contact_id: string) => StaffChange,
): Promise<StoredMember> {
  const { contacts, staff } = dependencies
  const contact = await contactOf(dependencies, account_id, email, name)
  const member = found(await staff.change(account_id, (members) => add(members, contact._id)))
  // Who was changing or deleting the contact reads it again, and finds that it is staff.
  if (await contacts.touch(contact)) return member
  await staff.change(account_id, (members) => removed(members, member._id))
  throw conflict(messageOf('too_many_changes', { thing: 'contact' }))
}

/** Returns the contact with this address, who keeps a name; a new one has no password yet. */
async function contactOf(
  dependencies: PeopleDependencies,
  account_id: string,
  email: string,
  name: string | null,
): Promise<StoredContact> {
  const { contacts } = dependencies
  const known = await contacts.findByEmail(account_id, email)
  if (known) {
    const isNameless = nameOf(known) === null && name !== null
    return isNameless ? found(await rename(dependencies, account_id, known._id, name)) : known
  }
  const ids = { _id: new ObjectId().toHexString(), account_id }
  const fields = { email, ...namesOf(name), is_blocked: false, password: null }
  const made = await contacts.insert(await newContact(ids, fields, {}))
  // Another request has just made it.
  return made ?? found(await contacts.findByEmail(account_id, email))
}

/** Renames a contact. Null if there is none. */
export async function rename(
  { contacts, bus }: PeopleDependencies,
  account_id: string,
  contact_id: string,
  name: string | null,
): Promise<StoredContact | null> {
  const { contact } = await untilUnchanged('contact', async () => {
    const current = await contacts.get(account_id, contact_id)
    if (!current) return { contact: null }
    const changed = await bus.announcing(topics.contacts, account_id, contacts.update(current, namesOf(name), false))
    return changed ? { contact: changed } : undefined
  })
  return contact
}

/** Sets name and password of a contact who signs in by a link; what was signed in before ends. Null if there is no such contact, or it is blocked. */
export async function setPassword(
  { contacts, staffContacts, audit, bus }: PeopleDependencies,
  { account_id, contact_id }: { account_id: string; contact_id: string },
  { name, password }: { name: string; password: string },
  address: string,
): Promise<StoredContact | null> {
  const changes = { ...namesOf(name), password_hash: await hashPassword(password) }
  const { contact } = await staffContacts.ending(account_id, contact_id, () =>
    untilUnchanged('contact', async () => {
      const current = await contacts.get(account_id, contact_id)
      if (!current || current.is_blocked) return { contact: null }
      const changed = await bus.announcing(topics.contacts, account_id, contacts.update(current, changes, true))
      return changed ? { contact: changed } : undefined
    }),
  )
  if (!contact) return null
  bus.announce(topics.signIns, { account_id, contact_id })
  const at = { account_id, contact_id, address }
  await audit.recordEach([
    { ...at, kind: 'password_changed' },
    { ...at, kind: 'sign_in' },
  ])
  return contact
}
