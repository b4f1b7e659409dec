import type { Static, TObject, TProperties, TSchema, Type } from 'typebox'
import { EMAIL, OPTIONAL_EMAIL } from './email.ts'
import type { FieldErrors } from './faults.ts'
import type { MessageCode } from './messages.ts'
import { SEEN } from './visible.ts'

/**
 * The kinds of fields of resources. Each is a JSON Schema with a few keywords of our own; validation (json-reader.ts), serializers
 * (json-writer.ts), XML (xml.ts) and OpenAPI follow from it. TypeBox gives only the static types. It is never loaded: at run time it would take
 * 11 MiB of each process for nothing.
 */

/** An older name of a field, accepted on input and never sent; `values` translates its old values. */
export interface OldName {
  name: string
  values?: Record<string, unknown>
}

/**
 * By what a field says whose a document is. `contact_id` is a contact of the account, or the staff member who it is. `email` is normalized
 * (addresses.ts), `typed_email` as it was typed, in any case. `mention` is a text, such as the body of a webhook's request, which says so somewhere
 * within.
 */
export type Identity = 'guest_id' | 'guest_uid' | 'contact_id' | 'email' | 'typed_email' | 'mention'

/** Options of any field. */
export interface FieldOptions {
  description?: string
  /** The example of the API document; fields of a known name have one in gateway/openapi/examples.ts. */
  example?: unknown
  formerly?: OldName[]
  default?: unknown
  /** All values that it has, where other rules than `enum` see to that: for the API document. */
  values?: readonly (string | number)[]
  /** It is personal data, which an erasure blanks (proto/privacy), or says whose data a document is. */
  personal?: true | Identity
}

/** Values that everybody knows: names of the IANA's time zones, or tags of the languages in which Gatehouse speaks to guests. */
export type KnownValues = 'time_zones' | 'languages'

interface TextOptions extends FieldOptions {
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  /** A client's text stays as it came; otherwise what nobody sees is taken off its ends (visible.ts). */
  verbatim?: true
  /** It may hold control characters, as codes of tickets do. Otherwise it holds none; a text of more than 255 characters may have lines and tabs. */
  controls?: true
  /** Of which kind the values are which forms should offer; others are taken too. */
  known?: KnownValues
}

/** A text that may have words of its resource's own, such as `searched`: {@link fieldsWith} finds the fields that have one. */
type WithTraits<S, W extends string> = [W] extends [never] ? S : S & { traits: readonly W[] }

/** The length up to which a text is one line. */
export const SHORT = 255

function field<T>(schema: object): Type.TUnsafe<T> {
  return schema as Type.TUnsafe<T>
}

/** The fields that may be absent. A copy of one (`{ ...schema }`) may not. */
const leftOut = new WeakSet<object>()

/** A string that is not blank, of at most 255 characters by default. */
export function text(options: TextOptions = {}): Type.TUnsafe<string> {
  return field({ type: 'string', minLength: 1, maxLength: SHORT, pattern: '\\S', ...options })
}

/**
 * The uid of a scanned guest. It stays as it came, since guests of older versions may have uids with what nobody sees at the ends: whoever knows
 * the guests takes it for one ({@link uidOf} in visible.ts).
 */
export function scannedUid(options: FieldOptions = {}): Type.TUnsafe<string> {
  return text({ verbatim: true, pattern: SEEN, ...options })
}

/** A string that may be empty or null; null if it was never given. */
export function optionalText<const W extends string = never>(
  options: TextOptions & { traits?: readonly W[] } = {},
): WithTraits<Type.TUnsafe<string | null>, W> {
  const schema = field<string | null>({ type: ['string', 'null'], maxLength: SHORT, default: null, ...options })
  return schema as WithTraits<typeof schema, W>
}

/** The limit of RFC 5321. */
const MAX_EMAIL = 254

/** An e-mail address, by the rule of HTML's `<input type="email">`. */
export function email(options: FieldOptions = {}): Type.TUnsafe<string> {
  return text({ maxLength: MAX_EMAIL, pattern: EMAIL.source, ...options })
}

/** An e-mail address as {@link email}, or empty or null. */
export function optionalEmail<const W extends string = never>(
  options: FieldOptions & { traits?: readonly W[] } = {},
): WithTraits<Type.TUnsafe<string | null>, W> {
  return optionalText({ pattern: OPTIONAL_EMAIL, ...options })
}

