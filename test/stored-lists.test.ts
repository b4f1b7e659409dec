import { resources } from '@gatehouse/gateway/gateway'
import { kindOf, type SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import { bsonWriterOf } from '@gatehouse/proto/formats/bson-to-json.ts'
import { isObject, readerOf } from '@gatehouse/proto/formats/json-reader.ts'
import { writerOf } from '@gatehouse/proto/formats/json-writer.ts'
import { StoredList } from '@gatehouse/proto/formats/raw-documents.ts'
import fc from 'fast-check'
import { BSON, ObjectId } from 'mongodb'
import type { TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import { cases } from './rounds.ts'
import { valuesOf } from './tables/sample-values.ts'

// Stored documents must be written the same way with and without decoding, whatever they contain.

type Held = Record<string, unknown>

const lists = resources.flatMap(({ name, actions }) =>
  Object.entries(actions)
    .filter(([, { reply, batch }]) => reply && kindOf(reply as SchemaNode) === 'array' && !batch)
    .map(([action, { reply }]) => [`${name}.${action}`, reply as TSchema & SchemaNode] as const),
)

/** Values that a field may have in the store, whatever is declared; undefined removes the field. */
const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'binary-ascii', maxLength: 60 }),
  fc.string({ unit: 'grapheme', minLength: 200, maxLength: 300 }),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, undefined),
  // New objects each time, because a later change may write into an earlier one.
  fc
    .constantFrom<(() => unknown)[]>(
      () => new ObjectId(),
      () => Buffer.from('file'),
      () => [],
      () => [null],
      () => ({}),
    )
    .map((make) => make()),
  fc.date({ noInvalidDate: true }),
)
const change = fc.record({ where: fc.nat(), held: anything })
const undeclared = fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), anything, { maxKeys: 3, noNullPrototype: true })

/** All fields of the objects in a value, nested ones included: their objects and names. Dates, ids and bytes have none. */
function fieldsIn(value: unknown): [Held, string][] {
  if (Array.isArray(value)) return value.flatMap(fieldsIn)
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return []
  return [
    ...Object.keys(value).map((name) => [value, name] as [Held, string]),
    ...Object.values(value).flatMap(fieldsIn),
  ]
}

/** The result of a function, or `throws`. */
function outcome(write: () => string): string {
  try {
    return write()
  } catch {
    return 'throws'
  }
}

function expectSame(schema: TSchema, items: object[]): void {
  const documents = items.map((each) => BSON.serialize(each, { ignoreUndefined: true }))
  const wanted = outcome(() => writerOf(schema)(documents.map((each) => BSON.deserialize(each))))
  expect(outcome(() => bsonWriterOf(schema)(new StoredList(documents)).toString())).toBe(wanted)
}

describe.each(lists)('%s', (_label, schema) => {
  const valid = valuesOf(schema).map((value) => readerOf(schema)(value).value as Held[])

  test('valid values, with additional fields and in another order', () => {
    const stored = fc.tuple(valid, undeclared, fc.boolean())
    fc.assert(
      fc.property(stored, ([items, more, before]) => {
        expectSame(
          schema,
          items.map((item) => (before ? { ...more, ...item } : { ...item, ...more, ...item })),
        )
      }),
      cases(10, 300),
    )
  })

  test('any values in some fields', () => {
    const stored = fc.tuple(valid, fc.array(change, { minLength: 1, maxLength: 3 }))
    fc.assert(
      fc.property(stored, ([items, changes]) => {
        for (const { where, held } of changes) {
          const fields = fieldsIn(items)
          const [holder, name] = fields[where % fields.length] ?? []
          if (holder && name !== undefined) holder[name] = held
        }
        expectSame(schema, items)
      }),
      cases(20, 600),
    )
  })
})
