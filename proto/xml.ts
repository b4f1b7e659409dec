import { SaxesParser } from 'saxes'
import { Fault, type FieldErrors, fullSentences } from './faults.ts'
import { kindOf, type SchemaNode } from './fields.ts'

/**
 * XML by a schema (interface.md, part 1): an element is named as the field with hyphens for underscores, a list has
 * `type="array"`, a typed value its `type`, null is an empty element with `nil="true"`.
 */

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
const DEEPEST = 32

/** `access_stamp` → `access-stamp`; `_id` keeps its name. */
export function elementName(field: string): string {
  return field.startsWith('_') ? field : field.replaceAll('_', '-')
}

// --- writing

type Write = (value: unknown) => string

const typeAttributes: Record<string, string> = {
  datetime: ' type="datetime"',
  integer: ' type="integer"',
  number: ' type="float"',
  boolean: ' type="boolean"',
  array: ' type="array"',
}

/** The writer of a reply's XML from its parsed JSON. `one` names an object's root, `many` a list's. Compiled once per schema. */
export function xmlWriterOf(schema: SchemaNode, one: string, many: string): Write {
  const write = elementWriter(kindOf(schema) === 'array' ? many : one, schema)
  return (value) => DECLARATION + write(value)
}

function elementWriter(field: string, schema: SchemaNode): Write {
  const name = elementName(field)
  const kind = kindOf(schema)
  const open = `<${name}${typeAttributes[kind] ?? ''}`
  const empty = `${open}/>`
  const nil = `${open} nil="true"/>`
  const start = `${open}>`
  const end = `</${name}>`
  const inner = innerWriter(kind, schema)
  return (value) => {
    if (value === undefined) return ''
    if (value === null) return nil
    const content = inner(value)
    return content === '' ? empty : start + content + end
  }
}

function innerWriter(kind: string, schema: SchemaNode): Write {
  if (kind === 'array') {
    const item = elementWriter(schema.singular ?? 'item', schema.items ?? {})
    // A record that declares its own errors is no refusal.
    if (schema.items?.properties?.errors) return (value) => (value as unknown[]).map(item).join('')
    return (value) => {
      let content = ''
      for (const each of value as unknown[]) content += isErrors(each) ? errorElements(each.errors) : item(each)
      return content
    }
  }
  if (schema.errors) return (value) => sentenceElements(value as FieldErrors)
  if (kind === 'object' && schema.properties) {
    const fields = Object.entries(schema.properties).map(([name, field]) => ({
      name,
      write: elementWriter(name, field),
    }))
    return (value) => {
      let content = ''
      for (const { name, write } of fields) content += write((value as Record<string, unknown>)[name])
      return schema.others ? content + freeContent(undeclared(value as object, schema)) : content
    }
  }
  if (kind === 'object' || kind === 'any') return (value) => freeContent(value)
  return (value) => escapeText(String(value))
}

/** The members of an object that its schema does not declare. */
function undeclared(value: object, { properties = {} }: SchemaNode): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !Object.hasOwn(properties, name)))
}

function isErrors(value: unknown): value is { errors: FieldErrors } {
  return typeof value === 'object' && value !== null && 'errors' in value
}

/** A client's own object: its names as elements where XML allows them, otherwise `<entry key="…">`. */
function freeContent(value: unknown): string {
  if (Array.isArray(value)) return value.map((each) => freeElement('item', '<item', each)).join('')
  if (typeof value !== 'object' || value === null) return escapeText(String(value))
  return Object.entries(value)
    .map(([key, held]) => {
      const plain = /^[A-Za-z][A-Za-z0-9_]*$/.test(key)
      const name = plain ? elementName(key) : 'entry'
      return freeElement(name, plain ? `<${name}` : `<entry key="${escapeText(key)}"`, held)
    })
    .join('')
}

function freeElement(name: string, open: string, value: unknown): string {
  if (value === null) return `${open} nil="true"/>`
  const type = Array.isArray(value) ? typeAttributes.array : typeAttributes[typeof value]
  return `${open}${type ?? ''}>${freeContent(value)}</${name}>`
}

/** `<errors>` with one sentence each. */
function errorElements(errors: FieldErrors): string {
  return `<errors>${sentenceElements(errors)}</errors>`
}

function sentenceElements(errors: FieldErrors): string {
  return fullSentences(errors)
    .map((sentence) => `<error>${escapeText(sentence)}</error>`)
    .join('')
}