/** Whether a field's pattern is that of an e-mail address, which may be empty where it is optional. */
export function isEmailPattern(pattern: string): boolean {
  return pattern === EMAIL.source || pattern === OPTIONAL_EMAIL
}

/** The patterns of a web address, of one that may be empty, of a colour and of a time of day. */
export const WEB_ADDRESS = '^https?://\\S+$'
export const OPTIONAL_WEB_ADDRESS = '^(https?://\\S+)?$'
export const COLOUR = '^#[0-9a-fA-F]{6}$'
export const TIME_OF_DAY = '^([01][0-9]|2[0-3]):[0-5][0-9]$'

/** What is wrong with a text that is not of a pattern: by the code, people are told what is expected. */
const CODES: Readonly<Record<string, MessageCode>> = {
  '\\S': 'blank',
  [SEEN]: 'blank',
  [EMAIL.source]: 'invalid_email',
  [OPTIONAL_EMAIL]: 'invalid_email',
  [WEB_ADDRESS]: 'invalid_url',
  [OPTIONAL_WEB_ADDRESS]: 'invalid_url',
  [COLOUR]: 'invalid_colour',
  [TIME_OF_DAY]: 'invalid_time_of_day',
}

/** Returns the code for a text that is not of a pattern. */
export function codeOfPattern(pattern: string): MessageCode {
  return CODES[pattern] ?? 'invalid'
}

/** Whether an optional text is null or blank. */
export function isBlank(text: string | null): text is null {
  return text === null || text.trim() === ''
}

/** A `_id`: 24 hexadecimal characters on output; any string on input, since an unknown id is a 404 or a field error. */
export function identifier(options: FieldOptions = {}): Type.TUnsafe<string> {
  return field({ type: 'string', minLength: 1, maxLength: SHORT, ...options })
}

/** The form of an id that can be a part of a subject of the bus. */
export const SUBJECT_WORD = /^[\w-]+$/

/** A reference that may be null. */
export function optionalIdentifier(options: FieldOptions = {}): Type.TUnsafe<string | null> {
  return field({ type: ['string', 'null'], maxLength: SHORT, default: null, ...options })
}

interface IntegerOptions extends FieldOptions {
  minimum?: number
  maximum?: number
  /** A greater number is read as this one. */
  cappedAt?: number
}

/** A whole number, of 32 bits by default. */
export function integer(options: IntegerOptions = {}): Type.TUnsafe<number> {
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

/** true or false; also read from "true", "false", "1", "0". */
export function flag(options: FieldOptions = {}): Type.TUnsafe<boolean> {
  return field({ type: 'boolean', ...options })
}

/** A moment: read as ISO 8601 (UTC without an offset), sent in UTC with milliseconds and `Z`. With `unix` also read as seconds. */
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

/** A list whose XML children are called `singular`. With `fromObject`, `{key: value}` is read as `[{[first]: key, [second]: value}]`. */
export function list<T extends TSchema>(
  items: T,
  singular: string,
  options: FieldOptions & { maxItems?: number; maxBytes?: number; fromObject?: [string, string] } = {},
): Type.TUnsafe<Static<T>[]> {
  return field({ type: 'array', items, singular, ...options })
}

/**
 * An object of declared fields. Undeclared ones are dropped on input and never sent. With `others` it also has members that an account has
 * declared: texts or nulls on output, any value under a plain name (`badge_number`) on input. The handler knows which are declared, validates
 * these and ignores the rest.
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
 * The body of a PUT: the same fields, all of which may be absent and then stay unchanged. The body of a POST is a `record` of the fields, which
 * fills in defaults.
 */
export function subset<T extends TProperties>(
  properties: T,
  options: { others?: true } = {},
): Type.TPartial<TObject<T>> {
  const fields = Object.entries(properties).map(([name, schema]) => [name, maybe(schema)])
  return record(Object.fromEntries(fields), options) as unknown as Type.TPartial<TObject<T>>
}

/** The fields that have a trait. */
export function fieldsWith<T extends TProperties, const W extends string>(
  fields: T,
  trait: W,
): { [N in keyof T as T[N] extends { traits: readonly (infer U)[] } ? (W extends U ? N : never) : never]: T[N] } {
  const found = Object.entries(fields).filter(([, schema]) => (schema as SchemaNode).traits?.includes(trait))
  return Object.fromEntries(found) as ReturnType<typeof fieldsWith<T, W>>
}

/** The defaults of the fields that have one. */
export function defaultsOf(fields: TProperties): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields as Record<string, SchemaNode>).flatMap(([name, schema]) =>
      'default' in schema ? [[name, schema.default]] : [],
    ),
  )
}

