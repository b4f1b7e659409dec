import { Fault } from './faults.ts'
import { parseJson } from './reading.ts'

/** Bytes of an item, or of a body that is parsed in one go: more would hold up others. */
export const MAX_ITEM = 2 * 1024 * 1024

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])
const ARRAY_START = 0x5b
const OBJECT_START = 0x7b

/**
 * Finds the items of a JSON list without parsing them, so that a long list can be parsed an item at a time: the bytes of each item, in
 * order. Takes `[…]`, and `{"key": […]}` with one of `keys`; gives undefined for anything else, which is left to `parseJson`. Whether an
 * item is valid JSON shows when it is parsed. Throws `malformed` (400) where the list itself is not, `too_large` (413) for an item of more than `maxItem` bytes.
 */
export function itemsOf(
  bytes: Uint8Array,
  keys: readonly string[],
  maxItem = Number.POSITIVE_INFINITY,
): Iterable<Uint8Array> | undefined {
  const start = listStart(bytes, keys)
  return start && items(bytes, start.at, start.isWrapped, maxItem)
}

/** Where the list begins; undefined where the body is neither a list nor an object which begins with one under a known key. */
function listStart(bytes: Uint8Array, keys: readonly string[]): { at: number; isWrapped: boolean } | undefined {
  const first = skipSpace(bytes, 0)
  if (bytes[first] === ARRAY_START) return { at: first, isWrapped: false }
  if (bytes[first] !== OBJECT_START) return undefined
  const key = skipSpace(bytes, first + 1)
  if (bytes[key] !== QUOTE) return undefined
  const keyEnd = stringEnd(bytes, key)
  const name = Buffer.from(bytes.subarray(key + 1, keyEnd - 1)).toString()
  const colon = skipSpace(bytes, keyEnd)
  const at = skipSpace(bytes, colon + 1)
  return bytes[colon] === COLON && bytes[at] === ARRAY_START && keys.includes(name)
    ? { at, isWrapped: true }
    : undefined
}

function* items(bytes: Uint8Array, list: number, isWrapped: boolean, maxItem: number): Generator<Uint8Array> {
  let at = skipSpace(bytes, list + 1)
  let depth = 0
  let start = at
  let isEmpty = true
  for (; at < bytes.length; at++) {
    if (at - start > maxItem) throw new Fault('too_large', `An item of a batch may hold ${maxItem / 1024} KiB`)
    const byte = bytes[at] as number
    if (byte === QUOTE) at = stringEnd(bytes, at) - 1
    else if (OPENING.has(byte)) depth++
    else if (CLOSING.has(byte)) {
      if (depth === 0) break
      depth--
    } else if (byte === COMMA && depth === 0) {
      yield bytes.subarray(start, at)
      start = at + 1
      isEmpty = false
    }
  }
  if (!isEmpty || skipSpace(bytes, start) < at) yield bytes.subarray(start, at)
  // Behind the list there is nothing, or the end of the object around it.
  const rest = Buffer.from(bytes.subarray(at)).toString('latin1')
  if (!(isWrapped ? /^\]\s*\}\s*$/ : /^\]\s*$/).test(rest)) throw malformed()
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++
  return at
}

/** Behind the closing quote of the string which begins at `start`. */
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

function malformed(): Fault {
  return new Fault('malformed', 'The body is not valid JSON')
}