/** A whole error document of one sentence, or of the sentences of each field. */
export function errorDocument(message: string, errors: FieldErrors | undefined): string {
  return DECLARATION + (errors ? errorElements(errors) : `<errors><error>${escapeText(message)}</error></errors>`)
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' }
// Characters that XML 1.0 can't hold in any form become U+FFFD.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const SPECIAL = /[&<>"\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

function escapeText(text: string): string {
  return text.replace(SPECIAL, (character) => escapes[character] ?? '\ufffd')
}

// --- reading

interface Frame {
  field: string
  schema: SchemaNode
  kind: string
  /** What the element says of itself. */
  type: string | undefined
  nil: boolean
  text: string
  /** `leaf` is the text of an element without elements inside. */
  children: { field: string; value: unknown; leaf: string | null | undefined }[]
}

/**
 * Reads a document into what the same request would hold as JSON. The root's name does not matter: its content is read by
 * `schema`. Inside a list any element is an item; `type` attributes matter only where the schema says nothing. Throws `malformed`
 * (400) for what is not well-formed, and for a document type: entities are never expanded.
 */
export function readXml(document: string, schema: SchemaNode): unknown {
  const parser = new SaxesParser({ fragment: false })
  const stack: Frame[] = []
  let result: unknown = {}
  parser.on('doctype', () => {
    throw new Fault('malformed', 'A document type is not accepted')
  })
  parser.on('error', (error) => {
    throw new Fault('malformed', `The body is not valid XML: ${error.message}`)
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (stack.length >= DEEPEST) throw new Fault('malformed', 'The body is nested too deeply')
    const parent = stack.at(-1)
    const { type, nil, key } = attributes as Record<string, string | undefined>
    const [field, own] = parent ? childOf(parent, name, key) : [name, schema]
    const kind = kindOf(own) === 'any' && type === 'array' ? 'array' : kindOf(own)
    stack.push({ field, schema: own, kind, type, nil: nil === 'true', text: '', children: [] })
  })
  const addText = (text: string): void => {
    const frame = stack.at(-1)
    if (frame) frame.text += text
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    const frame = stack.pop() as Frame
    const value = frameValue(frame)
    const parent = stack.at(-1)
    if (parent) parent.children.push({ field: frame.field, value, leaf: leafOf(frame) })
    else result = value
  })
  parser.write(document).close()
  return result
}

/** The field that an element stands for inside its parent, with its schema; `key` is the name of an `entry` of a client's own object. */
function childOf(parent: Frame, name: string, key: string | undefined): [string, SchemaNode] {
  if (name === 'entry' && key !== undefined && !parent.schema.properties) return [key, {}]
  if (parent.kind === 'array') return [name.replaceAll('-', '_'), parent.schema.items ?? {}]
  const properties = parent.schema.properties ?? {}
  // `stroke-width` is a field's own name; elsewhere hyphens stand for underscores.
  const field = Object.hasOwn(properties, name) || name.startsWith('_') ? name : name.replaceAll('-', '_')
  return [field, Object.hasOwn(properties, field) ? (properties[field] as SchemaNode) : {}]
}

function frameValue({ schema, kind, type, nil, text, children }: Frame): unknown {
  if (nil) return null
  if (kind === 'array') {
    // `<job>poet</job>` is a name and its value; an entry written out has elements inside.
    const named = schema.fromObject && children.length > 0 && children.every(({ leaf }) => leaf !== undefined)
    return named
      ? objectOf(children.map(({ field, leaf }) => ({ field, value: leaf })))
      : children.map(({ value }) => value)
  }
  if (children.length > 0) return objectOf(children)
  if (kind === 'object') return text.trim() === '' ? {} : text
  return kind === 'any' ? typedValue(type, text) : text
}

/** The value of an element that only says itself what it is. */
function typedValue(type: string | undefined, text: string): unknown {
  const value = text.trim()
  if ((type === 'integer' || type === 'float') && value !== '' && Number.isFinite(Number(value))) return Number(value)
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return text
}

function leafOf({ nil, text, children }: Frame): string | null | undefined {
  if (children.length > 0) return undefined
  return nil ? null : text
}

function objectOf(children: { field: string; value: unknown }[]): Record<string, unknown> {
  const entries = new Map<string, unknown>()
  for (const { field, value } of children) entries.set(field, value)
  return Object.fromEntries(entries)
}