/** An object of any shape, of at most 64 KiB. */
export function freeObject(options: FieldOptions = {}): Type.TUnsafe<Record<string, unknown>> {
  return field({ type: 'object', additionalProperties: true, free: true, maxBytes: 65_536, ...options })
}

/** A free object, or a text in its place. */
export function freeObjectOrText(options: FieldOptions = {}): Type.TUnsafe<Record<string, unknown> | string> {
  return freeObject({ type: ['object', 'string'], ...options } as FieldOptions) as Type.TUnsafe<
    Record<string, unknown> | string
  >
}

/** Any value. The field that holds it limits its size. */
export function freeValue(options: FieldOptions = {}): Type.TUnsafe<unknown> {
  return field({ free: true, ...options })
}

/** Errors by field (`{"email": ["is not valid"]}`); sentences in XML. */
export function fieldErrors(options: FieldOptions = {}): Type.TUnsafe<FieldErrors> {
  return field({ type: 'object', additionalProperties: true, free: true, errors: true, ...options })
}

/** A field that may be absent; it has no default. */
export function maybe<T extends TSchema>(schema: T): ReturnType<typeof Type.Optional<T>> {
  const { default: _, ...rest } = schema as unknown as SchemaNode
  leftOut.add(rest)
  return rest as unknown as ReturnType<typeof Type.Optional<T>>
}

/** Whether a field may be absent. */
export function isLeftOut(schema: object): boolean {
  return leftOut.has(schema)
}

/** A schema, for code that walks it. */
export interface SchemaNode {
  type?: string | string[]
  format?: string
  enum?: unknown[]
  values?: readonly (string | number)[]
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
  verbatim?: true
  controls?: true
  cappedAt?: number
  traits?: readonly string[]
  personal?: true | Identity
  batch?: boolean
  default?: unknown
  [word: string]: unknown
}

/** The names of members that an account may declare: those that XML and every programming language can write. */
export const PLAIN_NAME = /^[a-z][a-z0-9_]{0,63}$/

/** The kind of a field: its type without null, or `datetime`. */
export function kindOf(schema: SchemaNode): string {
  const type = Array.isArray(schema.type) ? schema.type.find((each) => each !== 'null') : schema.type
  return type === 'string' && schema.format === 'date-time' ? 'datetime' : (type ?? 'any')
}

/** Whether a text may stand in the place of this free object. */
export function mayBeText({ free, type }: SchemaNode): boolean {
  return free === true && Array.isArray(type) && type.includes('string')
}

/** Whether null is a value of this field. */
export function isNullable(schema: SchemaNode): boolean {
  return Array.isArray(schema.type) && schema.type.includes('null')
}

/** The most items of a page. */
const LARGEST_PAGE = 500

/** The query of a paginated list: `page` and `per_page`, both from 1. */
export const pageQuery = pageOf(LARGEST_PAGE)

/** The same with another default page size. */
export function pageOf(size: number): { page: ReturnType<typeof integer>; per_page: ReturnType<typeof integer> } {
  return {
    page: pageNumber({ default: 1, description: 'From 1; past the end the list is empty' }),
    per_page: pageSize({ default: size }),
  }
}

/** The query of a list that comes whole unless it is asked for by pages. */
export const optionalPageQuery = {
  page: maybe(pageNumber({ description: 'From 1; the whole list where neither is given' })),
  per_page: maybe(pageSize()),
}

/** The query of a list that always comes whole: clients that ask for further pages until one is empty come to an end. */
export const wholeListQuery = {
  page: pageNumber({
    default: 1,
    description: 'The list comes whole: page 1 has all of it, any further page is empty',
  }),
}

function pageNumber(options: FieldOptions): ReturnType<typeof integer> {
  return integer({ minimum: 1, maximum: 1_000_000, ...options })
}

function pageSize(options: FieldOptions = {}): ReturnType<typeof integer> {
  const description = `${LARGEST_PAGE} at most: more is read as ${LARGEST_PAGE}`
  return integer({ minimum: 1, cappedAt: LARGEST_PAGE, description, ...options })
}
