/** One top-level field of a BSON document, not decoded. */
export interface BsonField {
  name: string
  type: number
  /** The offsets of its value in the document. */
  start: number
  end: number
}

const STRING = 0x02
const INT64 = 0x12
const INT32 = 0x10
const DOUBLE = 0x01

/** Yields the top-level fields without decoding values. Throws for invalid BSON. */
export function* fieldsOf(document: Buffer): Generator<BsonField> {
  let at = 4
  while (true) {
    const type = document[at]
    if (type === undefined) throw new RangeError('a BSON document ends too early')
    if (type === 0) return
    const nameEnd = document.indexOf(0, at + 1)
    if (nameEnd < 0) throw new RangeError('a BSON field name does not end')
    const start = nameEnd + 1
    const end = start + sizeOf(document, type, start)
    if (end >= document.length) throw new RangeError('a BSON value ends after its document')
    yield { name: document.toString('latin1', at + 1, nameEnd), type, start, end }
    at = end
  }
}

/** The field of this name. */
export function fieldOf(document: Buffer, name: string): BsonField | undefined {
  for (const field of fieldsOf(document)) if (field.name === name) return field
  return undefined
}

/** The document without this field. */
export function withoutField(document: Buffer, name: string): Buffer {
  const field = fieldOf(document, name)
  if (!field) return document
  // A value follows its type, its name and a zero byte.
  const parts = [document.subarray(0, field.start - Buffer.byteLength(name) - 2), document.subarray(field.end)]
  const rest = Buffer.concat(parts)
  rest.writeInt32LE(rest.length, 0)
  return rest
}

/** The text of a string field; undefined when it is of another type. */
export function textOf(document: Buffer, field: BsonField | undefined): string | undefined {
  return field?.type === STRING ? document.toString('utf8', field.start + 4, field.end - 1) : undefined
}

/** The value of a field of any of the numeric types. */
export function numberOf(document: Buffer, field: BsonField | undefined): bigint | number | undefined {
  if (field?.type === INT32) return document.readInt32LE(field.start)
  if (field?.type === INT64) return document.readBigInt64LE(field.start)
  if (field?.type === DOUBLE) return document.readDoubleLE(field.start)
  return undefined
}

function sizeOf(document: Buffer, type: number, at: number): number {
  switch (type) {
    case 0x06: // undefined
    case 0x0a: // null
    case 0x7f: // max key
    case 0xff: // min key
      return 0
    case 0x08: // boolean
      return 1
    case INT32:
      return 4
    case DOUBLE:
    case 0x09: // date
    case 0x11: // timestamp
    case INT64:
      return 8
    case 0x07: // object id
      return 12
    case 0x13: // decimal
      return 16
    case STRING:
    case 0x0d: // code
    case 0x0e: // symbol
      return 4 + document.readUInt32LE(at)
    case 0x03: // document
    case 0x04: // array
    case 0x0f: // code with scope
      return document.readUInt32LE(at)
    case 0x05: // binary
      return 5 + document.readUInt32LE(at)
    case 0x0c: // pointer
      return 4 + document.readUInt32LE(at) + 12
    case 0x0b: {
      // regular expression: two C strings
      const pattern = document.indexOf(0, at)
      const options = document.indexOf(0, pattern + 1)
      if (pattern < 0 || options < 0) throw new RangeError('a BSON regular expression does not end')
      return options + 1 - at
    }
    default:
      throw new RangeError(`unknown BSON type ${type}`)
  }
}
