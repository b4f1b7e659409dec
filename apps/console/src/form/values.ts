import { type DeclaredField, mapped } from '../declared/declared.ts'
import type { Item } from '../server/server.ts'

/** What a field of a form holds: text as it is typed, a tick, or what is chosen. */
export type Value = string | boolean | string[]
/** What a form holds, by field. */
export type Values = Record<string, Value>
/** The fields of a form, as the API declares them. */
export type FormFields = Record<string, DeclaredField>

/** What a form shows of an item, or of none. */
export function valuesOf(fields: FormFields, item: Item | undefined): Values {
  return mapped(fields, (field, name) => shownOf(field, item ? item[name] : field.initial))
}

/** What is sent: the fields that differ from what the form has shown at first, and those that a creation needs. */
export function bodyOf(fields: FormFields, values: Values, first: Values): Item {
  const changed = Object.entries(fields).filter(
    ([name]) => JSON.stringify(values[name]) !== JSON.stringify(first[name]),
  )
  return mapped(Object.fromEntries(changed), (field, name) => sentOf(field, values[name] as Value))
}

function shownOf({ kind }: DeclaredField, value: unknown): Value {
  if (kind === 'boolean') return value === true
  if (kind === 'choices') return Array.isArray(value) ? value.map(String) : []
  if (kind === 'texts') return Array.isArray(value) ? value.map(String) : []
  if (value === null || value === undefined) return ''
  return kind === 'datetime' ? localTime(new Date(String(value))) : String(value)
}

function sentOf({ kind, optional }: DeclaredField, value: Value): unknown {
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (text === '') return optional ? null : ''
  if (kind === 'integer' || kind === 'number') return Number(text)
  return kind === 'datetime' ? new Date(text).toISOString() : text
}

/** A time as `datetime-local` has it. */
function localTime(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}
