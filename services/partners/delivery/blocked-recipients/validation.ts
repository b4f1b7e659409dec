import { normalized, normalizedDomain } from '@gatehouse/proto/declaring/addresses.ts'
import { emailErrors } from '@gatehouse/proto/declaring/email.ts'
import { type FieldErrors, invalid } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { isDuplicate } from '@gatehouse/proto/storage/mongo.ts'
import { type BlockedRecipientStore, KEYS } from './store.ts'

const TAKEN = { address: [messageOf('taken')] }

/** The errors of an address that is neither an e-mail address nor a domain. */
export function errorsOf({ address }: { address?: string }): FieldErrors {
  return address !== undefined && keyOf(address) === undefined ? { address: [messageOf('invalid_recipient')] } : {}
}

/** The errors of an address that a recipient other than `_id` has. */
export async function takenErrors(
  blocked: BlockedRecipientStore,
  event_id: string,
  address: string | undefined,
  _id: string,
): Promise<FieldErrors> {
  const key = address === undefined ? undefined : keyOf(address)
  const holder = key === undefined ? null : await blocked.keyed(event_id, key)
  return holder && holder._id !== _id ? TAKEN : {}
}

/** Waits for a write. Throws `invalid` if the address is taken. */
export function unlessTaken<T>(write: Promise<T>): Promise<T> {
  return write.catch((error) => {
    throw isDuplicate(error, KEYS) ? invalid(TAKEN) : error
  })
}

/** What an address or domain is compared by; undefined if it is neither. */
export function keyOf(address: string): string | undefined {
  const isAddress = address.includes('@')
  const asAddress = isAddress ? address : `postmaster@${address}`
  if (Object.keys(emailErrors(asAddress, null)).length > 0) return undefined
  return isAddress ? normalized(address) : normalizedDomain(address)
}
