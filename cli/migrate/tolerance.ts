import { type SchemaNode, SHORT } from '@gatehouse/proto/declaring/fields.ts'
import { isObject, readDateTime } from '@gatehouse/proto/formats/json-reader.ts'

/** Returns what a declared field takes of a value that is there; undefined: nothing, so that its default holds. */
type Tolerance = (value: unknown) => unknown

const known = new WeakMap<SchemaNode, Tolerance>()

/**
 * What a declared field can take of a value of another system. Other systems send null where there must be a text, numbers as texts and texts as
 * numbers, times in other forms, and words that are unknown here.
 */
export function tolerated(schema: SchemaNode, value: unknown): unknown {
  if (value === undefined) return undefined
  // Made once for each schema, not for each of millions of values.
  return known.getOrInsertComputed(schema, toleranceOf)(value)
}

function toleranceOf(schema: SchemaNode): Tolerance {
  const types = [schema.type].flat()
  const tolerance = ofType(schema, types)
  const ofNull = types.includes('null') ? null : undefined
  return (value) => (value === null ? ofNull : tolerance(value))
}

function ofType(schema: SchemaNode, types: unknown[]): Tolerance {
  if (types.includes('object')) return schema.properties ? recordOf(schema) : objectOf
  if (types.includes('array')) return (value) => listOf(schema, value)
  if (types.includes('boolean')) return (value) => (typeof value === 'number' ? value !== 0 : value)
  if (types.includes('integer') || types.includes('number')) return numberOf
  if (schema.format === 'date-time') return momentOf
  return (value) => textOf(schema, value)
}

/** The declared fields of a record, under their names or older ones. */
function recordOf({ properties = {} }: SchemaNode): Tolerance {
  const fields = Object.entries(properties)
  return (value) => {
    if (!isObject(value)) return undefined
    const record: Record<string, unknown> = {}
    for (const [name, schema] of fields) {
      const given = value[name]
      const old = given === undefined && schema.formerly?.find((each) => value[each.name] !== undefined)
      const taken = old ? value[old.name] : tolerated(schema, given)
      if (taken !== undefined) record[old ? old.name : name] = taken
    }
    return record
  }
}

function objectOf(value: unknown): unknown {
  return isObject(value) ? value : undefined
}

function listOf({ items, fromObject }: SchemaNode, value: unknown): unknown {
  if (fromObject && isObject(value)) return value
  if (!Array.isArray(value) || !items) return undefined
  return value.flatMap((each) => tolerated(items, each) ?? [])
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

function momentOf(value: unknown): string | undefined {
  if (typeof value === 'number') return new Date(value * 1_000).toISOString()
  if (typeof value !== 'string') return undefined
  if (readDateTime(value)) return value
  // As Ruby writes them: 2026-01-01 10:00:00 +0100.
  const moment = new Date(value.replace(/^(\d{4}-\d\d-\d\d) (\S+)(?: (UTC|[+-]\d\d:?\d\d))?$/, ofParts))
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString()
}

function ofParts(_: string, date: string, time: string, zone = 'UTC'): string {
  return `${date}T${time}${zone === 'UTC' ? 'Z' : zone.replace(/^(...)(\d\d)$/, '$1:$2')}`
}

function textOf(schema: SchemaNode, value: unknown): string | undefined {
  const text = isObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value)
  if (schema.enum) return schema.enum.includes(text) ? text : undefined
  if (schema.controls || Number(schema.maxLength) > SHORT) return text
  // A tab that came with a paste must not cost a guest.
  return text.replace(/\p{Cc}+/gu, ' ')
}
