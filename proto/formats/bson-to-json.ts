import { isUtf8 } from 'node:buffer'
import type { TSchema } from 'typebox'
import { isNullable, kindOf, type SchemaNode } from '../declaring/fields.ts'
import { writerOf } from './json-writer.ts'
import {
  BSON_TYPE,
  decode,
  endOfName,
  FIRST_ELEMENT,
  fieldOf,
  int32At,
  type StoredList,
  sizeOf,
} from './raw-documents.ts'

/**
 * Writes JSON from BSON by a schema, byte by byte. A document that is not stored exactly as declared, or which has a free object, is decoded and
 * written by json-writer.ts instead. test/stored-lists.test.ts proves for all declared schemas that both give the same.
 */

/** The JSON of a list, as `writerOf` writes the decoded documents. */
export type BsonWriter = (list: StoredList<object>) => Buffer

const writers = new WeakMap<object, BsonWriter>()

/** The writer of lists of a schema; compiled once per schema. */
export function bsonWriterOf(schema: TSchema): BsonWriter {
  return writers.getOrInsertComputed(schema, () => listWriter((schema as SchemaNode).items ?? {}))
}

function listWriter(items: SchemaNode): BsonWriter {
  const record = recordOf(items)
  const write = writerOf(items as TSchema)
  return ({ documents, added }) => {
    const page = new OutputBuffer(documents.reduce((sum, { length }) => sum + length, 0))
    page.byte(OPEN_LIST)
    for (const [index, document] of documents.entries()) {
      if (index > 0) page.byte(COMMA)
      const more = added?.((name) => fieldOf(document, name)) as Record<string, unknown> | undefined
      const begin = page.length
      if (record?.(page, document, 0, more)) continue
      page.length = begin
      page.text(write({ ...decode(document), ...more }))
    }
    page.byte(CLOSE_LIST)
    return page.bytes()
  }
}

/** Writes the value at an offset of a document; false if it is not as declared (part of it may be written by then). */
type ValueWriter = (page: OutputBuffer, document: Uint8Array, type: number, at: number) => boolean
/** The same for a record; fields of `more` replace stored ones, and undefined ones count as absent. */
type RecordWriter = (page: OutputBuffer, document: Uint8Array, at: number, more?: Record<string, unknown>) => boolean

interface FieldWriter {
  name: string
  /** `,"name":` */
  key: Uint8Array
  write: ValueWriter
  nullable: boolean
  required: boolean
  /** Writes a value that is not stored. */
  say: (value: unknown) => string
}

/** A field name of documents at this level, and the name that followed it last: mostly it follows again. */
interface FieldName {
  bytes: Uint8Array
  /** The number of the field; -1 for an undeclared one. */
  field: number
  next: FieldName | undefined
}

/** Finds the fields of documents of one kind. */
class FieldFinder {
  readonly #names = new Map<string, FieldName>()
  readonly #first: FieldName = { bytes: new Uint8Array(), field: -1, next: undefined }
  readonly #declared: string[]
  /** The type of each declared field in the last document, and its offset. */
  readonly types: Uint8Array
  readonly offsets: Int32Array

  constructor(declared: string[]) {
    this.#declared = declared
    this.types = new Uint8Array(declared.length)
    this.offsets = new Int32Array(declared.length)
  }

  /** Records type and offset of each field; false for an unknown type. */
  scan(document: Uint8Array, begin: number): boolean {
    this.types.fill(ABSENT)
    let at = begin + FIRST_ELEMENT
    let last = this.#first
    while (document[at] !== 0) {
      const type = document[at] as number
      last = this.#nameAt(document, at + 1, last)
      at += 1 + last.bytes.length
      const size = sizeOf(document, type, at)
      if (size === undefined) return false
      if (last.field >= 0) {
        this.types[last.field] = type
        this.offsets[last.field] = at
      }
      at += size
    }
    return true
  }

  #nameAt(document: Uint8Array, at: number, last: FieldName): FieldName {
    if (last.next && isAt(document, at, last.next.bytes)) return last.next
    const bytes = document.subarray(at, endOfName(document, at) + 1)
    const text = Buffer.from(bytes).toString()
    last.next = this.#names.getOrInsertComputed(text, () => {
      const field = this.#declared.findIndex((name) => `${name}\0` === text)
      return { bytes: Uint8Array.from(bytes), field, next: undefined }
    })
    return last.next
  }
}

