import type { GuestField } from '@gatehouse/guests/resources'
import type { Metadatum, Registration } from './registration.ts'

/** The longest name, as guests have it. */
export const MAX_NAME = 255
/** The longest value of a field of the event. */
const MAX_VALUE = 1_000
/** All values together, in bytes: they fit into a guest with what the partner gave. */
const MAX_BYTES = 32 * 1024

/** What is wrong with a value: its text on the page has this key. */
export type FieldProblem = 'missing' | 'too_long' | 'not_listed' | 'invalid_email' | 'party_range' | 'places_left'

/** A field of the form. */
export interface FormField {
  /** Of the input. */
  name: string
  /** As the organizer has written it, or a text of the page; undefined for the recipient's names. */
  label?: string
  value: string
  /** The values to choose from. */
  options?: readonly string[]
  isRequired: boolean
  /** The longest text, or the greatest number. */
  max: number
  type?: 'email' | 'number'
  autocomplete?: string
  problem?: FieldProblem
}

/** A form as it is shown, and what was given if nothing is wrong. */
export interface ReadForm {
  fields: FormField[]
  registration: Omit<Registration, 'language'>
  isRight: boolean
}

/** The form of a registration, with what is known of the recipient and, in its place, with what the recipient has given. */
export function readForm(
  asked: readonly GuestField[],
  known: Omit<Registration, 'language'>,
  given?: URLSearchParams,
): ReadForm {
  const metadata = new Map(known.guest_metadata.map(({ name, value }) => [name, value]))
  const names = (['first_name', 'last_name'] as const).map((name) => ({
    name,
    value: givenOr(given, name, known[name]),
    isRequired: false,
    max: MAX_NAME,
    autocomplete: name === 'first_name' ? 'given-name' : 'family-name',
  }))
  const own = asked.map(({ _id, key, label, type, available_values, is_required }) => ({
    name: `field_${_id}`,
    key,
    label: label?.trim() ? label : key,
    value: givenOr(given, `field_${_id}`, metadata.get(key)),
    isRequired: is_required,
    max: MAX_VALUE,
    ...(type === 'value_list' && { options: available_values }),
  }))
  const fields = [...names, ...own].map((field): FormField => ({ ...field, ...(given && problemOf(field)) }))
  shortenAll(fields)
  const [first_name = null, last_name = null] = names.map(({ value }) => value || null)
  const guest_metadata: Metadatum[] = own.map(({ key, value }) => ({ name: key, value: value || null }))
  return {
    fields,
    registration: { first_name, last_name, guest_metadata },
    isRight: fields.every(({ problem }) => problem === undefined),
  }
}

/** A value as given; one for which the page did not ask is the known one. */
function givenOr(given: URLSearchParams | undefined, name: string, known: string | null | undefined): string {
  return (given?.get(name) ?? known ?? '').trim()
}

function problemOf({ value, isRequired, max, options }: FormField): { problem?: FieldProblem } {
  if (value === '') return isRequired ? { problem: 'missing' } : {}
  if (options) return options.some((option) => option.trim() === value) ? {} : { problem: 'not_listed' }
  return value.length > max ? { problem: 'too_long' } : {}
}

/** If all values together are too long, the longest one is. */
function shortenAll(fields: FormField[]): void {
  const sizes = fields.map(({ name, value }) => Buffer.byteLength(JSON.stringify([name, value])))
  if (sizes.reduce((sum, size) => sum + size, 0) <= MAX_BYTES) return
  const longest = fields[sizes.indexOf(Math.max(...sizes))]
  if (longest && !longest.problem) longest.problem = 'too_long'
}
