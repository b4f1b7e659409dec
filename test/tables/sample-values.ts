import { kindOf, type SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import { readerOf } from '@gatehouse/proto/formats/json-reader.ts'
import fc from 'fast-check'
import type { TSchema } from 'typebox'

/** Whether XML can hold a text unchanged; proto/formats/xml.test.ts tests the replacement of other characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML cannot hold
const isPlain = (value: string): boolean => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(value)

const plainText = (maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: 'binary', maxLength: Math.min(maxLength, 40) }).filter(isPlain)

const name = fc.string({ minLength: 1, maxLength: 12 }).filter((each) => !/^\$|\.|^__proto__$/.test(each))
/** Free objects of clients may nest objects and lists eight deep, themselves included (proto/formats/json-reader.ts). */
const DEEPEST_OWN = 7
const own: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: DEEPEST_OWN },
    plainText(40),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
  ),
})).value

interface Limits {
  minimum?: number
  maximum?: number
  pattern?: string
  maxLength?: number
}

/** Arbitraries of texts by pattern: fast-check takes tenths of a second to make one that knows all of Unicode. */
const patterns = new Map<string, fc.Arbitrary<string>>()
const matching = (pattern: string): fc.Arbitrary<string> =>
  patterns.getOrInsertComputed(pattern, () => fc.stringMatching(new RegExp(pattern, 'u')))

/** Valid values of a declared schema as JSON values; their texts can be written in XML too. */
export function valuesOf(schema: SchemaNode): fc.Arbitrary<unknown> {
  const values = kindValues(schema)
  return [schema.type].flat().includes('null') ? fc.oneof(values, fc.constant(null)) : values
}

function kindValues(schema: SchemaNode): fc.Arbitrary<unknown> {
  const { minimum, maximum, pattern, maxLength } = schema as Limits
  if (schema.enum) return fc.constantFrom(...schema.enum)
  // XML has only sentences for these, which cannot be read back.
  if (schema.errors) return fc.constant({})
  switch (kindOf(schema)) {
    case 'string': {
      const free = !pattern || pattern === '\\S'
      const values = free ? plainText(maxLength ?? 40) : matching(pattern).filter(isPlain)
      return values.filter((each) => isValid(schema, each))
    }
    case 'integer':
      return fc.integer({ min: minimum ?? -1_000, max: maximum ?? 1_000 })
    case 'number':
      return fc
        .double({ noNaN: true, noDefaultInfinity: true, min: minimum ?? -1e6, max: maximum ?? 1e6 })
        .map((each) => Math.round(each * 100) / 100 + 0)
    case 'boolean':
      return fc.boolean()
    case 'datetime':
      return fc
        .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
        .map((each) => each.toISOString())
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}), { maxLength: 3 })
    case 'object': {
      if (!schema.properties) return fc.dictionary(name, own, { maxKeys: 3, noNullPrototype: true })
      const fields = Object.entries(schema.properties).map(([field, each]) => [field, valuesOf(each)])
      return fc.record(Object.fromEntries(fields), { requiredKeys: (schema.required ?? []) as never[] })
    }
    case 'any':
      return fc.oneof(plainText(40), fc.dictionary(name, own, { minKeys: 1, maxKeys: 3, noNullPrototype: true }))
    default:
      throw new Error(`No values of the kind ${kindOf(schema)}: add them to kindValues() in ${import.meta.filename}`)
  }
}

function isValid(schema: SchemaNode, value: unknown): boolean {
  return readerOf(schema as TSchema)(value).errors === undefined
}
