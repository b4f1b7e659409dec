import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { type Message, messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { visible } from '@gatehouse/proto/declaring/visible.ts'
import { hasControls } from '@gatehouse/proto/formats/json-reader.ts'
import type { ContactField } from '../contact-fields/resource.ts'
import type { StoredContact } from './store.ts'

const LONGEST = 1_000

/** The values of a contact's fields by key; null for empty ones. */
export function ownFields(
  { values }: Pick<StoredContact, 'values'>,
  fields: ContactField[],
): Record<string, string | null> {
  return Object.fromEntries(fields.map(({ _id, key }) => [key, values?.[_id] ?? null]))
}

/**
 * Reads the contact fields among the members of a body. Returns their values by the field's id, null for empty ones, and their errors. Other
 * members are ignored.
 */
export function readOwnFields(
  body: object,
  fields: ContactField[],
): { values: Record<string, string | null>; errors: FieldErrors } {
  const values: Record<string, string | null> = {}
  const errors: FieldErrors = {}
  for (const field of fields) {
    if (!Object.hasOwn(body, field.key)) continue
    const held = (body as Record<string, unknown>)[field.key]
    const value =
      typeof held === 'number' || typeof held === 'boolean'
        ? String(held)
        : typeof held === 'string'
          ? visible(held)
          : held
    const problem = problemOf(value, field)
    if (problem) errors[field.key] = [problem]
    else values[field._id] = value === '' ? null : (value as string | null)
  }
  return { values, errors }
}

function problemOf(value: unknown, { type, available_values }: ContactField): Message | undefined {
  if (value === null || value === '') return undefined
  if (typeof value !== 'string') return messageOf('not_string')
  if (value.includes('\0')) return messageOf('invalid')
  if (hasControls(value)) return messageOf('control_characters')
  if (value.length > LONGEST) return messageOf('too_long', { limit: LONGEST })
  const isOpen = type !== 'value_list' || available_values.length === 0
  return isOpen || available_values.includes(value)
    ? undefined
    : messageOf('not_in_list', { values: available_values.join(', ') })
}
