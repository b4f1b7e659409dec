import { SaxesParser } from 'saxes'
import { type ErrorTexts, Fault, fullSentences } from '../declaring/faults.ts'
import { isNullable, kindOf, type SchemaNode } from '../declaring/fields.ts'
import { maxValues } from '../declaring/value-limits.ts'
import { MAX_ITEM } from './json-items.ts'
import { escapeText } from './xml-text.ts'

/**
 * XML by a schema (docs/interface.md 2.21 to 2.27): an element is named as the field with hyphens for underscores, a list has
 * `type="array"`, a typed value its `type`, null is an empty element with `nil="true"`.
 */

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
const DEEPEST = 32
/** Maximum of attributes of an element. */
const MAX_ATTRIBUTES = 16
/** Maximum of entities (`&lt;`) in a batch item: the parser keeps 32 bytes for each until the text ends. */
const MAX_ENTITIES = 20_000

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

/** The same for a list whose items are written one by one; `document` puts them together. */
export interface XmlListWriter {
  item: Write
  document(items: string[]): string
}

/** The writer of a list, called `many`, in parts. */
export function xmlListWriterOf(schema: SchemaNode, many: string): XmlListWriter {
  const { empty, start, end } = tagsOf(many, schema)
  return {
    item: itemWriter(schema),
    document: (items) => DECLARATION + (items.length === 0 ? empty : start + items.join('') + end),
  }
}

function tagsOf(field: string, schema: SchemaNode): { empty: string; nil: string; start: string; end: string } {
  const name = elementName(field)
  const open = `<${name}${typeAttributes[kindOf(schema)] ?? ''}`
  return { empty: `${open}/>`, nil: `${open} nil="true"/>`, start: `${open}>`, end: `</${name}>` }
}

function elementWriter(field: string, schema: SchemaNode): Write {
  const { empty, nil, start, end } = tagsOf(field, schema)
  const inner = innerWriter(kindOf(schema), schema)
  return (value) => {
    if (value === undefined) return ''
    if (value === null) return nil
    const content = inner(value)
    return content === '' ? empty : start + content + end
  }
}

function innerWriter(kind: string, schema: SchemaNode): Write {
  if (kind === 'array') {
    const item = itemWriter(schema)
    return (value) => {
      let content = ''
      // A service of an earlier version may have declared something else.
      for (const each of Array.isArray(value) ? value : []) content += item(each)
      return content
    }
  }
  if (schema.errors) return (value) => sentenceElements(value as ErrorTexts)
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

/** The writer of an item of a list, or of errors in its place. */
function itemWriter({ singular = 'item', items = {} }: SchemaNode): Write {
  const item = elementWriter(singular, items)
  // A record that declares `errors` is not a refusal.
  if (items.properties?.errors) return item
  return (value) => (isErrors(value) ? errorElements(value.errors) : item(value))
}

/** The members of an object that its schema does not declare. */
function undeclared(value: object, { properties = {} }: SchemaNode): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !Object.hasOwn(properties, name)))
}

function isErrors(value: unknown): value is { errors: ErrorTexts } {
  return typeof value === 'object' && value !== null && 'errors' in value
}

/** A free object: its names as elements if XML allows them, otherwise `<entry key="…">`. */
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
function errorElements(errors: ErrorTexts): string {
  return `<errors>${sentenceElements(errors)}</errors>`
}

function sentenceElements(errors: ErrorTexts): string {
  return fullSentences(errors)
    .map((sentence) => `<error>${escapeText(sentence)}</error>`)
    .join('')
}

/** A whole error document of one sentence, or of the sentences of each field. */
export function errorDocument(message: string, errors: ErrorTexts | undefined): string {
  return DECLARATION + (errors ? errorElements(errors) : `<errors><error>${escapeText(message)}</error></errors>`)
}

// --- reading

interface Frame {
  /** Of the parent, in which the value goes. */
  field: string
  schema: SchemaNode
  kind: string
  /** What the element says of itself. */
  type: string | undefined
  nil: boolean
  /** It is an item of a list that has no element around it. */
  isItem: boolean
  text: string
  children: Child[]
}

interface Child {
  field: string
  value: unknown
  /** The text of an element without elements inside. */
  leaf: string | null | undefined
}

/**
 * Reads a document, in chunks, into the value that the same request has as JSON. The root's name does not matter; `schema` describes its content.
 * Prefixes and namespaces mean nothing. Every element in a list is an item, and so is each of a list's elements where there are several (JAXB), or
 * those that are called by its singular; `type` attributes matter only for undeclared elements. Throws `malformed` (400) for malformed XML and for
 * a document type: entities are never expanded but those of XML itself and of HTML's letters.
 */
