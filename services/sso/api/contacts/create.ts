import { invalid } from '@gatehouse/proto/declaring/faults.ts'
import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { unbound } from '../../callers.ts'
import type { Dependencies } from '../dependencies.ts'
import { EMAIL_TAKEN, newContact, takenErrors, validated } from './creating.ts'
import type { Contact, contacts } from './resource.ts'
import { shown } from './shown.ts'

type Create = (typeof contacts)['actions']['create']

/** Creates a contact; a retry finds the one that its first try created. */
export async function create(
  { contacts, fields, audit }: Dependencies,
  { body: given, accept, caller, newId }: Call<Create>,
): Promise<Contact> {
  const { account_id } = unbound(caller)
  const ofAccount = await fields.ofAccount(account_id)
  const { values, errors } = validated(given, ofAccount)
  const _id = newId()
  const body = await accept(errors, () => takenErrors(contacts, account_id, given.email, _id))
  const contact = await contacts.insert(await newContact({ _id, account_id }, body, values))
  if (!contact) throw invalid(EMAIL_TAKEN)
  if (contact.password_hash) await audit.record({ account_id, kind: 'password_changed', contact_id: _id })
  return shown(contact, ofAccount)
}
