import type { TSchema } from 'typebox'
import { isNullable, kindOf, type SchemaNode } from '../declaring/fields.ts'
import { isRejected } from '../declaring/resource.ts'

/**
 * Writes replies by their schema: only declared fields, moments in UTC with milliseconds and `Z`, and null for an absent nullable field. Throws if
 * a required field is missing.
 */
export type Writer = (value: unknown) => string

/**
 * Converts a value to plain objects, which one `JSON.stringify` then writes. That leaves a fifth of the garbage of concatenating texts field by
 * field.
 */
type Plain = (value: unknown) => unknown

const writers = new WeakMap<object, Writer>()
const batchWriters = new WeakMap<object, Writer>()

/** The JSON writer of a reply's schema, made once. In a batch an item may be `{errors}` instead. */
export function writerOf(schema: TSchema, batch = false): Writer {
  const made = batch ? batchWriters : writers
  return made.getOrInsertComputed(schema, () => {
    const plain = batch ? plainBatch(schema as SchemaNode) : plainOf(schema as SchemaNode)
    return (value) => JSON.stringify(plain(value))
  })
}

function plainBatch(schema: SchemaNode): Plain {
  const plain = plainOf(schema.items ?? {})
  return (items) => (items as object[]).map((item) => (isRejected(item) ? { errors: item.errors } : plain(item)))
}

/** Written for a null in a field that may not be null. */
const NOTHING: Record<string, unknown> = {
  string: '',
  datetime: '',
  integer: 0,
  number: 0,
  boolean: false,
  array: [],
  object: {},
}

function plainOf(schema: SchemaNode): Plain {
  const plain = plains[kindOf(schema)]?.(schema) ?? asIs
  const nothing = isNullable(schema) ? null : NOTHING[kindOf(schema)]
  return (value) => (value === null ? nothing : plain(value))
}

const asIs: Plain = (value) => value

const plains: Record<string, (schema: SchemaNode) => Plain> = {
  datetime: () => (value) => (value instanceof Date ? textOf(value) : value),
  integer: () => (value) => Math.trunc(value as number),
  array: (schema) => {
    const plain = plainOf(schema.items ?? {})
    return (values) => (values as unknown[]).map(plain)
  },
  object: (schema) => (schema.free ? asIs : plainRecord(schema)),
}

function plainRecord(schema: SchemaNode): Plain {
  const required = new Set(schema.required)
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    plain: plainOf(field),
    isRequired: required.has(name),
    isNullable: isNullable(field),
  }))
  const declared = new Set(fields.map(({ name }) => name))
  return (value) => {
    const held = value as Record<string, unknown>
    const output: Record<string, unknown> = {}
    for (const { name, plain, isRequired, isNullable } of fields) {
      const each = held[name]
      if (each !== undefined) output[name] = plain(each)
      else if (isRequired && isNullable) output[name] = null
      else if (isRequired) throw new Error(`${name} is missing in what goes out`)
    }
    if (schema.others) {
      for (const [name, each] of Object.entries(held)) if (!declared.has(name)) output[name] = each
    }
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
