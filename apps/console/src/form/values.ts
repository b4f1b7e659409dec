import { momentShown, shownAt } from '@gatehouse/door/event-day.ts'
import { type DeclaredField, mapped } from '../declared/declared.ts'
import type { Item } from '../server/server.ts'
import { knownZone } from '../texts/times.ts'

/** What a field of a form holds: text as it is typed, a tick, or what is chosen. */
export type Value = string | boolean | string[]
/** What a form holds, by field. */
export type Values = Record<string, Value>
/** The fields of a form, as the API declares them. */
export type FormFields = Record<string, FormField>

/** A field of a form. */
export interface FormField extends DeclaredField {
  /** The id of a `datalist` that offers what may be typed. */
  list?: string
  /** What an empty field stands for. */
  fallback?: string | undefined
}

/** What the API calls no limit. */
export const UNLIMITED = -1
/** What may be without a limit, too: by null, and the organizer's own campaign. */
const LIMITS = ['capacity', 'registration_limit', 'quota']
/** Parts of a share that are kept. */
const PRECISION = 12
/** The field by whose time zone the times of a form are typed and shown. */
const ZONE = 'timezone'

let foundZone: string | undefined
/** The time zone of the browser. Finding it takes an old laptop a tenth of a second, so nothing asks before it needs to know. */
export function ownZone(): string {
  foundZone ??= Intl.DateTimeFormat().resolvedOptions().timeZone
  return foundZone
}

/** The same, empty where browsers do not know, or must not say, where they are. */
export function placedZone(): string {
  return /^(Etc\/.*|UTC|UCT|GMT|Zulu|Universal|Greenwich)$/.test(ownZone()) ? '' : ownZone()
}

/** What a form shows of an item, or of none: times in the time zone that it lets people choose, else in that of the event. */
export function valuesOf(fields: FormFields, item: Item | undefined, ofEvent = ownZone()): Values {
  const zone = (ZONE in fields && knownZone(String(item?.[ZONE] ?? ''))) || ofEvent
  return mapped(fields, (field, name) => {
    const value = item ? item[name] : field.initial
    return shownOf(field, item && isShare(item, name) ? percentOf(value) : value, zone)
  })
}

/** What the form for a new item begins with: the same, in the time zone of the event, or of whoever makes one; in none if that is not known. */
export function firstValuesOf(fields: FormFields, ofEvent?: string): Values {
  return { ...valuesOf(fields, undefined), ...(ZONE in fields && { [ZONE]: ofEvent ?? placedZone() }) }
}

/** What the form for a new item takes over from one that was just made, or from what is expected of one: all but texts that are typed, which are each item's own. `named` has the fields that name other items. */
export function valuesLike(fields: FormFields, item: Item, named: object, ofEvent?: string): Values {
  const shared = Object.entries(fields).filter(
    ([name, { kind, choices, known }]) =>
      name in item && (choices || known || name in named || !['text', 'texts', 'object'].includes(kind)),
  )
  return { ...firstValuesOf(fields, ofEvent), ...valuesOf(Object.fromEntries(shared), item, ofEvent) }
}

/** The time zone of the times of a form, by a name that browsers know: its own field's, else that of the event. */
export function zoneOfForm(values: Values, ofEvent = ownZone()): string {
  return knownZone(String(values[ZONE] ?? '')) ?? ofEvent
}

/** The time zone that is named beside times; none as long as it is still to be chosen. */
export function zoneShown(values: Values, ofEvent?: string): string {
  return values[ZONE] === '' && ofEvent === undefined ? '' : zoneOfForm(values, ofEvent)
}

/**
 * What is sent: the fields that differ from what the form has shown at first, and those that a creation needs. In another time zone the times that
 * are shown are other moments.
 */
export function bodyOf(fields: FormFields, values: Values, first: Values, ofEvent = ownZone()): Item {
  const isMoved = values[ZONE] !== first[ZONE]
  const changed = Object.entries(fields).filter(
    ([name, { kind }]) =>
      JSON.stringify(values[name]) !== JSON.stringify(first[name]) ||
      (isMoved && kind === 'datetime' && values[name] !== '') ||
      isShare(values, name) !== isShare(first, name),
  )
  const zone = zoneOfForm(values, ofEvent)
  return mapped(Object.fromEntries(changed), (field, name) => {
    const sent = sentOf(field, values[name] as Value, zone)
    return typeof sent === 'number' && isShare(values, name) ? rounded(sent / 100) : sent
  })
}

/** Whether a number is a limit that there need not be: a form shows none as an empty field. */
export function isLimit(name: string, field: DeclaredField | undefined): boolean {
  return field?.minimum === UNLIMITED || LIMITS.includes(name)
}

/** Whether a limit of an item is none. */
export function isUnlimited(name: string, field: DeclaredField | undefined, value: unknown): boolean {
  return isLimit(name, field) && (value === null || value === UNLIMITED)
}

/** Whether a number is a share of the total, as a field beside it says. People type and read percentages. */
export function isShare(values: Item, name: string): boolean {
  return values[kindOfAmount(name)] === true
}

/** Whether a number is either a share or an amount of money. */
export function isDiscount(values: Item, name: string): boolean {
  return kindOfAmount(name) in values
}

function kindOfAmount(name: string): string {
  return name.endsWith('amount') ? name.replace(/amount$/, 'percentage_of_total') : ''
}

function percentOf(value: unknown): unknown {
  return typeof value === 'number' ? rounded(value * 100) : value
}

/** Without what binary fractions add to 0.29 × 100. */
function rounded(value: number): number {
  return Number(value.toPrecision(PRECISION))
}

function shownOf({ kind, minimum }: DeclaredField, value: unknown, zone: string): Value {
  if (kind === 'boolean') return value === true
  if (kind === 'choices') return Array.isArray(value) ? value.map(String) : []
  if (kind === 'texts') return Array.isArray(value) ? value.map(String) : []
  if (value === null || value === undefined || (minimum === UNLIMITED && value === UNLIMITED)) return ''
  // Whoever edits objects reads and writes JSON.
  if (kind === 'object') return JSON.stringify(value)
  return kind === 'datetime' ? localTime(String(value), zone) : String(value)
}

function sentOf({ kind, optional, minimum }: DeclaredField, value: Value, zone: string): unknown {
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (text === '' && !optional) return minimum === UNLIMITED ? UNLIMITED : ''
  if (text === '') return null
  if (kind === 'object') return JSON.parse(text)
  if (kind === 'integer' || kind === 'number') return Number(text)
  return kind === 'datetime' ? momentOf(text, zone) : text
}

/** A time as `datetime-local` has it. */
export function localTime(stamp: string, zone: string): string {
  return new Date(shownAt(Date.parse(stamp), zone)).toISOString().slice(0, 16)
}

/** The moment at which clocks in a time zone show what `datetime-local` has. */
export function momentOf(shown: string, zone: string): string {
  return new Date(momentShown(Date.parse(`${shown}Z`), zone)).toISOString()
}
