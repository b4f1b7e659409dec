import { kindOf, type SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import { valuesOf } from '@gatehouse/test/tables/sample-values.ts'
import {
  fieldsOf,
  hostileJson,
  hostileQueries,
  hostileXml,
  REFERENCE,
  type Way,
} from '@gatehouse/test/tables/samples.ts'
import fc from 'fast-check'
import { placeholder } from './case.ts'

/** Where webhooks may go: nothing listens there. */
const NOWHERE = ['http://127.0.0.1:9/', 'http://127.0.0.1:9/a?b=c', 'https://127.0.0.1:9', 'http://[::1]:9/']
const URLS = /(^|_)ur[il]s?$/

const known = new WeakMap<SchemaNode, fc.Arbitrary<unknown>>()

/** Valid values of a declared schema, with placeholders in all fields that refer to something. */
export function referringValuesOf(schema: SchemaNode, field = ''): fc.Arbitrary<unknown> {
  if (kindOf(schema) === 'string' && REFERENCE.test(field)) return fc.constant(placeholder(field))
  if (kindOf(schema) === 'string' && URLS.test(field)) return fc.constantFrom(...NOWHERE)
  const found = known.get(schema) ?? nestedValuesOf(schema, field)
  known.set(schema, found)
  return found
}

function nestedValuesOf(schema: SchemaNode, field: string): fc.Arbitrary<unknown> {
  const { properties, required = [], items } = schema
  if (properties) {
    const members = Object.entries(properties).map(([name, each]) => [name, referringValuesOf(each, name)])
    return fc.record(Object.fromEntries(members), { requiredKeys: required as never[] })
  }
  if (items) return fc.array(referringValuesOf(items, field.replace(/s$/, '')), { maxLength: 3 })
  return valuesOf(schema)
}

/** A value in one of `times` cases, otherwise null. */
export function rarely<T>(value: fc.Arbitrary<T>, times: number): fc.Arbitrary<T | null> {
  return fc.oneof({ arbitrary: fc.constant(null), weight: times - 1 }, { arbitrary: value, weight: 1 })
}

/** Any text: of any script, of the characters that mean something to some parser, or long. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...'{}[]"\'\\:,<>&;/%=+?#@.$-_ \t\r\n\0é🎟0a'), maxLength: 60 }),
  fc
    .tuple(fc.constantFrom('x', 'é', '🎟', '[', '{"a":', '<a>', '%', '&a[]='), fc.integer({ min: 1, max: 300 }))
    .map(([unit, times]) => unit.repeat(times)),
)

/** Any JSON text for a value. */
export const anyJson: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...hostileJson.filter((raw) => raw.length < 1_000)),
  fc.constantFrom(...hostileJson),
  fc.json({ maxDepth: 4 }),
  fc.double().map((number) => String(number)),
  anyText.map((text) => JSON.stringify(text)),
)

/** Any XML for an element of a name. */
export function anyXml(name: string): fc.Arbitrary<string> {
  return fc.constantFrom(...hostileXml).map((raw) => raw.replaceAll('NAME', name))
}

/** Any query for a parameter of a name. */
export function anyQuery(name: string): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(...hostileQueries).map((raw) => raw.replaceAll('NAME', name)),
    anyText.map((text) => `${name}=${encodeURIComponent(text.toWellFormed())}`),
  )
}

const MARK = '@@spoilt@@'

/** The JSON of a value with some of its fields replaced, removed or doubled. `spoiling` has a number of the field and JSON for each. */
export function spoilt(schema: SchemaNode, value: unknown, spoiling: readonly Spoiling[]): string {
  const ways = fieldsOf(schema)
  const copy = structuredClone(value)
  const raws: string[] = []
  for (const { nth, how, raw } of spoiling) {
    const way = ways[nth % Math.max(1, ways.length)]
    if (!way) continue
    const holder = holderOf(copy, way)
    const last = way.at(-1) as string | number
    if (!holder) continue
    if (how === 'removed') delete holder[last]
    else holder[last] = `${MARK}${raws.push(how === 'doubled' ? `${raw},"${last}":${raw}` : raw) - 1}`
  }
  return JSON.stringify(copy ?? null).replaceAll(
    new RegExp(`"${MARK}(\\d+)"`, 'g'),
    (_, nth) => raws[Number(nth)] ?? '',
  )
}

/** What happens to a field. */
export interface Spoiling {
  nth: number
  how: 'replaced' | 'removed' | 'doubled'
  raw: string
}

/** What happens to up to three fields; often nothing. */
export const spoilings: fc.Arbitrary<Spoiling[]> = fc.array(
  fc.record({
    nth: fc.nat(1_000),
    how: fc.constantFrom<Spoiling['how']>('replaced', 'replaced', 'replaced', 'removed', 'doubled'),
    raw: anyJson,
  }),
  { maxLength: 3 },
)

function holderOf(value: unknown, way: Way): Record<string | number, unknown> | undefined {
  let holder = value
  for (const step of way.slice(0, -1)) holder = (holder as Record<string | number, unknown> | undefined)?.[step]
  return typeof holder === 'object' && holder !== null ? (holder as Record<string | number, unknown>) : undefined
}

/** A change of a text as a fault on its way would make it. `at` is a share of its length. */
export type Damage = { at: number } & ({ cut: true } | { inserted: string } | { repeated: number })

/** Damages of a text; mostly none. */
export const damages: fc.Arbitrary<Damage[]> = fc.oneof(
  { arbitrary: fc.constant<Damage[]>([]), weight: 4 },
  {
    weight: 1,
    arbitrary: fc.array(
      fc.oneof(
        fc.record({ at: share(), cut: fc.constant(true as const) }),
        fc.record({ at: share(), inserted: anyText }),
        fc.record({ at: share(), repeated: fc.integer({ min: 1, max: 200 }) }),
      ),
      { minLength: 1, maxLength: 2 },
    ),
  },
)

function share(): fc.Arbitrary<number> {
  return fc.nat(1_000).map((part) => part / 1_000)
}

/** A text with its damages. */
export function damaged(text: string, each: readonly Damage[]): string {
  return each.reduce((before, damage) => {
    const at = Math.floor(damage.at * before.length)
    const [head, tail] = [before.slice(0, at), before.slice(at)]
    if ('cut' in damage) return head
    if ('inserted' in damage) return head + damage.inserted + tail
    return head + tail.slice(0, 20).repeat(damage.repeated) + tail
  }, text)
}
