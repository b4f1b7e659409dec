import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Body } from '@gatehouse/proto/declaring/resource.ts'
import { newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { GuestField, guestFields } from './resource.ts'
import type { GuestFieldStore } from './store.ts'

export const KEY_TAKEN = { key: [messageOf('taken')] }
/** What a file can't be: the page of an invitation takes none, and devices show none. */
const NOT_FOR_FILES = ['use_in_registration', 'on_device'] as const

type GuestFieldBody = Body<typeof guestFields.actions.create>

/** The error for a key that a field other than `_id` has. */
export async function keyErrors(
  store: GuestFieldStore,
  event_id: string,
  key: string | undefined,
  _id?: string,
): Promise<FieldErrors> {
  const fields = key === undefined ? [] : await store.ofEvent(event_id)
  return fields.some((field) => field.key === key && field._id !== _id) ? KEY_TAKEN : {}
}

/** The errors of a file that is to be asked for, or shown on devices. */
export function fileErrors(field: Partial<GuestFieldBody>): FieldErrors {
  if (field.type !== 'file') return {}
  const wrong = NOT_FOR_FILES.filter((name) => field[name])
  return Object.fromEntries(wrong.map((name) => [name, [messageOf('not_for_files')]]))
}

export function newField(_id: string, event_id: string, body: GuestFieldBody): GuestField {
  return { _id, ...body, label: labelOf(body), object_id: event_id, event_id, ...newTimes() }
}

/** The label of a field: its key if none is given. */
export function labelOf({ key, label }: { key: string; label: string | null }): string {
  return label?.trim() ? label : key
}
