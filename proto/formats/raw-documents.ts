import { BSON } from 'mongodb'

/**
 * Documents as the store sent them, not decoded. A list of them is serialized by its schema without creating objects (bson-to-json.ts), which
 * takes a fraction of the time and leaves no garbage.
 */

/** Returns a field of a document. */
export type FieldGetter<T> = <N extends keyof T & string>(name: N) => T[N]

/** A list as stored, with further fields for each document. */
export class StoredList<T extends object> {
  /** The documents as BSON (the driver's `raw`). */
  readonly documents: Uint8Array[]
  /** Returns fields that are not stored, or not as they are sent. */
  readonly added: ((get: (name: string) => unknown) => object) | undefined

  constructor(documents: Uint8Array[], added?: (get: (name: string) => unknown) => object) {
    this.documents = documents
    this.added = added
  }

  /** The same documents with other further fields. */
  with<A extends object>(added: (get: FieldGetter<T>) => A): StoredList<Omit<T, keyof A> & A> {
    return new StoredList<Omit<T, keyof A> & A>(this.documents, added as StoredList<T>['added'])
  }

  /** One field of each document. */
  each<N extends keyof T & string>(name: N): T[N][] {
    return this.documents.map((document) => fieldOf(document, name) as T[N])
  }

  /** The documents as objects. */
  decoded(): T[] {
    return this.documents.map((document) => decode(document) as T)
  }
}

/** A document as an object, as the driver would have given it. */
export function decode(document: Uint8Array): BSON.Document {
  return BSON.deserialize(document)
}

/** A field of a document; undefined if it is absent. */
export function fieldOf(document: Uint8Array, name: string): unknown {
  let at = FIRST_ELEMENT
  while (document[at] !== 0) {
    const type = document[at] as number
    const value = endOfName(document, at + 1) + 1
    if (isNamed(document, at + 1, name)) return plainValue(document, type, value) ?? decode(document)[name]
    const size = sizeOf(document, type, value)
    if (size === undefined) return decode(document)[name]
    at = value + size
  }
  return undefined
}

/** The types of elements, by their first byte (bsonspec.org). */
export const BSON_TYPE = {
  double: 0x01,
  text: 0x02,
  object: 0x03,
  array: 0x04,
  objectId: 0x07,
  flag: 0x08,
  moment: 0x09,
  nothing: 0x0a,
  integer: 0x10,
  long: 0x12,
} as const

/** A document begins with its length. */
export const FIRST_ELEMENT = 4

/** The four bytes of a length or an integer. */
export function int32At(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  )
}

/** Where the zero behind an element's name is. */
export function endOfName(bytes: Uint8Array, at: number): number {
  let end = at
  while (bytes[end] !== 0) end++
  return end
}

/** The bytes that a value takes; undefined for the rarer types. */
export function sizeOf(bytes: Uint8Array, type: number, at: number): number | undefined {
  switch (type) {
    case BSON_TYPE.text:
      return 4 + int32At(bytes, at)
    case BSON_TYPE.object:
    case BSON_TYPE.array:
      return int32At(bytes, at)
    case BSON_TYPE.flag:
      return 1
    case BSON_TYPE.nothing:
      return 0
    case BSON_TYPE.integer:
      return 4
    case BSON_TYPE.double:
    case BSON_TYPE.moment:
    case BSON_TYPE.long:
      return 8
    case BSON_TYPE.objectId:
      return 12
    default:
      return undefined
  }
}

function isNamed(bytes: Uint8Array, at: number, name: string): boolean {
  for (let index = 0; index < name.length; index++) if (bytes[at + index] !== name.charCodeAt(index)) return false
  return bytes[at + name.length] === 0
}

/** Decodes a string or a boolean, the most frequent types; undefined for any other. */
function plainValue(bytes: Uint8Array, type: number, at: number): string | boolean | undefined {
  if (type === BSON_TYPE.flag) return bytes[at] === 1
  if (type !== BSON_TYPE.text) return undefined
  return Buffer.from(bytes.buffer, bytes.byteOffset + at + 4, int32At(bytes, at) - 1).toString()
}
