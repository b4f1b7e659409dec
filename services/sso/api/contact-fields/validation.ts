import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { reservedKeys } from '../contacts/resource.ts'
import type { ContactFieldStore } from './store.ts'

/** The error for a key that another field of the account has. */
export const KEY_TAKEN = { key: [messageOf('taken')] }

/** Returns the error for a key that no field may have. */
export function keyErrors(key: string | undefined): FieldErrors {
  return key !== undefined && reservedKeys.has(key) ? { key: [messageOf('reserved')] } : {}
}

/** Returns the error for a key that a field other than `_id` has. */
export async function takenErrors(
  store: ContactFieldStore,
  account_id: string,
  key: string | undefined,
  _id: string,
): Promise<FieldErrors> {
  const fields = key === undefined ? [] : await store.ofAccount(account_id)
  return fields.some((field) => field.key === key && field._id !== _id) ? KEY_TAKEN : {}
}

/** Returns the label of a field: its key if it has none. */
export function labelOf({ key, label }: { key: string; label: string | null }): string {
  return label?.trim() ? label : key
}
