import { isNullable, kindOf, type SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import { elementName } from '@gatehouse/proto/formats/xml.ts'

/** A JSON object of an OpenAPI document. */
export type Json = Record<string, unknown>

/** Words of a schema that OpenAPI knows too; those of our own (fields.ts) are said in other ways. */
const WORDS = ['type', 'format', 'enum', 'minimum', 'maximum', 'minLength', 'maxLength', 'maxItems', 'description']

/** Whether a schema describes what a client sends or what it gets. */
export type Side = 'input' | 'output'

/**
 * A declared schema in OpenAPI's words, with its XML names. On input a field with a default may be left out and its old names are
 * told; on output there are no limits, and what is not optional is always there.
 */
export function openApiSchema(schema: SchemaNode, side: Side): Json {
  const known: Json = Object.fromEntries(
    WORDS.flatMap((word) => (schema[word] === undefined || isLimit(word, side) ? [] : [[word, schema[word]]])),
  )
  const kind = kindOf(schema)
  // The rule that a text may not be blank; minLength says as much to a reader.
  if (side === 'input' && typeof schema.pattern === 'string' && schema.pattern !== '\\S') known.pattern = schema.pattern
  if (side === 'input' && isInformative(schema.default)) known.default = schema.default
  const description = describe(schema, side)
  if (description) known.description = description
  if (kind === 'array') return { ...known, items: listItem(schema, side) }
  if (kind !== 'object') return known
  if (schema.errors) return { ...known, additionalProperties: { type: 'array', items: { type: 'string' } } }
  if (schema.free) return { ...known, additionalProperties: true }
  const properties = Object.entries(schema.properties ?? {})
  const required = properties.filter(([name, field]) => isRequired(schema, name, field, side)).map(([name]) => name)
  return {
    ...known,
    properties: Object.fromEntries(
      properties.map(([name, field]) => [name, withXmlName(openApiSchema(field, side), name)]),
    ),
    ...(required.length > 0 && { required }),
    ...(schema.others && { additionalProperties: { type: ['string', 'null'] } }),
  }
}

/** The item of a list, named as its XML element. */
function listItem(list: SchemaNode, side: Side): Json {
  const item = openApiSchema(list.items ?? {}, side)
  return list.singular ? { ...item, xml: { name: elementName(list.singular) } } : item
}

/** Says how a field is called in XML where it is not called the same; a list is an element around its items. */
export function withXmlName(schema: Json, field: string): Json {
  const name = elementName(field)
  if (schema.type === 'array') return { ...schema, xml: { name, wrapped: true } }
  return name === field ? schema : { ...schema, xml: { name } }
}

function isLimit(word: string, side: Side): boolean {
  return side === 'output' && /^(min|max)/.test(word)
}

/** Whether a default is worth a word: of an empty one, docs pages make an empty example. */
function isInformative(value: unknown): boolean {
  if (value === undefined || value === null) return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

function isRequired(schema: SchemaNode, name: string, field: SchemaNode, side: Side): boolean {
  if (!schema.required?.includes(name)) return false
  return side === 'output' || field.default === undefined
}

function describe(schema: SchemaNode, side: Side): string | undefined {
  const sentences = schema.description ? [String(schema.description)] : []
  if (side === 'input') {
    for (const { name, values } of schema.formerly ?? []) {
      const meant = values && Object.entries(values).map(([old, now]) => `${old} is ${now}`)
      sentences.push(`Deprecated alias: \`${name}\`${meant ? ` (${meant.join(', ')})` : ''}`)
    }
    if (schema.fromObject) sentences.push(`An object of ${schema.fromObject.join(' and ')} is accepted too`)
    if (schema.unix) sentences.push('Unix seconds are accepted too')
    if (isNullable(schema) && schema.default === null) sentences.push('May be null')
  }
  return sentences.length > 0 ? sentences.join('. ') : undefined
}
