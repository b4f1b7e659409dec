import { foldColumnName } from '@gatehouse/proto/formats/lists/column-names.ts'

/** What a column of tickets may be; `note` is kept with the guest as it stands. */
export const ticketFields = [
  'code',
  'order',
  'number',
  'category',
  'variation',
  'status',
  'paid',
  'blocked',
  'first_name',
  'last_name',
  'full_name',
  'email',
  'phone_number',
  'company_name',
  'position',
  'party_size',
  'checked_in',
] as const
export type TicketField = (typeof ticketFields)[number]

/** What a column of discount codes may be. */
export const voucherFields = ['text', 'label', 'effect', 'value', 'used', 'most', 'until'] as const
export type VoucherField = (typeof voucherFields)[number]

/** Names of columns by what they are, folded by `foldColumnName`. Of several the first that has a value counts; `-` are those that are left out. */
type ColumnNames<F extends string> = Partial<Record<F | 'note' | '-', string>>

interface Kind<W extends string, F extends string> {
  what: W
  /** For people: `order positions`. */
  title: string
  /** Headers that together no other file of the system has. */
  signs: readonly string[]
  columns: ColumnNames<F>
  /** Columns without a name here that are left out: parts of names and addresses. Others are answers to questions. */
  leftOut?: RegExp
}

export type TicketKind = Kind<'tickets', TicketField>
export type VoucherKind = Kind<'vouchers', VoucherField>
/** A file that `gatehouse import check-ins` reads. */
export type CheckInKind = Kind<'check-ins', never>
export type FileKind = TicketKind | VoucherKind | CheckInKind

/** A ticketing system whose exports are read. */
export interface TicketSystem {
  /** As in the command: `hi-events`. */
  id: string
  title: string
  /** Which exports to download, for people. */
  exports: string
  kinds: readonly FileKind[]
  /** The time zone of its times, where it is not that of the event. */
  zone?: 'UTC'
}

/** The columns that a file of bad rows adds. */
const ADDED = ['importline', 'importproblem']

/** The kind of a file with these headers. */
export function kindOf({ kinds }: TicketSystem, headers: readonly string[]): FileKind | undefined {
  const folded = new Set(headers.map(foldColumnName))
  return kinds.find(({ signs }) => signs.some((names) => names.split(' ').every((name) => folded.has(name))))
}

/** Whether any file of a system has such a header. */
export function knowsHeader({ kinds }: TicketSystem, header: string): boolean {
  const folded = foldColumnName(header)
  return kinds.some(({ columns, signs }) =>
    [...Object.values(columns), ...signs].some((names) => names.split(/\s+/).includes(folded)),
  )
}

/** What a column is, and which of several with the same meaning goes first. */
export interface FieldColumn<F extends string> {
  field: F | 'note' | '-' | 'answer'
  rank: number
}

/** What each column of a file is. `chosen` are fields by index. */
export function fieldColumns<F extends string>(
  { columns, leftOut }: Pick<Kind<string, F>, 'columns' | 'leftOut'>,
  headers: readonly string[],
  chosen: ReadonlyMap<number, string>,
): FieldColumn<F>[] {
  const known = new Map<string, FieldColumn<F>>()
  for (const [field, names] of Object.entries<string | undefined>(columns)) {
    for (const [rank, name] of (names ?? '').split(/\s+/).entries()) known.set(name, { field: field as F, rank })
  }
  return headers.map((header, index) => {
    const given = chosen.get(index)
    if (given !== undefined) return { field: given as F, rank: -1 }
    const folded = foldColumnName(header)
    const isLeftOut = folded === '' || ADDED.includes(folded) || leftOut?.test(folded)
    return known.get(folded) ?? { field: isLeftOut ? '-' : 'answer', rank: 0 }
  })
}

/** The values of a row by field, of several the first that has one. */
export function valuesOf<F extends string>(
  cells: readonly string[],
  columns: readonly FieldColumn<F>[],
): Partial<Record<F, string>> {
  const values: Partial<Record<F, string>> = {}
  const ranks: Partial<Record<string, number>> = {}
  for (const [index, { field, rank }] of columns.entries()) {
    const value = cells[index] ?? ''
    if (value === '' || (ranks[field] ?? Number.POSITIVE_INFINITY) <= rank) continue
    values[field as F] = value
    ranks[field] = rank
  }
  return values
}

/** The header of the column that has a row's value of a field. */
export function headerOf<F extends string>(
  field: F,
  cells: readonly string[],
  columns: readonly FieldColumn<F>[],
  headers: readonly string[],
): string {
  const filled = columns.flatMap((column, index) =>
    column.field === field && cells[index] ? [{ rank: column.rank, header: headers[index] }] : [],
  )
  return filled.sort((a, b) => a.rank - b.rank)[0]?.header || field
}