/** Undefined for a record that can have undeclared members. */
function recordOf(schema: SchemaNode): RecordWriter | undefined {
  if (kindOf(schema) !== 'object' || !schema.properties || schema.others || schema.free) return undefined
  const required = new Set(schema.required)
  const fields = Object.entries(schema.properties).map(([name, field]) =>
    fieldOfRecord(name, field, required.has(name)),
  )
  const finder = new FieldFinder(fields.map(({ name }) => name))
  return (page, document, begin, more) => {
    if (!finder.scan(document, begin)) return false
    const from = page.length
    for (let index = 0; index < fields.length; index++) {
      const { name, key, write, nullable, required, say } = fields[index] as FieldWriter
      const said = more?.[name]
      const isStored = more === undefined || !Object.hasOwn(more, name)
      const type = isStored ? (finder.types[index] as number) : ABSENT
      if (said !== undefined) {
        page.ascii(key)
        page.text(say(said))
      } else if (type === ABSENT && !required) {
      } else if (type === ABSENT || type === BSON_TYPE.nothing) {
        if (!nullable) return false
        page.ascii(key)
        page.ascii(NULL)
      } else {
        page.ascii(key)
        if (!write(page, document, type, finder.offsets[index] as number)) return false
      }
    }
    page.wrap(from, OPEN_RECORD, CLOSE_RECORD)
    return true
  }
}

/** No element is of this type. */
const ABSENT = 0

function fieldOfRecord(name: string, schema: SchemaNode, required: boolean): FieldWriter {
  return {
    name,
    key: Buffer.from(`,${JSON.stringify(name)}:`),
    write: valueWriter(schema),
    nullable: isNullable(schema),
    required,
    say: writerOf(schema as TSchema),
  }
}

function valueWriter(schema: SchemaNode): ValueWriter {
  switch (kindOf(schema)) {
    case 'string':
      return (page, document, type, at) => type === BSON_TYPE.text && page.quote(document, at)
    case 'datetime':
      return (page, document, type, at) => type === BSON_TYPE.moment && page.moment(document, at)
    case 'integer':
      return (page, document, type, at) => type === BSON_TYPE.integer && page.text(String(int32At(document, at)))
    case 'number':
      return (page, document, type, at) => {
        if (type === BSON_TYPE.double) {
          const value = doubleAt(document, at)
          return Number.isFinite(value) && page.text(JSON.stringify(value))
        }
        return type === BSON_TYPE.integer && page.text(String(int32At(document, at)))
      }
    case 'boolean':
      return (page, document, type, at) => type === BSON_TYPE.flag && page.ascii(document[at] === 1 ? TRUE : FALSE)
    case 'array':
      return arrayWriter(schema.items ?? {})
    default: {
      const record = recordOf(schema)
      return (page, document, type, at) => type === BSON_TYPE.object && record?.(page, document, at) === true
    }
  }
}

function arrayWriter(items: SchemaNode): ValueWriter {
  const write = valueWriter(items)
  return (page, document, type, begin) => {
    if (type !== BSON_TYPE.array) return false
    const from = page.length
    let at = begin + FIRST_ELEMENT
    while (document[at] !== 0) {
      const each = document[at] as number
      at = endOfName(document, at + 1) + 1
      page.byte(COMMA)
      const size = sizeOf(document, each, at)
      if (size === undefined || !write(page, document, each, at)) return false
      at += size
    }
    page.wrap(from, OPEN_LIST, CLOSE_LIST)
    return true
  }
}

function doubleAt({ buffer, byteOffset }: Uint8Array, at: number): number {
  return new DataView(buffer, byteOffset + at, 8).getFloat64(0, true)
}

