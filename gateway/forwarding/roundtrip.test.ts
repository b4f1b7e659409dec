import type { SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import { routesOf } from '@gatehouse/proto/declaring/resource.ts'
import { readerOf } from '@gatehouse/proto/formats/json-reader.ts'
import { xmlWriterOf } from '@gatehouse/proto/formats/xml.ts'
import { readXml } from '@gatehouse/test/harness/read-xml.ts'
import { cases } from '@gatehouse/test/rounds.ts'
import { valuesOf } from '@gatehouse/test/tables/sample-values.ts'
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import { resources } from '../gateway.ts'

// Any value of a declared schema is the same in JSON and in XML.

const declared = resources.flatMap(({ one, many, actions }) =>
  Object.entries(actions)
    .filter(([, action]) => routesOf(action))
    .flatMap(([action, { body, reply }]) => [
      ...(body ? [[`${many}.${action} body`, body as SchemaNode, one, many] as const] : []),
      ...(reply ? [[`${many}.${action} reply`, reply as SchemaNode, one, many] as const] : []),
    ]),
)

describe('JSON → XML → JSON', () => {
  test.each(declared)('%s', (_label, schema, one, many) => {
    const write = xmlWriterOf(schema, one, many)
    const read = readerOf(schema as TSchema)
    fc.assert(
      fc.property(valuesOf(schema), (value) => {
        const wanted = read(structuredClone(value))
        expect(wanted.errors).toBeUndefined()
        expect(read(readXml(write(value), schema))).toEqual(wanted)
      }),
      cases(10, 200),
    )
  })
})
