import { foldColumnName } from '@gatehouse/proto/formats/lists/column-names.ts'
import { type GuestColumn, GuestColumns } from '@gatehouse/proto/formats/lists/guest-columns.ts'
import type { ListRow } from '@gatehouse/proto/formats/lists/rows.ts'
import type { ListForm } from '@gatehouse/proto/formats/lists/settings.ts'
import { guestFields } from '../guest-fields.ts'

/** What the columns of guests are. */
export const guestColumns = new GuestColumns([...guestFields.who, ...guestFields.rest])

/** The targets of columns, for `--map`. */
export const { targets } = guestColumns

/**
 * What each column holds. `overrides` are by header, as given with `--map`; a column without a header is called `Column 5`. Throws one sentence for an
 * override that fits no column or names no field.
 */
export function mapColumns(
  { headers, headerLine }: Pick<ListForm, 'headers' | 'headerLine'>,
  overrides: ReadonlyMap<string, string> = new Map(),
  first: readonly ListRow[] = [],
): GuestColumn[] {
  const chosen = readOverrides(headers, overrides)
  if (headerLine !== undefined || chosen.size > 0) return guestColumns.of(headers, chosen, first)
  return guestColumns.guessed(headers.length, first)
}

/** The target of a column, for people. */
export function describeColumn(column: GuestColumn): string {
  if ('leftOut' in column) return '(left out)'
  return 'metadata' in column ? `metadata "${column.metadata}"` : column.field
}

function readOverrides(headers: readonly string[], overrides: ReadonlyMap<string, string>): Map<number, string> {
  const names = headers.map((header, index) => header || `Column ${index + 1}`)
  const chosen = new Map<number, string>()
  for (const [header, target] of overrides) {
    const exact = names.indexOf(header)
    const folded = foldColumnName(header)
    const index = exact >= 0 || folded === '' ? exact : names.findIndex((each) => foldColumnName(each) === folded)
    if (index < 0) throw new Error(`--map: the file has no column "${header}". It has: ${names.join(', ')}`)
    if (target !== 'metadata' && !targets.includes(target)) {
      throw new Error(`--map: "${target}" is not a field. Fields: ${targets.join(', ')}, metadata (- skips a column)`)
    }
    if (target !== '-' && target !== 'metadata' && [...chosen.values()].includes(target)) {
      throw new Error(`--map: two columns cannot both be ${target}`)
    }
    chosen.set(index, target)
  }
  return chosen
}