export class XmlReader {
  readonly #parser = new SaxesParser({ fragment: false })
  readonly #stack: Frame[] = []
  readonly #mostCharacters: number
  readonly #mostEntities: number
  /** Since the last item. */
  #characters = 0
  #entities = 0
  #result: unknown = {}

  /**
   * With `onItem` and a list as schema, each item goes there as soon as it is complete, and the final list is empty. Then an item with more
   * elements than its schema allows, longer than two `MAX_ITEM`, or with more entities than `MAX_ENTITIES`, is `too_large` (413).
   */
  constructor(schema: SchemaNode, onItem?: (item: unknown) => void) {
    const parser = this.#parser
    const stack = this.#stack
    const most = onItem ? maxValues(schema.items ?? {}) : Number.POSITIVE_INFINITY
    let elements = 0
    this.#mostCharacters = onItem ? 2 * MAX_ITEM : Number.POSITIVE_INFINITY
    this.#mostEntities = onItem ? MAX_ENTITIES : Number.POSITIVE_INFINITY
    let attributeCount = 0
    parser.ENTITIES = KNOWN_ENTITIES
    parser.on('attribute', () => {
      if (++attributeCount > MAX_ATTRIBUTES) throw new Fault('malformed', 'An element has too many attributes')
    })
    parser.on('doctype', () => {
      throw new Fault('malformed', 'Document types are not accepted')
    })
    parser.on('error', (error) => {
      throw new Fault('malformed', `The body is not valid XML: ${error.message}`)
    })
    parser.on('opentag', ({ name, attributes }) => {
      if (stack.length >= DEEPEST) throw new Fault('malformed', 'The body is nested too deeply')
      if (++elements > most) throw tooLargeItem()
      const given = attributes as Record<string, string>
      const place = placeOf(stack.at(-1), localName(name), given.key, schema)
      const { type } = given
      const kind = kindOf(place.schema) === 'any' && type === 'array' ? 'array' : kindOf(place.schema)
      stack.push({ ...place, kind, type, nil: attributeCount > 0 && isNil(given), text: '', children: [] })
      attributeCount = 0
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
      if (!parent) this.#result = value
      else if (onItem && stack.length === 1 && parent.kind === 'array') {
        onItem(value)
        elements = 0
        this.#characters = 0
        this.#entities = 0
      } else parent.children.push({ field: frame.field, value: frame.isItem ? [value] : value, leaf: leafOf(frame) })
    })
  }

  /** Reads another chunk. */
  write(text: string): void {
    this.#characters += text.length
    for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) this.#entities++
    if (this.#characters > this.#mostCharacters || this.#entities > this.#mostEntities) throw tooLargeItem()
    this.#parser.write(text)
  }

  /** The value of the document. */
  end(): unknown {
    this.#parser.close()
    return this.#result
  }
}

function tooLargeItem(): Fault {
  return new Fault('too_large', 'A batch item has too many values')
}

/** A name without its prefix. */
function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** Whether an element says that it is null, in whatever namespace: `nil="true"`, `xsi:nil="1"`. */
function isNil(attributes: Record<string, string>): boolean {
  return Object.entries(attributes).some(
    ([name, value]) => localName(name) === 'nil' && /^\s*(true|1)\s*$/i.test(value),
  )
}

/** Where an element belongs in its parent, or that it is the root; `key` is the name of an `entry` of a free object. */
function placeOf(
  parent: Frame | undefined,
  name: string,
  key: string | undefined,
  root: SchemaNode,
): Pick<Frame, 'field' | 'schema' | 'isItem'> {
  if (!parent) return { field: name, schema: root, isItem: false }
  if (name === 'entry' && key !== undefined && !parent.schema.properties)
    return { field: key, schema: {}, isItem: false }
  if (parent.kind === 'array')
    return { field: name.replaceAll('-', '_'), schema: parent.schema.items ?? {}, isItem: false }
  const properties = parent.schema.properties ?? {}
  // A field may be named `stroke-width`; otherwise hyphens stand for underscores.
  const field = Object.hasOwn(properties, name) || name.startsWith('_') ? name : name.replaceAll('-', '_')
  if (Object.hasOwn(properties, field)) return { field, schema: properties[field] as SchemaNode, isItem: false }
  const list = listsBySingular(properties).get(field)
  return list === undefined
    ? { field, schema: {}, isItem: false }
    : { field: list, schema: properties[list]?.items ?? {}, isItem: true }
}

const knownSingulars = new WeakMap<object, Map<string, string>>()

