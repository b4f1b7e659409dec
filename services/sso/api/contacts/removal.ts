import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { found, untilUnchanged } from '@gatehouse/proto/storage/documents.ts'
import type { CodeStore } from '../../credentials/codes.ts'
import type { PasskeyStore } from '../../passkeys/store.ts'
import * as topics from '../../topics.ts'
import type { StaffContacts } from '../staff-members/contacts.ts'
import type { ContactStore, StoredContact } from './store.ts'

interface RemovalDependencies {
  contacts: ContactStore
  codes: CodeStore
  passkeys: PasskeyStore
  staff: StaffContacts
  bus: Bus
}

/** Deletes contacts, and what lets them sign in. */
export class ContactRemoval {
  readonly #dependencies: RemovalDependencies

  constructor(dependencies: RemovalDependencies) {
    this.#dependencies = dependencies
  }

  /** Deletes a contact for good. Throws `not_found` if there is none, `conflict` if it is staff. */
  async remove(account_id: string, contact_id: string): Promise<StoredContact> {
    const { contacts, staff, bus } = this.#dependencies
    const contact = await untilUnchanged('contact', async () => {
      const current = found(await contacts.get(account_id, contact_id))
      await staff.requireNone(account_id, contact_id)
      // Before the contact, so that nothing is left of one who is gone, wherever the process dies.
      await this.#deleteKeys(account_id, contact_id)
      return bus.announcing(topics.contacts, account_id, contacts.delete(current))
    })
    bus.announce(topics.signIns, { account_id, contact_id })
    // Again, for what was made meanwhile.
    await this.#deleteKeys(account_id, contact_id)
    return contact
  }

  async #deleteKeys(account_id: string, contact_id: string): Promise<void> {
    const { codes, passkeys } = this.#dependencies
    await Promise.all([codes.delete(account_id, contact_id), passkeys.deleteOfContact(account_id, contact_id)])
  }
}
