import { kindOf, type SchemaNode } from './fields.ts'
import { MAX_BATCH } from './resource.ts'

/** Values that are not declared, of a body or an item of a batch, and of each object inside: clients send what they were sent. */
const UNDECLARED = { item: 16, inside: 2 }
/** A client's own object: the shortest member takes as many bytes. */
const MIN_MEMBER = 5

/** How many values, at every depth, the largest valid value of a schema holds, and some that it does not know. */
export function maxValues(schema: SchemaNode): number {
  return countOf(schema, UNDECLARED.item)
}

function countOf(schema: SchemaNode, undeclared: number): number {
  const kind = kindOf(schema)
  if (schema.free) return Number(schema.maxBytes ?? 0) / MIN_MEMBER
  // Of a batch the objects are items.
  if (kind === 'array') return 1 + Number(schema.maxItems ?? MAX_BATCH) * countOf(schema.items ?? {}, undeclared)
  if (kind !== 'object') return 1
  const fields = Object.values(schema.properties ?? {})
  return fields.reduce((sum, field) => sum + countOf(field, UNDECLARED.inside), 1 + undeclared)
}
