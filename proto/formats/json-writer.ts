import type { Static, TSchema } from 'typebox'
import { codesOf } from '../declaring/faults.ts'
import { isNullable, kindOf, mayBeText, type SchemaNode } from '../declaring/fields.ts'
import { isRejected, type Rejected } from '../declaring/resource.ts'
import { noteGap } from './gaps.ts'

/**
 * Writes replies by their schema: only declared fields, moments in UTC with milliseconds and `Z`, and null for an absent nullable field. Never
 * fails: where a document lacks a field or holds it in another shape, since an earlier version stored it, {@link standInOf} says what goes out.
 */
export type Writer = (value: unknown) => string

/**
 * Converts a value to plain objects, which one `JSON.stringify` then writes. That leaves a fifth of the garbage of concatenating texts field by
 * field. Returns undefined for a value that is not of the declared kind.
 */
type Plain = (value: unknown) => unknown

const plains = new WeakMap<object, Plain>()

/** Returns the JSON writer of a reply's schema. */
export function writerOf(schema: TSchema): Writer {
  const plain = plainOf(schema)
  return (value) => JSON.stringify(plain(value))
}

/** Returns the JSON writer of a batch's items, each of which may be refused: `{errors}`, and their codes if these are asked for. */
export function batchItemsWriterOf(schema: TSchema): (items: readonly object[], coded?: boolean) => string {
  const { items = {}, singular = '' } = schema as SchemaNode
  const plainItem = usable(items, String(singular))
  const refused = ({ errors }: Rejected, coded: boolean) => ({ errors, ...(coded && { codes: codesOf(errors) }) })
  return (values, coded = false) =>
    JSON.stringify(values.map((item) => (isRejected(item) ? refused(item, coded) : plainItem(item))))
}

/** Converts a value to the object that the JSON writer writes. */
export function plainOf<T extends TSchema>(schema: T): (value: unknown) => Static<T> {
  return plains.getOrInsertComputed(schema, () => usable(schema as TSchema as SchemaNode, '')) as (
    value: unknown,
  ) => Static<T>
}

/** The least value of each kind. A moment has none: it is left out. */
const LEAST: Record<string, unknown> = {
  string: '',
  integer: 0,
  number: 0,
  boolean: false,
  array: [],
  object: {},
  any: null,
}

/** What goes out for a field without a usable value: null if it may be, its default, or the least of its kind; undefined leaves it out. */
function standInOf(schema: SchemaNode): unknown {
  if (isNullable(schema)) return null
  if (schema.default !== undefined) return schema.default
  return schema.enum ? undefined : LEAST[kindOf(schema)]
}

/** The document that is being written. */
let current: string | undefined

/** Converts values, and returns a stand-in for those that are not of the declared kind. */
function usable(schema: SchemaNode, path: string): Plain {
  const plain = conversions[kindOf(schema)]?.(schema, path) ?? asIs
  const standIn = standInOf(schema)
  return (value) => {
    const converted = value === null ? undefined : plain(value)
    if (converted !== undefined) return converted
    if (standIn !== null || (value !== null && value !== undefined)) noteGap({ document: current, field: path })
    return standIn
  }
}

const asIs: Plain = (value) => value

const conversions: Record<string, (schema: SchemaNode, path: string) => Plain> = {
  string: () => (value) => (typeof value === 'string' ? value : textIn(value)),
  datetime: () => (value) => {
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : textOf(value)
    return typeof value === 'string' ? value : undefined
  },
  integer: () => (value) => (Number.isFinite(value) ? Math.trunc(value as number) : undefined),
  number: () => (value) => (Number.isFinite(value) ? value : undefined),
  boolean: () => (value) => (typeof value === 'boolean' ? value : undefined),
  array: ({ items = {}, singular = '' }, path) => {
    const plain = usable(items, path ? `${path}.${singular}` : singular)
    return (values) => (Array.isArray(values) ? values.map(plain).filter((each) => each !== undefined) : undefined)
  },
  object: (schema, path) => (schema.free ? freeObjectOf(schema) : plainRecord(schema, path)),
}

function freeObjectOf(schema: SchemaNode): Plain {
  const isText = mayBeText(schema)
  return (value) => (isObject(value) || (isText && typeof value === 'string') ? value : undefined)
}

/** The text of a value that an earlier version stored as a number, flag, moment or `ObjectId`. */
function textIn(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const written = (value as { toJSON?(): unknown } | undefined)?.toJSON?.()
  return typeof written === 'string' ? written : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function plainRecord(schema: SchemaNode, path: string): Plain {
  const required = new Set(schema.required)
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    plain: usable(field, path ? `${path}.${name}` : name),
    isRequired: required.has(name),
  }))
  const declared = new Set(fields.map(({ name }) => name))
  return (held) => {
    if (!isObject(held)) return undefined
    const enclosing = current
    if (typeof held._id === 'string') current = held._id
    const output: Record<string, unknown> = {}
    for (const { name, plain, isRequired } of fields) {
      const each = held[name]
      if (each !== undefined || isRequired) output[name] = plain(each)
    }
    if (schema.others) {
      for (const [name, each] of Object.entries(held)) if (!declared.has(name)) output[name] = each
    }
    current = enclosing
    return output
  }
}

/** Moments to cache: the same one occurs in many fields of a batch. A power of two. */
const CACHED_TEXTS = 1_024
const times = new Float64Array(CACHED_TEXTS).fill(Number.NaN)
const texts = Array<string>(CACHED_TEXTS).fill('')

/** A moment as `2024-02-29T09:00:00.000Z`. Throws for an invalid Date. */
export function textOf(moment: Date): string {
  const time = moment.getTime()
  const place = time & (CACHED_TEXTS - 1)
  if (times[place] !== time) {
    texts[place] = moment.toISOString()
    times[place] = time
  }
  return texts[place] as string
}
