import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import { maxValues } from '@gatehouse/proto/declaring/value-limits.ts'

/**
 * Bodies are measured while they arrive, so that one that cannot be valid is refused before it is complete and before it is parsed.
 * A body may hold as many values as its schema has room for, and some that the schema does not know.
 */

/** Values that any body may hold beyond those of its schema. */
const EXTRA_VALUES = 1_000
/** Values that no body may exceed, however much room its schema has: as many as fit in 10 MiB of a batch of signatures. */
const MAX_VALUES = 1_200_000
/** Members of one object: parsing more is expensive. */
const MAX_MEMBERS = 2_000
/** Levels of objects and lists. */
const MAX_DEPTH = 32

function limitOf(schema: SchemaNode): number {
  return Math.min(EXTRA_VALUES + maxValues(schema), MAX_VALUES)
}

/** Takes the next bytes of a body. Throws `too_large` (413) or `malformed` (400) as soon as the body cannot be valid. */
export type BodyMeter = (chunk: Uint8Array) => void

/** Measures JSON: its depth, and its values and the members of its objects by their commas. */
export function jsonMeter(schema: SchemaNode): BodyMeter {
  const most = limitOf(schema)
  /** The commas of each surrounding object; below zero for a list, which may have more. */
  const commasOf = new Int32Array(MAX_DEPTH + 1)
  let depth = 0
  let commas = 0
  let isInText = false
  let isEscaped = false
  return (chunk) => {
    for (const byte of chunk) {
      if (isInText) {
        if (isEscaped) isEscaped = false
        else if (byte === 0x5c) isEscaped = true
        else if (byte === 0x22) isInText = false
      } else if (byte === 0x22) isInText = true
      else if (byte === 0x2c) {
        commas++
        const inside = (commasOf[depth] as number) + 1
        commasOf[depth] = inside
        if (inside > MAX_MEMBERS) throw tooManyValues()
      } else if (byte === 0x5b || byte === 0x7b) {
        if (++depth > MAX_DEPTH) throw new Fault('malformed', 'The body is nested too deeply')
        commasOf[depth] = byte === 0x5b ? -0x7fffffff : 0
      } else if (byte === 0x5d || byte === 0x7d) depth = Math.max(0, depth - 1)
    }
    if (commas > most) throw tooManyValues()
  }
}

/** Entities that XML may hold beyond one for each tag. */
const EXTRA_ENTITIES = 20_000

/** Measures XML by its tags and entities, whose bytes are the same in encodings of two bytes a character. */
export function xmlMeter(schema: SchemaNode): BodyMeter {
  // Each value has an opening and a closing tag.
  const most = 2 * limitOf(schema)
  const tags = counting(0x3c, most)
  const entities = counting(0x26, most + EXTRA_ENTITIES)
  return (chunk) => {
    tags(chunk)
    entities(chunk)
  }
}

/** Pairs that a form may hold. */
const FORM_PAIRS = 10_000

/** Measures a form by its pairs. */
export function formMeter(): BodyMeter {
  return counting(0x26, FORM_PAIRS)
}

function counting(sought: number, most: number): BodyMeter {
  let count = 0
  return (chunk) => {
    for (let at = chunk.indexOf(sought); at >= 0; at = chunk.indexOf(sought, at + 1)) count++
    if (count > most) throw tooManyValues()
  }
}

function tooManyValues(): Fault {
  return new Fault('too_large', 'The body has more values than this operation accepts')
}
