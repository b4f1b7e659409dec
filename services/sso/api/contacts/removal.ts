import { found, untilUnchanged } from '@gatehouse/proto/storage/documents.ts'
import * as topics from '../../topics.ts'
import type { Dependencies } from '../dependencies.ts'
import type { StoredContact } from './store.ts'

type RemovalDependencies = Pick<Dependencies, 'contacts' | 'codes' | 'passkeyStore' | 'staffContacts' | 'bus'>

/** Deletes a contact for good, and what lets it sign in. Throws `not_found` if there is none, `conflict` if it is staff. */
export async function removeContact(
  dependencies: RemovalDependencies,
  account_id: string,
  contact_id: string,
): Promise<StoredContact> {
  const { contacts, staffContacts, bus } = dependencies
  const contact = await untilUnchanged('contact', async () => {
    const current = found(await contacts.get(account_id, contact_id))
    await staffContacts.requireNone(account_id, contact_id)
    // Before the contact, so that nothing is left of one who is gone, wherever the process dies.
    await deleteKeys(dependencies, account_id, contact_id)
    return bus.announcing(topics.contacts, account_id, contacts.delete(current))
  })
  bus.announce(topics.signIns, { account_id, contact_id })
  // Again, for what was made meanwhile.
  await deleteKeys(dependencies, account_id, contact_id)
  return contact
}

async function deleteKeys(
  { codes, passkeyStore }: RemovalDependencies,
  account_id: string,
  contact_id: string,
): Promise<void> {
  await Promise.all([codes.delete(account_id, contact_id), passkeyStore.deleteOfContact(account_id, contact_id)])
}
