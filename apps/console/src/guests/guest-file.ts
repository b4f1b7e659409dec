import { emailErrors } from '@gatehouse/proto/declaring/email.ts'
import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { foldColumnName } from '@gatehouse/proto/formats/lists/column-names.ts'
import { encodingChoices, encodingLabel } from '@gatehouse/proto/formats/lists/encodings.ts'
import { escapeFormula } from '@gatehouse/proto/formats/lists/formulas.ts'
import { GUEST_METADATA_PREFIX, type GuestColumn, GuestColumns } from '@gatehouse/proto/formats/lists/guest-columns.ts'
import { MetadataColumns, privilegesCell } from '@gatehouse/proto/formats/lists/guest-export.ts'
import { GuestListReader, type ListedGuest } from '@gatehouse/proto/formats/lists/guest-list.ts'
import { type List, readList } from '@gatehouse/proto/formats/lists/list.ts'
import { References, type Resolved } from '@gatehouse/proto/formats/lists/references.ts'
import type { Item } from '../server/server.ts'
import { columns } from './columns.ts'
import type { GuestField } from './guest-fields.ts'
import { hashOf } from './hash.ts'
import { changeOf, type ExistingGuests, type GuestChange } from './import/existing.ts'

/*
 * Reads and writes files of guests. It is loaded when a file is chosen or saved: what reads files is large.
 */

/**
 * What a column is: a field, something that one is made of, `field:diet`, which is a guest field of the event, `metadata`, which is further
 * information of the guest, or `-`, which is left out.
 */
export type Meaning = string

/** A file as it was read. */
export interface GuestFile {
  /** Of its bytes: the same file again has the same one. */
  digest: string
  list: List
  /** What the columns most likely are. */
  meanings: Meaning[]
  /** How a text was read, and how it can be read instead. */
  encoding?: { label: string; choices: [value: string, label: string][] }
}

/** A row that can be sent. */
export interface ImportRow {
  line: number
  cells: string[]
  body: Item
  /** What it changes, if its guest is there. */
  change?: GuestChange
}

/** A row that is not imported, or is odd, and why. */
export interface ToldRow {
  line: number
  cells: string[]
  errors: FieldErrors
}

/** The guests of a file. */
export interface GuestRows {
  good: ImportRow[]
  bad: ToldRow[]
  /** What is odd about good rows. */
  odd: ToldRow[]
  /** How many rows have a person whom an earlier one has. */
  repeated: Record<Repetition, number>
  /** How many rows name no category and need one to be chosen. */
  withoutCategory: number
}

/** How a row repeats the person of an earlier one: in all its cells, or by name and e-mail address alone. */
export type Repetition = 'same' | 'similar'

/** What the rows of a file refer to: names by id; and what is chosen for all of them. */
export interface RowContext {
  categories: ReadonlyMap<string, string>
  accesspoints: ReadonlyMap<string, string>
  /** The category of rows that name none. */
  category: string
  /** Which repetitions are left out. */
  skips: Record<Repetition, boolean>
  /** The guests who are there, if rows may be about them. */
  existing?: ExistingGuests | undefined
}

const guestColumns = new GuestColumns(columns)

/** What a column may be in any event. */
const meanings: readonly Meaning[] = ['-', 'metadata', ...guestColumns.targets.filter((target) => target !== '-')]

/** Distinguishes a guest field of the event from a field that each guest has. */
const FIELD = 'field:'

/** What a column may be in an event with these guest fields. */
export function meaningsWith(guestFields: readonly GuestField[]): Meaning[] {
  return [...meanings, ...guestFields.map(({ key }) => FIELD + key)]
}

/** The guest field that a column is, among these. */
export function fieldMeant(meaning: Meaning, guestFields: readonly GuestField[]): GuestField | undefined {
  return guestFields.find(({ key }) => meaning === FIELD + key)
}

/** Reads a file. Throws a fault whose `errors.file` say why it cannot be read. */
export async function readGuestFile(
  bytes: Uint8Array,
  choice: { encoding?: string; sheet?: string },
  locale: string,
  guestFields: readonly GuestField[] = [],
): Promise<GuestFile> {
  const list = await readList(bytes, { ...choice, isKnown: guestColumns.isKnown })
  const { headers, headerLine, rows, text } = list
  const found =
    headerLine === undefined
      ? guestColumns.guessed(headers.length, rows.slice(0, 50))
      : guestColumns.of(headers, undefined, rows)
  return {
    digest: await hashOf(bytes),
    list,
    meanings: withGuestFields(found.map(meaningOf), headers, guestFields),
    ...(text && { encoding: { label: encodingLabel(text, locale), choices: encodingChoices(locale) } }),
  }
}

