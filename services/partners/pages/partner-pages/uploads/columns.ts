import { columnMeanings, personColumnNames } from '@gatehouse/proto/formats/lists/column-names.ts'
import { headerlessFields } from '@gatehouse/proto/formats/lists/guest-columns.ts'
import type { List } from '@gatehouse/proto/formats/lists/list.ts'
import { splitName, splitReversedName } from '@gatehouse/proto/formats/lists/names.ts'
import { presetOf } from '@gatehouse/proto/formats/lists/presets.ts'
import type { ListRow } from '@gatehouse/proto/formats/lists/rows.ts'
import { oneLine } from '@gatehouse/proto/formats/lists/values.ts'

/** What a column holds: a field of the recipient or its name, a metadatum of the later guest, or nothing that is read. */
export type Column = { field: NonNullable<ReturnType<typeof meaningOf>> } | { metadata: string } | { leftOut: true }

/** Rows that are looked at to find the column of addresses. */
const SAMPLE = 50

const names = {
  ...personColumnNames,
  locale: 'locale language langue sprache idioma lingua taal jezyk sprak 言語',
}
const fields = Object.keys(names) as (keyof typeof names)[]

/** What a header means, if it is a known one. */
export const meaningOf = columnMeanings(names)

/**
 * What each column holds. Unknown columns, and those whose field an earlier one has, become metadata under their header. Where none is called one of
 * addresses, it is the one with most of them.
 */
export function columnsOf({ headers, headerLine, rows }: List): Column[] {
  const sample = rows.slice(0, SAMPLE)
  if (headerLine === undefined) {
    return headerlessFields(headers.length, sample).map((field, index) =>
      field ? ({ field } as Column) : { metadata: `Column ${index + 1}` },
    )
  }
  const preset = presetOf(headers)?.columns
  const taken = new Set<string>()
  const columns = headers.map((header, index): Column => {
    const known = preset?.get(index)
    const meaning = fields.find((field) => field === known) ?? (known ? undefined : meaningOf(header))
    if (meaning === '-' || header === '') return { leftOut: true }
    if (meaning === undefined || taken.has(meaning)) return { metadata: oneLine(header) }
    taken.add(meaning)
    return { field: meaning }
  })
  if (taken.has('email')) return columns
  const email = headerlessFields(headers.length, sample).indexOf('email')
  return email < 0 ? columns : columns.with(email, { field: 'email' })
}

/** What a row holds by the columns: texts by field, and metadata. */
export function valuesOf(
  { cells }: ListRow,
  columns: readonly Column[],
): { fields: Record<string, string>; guest_metadata: { name: string; value: string }[] } {
  const fields: Record<string, string> = {}
  const split: Record<string, string> = {}
  const guest_metadata: { name: string; value: string }[] = []
  for (const [index, column] of columns.entries()) {
    const cell = cells[index] ?? ''
    if (cell === '' || 'leftOut' in column) continue
    if ('metadata' in column) guest_metadata.push({ name: column.metadata, value: cell })
    else if (column.field === 'full_name') Object.assign(split, splitName(cell))
    else if (column.field === 'last_and_first_name') Object.assign(split, splitReversedName(cell))
    else fields[column.field] = column.field === 'email' ? cell : oneLine(cell)
  }
  return { fields: { ...split, ...fields }, guest_metadata }
}
