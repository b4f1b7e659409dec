import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { isBlank } from '@gatehouse/proto/declaring/fields.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { hashPassword, passwordProblem } from '../../credentials/passwords.ts'
import type { ContactField } from '../contact-fields/resource.ts'
import { readOwnFields } from './own-fields.ts'
import type { ContactBody } from './rows.ts'
import type { ContactStore, NewContact } from './store.ts'

/** The error for an e-mail address that another contact has. */
export const EMAIL_TAKEN = { email: [messageOf('taken')] }

/** Returns the error for an e-mail address that a contact other than `_id` has. */
export async function takenErrors(
  contacts: ContactStore,
  account_id: string,
  email: string | undefined,
  _id: string,
): Promise<FieldErrors> {
  const holder = email === undefined ? null : await contacts.findByEmail(account_id, email)
  return holder && holder._id !== _id ? EMAIL_TAKEN : {}
}

/** Returns the values of the account's contact fields in a body, by their ids, and the errors of these and of the password. */
export function validated(
  body: { password?: string | null | undefined },
  fields: ContactField[],
): { values: Record<string, string | null>; errors: FieldErrors } {
  const { values, errors } = readOwnFields(body, fields)
  const { password = null } = body
  const problem = isBlank(password) ? undefined : passwordProblem(password)
  if (problem) errors.password = [problem]
  return { values, errors }
}

/** Returns the contact of a valid body, ready to be stored. Hashing its password takes a while. */
export async function newContact(
  ids: Pick<NewContact, '_id' | 'account_id'>,
  { email, first_name, last_name, is_blocked, password }: ContactBody,
  values: Record<string, string | null>,
): Promise<NewContact> {
  const password_hash = await hashOf(password)
  const now = new Date()
  return {
    ...ids,
    email,
    first_name,
    last_name,
    is_blocked,
    password_hash,
    values: Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null)),
    created_at: now,
    updated_at: now,
  }
}

/** Returns the hash of a password, or null if there is none. */
export async function hashOf(password: string | null): Promise<string | null> {
  return isBlank(password) ? null : await hashPassword(password)
}
