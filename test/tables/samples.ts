import { kindOf, type SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import { elementName, xmlWriterOf } from '@gatehouse/proto/formats/xml.ts'

/** Returns an existing id or uid for a field that refers to something. */
type Resolve = (field: string) => Promise<string>

/** Samples of fields that accept only certain words; a guest who has declined would have no other status, and nobody comes in at an exit. */
const words: Record<string, string> = {
  timezone: 'Europe/Paris',
  locale: 'fr',
  rsvp_status: 'accepted',
  day_starts_at: '06:00',
  direction: 'in',
}

/** Texts of every form that a `pattern` requires, distinct where possible. */
const forms = (number: number): string[] => [
  `sample-${number}`,
  `sample-${number}@example.org`,
  `https://example.org/sample-${number}`,
  '12',
  `sample_${number}`,
  '#1a2b3c',
  `sample-${number}.example.org`,
]

/** The date in every sample. */
export const sampleDate = '2026-05-01T08:30:00.250Z'

/** Names of fields that refer to something existing; `order_uid` is of another system. */
export const REFERENCE = /(?<!^order)_(id|uid)s?$|^(promo_code|signature)$/

/** References beside which an object takes nothing else. */
const ALONE = new Set(['invitation_type_id'])

/** Settings of an account or event that would change the answers to the requests of other tests. */
const CHANGES_ANSWERS = new Set(['answers_updates', 'archived'])

let count = 0

/** A valid value of a declared schema with all fields; its texts are distinct. */
export async function sampleOf(schema: SchemaNode, field: string, resolve: Resolve): Promise<unknown> {
  if (ALONE.has(field)) return null
  if (REFERENCE.test(field) && kindOf(schema) === 'string') return resolve(field)
  if (schema.enum) return words[field] ?? schema.enum.at(-1)
  switch (kindOf(schema)) {
    case 'string':
      return words[field] ?? textOf(schema, field)
    case 'integer':
      // A short duration would end during the test.
      if (field.endsWith('_seconds')) return Number(schema.maximum)
      return Math.max(Number(schema.minimum ?? 2), 2)
    case 'number':
      return 0.5
    case 'boolean':
      return !CHANGES_ANSWERS.has(field)
    case 'datetime':
      // E-mails that leave would change counters at any time.
      return field === 'expires_at' || field === 'send_at' ? futureDate() : sampleDate
    case 'array':
      return [await sampleOf(schema.items ?? {}, field.replace(/s$/, ''), resolve)]
    case 'any':
      return textOf(schema, field)
    case 'object':
      return schema.properties ? objectOf(schema.properties, resolve) : { first_key: 'one' }
    default:
      throw new Error(
        `A field of the kind ${kindOf(schema)} (${field}) has no sample yet: add it to sampleOf() in ${import.meta.filename}`,
      )
  }
}

/** The value with existing ids and uids in all fields that refer to something. */
export async function withReferences(
  schema: SchemaNode,
  value: unknown,
  resolve: Resolve,
  field = '',
): Promise<unknown> {
  if (ALONE.has(field)) return null
  if (REFERENCE.test(field) && kindOf(schema) === 'string') return resolve(field)
  if (Array.isArray(value)) {
    return Promise.all(value.map((each) => withReferences(schema.items ?? {}, each, resolve, field.replace(/s$/, ''))))
  }
  if (!schema.properties) return value
  const given = Object.entries(value as object).map(async ([name, each]) => [
    name,
    await withReferences(schema.properties?.[name] ?? {}, each, resolve, name),
  ])
  return Object.fromEntries(await Promise.all(given))
}

/** A new date in the future. */
function futureDate(): string {
  return new Date(Date.UTC(2099, 0) + count++).toISOString()
}

async function objectOf(properties: Record<string, SchemaNode>, resolve: Resolve): Promise<Record<string, unknown>> {
  const object: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(properties)) object[name] = await sampleOf(field, name, resolve)
  return object
}

function textOf(schema: SchemaNode, field: string): string {
  // The schema does not require the form of an e-mail address, because a PUT may leave an old value unchanged.
  const pattern = field === 'email' ? '@' : schema.pattern
  const found = forms(count++).find((form) => !pattern || new RegExp(String(pattern), 'u').test(form))
  if (!found)
    throw new Error(`No sample fits the pattern ${pattern} of ${field}: add one to forms in ${import.meta.filename}`)
  return found
}

/** The path to a field within a body: names, and 0 for the first item of a list. */
export type Way = (string | number)[]

/** The paths to all fields of a body, nested ones included. Only the first of several nested fields with the same schema counts (`x1`, `y1`, …). */
export function fieldsOf(schema: SchemaNode, way: Way = []): Way[] {
  const inside = way.some((step) => typeof step === 'string')
  const seen = new Set<string>()
  const deeper = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const kind = JSON.stringify(field)
    if (inside && seen.has(kind)) return []
    seen.add(kind)
    return fieldsOf(field, [...way, name])
  })
  const items = kindOf(schema) === 'array' ? fieldsOf(schema.items ?? {}, [...way, 0]) : []
  return [...(way.length > 0 ? [way] : []), ...deeper, ...items]
}

