import { chosenColumns } from '@gatehouse/imports/chosen-columns.ts'
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
  const chosen = chosenColumns(headers, overrides, [...targets, 'metadata'])
  if (headerLine !== undefined || chosen.size > 0) return guestColumns.of(headers, chosen, first)
  return guestColumns.guessed(headers.length, first)
}

/** The target of a column, for people. */
export function describeColumn(column: GuestColumn): string {
  if ('leftOut' in column) return '(left out)'
  return 'metadata' in column ? `metadata "${column.metadata}"` : column.field
}
