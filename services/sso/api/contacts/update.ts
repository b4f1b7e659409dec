import { emailErrors } from '@gatehouse/proto/declaring/email.ts'
import { invalid } from '@gatehouse/proto/declaring/faults.ts'
import type { Body, Call } from '@gatehouse/proto/declaring/resource.ts'
import { found, untilUnchanged } from '@gatehouse/proto/storage/documents.ts'
import { unbound } from '../../callers.ts'
import * as topics from '../../topics.ts'
import type { Dependencies } from '../dependencies.ts'
import { EMAIL_TAKEN, hashOf, takenErrors, validated } from './creating.ts'
import type { Contact, contacts } from './resource.ts'
import { shown } from './shown.ts'
import type { ContactChanges, StoredContact } from './store.ts'

type Update = (typeof contacts)['actions']['update']

/** Updates a contact. A new password or a block ends its sign-ins. */
export async function update(
  dependencies: Dependencies,
  { params: { id }, body: given, accept, caller }: Call<Update>,
): Promise<Contact> {
  const { contacts, fields, staffContacts } = dependencies
  const { account_id } = unbound(caller)
  const ofAccount = await fields.ofAccount(account_id)
  const { email } = found(await contacts.get(account_id, id))
  const { values, errors } = validated(given, ofAccount)
  const body = await accept({ ...errors, ...emailErrors(given.email, email) }, () =>
    takenErrors(contacts, account_id, given.email, id),
  )
  const changes = { ...(await changesOf(body)), values }
  const contact = await untilUnchanged('contact', async () => {
    const current = found(await contacts.get(account_id, id))
    // In each try: the contact may have become staff meanwhile, which changes the revision.
    await staffContacts.requireRight(unbound(caller), id)
    return change(dependencies, current, changes)
  })
  return shown(contact, ofAccount)
}

/** Changes a contact that is still as it was read, with all that follows from it. Null if it has changed since. */
async function change(
  { contacts, codes, audit, staffContacts, bus }: Dependencies,
  current: StoredContact,
  changes: ContactChanges,
): Promise<StoredContact | null> {
  const { account_id, _id: contact_id } = current
  const { is_blocked = current.is_blocked } = changes
  const setsPassword = changes.password_hash !== undefined
  const blocks = is_blocked && !current.is_blocked
  const ends = setsPassword || blocks
  if (blocks) await staffContacts.noteBlock(account_id, contact_id, true)
  const updating = () => bus.announcing(topics.contacts, account_id, contacts.update(current, changes, ends))
  const contact = await (ends ? staffContacts.ending(account_id, contact_id, updating) : updating())
  if (contact === undefined) throw invalid(EMAIL_TAKEN)
  if (contact === null) return null
  if (ends) bus.announce(topics.signIns, { account_id, contact_id })
  // A code that was sent to the previous address becomes void too.
  if (ends || changes.email !== undefined) await codes.delete(account_id, contact_id)
  if (setsPassword) await audit.record({ account_id, kind: 'password_changed', contact_id })
  if (blocks) await audit.record({ account_id, kind: 'contact_blocked', contact_id })
  if (changes.is_blocked === false) await staffContacts.noteBlock(account_id, contact_id, false)
  if (!is_blocked && current.is_blocked) await audit.record({ account_id, kind: 'contact_unblocked', contact_id })
  return contact
}

/** Returns the changes of a PUT besides the account's contact fields. */
async function changesOf({
  email,
  first_name,
  last_name,
  is_blocked,
  password,
}: Body<Update>): Promise<ContactChanges> {
  return {
    ...(email !== undefined && { email }),
    ...(first_name !== undefined && { first_name }),
    ...(last_name !== undefined && { last_name }),
    ...(is_blocked !== undefined && { is_blocked }),
    ...(password !== undefined && { password_hash: await hashOf(password) }),
  }
}