/** The rows of a file as guests, and those that cannot be. */
export function guestRows({ list }: GuestFile, chosen: readonly Meaning[], context: RowContext): GuestRows {
  const { category, categories, accesspoints, existing } = context
  const targets = chosen.map((meaning) => (meaning.startsWith(FIELD) ? 'metadata' : meaning))
  const headers = list.headers.map((header, index) => {
    const meaning = chosen[index] ?? ''
    return meaning.startsWith(FIELD) ? GUEST_METADATA_PREFIX + meaning.slice(FIELD.length) : header
  })
  const reader = new GuestListReader(guestColumns.of(headers, new Map(targets.entries())), list)
  const references = new References(named(categories), named(accesspoints), { fallback: category || undefined })
  const found: GuestRows = { good: [], bad: [], odd: [], repeated: { same: 0, similar: 0 }, withoutCategory: 0 }
  const earlier = new Set<string>()
  for (const { line, cells } of list.rows) {
    const guest = reader.read({ line, cells })
    const { body, errors, change, namesNone } = bodyOf(guest, references, existing)
    if (namesNone && categories.size > 1) found.withoutCategory++
    if (Object.keys(errors).length > 0) {
      found.bad.push({ line, cells, errors })
      continue
    }
    const whole = JSON.stringify(cells)
    const repetition = guest.repeats === undefined ? undefined : earlier.has(whole) ? 'same' : 'similar'
    earlier.add(whole)
    if (repetition) found.repeated[repetition]++
    if (Object.keys(guest.warnings).length > 0) found.odd.push({ line, cells, errors: guest.warnings })
    if (!repetition || !context.skips[repetition]) found.good.push({ line, cells, body, ...(change && { change }) })
  }
  return found
}

function bodyOf(
  guest: ListedGuest,
  references: References,
  existing: ExistingGuests | undefined,
): { body: Item; errors: FieldErrors; change?: GuestChange; namesNone?: boolean } {
  if (guest.errors) return { body: {}, errors: guest.errors }
  const there = existing?.find(guest.fields)
  if (there === 'several')
    return { body: {}, errors: { row: [messageOf('several_guests', { value: guest.fields.email ?? '' })] } }
  const { guest_category, guest_category_id, access_privileges, ...body } = guest.fields
  const errors: FieldErrors = { ...emailErrors(body.email, there ? String(there.email) : null) }
  const privileges = access_privileges ? references.privileges(access_privileges) : undefined
  if (privileges && 'problem' in privileges) errors.access_privileges = [privileges.problem]
  // Who is there has a category, which changes only if the row names one.
  const isNamed = guest_category !== undefined || guest_category_id !== undefined
  const isCategoryKept = there !== undefined && !isNamed
  const namesNone = there === undefined && !isNamed
  const category: Resolved<string> = isCategoryKept
    ? { value: '' }
    : references.category({
        ...(guest_category && { guest_category }),
        ...(guest_category_id && { guest_category_id }),
      })
  if ('problem' in category) return { body: {}, errors: { ...errors, row: [category.problem] }, namesNone }
  const whole = {
    ...body,
    ...(guest.metadata.length > 0 && { guest_metadata: guest.metadata }),
    ...(privileges && 'value' in privileges && { access_privileges_attributes: privileges.value }),
    ...(!isCategoryKept && { guest_category_id: category.value }),
  }
  return { body: whole, errors, namesNone, ...(existing && there && { change: changeOf(there, whole, existing.by) }) }
}

/** The same meanings, where a header that says nothing else is the name or the key of a guest field. */
function withGuestFields(
  found: readonly Meaning[],
  headers: readonly string[],
  guestFields: readonly GuestField[],
): Meaning[] {
  const taken = new Set<string>()
  return found.map((meaning, index) => {
    const header = foldColumnName((headers[index] ?? '').replace(GUEST_METADATA_PREFIX, ''))
    const field = guestFields.find(({ key, label }) => [key, label].some((each) => foldColumnName(each) === header))
    if (meaning !== 'metadata' || header === '' || !field || taken.has(field.key)) return meaning
    taken.add(field.key)
    return FIELD + field.key
  })
}

function meaningOf(column: GuestColumn): Meaning {
  if ('leftOut' in column) return '-'
  return 'metadata' in column ? 'metadata' : column.field
}

function named(names: ReadonlyMap<string, string>): { _id: string; name: string }[] {
  return [...names].map(([_id, name]) => ({ _id, name }))
}

/** All guests as the text of a CSV file, in parts: their fields, privileges and metadata, as an import reads them. */
export function exportOf(
  guests: readonly Item[],
  categories: ReadonlyMap<string, string>,
  accesspoints: ReadonlyMap<string, string>,
): string[] {
  const metadata = new MetadataColumns()
  const all = guests as readonly (Item & Parameters<typeof privilegesCell>[0])[]
  for (const guest of all) metadata.add(guest)
  const rows = all.map((guest) => [
    ...columns.map((name) =>
      name === 'guest_category' ? categories.get(String(guest.guest_category_id)) : guest[name],
    ),
    guest.guest_category_id,
    privilegesCell(guest, accesspoints),
    ...metadata.cells(guest),
  ])
  const header = [...columns, 'guest_category_id', 'access_privileges', ...metadata.headers(guestColumns)]
  // By the byte order mark spreadsheets know UTF-8.
  return ['\ufeff', csvOf([header, ...rows])]
}

/** Rows as text of a CSV file, of which spreadsheets run no cell as a formula. */
export function csvOf(rows: readonly (readonly unknown[])[]): string {
  return rows.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('')
}

function cellOf(value: unknown): string {
  const text = escapeFormula(String(value ?? ''))
  return /[",\r\n;\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
