import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { conflict } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { found, untilUnchanged } from '@gatehouse/proto/storage/documents.ts'
import { ObjectId } from 'mongodb'
import { hashPassword } from '../../credentials/passwords.ts'
import * as topics from '../../topics.ts'
import type { AuditStore } from '../audit/store.ts'
import { newContact } from '../contacts/creating.ts'
import { nameOf, namesOf } from '../contacts/names.ts'
import type { ContactStore, StoredContact } from '../contacts/store.ts'
import type { StaffContacts } from './contacts.ts'
import { removed } from './rules.ts'
import type { StaffChange, StaffStore, StoredMember } from './store.ts'

interface PeopleDependencies {
  contacts: ContactStore
  staff: StaffStore
  staffContacts: StaffContacts
  audit: AuditStore
  bus: Bus
}

/** The contacts of people who become staff. */
export class StaffPeople {
  readonly #dependencies: PeopleDependencies

  constructor(dependencies: PeopleDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Makes the contact with this address staff; `add` says how. Throws `conflict` if the contact gets another address or is deleted at the same
   * time.
   */
  async admit(
    account_id: string,
    { email, name }: { email: string; name: string | null },
    add: (members: StoredMember[], contact_id: string) => StaffChange,
  ): Promise<StoredMember> {
    const { contacts, staff } = this.#dependencies
    const contact = await this.#contactOf(account_id, email, name)
    const member = found(await staff.change(account_id, (members) => add(members, contact._id)))
    // Who was changing or deleting the contact reads it again, and finds that it is staff.
    if (await contacts.touch(contact)) return member
    await staff.change(account_id, (members) => removed(members, member._id))
    throw conflict(messageOf('too_many_changes', { thing: 'contact' }))
  }

  /** The contact with this address, who keeps a name; a new one has no password yet. */
  async #contactOf(account_id: string, email: string, name: string | null): Promise<StoredContact> {
    const { contacts, bus } = this.#dependencies
    const known = await contacts.findByEmail(account_id, email)
    if (known) {
      const isNameless = nameOf(known) === null && name !== null
      return isNameless ? found(await this.rename(account_id, known._id, name)) : known
    }
    const ids = { _id: new ObjectId().toHexString(), account_id }
    const fields = { email, ...namesOf(name), is_blocked: false, password: null }
    const made = await bus.announcing(topics.contacts, account_id, contacts.insert(await newContact(ids, fields, {})))
    // Another request has just made it.
    return made ?? found(await contacts.findByEmail(account_id, email))
  }

  /** Renames a contact. Null if there is none. */
  async rename(account_id: string, contact_id: string, name: string | null): Promise<StoredContact | null> {
    const { contacts, bus } = this.#dependencies
    const { contact } = await untilUnchanged('contact', async () => {
      const current = await contacts.get(account_id, contact_id)
      if (!current) return { contact: null }
      const changed = await bus.announcing(topics.contacts, account_id, contacts.update(current, namesOf(name), false))
      return changed ? { contact: changed } : undefined
    })
    return contact
  }

  /** Sets name and password of a contact who signs in by a link; what was signed in before ends. Null if there is no such contact, or it is blocked. */
  async setPassword(
    { account_id, contact_id }: { account_id: string; contact_id: string },
    { name, password }: { name: string; password: string },
    address: string,
  ): Promise<StoredContact | null> {
    const { contacts, staffContacts, audit, bus } = this.#dependencies
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
}
