import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import { maxValues } from '@gatehouse/proto/declaring/value-limits.ts'

/**
 * Bodies are measured while they stream in: what no valid body can be is refused before it is complete, and before anything parses it.
 * Sizes are those of the declaration: a body may hold as many values as its schema has room for, and some that it does not know.
 */

/** What any body may hold. */
const FEW_VALUES = 1_000
/** What no body may exceed, however much room its schema has: as many as fit 10 MiB of a batch of signatures. */
const MANY_VALUES = 1_200_000
/** Members of one object: an object of more is dear to parse. */
const MAX_MEMBERS = 2_000
/** Levels of objects and lists. */
const DEEPEST = 32

function limitOf(schema: SchemaNode): number {
  return Math.min(FEW_VALUES + maxValues(schema), MANY_VALUES)
}

/** Looks at the bytes of a body as they come. Throws `too_large` (413) or `malformed` (400) where they can be no valid body. */
export type BodyMeter = (chunk: Uint8Array) => void

/** Measures JSON: its depth, and its values and the members of its objects by their commas. */
export function jsonMeter(schema: SchemaNode): BodyMeter {
  const most = limitOf(schema)
  /** Of each object or list around: its commas so far, below zero where it is a list. */
  const commasOf = new Int32Array(DEEPEST + 1)
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
        if (++depth > DEEPEST) throw new Fault('malformed', 'The body is nested too deeply')
        commasOf[depth] = byte === 0x5b ? -0x7fffffff : 0
      } else if (byte === 0x5d || byte === 0x7d) depth = Math.max(0, depth - 1)
    }
    if (commas > most) throw tooManyValues()
  }
}

/** Characters of XML which are written as entities, of texts that have room for them. */
const FEW_ENTITIES = 20_000

/** Measures XML by its tags and entities. (XML in an encoding of two bytes a character has their bytes too.) */
export function xmlMeter(schema: SchemaNode): BodyMeter {
  const most = 2 * limitOf(schema)
  // An opening and a closing one each.
  const tags = counting(0x3c, most)
  const entities = counting(0x26, most + FEW_ENTITIES)
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