const MARK = '@@hostile@@'

/** The JSON text of a body with raw JSON as the value of one field. */
export function withRaw(body: unknown, way: Way, raw: string): string {
  const copy = structuredClone(body) as Record<string | number, unknown>
  let holder = copy
  for (const step of way.slice(0, -1)) holder = holder[step] as Record<string | number, unknown>
  holder[way.at(-1) as string | number] = MARK
  return JSON.stringify(copy).replace(JSON.stringify(MARK), () => raw)
}

/** The XML text of an object, without declaration, with an additional raw element. */
export function xmlWith(schema: SchemaNode, one: string, object: object, element: string): string {
  const name = elementName(one)
  const [, inner = ''] = xmlWriterOf(schema, one, '')(object).split(new RegExp(`<${name}>([^]*)</${name}>$`))
  return `<${name}>${inner}${element}</${name}>`
}

const nested = (open: string, close: string, levels: number): string => open.repeat(levels) + close.repeat(levels)

/** Whether a JSON text has more levels than any body may have. */
export const isDeep = (raw: string): boolean => /(\[|\{"a":){100}/.test(raw)

/** Hostile JSON for any value: wrong types, edge cases, and values that are known to break servers. */
export const hostileJson = [
  'null',
  'true',
  '0',
  '-1',
  '1.5',
  '1e400',
  '-1e400',
  '99999999999999999999',
  '""',
  '" "',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\u0001\\u001f\\u007f"',
  '"\\ud800"',
  '"\\udc00 x"',
  '"\\ufffe\\uffff"',
  `"${'x'.repeat(300)}"`,
  `"${'é🎟'.repeat(40_000)}"`,
  '"<b>&amp;\\"\']]>"',
  '"مرحبا \\u202e abc"',
  '"👩‍👩‍👧‍👦 🎟️"',
  '"$where"',
  '"__proto__"',
  '"constructor"',
  '"2024-02-31"',
  '"1e400"',
  '"-0"',
  '"../../etc/passwd"',
  '[]',
  '[null]',
  '[[[["x"]]]]',
  '["a", {"b": [1]}]',
  '{}',
  '{"$gt": ""}',
  '{"$where": "sleep(1)"}',
  '{"a.b": {"": 1}}',
  '{"__proto__": {"x": 1}}',
  '{"toString": 1, "valueOf": 1, "length": -1}',
  '{"a\\u0000b": 1}',
  nested('[', ']', 5_000),
  nested('{"a":', '}', 5_000).replace('}', '1}'),
]

/** Whole bodies of valid JSON with the wrong type. */
export const hostileBodies = [
  'null',
  '5',
  '"x"',
  'true',
  '[]',
  '[null]',
  '[[]]',
  '[5, "x", {}]',
  '{}',
  '{"": null}',
  nested('[', ']', 100_000),
]

/** Hostile XML for any element; `NAME` stands for its name. */
export const hostileXml = [
  '<NAME/>',
  '<NAME nil="true"/>',
  '<NAME type="integer">abc</NAME>',
  '<NAME type="array"/>',
  '<NAME type="array"><NAME/><x><y>1</y></x></NAME>',
  '<NAME> </NAME>',
  '<NAME>&lt;b&gt;&amp;&#x202e;🎟️</NAME>',
  '<NAME>-1</NAME>',
  '<NAME>1e400</NAME>',
  `<NAME>${'x'.repeat(300)}</NAME>`,
  '<NAME><a><b>c</b></a></NAME>',
  '<NAME><_gt>1</_gt><__proto__>1</__proto__></NAME>',
  '<NAME><![CDATA[<x>]]></NAME>',
  '<NAME>a</NAME><NAME>b</NAME>',
]

/** Hostile query strings for any parameter; `NAME` stands for its name. */
export const hostileQueries = [
  'NAME=',
  'NAME=%20',
  'NAME=%00',
  'NAME=%ff%fe',
  'NAME=%',
  'NAME=0',
  'NAME=-1',
  'NAME=1.5',
  'NAME=1e9',
  'NAME=99999999999999999999',
  'NAME=abc',
  'NAME=null',
  'NAME=2024-02-31',
  'NAME=%F0%9F%8E%9F%D9%85',
  'NAME=%22%27%5C%3C%26%24',
  'NAME=(((((((((((((a%2B)%2B)%2B)',
  'NAME=status:,sort:x-y',
  'NAME=__proto__',
  'NAME[]=a&NAME[]=b',
  'NAME=a&NAME=b',
  'NAME[$gt]=',
  'NAME[__proto__][x]=1',
  'NAME[0][a][b][c][d]=1',
  '__proto__[NAME]=1&$where=1&constructor[prototype][x]=1',
  `NAME=${'x'.repeat(3_000)}`,
]