function isAt(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  for (let index = 0; index < wanted.length; index++) if (bytes[at + index] !== wanted[index]) return false
  return true
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = 0x20
const COMMA = 0x2c
const COLON = 0x3a
const POINT = 0x2e
const ZERO = 0x30
const ZULU = 0x5a
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_RECORD = 0x7b
const CLOSE_RECORD = 0x7d
const NULL = Buffer.from('null')
const TRUE = Buffer.from('true')
const FALSE = Buffer.from('false')
/** The most bytes of JSON for one byte of a text: `\u001f`. */
const MAX_ESCAPE = 6
const DAY_MS = 86_400_000
/** The last moment of a Date. */
const MAX_MOMENT = 8.64e15
/** `09:00:00.000Z"` */
const MAX_TIME = 14

/** Collects the bytes of a reply. Its write methods return true, so that they can end a condition. */
class OutputBuffer {
  length = 0
  #bytes: Buffer
  #day = Number.NaN
  #date: Uint8Array = NULL

  /** `size` is that of the stored documents: JSON takes little more. */
  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafeSlow(1_024 + size + (size >> 2))
  }

  /** Throws for a stored text that is not valid UTF-8. */
  bytes(): Buffer {
    const all = this.#bytes.subarray(0, this.length)
    if (!isUtf8(all)) throw new Error('A stored text is not UTF-8')
    return all
  }

  byte(byte: number): void {
    this.#room(1)[this.length++] = byte
  }

  ascii(from: Uint8Array): true {
    const bytes = this.#room(from.length)
    const begin = this.length
    for (let index = 0; index < from.length; index++) bytes[begin + index] = from[index] as number
    this.length = begin + from.length
    return true
  }

  text(text: string): true {
    this.length += this.#room(text.length * 3).write(text, this.length)
    return true
  }

  /** Encloses in brackets what was written since `from`; the opening bracket replaces its leading comma. */
  wrap(from: number, open: number, close: number): void {
    if (this.length === from) this.byte(open)
    else this.#bytes[from] = open
    this.byte(close)
  }

  /** A stored text. */
  quote(document: Uint8Array, at: number): true {
    const size = int32At(document, at) - 1
    const bytes = this.#room(size * MAX_ESCAPE + 2)
    let to = this.length
    bytes[to++] = QUOTE
    for (let from = at + 4; from < at + 4 + size; from++) {
      const byte = document[from] as number
      if (byte >= SPACE && byte !== QUOTE && byte !== BACKSLASH) bytes[to++] = byte
      else to += bytes.write(JSON.stringify(String.fromCharCode(byte)).slice(1, -1), to)
    }
    bytes[to++] = QUOTE
    this.length = to
    return true
  }

  /** A stored moment: milliseconds in eight bytes; false for one that no Date holds. The date is computed once for consecutive moments of one day. */
  moment(document: Uint8Array, at: number): boolean {
    const time = int32At(document, at + 4) * 2 ** 32 + (int32At(document, at) >>> 0)
    if (Math.abs(time) > MAX_MOMENT) return false
    const day = Math.floor(time / DAY_MS)
    if (day !== this.#day) {
      this.#day = day
      this.#date = Buffer.from(`"${new Date(time).toISOString().slice(0, -'00:00:00.000Z'.length)}`)
    }
    this.ascii(this.#date)
    const bytes = this.#room(MAX_TIME)
    const left = time - day * DAY_MS
    const seconds = Math.floor(left / 1_000)
    const minutes = Math.floor(seconds / 60)
    this.#twoDigits(Math.floor(minutes / 60), COLON)
    this.#twoDigits(minutes % 60, COLON)
    this.#twoDigits(seconds % 60, POINT)
    const thousandths = left % 1_000
    bytes[this.length++] = ZERO + Math.floor(thousandths / 100)
    this.#twoDigits(thousandths % 100, ZULU)
    bytes[this.length++] = QUOTE
    return true
  }

  #twoDigits(value: number, behind: number): void {
    this.#bytes[this.length++] = ZERO + Math.floor(value / 10)
    this.#bytes[this.length++] = ZERO + (value % 10)
    this.#bytes[this.length++] = behind
  }

  #room(size: number): Buffer {
    if (this.length + size <= this.#bytes.length) return this.#bytes
    const larger = Buffer.allocUnsafeSlow((this.length + size) * 2)
    this.#bytes.copy(larger, 0, 0, this.length)
    this.#bytes = larger
    return larger
  }
}
