import { columnMeanings, foldColumnName } from '@gatehouse/proto/formats/column-names.ts'
import { guestColumnNames } from '@gatehouse/proto/formats/guest-column-names.ts'
import { GUEST_METADATA_PREFIX, guestColumns } from '../guest-columns.ts'

const OTHERS = ['guest_category', 'guest_category_id', 'access_privileges', '-'] as const

/** The targets of columns: a field of the guest, its category, its privileges; `-` leaves a column out. */
export const targets = [...guestColumns.who, ...guestColumns.rest, ...OTHERS] as const
export type GuestTarget = (typeof targets)[number]

/** The target of a column. */
export type GuestColumn = { field: Exclude<GuestTarget, '-'> } | { metadata: string } | { leftOut: true }

const otherNames: Partial<Record<GuestTarget, string>> = guestColumnNames

const meanings = columnMeanings(
  Object.fromEntries(targets.map((target) => [target, otherNames[target] ?? foldColumnName(target)])) as Record<
    GuestTarget,
    string
  >,
)

/**
 * The target of each column. `overrides` are by header, as given with `--map`. Unknown headers, and fields that an earlier column has, become
 * metadata under the header's name; an empty header is called `Column 5`.
 * Throws one sentence for an override that fits no column or names no field.
 */
export function mapColumns(headers: string[], overrides: ReadonlyMap<string, string> = new Map()): GuestColumn[] {
  const chosen = readOverrides(headers, overrides)
  const taken = new Set(chosen.values())
  return headers.map((header, index) => {
    const metadata = { metadata: header === '' ? `Column ${index + 1}` : header }
    const target = chosen.get(index)
    if (target !== undefined) return columnOf(target, metadata)
    if (header.startsWith(GUEST_METADATA_PREFIX)) return { metadata: header.slice(GUEST_METADATA_PREFIX.length) }
    const guessed = meanings.get(foldColumnName(header))
    if (guessed === undefined) return metadata
    if (guessed !== '-') {
      if (taken.has(guessed)) return metadata
      taken.add(guessed)
    }
    return columnOf(guessed, metadata)
  })
}

/** The target of a column, for people. */
export function describeColumn(column: GuestColumn): string {
  if ('leftOut' in column) return '(left out)'
  return 'metadata' in column ? `metadata "${column.metadata}"` : column.field
}

/** `metadata` is for a column of metadata whose name is that of a field. */
function columnOf(target: GuestTarget | 'metadata', metadata: { metadata: string }): GuestColumn {
  if (target === 'metadata') return metadata
  return target === '-' ? { leftOut: true } : { field: target }
}

function readOverrides(
  headers: string[],
  overrides: ReadonlyMap<string, string>,
): Map<number, GuestTarget | 'metadata'> {
  const chosen = new Map<number, GuestTarget | 'metadata'>()
  for (const [header, target] of overrides) {
    const exact = headers.indexOf(header)
    const index =
      exact >= 0
        ? exact
        : headers.findIndex((each) => foldColumnName(each) === foldColumnName(header) && foldColumnName(header) !== '')
    if (index < 0) throw new Error(`--map: the file has no column "${header}". It has: ${headers.join(', ')}`)
    if (target !== 'metadata' && !(targets as readonly string[]).includes(target)) {
      throw new Error(`--map: "${target}" is no field. Fields: ${targets.join(', ')}, metadata (- leaves a column out)`)
    }
    const field = target as GuestTarget | 'metadata'
    if (field !== '-' && field !== 'metadata' && [...chosen.values()].includes(field)) {
      throw new Error(`--map: two columns cannot both be ${field}`)
    }
    chosen.set(index, field)
  }
  return chosen
}
