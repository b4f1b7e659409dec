import { isEmailPattern, isNullable, kindOf, type SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import type { Resource } from '@gatehouse/proto/declaring/resource.ts'
import { SEEN } from '@gatehouse/proto/declaring/visible.ts'
import { elementName } from '@gatehouse/proto/formats/xml.ts'
import { knownDescription } from './descriptions.ts'

/** A JSON object of an OpenAPI document. */
export type OpenApiObject = Record<string, unknown>

/** Keywords of a declared schema that OpenAPI has too; our own (fields.ts) are translated. */
const KEYWORDS = ['type', 'format', 'enum', 'minimum', 'maximum', 'minLength', 'maxLength', 'maxItems', 'description']

/** Whether a schema describes what clients send or what they get. */
export type Side = 'input' | 'output'

/**
 * A declared schema as OpenAPI writes it, with its XML names. On input, fields with a default are optional and deprecated names are
 * mentioned; on output there are no limits, and every field that is not optional is required. `owner` names what has the fields.
 */
export function openApiSchema(schema: SchemaNode, side: Side, owner = ''): OpenApiObject {
  const known: OpenApiObject = Object.fromEntries(
    KEYWORDS.flatMap((keyword) =>
      schema[keyword] === undefined || isLimit(keyword, side) ? [] : [[keyword, schema[keyword]]],
    ),
  )
  const kind = kindOf(schema)
  if (schema.values) known.enum = [...schema.values, ...(isNullable(schema) ? [null] : [])]
  if (side === 'input' && typeof schema.pattern === 'string') Object.assign(known, formOf(schema.pattern))
  if (side === 'input' && schema.known) known['x-known-values'] = schema.known
  if (side === 'input' && isInformative(schema.default)) known.default = schema.default
  const description = describe(schema, side)
  if (description) known.description = description
  if (kind === 'array') return { ...known, items: listItem(schema, side, owner) }
  if (kind !== 'object') return known
  if (schema.errors) return { ...known, additionalProperties: { type: 'array', items: { type: 'string' } } }
  if (schema.free) return { ...known, additionalProperties: true }
  const properties = Object.entries(schema.properties ?? {})
  const required = properties.filter(([name, field]) => isRequired(schema, name, field, side)).map(([name]) => name)
  return {
    ...known,
    properties: Object.fromEntries(
      properties.map(([name, field]) => [name, withXmlName(property(field, side, name, owner), name)]),
    ),
    ...(required.length > 0 && { required }),
    ...(schema.others && { additionalProperties: true }),
  }
}

/** The item of a list, with the name of its XML element. */
function listItem(list: SchemaNode, side: Side, owner: string): OpenApiObject {
  const item = openApiSchema(list.items ?? {}, side, list.singular ?? owner)
  return list.singular ? { ...item, xml: { name: elementName(list.singular) } } : item
}

/** A field of an object that is called `owner`. */
function property(field: SchemaNode, side: Side, name: string, owner: string): OpenApiObject {
  return openApiSchema(described(field, name, owner), side, name)
}

/** A field with a description, its own or that of its name. */
export function described(field: SchemaNode, name: string, owner: string): SchemaNode {
  const description = field.description ?? knownDescription(name, owner)
  return description === undefined ? field : { ...field, description }
}

/** Adds the XML name of a field if it is another; a list is an element around its items. */
function withXmlName(schema: OpenApiObject, field: string): OpenApiObject {
  const name = elementName(field)
  if (schema.type === 'array') return { ...schema, xml: { name, wrapped: true } }
  return name === field ? schema : { ...schema, xml: { name } }
}

/**
 * The pattern of a text. That of one that may not be blank says no more than its `minLength`; those of e-mail addresses, with letters of any
 * script, are read by few programs.
 */
function formOf(pattern: string): OpenApiObject {
  if (pattern === '\\S' || pattern === SEEN) return {}
  return isEmailPattern(pattern) ? { format: 'email' } : { pattern }
}

function isLimit(keyword: string, side: Side): boolean {
  return side === 'output' && /^(min|max)/.test(keyword)
}

/** Whether a default is shown: docs pages make an empty example of an empty one. */
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

/** Names of schemas for those that would hide a global of the languages for which clients are generated. */
const renamed: Record<string, string> = { Event: 'EventItem', File: 'GuestFile' }

/** The object schemas of the document, each once under a name. */
export class Schemas {
  readonly #names = new Map<string, string>()
  readonly #schemas = new Map<string, OpenApiObject>()

  /** A reference to an object, or a list of references. `suffix` is added to a name that another object already has. */
  use(schema: SchemaNode, resource: Resource, name: string, side: Side, suffix = ''): OpenApiObject {
    if (kindOf(schema) === 'array') {
      const { items, maxItems, ...rest } = openApiSchema(schema, side, resource.one)
      const item = this.#reference(withXmlName(items as OpenApiObject, resource.one), name, suffix)
      return withXmlName({ ...rest, ...(maxItems !== undefined && { maxItems }), items: item }, resource.many)
    }
    return this.#reference(
      { ...openApiSchema(schema, side, resource.one), xml: { name: xmlName(resource) } },
      name,
      suffix,
    )
  }

  /** A reference to a schema as OpenAPI writes it, under a name of its own. */
  add(name: string, schema: OpenApiObject): OpenApiObject {
    return this.#reference(schema, name, '')
  }

  all(): OpenApiObject {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #reference(schema: OpenApiObject, given: string, suffix: string): OpenApiObject {
    const name = renamed[given] ?? given
    const text = JSON.stringify(schema)
    const known = this.#names.get(text)
    const free = known ?? (this.#schemas.has(name) ? name + suffix : name)
    if (!known && this.#schemas.has(free)) throw new Error(`Two objects of the API document are called ${free}`)
    this.#names.set(text, free)
    this.#schemas.set(free, schema)
    return { $ref: `#/components/schemas/${free}` }
  }
}

function xmlName({ one }: Resource): string {
  return one.replaceAll('_', '-')
}
