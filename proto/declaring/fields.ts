import type { Static, TObject, TProperties, TSchema, Type } from 'typebox'
import type { FieldErrors } from './faults.ts'

/**
 * The kinds of field that resources are made of. Each is a JSON Schema with a few words of our own, from which
 * validation (json-reader.ts), serialisers (json-writer.ts), XML (xml.ts) and OpenAPI are made. TypeBox tells the compiler what a
 * schema lets through. It is not loaded: of all that it does nothing is needed here while a process runs, and it takes 11 MiB of
 * each.
 */

/** An older name of a field, accepted on input and never sent; `values` translates what it held. */
export interface OldName {
  name: string
  values?: Record<string, unknown>
}

/** Words that any field takes. */
export interface FieldOptions {
  description?: string
  /** A value that the API document shows; fields of a known name have one already (gateway/openapi/examples.ts). */
  example?: unknown
  formerly?: OldName[]
  default?: unknown
}

interface TextOptions extends FieldOptions {
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  /** Blanks around it are dropped on input. */
  trimmed?: true
}

/** A text which may have words of its resource's own, such as `searched`: {@link fieldsWith} finds the fields which have one. */
type WithTraits<S, W extends string> = [W] extends [never] ? S : S & { traits: readonly W[] }

const SHORT = 255

function field<T>(schema: object): Type.TUnsafe<T> {
  return schema as Type.TUnsafe<T>
}

/** The fields that may be left out. A copy of one (`{ ...schema }`) may not. */
const leftOut = new WeakSet<object>()

/** A string that must hold more than blanks, 255 characters at most unless told. */
export function text(options: TextOptions = {}): Type.TUnsafe<string> {
  return field({ type: 'string', minLength: 1, maxLength: SHORT, pattern: '\\S', ...options })
}

/** A string that may be empty or null; null goes out when it was never given. */
export function optionalText<const W extends string = never>(
  options: TextOptions & { traits?: readonly W[] } = {},
): WithTraits<Type.TUnsafe<string | null>, W> {
  const schema = field<string | null>({ type: ['string', 'null'], maxLength: SHORT, default: null, ...options })
  return schema as WithTraits<typeof schema, W>
}

// HTML's valid e-mail address. Browsers turn the domain into ASCII before they look; here its letters may be of any script.
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?'
const ADDRESS = `[a-zA-Z0-9.!#$%&'*+/=?^_\`{|}~-]+@${LABEL}(?:\\.${LABEL})*`
const EMAIL = new RegExp(`^${ADDRESS}$`, 'u')
/** RFC 5321: an address that mail can be sent to is no longer. */
const MAX_EMAIL = 254

/** An e-mail address, by the rule of HTML's `<input type="email">`; blanks around it are dropped. */
export function email(options: FieldOptions = {}): Type.TUnsafe<string> {
  return text({ maxLength: MAX_EMAIL, pattern: EMAIL.source, trimmed: true, ...options })
}

/** An e-mail address as {@link email}, or empty or null. */
export function optionalEmail<const W extends string = never>(
  options: FieldOptions & { traits?: readonly W[] } = {},
): WithTraits<Type.TUnsafe<string | null>, W> {
  return optionalText({ pattern: `^(?:${ADDRESS})?$`, trimmed: true, ...options })
}

/** What is wrong with a new e-mail address in the place of a stored one. One that stays as it is may be from before there was a rule. */
export function emailErrors(given: string | null | undefined, stored: string | null): FieldErrors {
  return !given || given === stored || EMAIL.test(given) ? {} : { email: ['is not valid'] }
}

/** Whether there is nothing in an optional text. (To the compiler: anything else is a string.) */
export function isBlank(text: string | null): text is null {
  return text === null || text.trim() === ''
}

/** A `_id`: 24 hexadecimal characters on output; on input any string, since an unknown id is a 404 or a field error. */
export function identifier(options: FieldOptions = {}): Type.TUnsafe<string> {
  return field({ type: 'string', minLength: 1, maxLength: SHORT, ...options })
}

/** A reference that may be null. */
export function optionalIdentifier(options: FieldOptions = {}): Type.TUnsafe<string | null> {
  return field({ type: ['string', 'null'], maxLength: SHORT, default: null, ...options })
}

/** A whole number that fits 32 bits unless told. */
export function integer(options: FieldOptions & { minimum?: number; maximum?: number } = {}): Type.TUnsafe<number> {
  return field({ type: 'integer', minimum: -2147483648, maximum: 2147483647, ...options })
}

/** A number; `float` in XML. */
export function decimal(options: FieldOptions & { minimum?: number; maximum?: number } = {}): Type.TUnsafe<number> {
  return field({ type: 'number', ...options })
}

/** A whole number or null. */
export function optionalInteger(
  options: FieldOptions & { minimum?: number; maximum?: number } = {},
): Type.TUnsafe<number | null> {
  return field({
    type: ['integer', 'null'],
    minimum: -2147483648,
    maximum: 2147483647,
    default: null,
    ...options,
  })
}

/** A number or null. */
export function optionalDecimal(
  options: FieldOptions & { minimum?: number; maximum?: number } = {},
): Type.TUnsafe<number | null> {
  return field({ type: ['number', 'null'], default: null, ...options })
}

/** true, false or null. */
export function optionalFlag(options: FieldOptions = {}): Type.TUnsafe<boolean | null> {
  return field({ type: ['boolean', 'null'], default: null, ...options })
}

/** true or false; "true", "false", "1", "0" are read as such. */
export function flag(options: FieldOptions = {}): Type.TUnsafe<boolean> {
  return field({ type: 'boolean', ...options })
}

