import { columnMeanings, foldColumnName } from './column-names.ts'
import { guestColumnNames } from './guest-column-names.ts'
import { guestStatuses } from './guest-statuses.ts'
import { presetOf } from './presets.ts'
import type { ListRow } from './rows.ts'
import { oneLine } from './values.ts'

/** The prefix of a metadata column whose name would be read as another field: `metadata: Company`. */
export const GUEST_METADATA_PREFIX = 'metadata: '

/** What a column may hold besides fields of a guest. */
const OTHERS = ['full_name', 'last_and_first_name', 'guest_category', 'guest_category_id', 'access_privileges'] as const

/** What a column holds: a field of the guest, or something that one is made of; an entry of its metadata; nothing that is read. */
export type GuestColumn = { field: string } | { metadata: string } | { leftOut: true }

/** Columns by which an export of ours is known, which may have metadata called like columns of others. */
const OWN = ['uid', 'guest_category', 'last_name']

/** What the columns of a list of guests are, for guests with certain fields. */
export class GuestColumns {
  /** What a column may be; `-` leaves it out. */
  readonly targets: readonly string[]
  readonly #meaningOf: (header: string) => string | undefined

  constructor(fields: readonly string[]) {
    this.targets = [...new Set([...fields.filter((field) => field !== 'guest_category_id'), ...OTHERS, '-'])]
    const names: Partial<Record<string, string>> = guestColumnNames
    this.#meaningOf = columnMeanings(
      Object.fromEntries(
        this.targets.map((target) => [target, `${foldColumnName(target)} ${names[target] ?? ''}`.trim()]),
      ),
    )
  }

  /** Whether a header names something that is known. */
  readonly isKnown = (header: string): boolean =>
    header.startsWith(GUEST_METADATA_PREFIX) || this.#meaningOf(header) !== undefined

  /**
   * What each column holds. `chosen` are targets by index, or `metadata`. Unknown headers, and fields that an earlier column has, become metadata
   * under the header's name; an empty header is called `Column 5`. A full name beside first or last names is left out. `rows` are some of the list:
   * they tell whether a status is one of ours.
   */
  of(
    headers: readonly string[],
    chosen: ReadonlyMap<number, string> = new Map(),
    rows: readonly ListRow[] = [],
  ): GuestColumn[] {
    const isOwn = OWN.every((name) => headers.includes(name))
    const known = new Map([...((isOwn ? undefined : presetOf(headers))?.columns ?? []), ...chosen])
    const taken = new Set(known.values())
    const columns = headers.map((header, index) => {
      const given = known.get(index)
      if (given !== undefined) return columnOf(given, header, index)
      const meaning = header.startsWith(GUEST_METADATA_PREFIX) ? undefined : this.#meaningOf(header)
      const isForeign = meaning === 'status' && !hasOwnStatus(rows, index)
      const guessed = isForeign ? 'metadata' : (meaning ?? 'metadata')
      if (guessed !== '-' && guessed !== 'metadata' && taken.has(guessed)) return columnOf('metadata', header, index)
      taken.add(guessed)
      return columnOf(guessed, header, index)
    })
    const hasParts =
      columns.some((column) => isField(column, 'first_name')) && columns.some((column) => isField(column, 'last_name'))
    const isNeedless = (column: GuestColumn, index: number): boolean =>
      hasParts && !chosen.has(index) && (isField(column, 'full_name') || isField(column, 'last_and_first_name'))
    return columns.map((column, index) => (isNeedless(column, index) ? { leftOut: true } : column))
  }

  /** What the columns of a list without a header most likely are, by its first rows: addresses by their `@`, the names in the next ones. */
  guessed(width: number, rows: readonly ListRow[]): GuestColumn[] {
    const fields = headerlessFields(width, rows)
    return fields.map((field, index) => (field ? { field } : columnOf('metadata', '', index)))
  }
}

/** Whether a column has a status of a guest, or nothing. Other systems have theirs under the same name. */
function hasOwnStatus(rows: readonly ListRow[], index: number): boolean {
  const words = rows.flatMap(({ cells }) => cells[index] || [])
  return words.length === 0 || words.some((word) => guestStatuses.some((status) => status === word))
}

function columnOf(target: string, header: string, index: number): GuestColumn {
  if (target === '-') return { leftOut: true }
  if (target !== 'metadata') return { field: target }
  const name = header.startsWith(GUEST_METADATA_PREFIX) ? header.slice(GUEST_METADATA_PREFIX.length) : header
  return { metadata: oneLine(name) || `Column ${index + 1}` }
}

function isField(column: GuestColumn, field: string): boolean {
  return 'field' in column && column.field === field
}

/** The fields of columns without a header: the column with most addresses, then names: one is a full name, two are first and last name. */
export function headerlessFields(width: number, rows: readonly ListRow[]): (string | undefined)[] {
  const counts = Array.from(
    { length: width },
    (_, index) => rows.filter(({ cells }) => cells[index]?.includes('@')).length,
  )
  const most = Math.max(0, ...counts)
  const email = most > 0 ? counts.indexOf(most) : -1
  const named = counts.flatMap((_, index) =>
    index !== email && rows.some(({ cells }) => /\p{Letter}/u.test(cells[index] ?? '')) ? [index] : [],
  )
  const names = named.length === 1 ? ['full_name'] : ['first_name', 'last_name']
  return counts.map((_, index) => (index === email ? 'email' : names[named.indexOf(index)]))
}
