import { kindOf, type SchemaNode } from './fields.ts'
import { MAX_BATCH } from './resource.ts'

/** Undeclared values allowed in a body or batch item, and in each object inside: clients send back fields that they received. */
const UNDECLARED = { item: 16, inside: 2 }
/** The size of the shortest member of a free object in bytes. */
const MIN_MEMBER = 5

/** The maximum number of values, at every depth, in a value of this schema, with some undeclared ones. */
export function maxValues(schema: SchemaNode): number {
  return countOf(schema, UNDECLARED.item)
}

function countOf(schema: SchemaNode, undeclared: number): number {
  const kind = kindOf(schema)
  if (schema.free) return Number(schema.maxBytes ?? 0) / MIN_MEMBER
  if (kind === 'array') return 1 + Number(schema.maxItems ?? MAX_BATCH) * countOf(schema.items ?? {}, undeclared)
  if (kind !== 'object') return 1
  const fields = Object.values(schema.properties ?? {})
  return fields.reduce((sum, field) => sum + countOf(field, UNDECLARED.inside), 1 + undeclared)
}