/** A moment: read as ISO 8601 (UTC where it has no offset), sent in UTC with milliseconds and `Z`. `unix` also reads seconds. */
export function datetime(options: FieldOptions & { unix?: boolean } = {}): Type.TUnsafe<Date> {
  return field({ type: 'string', format: 'date-time', ...options })
}

/** A moment or null. */
export function optionalDatetime(options: FieldOptions = {}): Type.TUnsafe<Date | null> {
  return field({ type: ['string', 'null'], format: 'date-time', default: null, ...options })
}

/** One of a few words. */
export function choice<const T extends string>(values: readonly T[], options: FieldOptions = {}): Type.TUnsafe<T> {
  return field({ type: 'string', enum: [...values], ...options })
}

/** A list whose XML children are called `singular`. `fromObject` also reads `{key: value}` as `[{[first]: key, [second]: value}]`. */
export function list<T extends TSchema>(
  items: T,
  singular: string,
  options: FieldOptions & { maxItems?: number; maxBytes?: number; fromObject?: [string, string] } = {},
): Type.TUnsafe<Static<T>[]> {
  return field({ type: 'array', items, singular, ...options })
}

/**
 * An object of declared fields. Undeclared ones are dropped on input and never sent. With `others` members that an account has declared
 * by itself stand beside them: texts or nulls on output, and on input whatever a client sent under a plain name (`badge_number`); the
 * handler knows which of them are declared, judges these and leaves the rest.
 */
export function record<T extends TProperties>(
  properties: T,
  options: FieldOptions & { others?: true } = {},
): TObject<T> {
  const required = Object.keys(properties).filter((name) => !leftOut.has(properties[name] as TSchema))
  return {
    type: 'object',
    ...(required.length > 0 ? { required } : {}),
    properties,
    additionalProperties: options.others ?? false,
    ...options,
  } as unknown as TObject<T>
}

/**
 * The same fields, each of which may be left out and stays as it is: what a PUT takes. A `record` of the fields is what a
 * POST takes: it fills in the defaults.
 */
export function subset<T extends TProperties>(
  properties: T,
  options: { others?: true } = {},
): Type.TPartial<TObject<T>> {
  const fields = Object.entries(properties).map(([name, schema]) => [name, maybe(schema)])
  return record(Object.fromEntries(fields), options) as unknown as Type.TPartial<TObject<T>>
}

/** The fields which have a trait. */
export function fieldsWith<T extends TProperties, const W extends string>(
  fields: T,
  trait: W,
): { [N in keyof T as T[N] extends { traits: readonly (infer U)[] } ? (W extends U ? N : never) : never]: T[N] } {
  const found = Object.entries(fields).filter(([, schema]) => (schema as SchemaNode).traits?.includes(trait))
  return Object.fromEntries(found) as ReturnType<typeof fieldsWith<T, W>>
}

/** An object whose inner shape is the client's own, 64 KiB at most. */
export function freeObject(options: FieldOptions = {}): Type.TUnsafe<Record<string, unknown>> {
  return field({ type: 'object', additionalProperties: true, free: true, maxBytes: 65_536, ...options })
}

/** Whatever a client sends: a text, an object of its own shape. What holds it says how much it may be. */
export function freeValue(options: FieldOptions = {}): Type.TUnsafe<unknown> {
  return field({ free: true, ...options })
}

/** Errors by field, as a refusal has them (`{"email": ["is not valid"]}`); sentences in XML. */
export function fieldErrors(options: FieldOptions = {}): Type.TUnsafe<FieldErrors> {
  return field({ type: 'object', additionalProperties: true, free: true, errors: true, ...options })
}

/** A field that may be left out, and is then absent: no default takes its place. */
export function maybe<T extends TSchema>(schema: T): ReturnType<typeof Type.Optional<T>> {
  const { default: _, ...rest } = schema as unknown as SchemaNode
  leftOut.add(rest)
  return rest as unknown as ReturnType<typeof Type.Optional<T>>
}

/** What a schema looks like to the code that walks it. */
export interface SchemaNode {
  type?: string | string[]
  format?: string
  enum?: unknown[]
  properties?: Record<string, SchemaNode>
  required?: string[]
  items?: SchemaNode
  singular?: string
  additionalProperties?: boolean
  formerly?: OldName[]
  others?: true
  errors?: true
  fromObject?: [string, string]
  unix?: boolean
  trimmed?: true
  traits?: readonly string[]
  batch?: boolean
  default?: unknown
  [word: string]: unknown
}

/** The names that members beside the declared ones can have: any that XML and every programming language know how to write. */
export const PLAIN_NAME = /^[a-z][a-z0-9_]{0,63}$/

/** The kind of a field: its type without null, or `datetime`. */
export function kindOf(schema: SchemaNode): string {
  const type = Array.isArray(schema.type) ? schema.type.find((each) => each !== 'null') : schema.type
  return type === 'string' && schema.format === 'date-time' ? 'datetime' : (type ?? 'any')
}

/** Whether null is a value of this field. */
export function isNullable(schema: SchemaNode): boolean {
  return Array.isArray(schema.type) && schema.type.includes('null')
}

/** The query of a paginated list: `page` from 1, `per_page` 1 to 500. */
export const pageQuery = pageOf(500)

/** The same with another page size where none is asked for. */
export function pageOf(size: number): { page: ReturnType<typeof integer>; per_page: ReturnType<typeof integer> } {
  return {
    page: integer({
      default: 1,
      minimum: 1,
      maximum: 1_000_000,
      description: 'From 1; past the end the list is empty',
    }),
    per_page: integer({ default: size, minimum: 1, maximum: 500 }),
  }
}
