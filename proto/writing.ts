import fastJsonStringify from 'fast-json-stringify'
import type { TSchema } from 'typebox'
import { isNullable, kindOf, type SchemaNode } from './fields.ts'
import { isRejected } from './resource.ts'

/**
 * Writing replies by their schema: only declared fields go out, moments in UTC with milliseconds and `Z`, and a nullable
 * field that holds nothing as null. Compiled once per schema.
 */
export type Writer = (value: unknown) => string

const writers = new WeakMap<object, Writer>()

/** The JSON writer of a reply's schema. In a batch an item may be `{errors}` instead. */
export function writerOf(schema: TSchema, batch = false): Writer {
  const known = writers.get(schema)
  if (known) return known
  const writer = batch
    ? batchWriter(schema as SchemaNode)
    : (fastJsonStringify(writable(schema as SchemaNode)) as Writer)
  writers.set(schema, writer)
  return writer
}

function batchWriter(schema: SchemaNode): Writer {
  const write = fastJsonStringify(writable(schema.items ?? {})) as Writer
  const writeItem = (item: object): string => (isRejected(item) ? JSON.stringify(item) : write(item))
  return (items) => `[${(items as object[]).map(writeItem).join(',')}]`
}

/** The schema in the serialiser's words: checks dropped, defaults of absent fields said. */
function writable(schema: SchemaNode): Record<string, unknown> {
  const kind = kindOf(schema)
  const type = schema.type
  if (kind === 'datetime') return { type, format: 'date-time', ...nullWhenAbsent(schema) }
  if (kind === 'array') return { type, items: writable(schema.items ?? {}), ...nullWhenAbsent(schema) }
  if (kind !== 'object') return { type, ...nullWhenAbsent(schema) }
  if (schema.free) return { type: 'object', additionalProperties: true }
  const required = new Set(schema.required)
  const properties = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const { default: absent, ...rest } = writable(field)
    return [name, required.has(name) && absent === null ? { ...rest, default: null } : rest]
  })
  return {
    type,
    properties: Object.fromEntries(properties),
    required: schema.required ?? [],
    ...(schema.others && { additionalProperties: { type: ['string', 'null'] } }),
  }
}

function nullWhenAbsent(schema: SchemaNode): { default?: null } {
  return isNullable(schema) ? { default: null } : {}
}
