import { Fault } from '@gatehouse/proto/faults.ts'
import { kindOf, type SchemaNode } from '@gatehouse/proto/fields.ts'
import { MAX_BATCH } from '@gatehouse/proto/resource.ts'

/**
 * Bodies are measured while they stream in: what no valid body can be is refused before it is complete, and before anything parses it.
 * Sizes are those of the declaration: a body may hold as many values as its schema has room for, and some that it does not know.
 */

/** Values that are not declared, of each object: clients send what they were sent. */
const UNDECLARED = 16
/** What any body may hold. */
const FEW_VALUES = 2_000
/** Levels of objects and lists. */
const DEEPEST = 32
/** A client's own object: the shortest member takes as many bytes. */
const SHORTEST_MEMBER = 5

/** How many values, at every depth, the largest valid body of a schema may hold. */
export function mostValues(schema: SchemaNode): number {
  return FEW_VALUES + countOf(schema)
}

function countOf(schema: SchemaNode): number {
  const kind = kindOf(schema)
  if (kind === 'array') return 1 + Number(schema.maxItems ?? MAX_BATCH) * countOf(schema.items ?? {})
  if (schema.free) return Number(schema.maxBytes ?? 0) / SHORTEST_MEMBER
  if (kind !== 'object') return 1
  return Object.values(schema.properties ?? {}).reduce((sum, field) => sum + countOf(field), 1 + UNDECLARED)
}

/** Looks at the bytes of a body as they come. Throws `too_large` (413) or `malformed` (400) where they can be no valid body. */
export type Gauge = (chunk: Uint8Array) => void

/** Measures JSON: its depth, and its values by their commas. */
export function jsonGauge(schema: SchemaNode): Gauge {
  const most = mostValues(schema)
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
      else if (byte === 0x2c) commas++
      else if (byte === 0x5b || byte === 0x7b) depth++
      else if (byte === 0x5d || byte === 0x7d) depth--
      if (depth > DEEPEST) throw new Fault('malformed', 'The body is nested too deeply')
    }
    if (commas > most) throw tooManyValues()
  }
}

/** Measures XML by its tags. (XML in an encoding of two bytes a character has its tags too.) */
export function xmlGauge(schema: SchemaNode): Gauge {
  // An opening and a closing one each.
  return counting(0x3c, 2 * mostValues(schema))
}

/** Pairs that a form may hold. */
const FORM_PAIRS = 10_000

/** Measures a form by its pairs. */
export function formGauge(): Gauge {
  return counting(0x26, FORM_PAIRS)
}

function counting(sought: number, most: number): Gauge {
  let count = 0
  return (chunk) => {
    for (let at = chunk.indexOf(sought); at >= 0; at = chunk.indexOf(sought, at + 1)) count++
    if (count > most) throw tooManyValues()
  }
}

function tooManyValues(): Fault {
  return new Fault('too_large', 'The body has more values than this operation accepts')
}
