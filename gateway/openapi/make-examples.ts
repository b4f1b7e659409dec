import { checkIns } from '@gatehouse/checkin/resources'
import { kindOf, type SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import { xmlWriterOf } from '@gatehouse/proto/formats/xml.ts'
import { examples, idOf, ids, stored } from './examples.ts'
import type { Side } from './schemas.ts'

/** The message of a live feed for a granted check-in. */
export function liveExample(): string {
  const data = exampleOf(checkIns.actions.create.reply as unknown as SchemaNode, 'output', 'access_control')
  const message = { type: 'check_in.created', timestamp: stored, event_id: ids.event, data }
  return `id: 1027.0\nevent: check_in.created\ndata: ${JSON.stringify(message)}\n\n`
}

/** The example of a field or a parameter, whose resource or object is called `owner`; undefined if there is none. */
export function knownExample(field: string, owner: string): unknown {
  if (field === '_id' || field === 'id') return idOf(owner)
  const own = `${owner}.${field}`
  if (own in examples) return examples[own]
  if (field in examples) return examples[field]
  return field.endsWith('_id') ? idOf(field.slice(0, -'_id'.length)) : undefined
}

/** An example of a body or a reply, whose resource or object is called `owner`. Requests leave out what is null. */
export function exampleOf(schema: SchemaNode, side: Side, owner: string): unknown {
  if (kindOf(schema) === 'array') return [exampleOf(schema.items ?? {}, side, owner)]
  return schema.properties ? recordExample(schema, side, owner) : examples[owner]
}

function recordExample(schema: SchemaNode, side: Side, owner: string): object {
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, field]) => [name, fieldExample(field, side, name, owner)] as const,
  )
  const shown = side === 'output' ? fields : fields.filter(([, value]) => value !== null)
  return { ...(schema.others && (examples[`${owner}.others`] as object)), ...Object.fromEntries(shown) }
}

function fieldExample(schema: SchemaNode, side: Side, field: string, owner: string): unknown {
  const known = schema.example ?? knownExample(field, owner)
  if (known !== undefined) return known
  if (schema.properties) return recordExample(schema, side, field)
  const { items, singular = field } = schema
  if (items)
    return [items.properties ? recordExample(items, side, singular) : fieldExample(items, side, singular, owner)]
  // A text without an example shows its name: `dietary needs`.
  return schema.default ?? schema.enum?.[0] ?? schema.values?.[0] ?? plain[kindOf(schema)] ?? field.replaceAll('_', ' ')
}

/** Examples of fields without one of their own. */
const plain: Record<string, unknown> = { boolean: false, integer: 0, number: 0, object: {}, datetime: stored }

/** An example as the XML that the gateway writes, but indented. */
export function xmlExample(schema: SchemaNode, one: string, many: string, value: unknown): string {
  return indented(xmlWriterOf(schema, one, many)(value))
}

/** XML with one element on each line. */
export function indented(xml: string): string {
  let depth = 0
  return xml
    .replaceAll(/>\n?</g, '>\n<')
    .split('\n')
    .map((line) => {
      if (line.startsWith('</')) depth--
      const shown = '  '.repeat(depth) + line
      if (/^<[^/?][^<>]*[^/]>$|^<\w>$/.test(line)) depth++
      return shown
    })
    .join('\n')
}
