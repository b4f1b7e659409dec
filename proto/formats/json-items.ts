import { Fault, invalid } from '../declaring/faults.ts'
import { messageOf } from '../declaring/messages.ts'
import { parseJson } from './json-reader.ts'

/** The maximum size in bytes of an item, or of a body that is parsed at once: larger ones would delay other requests. */
export const MAX_ITEM = 2 * 1024 * 1024
/** The maximum size in bytes of other members beside the list. */
const MAX_OTHER_BYTES = 64 * 1024

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [ARRAY_START, ARRAY_END, OBJECT_START, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Limits for the items of a list. */
interface ItemLimits {
  bytes: number
  /** Values in one item, at every depth. */
  values: number
}

/**
 * Yields the bytes of each item of a JSON list, so that a long list can be parsed item by item. The list is the whole text, or a member of an
 * object under one of `keys`. Invalid JSON within an item shows only when it is parsed. Throws `malformed` (400) if the text around the items is
 * not JSON or has two such lists, `too_large` (413) for an item beyond `limits`, `invalid` (422) without a list.
 */
export function* itemsOf(bytes: Uint8Array, keys: readonly string[], limits?: ItemLimits): Generator<Uint8Array> {
  const start = skipSpace(bytes, hasBom(bytes) ? 3 : 0)
  let end: number
  if (bytes[start] === ARRAY_START) end = yield* items(bytes, start, limits)
  else if (bytes[start] === OBJECT_START) end = yield* itemsOfMember(bytes, start, keys, limits)
  else throw notAList()
  if (skipSpace(bytes, end) < bytes.length) throw malformed()
}

/** Yields the items of a member of the object at `start`; returns the end of the object. */
function* itemsOfMember(
  bytes: Uint8Array,
  start: number,
  keys: readonly string[],
  limits?: ItemLimits,
): Generator<Uint8Array, number> {
  let isFound = false
  let beside = 0
  let at = skipSpace(bytes, start + 1)
  while (bytes[at] === QUOTE) {
    const keyEnd = stringEnd(bytes, at)
    beside += keyEnd - at
    if (beside > MAX_OTHER_BYTES) throw isFound ? tooLarge() : notAList()
    const key = parseItem(bytes.subarray(at, keyEnd)) as string
    const colon = skipSpace(bytes, keyEnd)
    if (bytes[colon] !== COLON) throw malformed()
    at = skipSpace(bytes, colon + 1)
    if (bytes[at] === ARRAY_START && keys.includes(key)) {
      if (isFound) throw malformed()
      isFound = true
      at = yield* items(bytes, at, limits)
    } else {
      const end = valueEnd(bytes, at)
      beside += end - at
      if (beside > MAX_OTHER_BYTES) throw isFound ? tooLarge() : notAList()
      parseItem(bytes.subarray(at, end))
      at = end
    }
    at = skipSpace(bytes, at)
    if (bytes[at] === OBJECT_END) {
      if (!isFound) throw notAList()
      return at + 1
    }
    if (bytes[at] !== COMMA) throw malformed()
    at = skipSpace(bytes, at + 1)
  }
  throw bytes[at] === OBJECT_END ? notAList() : malformed()
}

/** Yields the items of the list at `start`; returns the end of the list. */
function* items(bytes: Uint8Array, start: number, limits?: ItemLimits): Generator<Uint8Array, number> {
  let at = skipSpace(bytes, start + 1)
  if (bytes[at] === ARRAY_END) return at + 1
  for (;;) {
    const end = valueEnd(bytes, at, limits)
    yield bytes.subarray(at, end)
    if (bytes[end] === ARRAY_END) return end + 1
    if (bytes[end] !== COMMA) throw malformed()
    at = end + 1
  }
}

/** The end of the value at `start`: the comma or bracket behind it. */
function valueEnd(bytes: Uint8Array, start: number, limits?: ItemLimits): number {
  let depth = 0
  let commas = 0
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === QUOTE) at = stringEnd(bytes, at) - 1
    else if (byte === ARRAY_START || byte === OBJECT_START) depth++
    else if (byte === COMMA || byte === ARRAY_END || byte === OBJECT_END) {
      if (depth === 0) return at
      if (byte === COMMA) commas++
      else depth--
    }
    if (limits && (at - start > limits.bytes || commas > limits.values)) throw tooLarge()
  }
  throw malformed()
}

/** Whether text begins with the byte order mark of UTF-8. */
function hasBom(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}

function skipSpace(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at
  }
  return bytes.length
}

/** The end of the string at `start`, behind its closing quote. */
function stringEnd(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(QUOTE, start + 1); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let slashes = 0
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes++
    if (slashes % 2 === 0) return at + 1
  }
  throw malformed()
}

/** Parses one item. Throws `malformed` (400). */
export function parseItem(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw malformed()
  return parseJson(bytes)
}

/** 422: the batch is not a list. */
export function notAList(): Fault {
  return invalid({ base: [messageOf('not_list')] })
}

function tooLarge(): Fault {
  return new Fault('too_large', `A batch item has too many values`)
}

function malformed(): Fault {
  return new Fault('malformed', 'The body is not valid JSON')
}