/** The fields that are lists, by the singular that their items are called by. */
function listsBySingular(properties: Record<string, SchemaNode>): Map<string, string> {
  return knownSingulars.getOrInsertComputed(properties, () => {
    const lists = Object.entries(properties).filter(([, { singular }]) => singular !== undefined)
    return new Map(lists.map(([name, { singular }]) => [singular as string, name]))
  })
}

function frameValue({ schema, kind, type, nil, text, children }: Frame): unknown {
  if (nil) return null
  if (kind === 'array') return listValue(schema, text, children)
  if (children.length > 0) return objectOf(children, schema)
  if (kind === 'object') return text.trim() === '' ? {} : text
  return kind === 'any' ? typedValue(type, text) : text
}

function listValue(schema: SchemaNode, text: string, children: Child[]): unknown {
  if (children.length === 0) return text.trim() === '' ? [] : kindOf(schema.items ?? {}) === 'object' ? text : [text]
  // The fields of one item: its list has no element around it.
  if (isOneItem(schema, children)) return [Object.fromEntries(children.map(({ field, leaf }) => [field, leaf]))]
  // `<job>poet</job>` is a name and its value; an entry written out has elements inside.
  const named = schema.fromObject && children.every(({ leaf }) => leaf !== undefined)
  return named
    ? objectOf(children.map(({ field, leaf }) => ({ field, value: leaf })))
    : children.map(({ value }) => value)
}

/** Whether elements in a list are fields of an item instead of items: all are texts, and are called as its fields. */
function isOneItem({ items, fromObject }: SchemaNode, children: Child[]): boolean {
  const { properties = {} } = items ?? {}
  const given = new Set(children.map(({ field }) => field))
  const isWhole = given.size === children.length && (!fromObject || given.has(fromObject[0]))
  return isWhole && children.every(({ field, leaf }) => leaf !== undefined && Object.hasOwn(properties, field))
}

/** The value of an undeclared element, by its `type`. */
function typedValue(type: string | undefined, text: string): unknown {
  const value = text.trim()
  if ((type === 'integer' || type === 'float') && isExact(type, value)) return Number(value)
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return text
}

/** Whether a number can hold what is written; one of too many digits stays a text. */
function isExact(type: string, value: string): boolean {
  const number = Number(value)
  return value !== '' && Number.isFinite(number) && (type !== 'integer' || Number.isSafeInteger(number))
}

function leafOf({ nil, text, children }: Frame): string | null | undefined {
  if (children.length > 0) return undefined
  return nil ? null : text
}

/** The object of some elements. Of a declared field that comes again the last counts, unless it is a list; an undeclared one becomes a list. */
function objectOf(
  children: Pick<Child, 'field' | 'value'>[],
  { properties }: SchemaNode = {},
): Record<string, unknown> {
  const entries = new Map<string, unknown>()
  const repeated = new Set<string>()
  for (const { field, value } of children) {
    const schema = properties && Object.hasOwn(properties, field) ? properties[field] : undefined
    // Null stands for what is not given, where null is no value of the field.
    if (value === null && schema && !isNullable(schema)) continue
    const held = entries.get(field)
    if (held === undefined || (schema && kindOf(schema) !== 'array')) entries.set(field, value)
    else if (schema) entries.set(field, [...pairsOf(held, schema), ...pairsOf(value, schema)])
    else if (repeated.has(field)) (held as unknown[]).push(value)
    else {
      repeated.add(field)
      entries.set(field, [held, value])
    }
  }
  return Object.fromEntries(entries)
}

/** The items of a list that may have been read as an object of names and values. */
function pairsOf(held: unknown, { fromObject: [key, value] = ['', ''] }: SchemaNode): unknown[] {
  if (typeof held !== 'object' || held === null || Array.isArray(held)) return [held].flat()
  return Object.entries(held).map(([name, each]) => ({ [key]: name, [value]: each }))
}

/** HTML's names of the letters and signs from U+00A0 on, in their order, which people write in XML too. */
const LATIN = `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot
cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute
Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml
aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute
ucirc uuml yacute thorn yuml`

/** What entities stand for: single characters, so that nothing grows. */
const KNOWN_ENTITIES: Record<string, string> = Object.assign(
  Object.create(null),
  { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", euro: '€', ndash: '–', mdash: '—', hellip: '…', bull: '•' },
  {
    lsquo: '‘',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
    bdquo: '„',
    trade: '™',
    oelig: 'œ',
    OElig: 'Œ',
    scaron: 'š',
    Scaron: 'Š',
  },
  Object.fromEntries(LATIN.split(/\s+/).map((name, index) => [name, String.fromCharCode(0xa0 + index)])),
)
