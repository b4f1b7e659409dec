import { hash } from 'node:crypto'
import { guests } from '@gatehouse/guests/resources'
import { derivedId } from '@gatehouse/proto/bus/client.ts'
import { fullSentences } from '@gatehouse/proto/declaring/faults.ts'
import { type CsvRow, cellErrors } from '@gatehouse/proto/formats/csv.ts'
import { readerOf } from '@gatehouse/proto/formats/json-reader.ts'
import type { Static } from 'typebox'
import type { ImportableRow, UnimportableRow } from '../import/row-import.ts'
import type { GuestColumn } from './headers.ts'
import type { References } from './references.ts'

/** The body of a guest's creation. */
export type GuestBody = Static<typeof guests.actions.create.body>

/** A row that can be imported. */
export interface GuestRow extends ImportableRow<GuestBody> {
  /** Its number among the rows with the same content, from 0. */
  copy: number
  /** Characters of its body as JSON. */
  size: number
}

/** State about the earlier rows of a file, some hundred bytes a row. */
export class EarlierRows {
  /** The number of rows with the same content, by hash. */
  readonly copies = new Map<string, number>()
  readonly lineOfUid = new Map<string, number>()
}

/** The token_id of imports, from which the ids of guests are derived. */
export const IMPORTER = 'import'

const readBody = readerOf(guests.actions.create.body)

/**
 * Reads rows as guests and finds errors without requests: too few or too many cells, no identification of the guest, too long values, the uid of
 * an earlier line, unknown categories and check-in points. `seen` is the state about earlier rows.
 */
export function readRows(
  rows: CsvRow[],
  columns: GuestColumn[],
  references: References,
  { copies, lineOfUid } = new EarlierRows(),
): { good: GuestRow[]; bad: UnimportableRow[] } {
  const good: GuestRow[] = []
  const bad: UnimportableRow[] = []
  for (const row of rows) {
    const { body, problems } = readRow(row, columns, references)
    const earlier = body?.uid && lineOfUid.get(body.uid)
    if (earlier) problems.push(`Uid ${body.uid} is also in line ${earlier}`)
    if (!body || problems.length > 0) {
      bad.push({ row, problem: problems.join('; ') })
      continue
    }
    if (body.uid) lineOfUid.set(body.uid, row.line)
    const content = JSON.stringify(body)
    const hashed = derivedId(content)
    const copy = copies.get(hashed) ?? 0
    copies.set(hashed, copy + 1)
    good.push({ row, body, copy, size: content.length })
  }
  return { good, bad }
}

function readRow(
  row: CsvRow,
  columns: GuestColumn[],
  references: References,
): { body?: GuestBody; problems: string[] } {
  const { cells } = row
  const broken = cellErrors(row, columns.length)
  if (broken) return { problems: fullSentences(broken) }
  const problems: string[] = []
  const body: Record<string, unknown> = {}
  const metadata: { name: string; value: string }[] = []
  const take = (name: string, found: { value: unknown } | { problem: string }): void => {
    if ('problem' in found) problems.push(found.problem)
    else body[name] = found.value
  }
  let category = ''
  for (const [index, column] of columns.entries()) {
    const cell = cells[index] ?? ''
    if (cell === '' || 'leftOut' in column) continue
    if ('metadata' in column) metadata.push({ name: column.metadata, value: cell })
    else if (column.field === 'guest_category') category = cell
    else if (column.field === 'guest_category_id') category ||= cell
    else if (column.field === 'access_privileges') take('access_privileges_attributes', references.privileges(cell))
    else body[column.field] = cell
  }
  take('guest_category_id', references.category(category))
  // The order of columns and fields does not change the guest of a row.
  metadata.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  if (metadata.length > 0) body.guest_metadata = metadata
  const sorted = Object.fromEntries(Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1)))
  const { errors } = readBody(sorted)
  const { guest_category_id: _, ...otherErrors } = errors ?? {}
  problems.push(...fullSentences(otherErrors))
  const { last_name, email, company_name, uid } = body
  if (!last_name && !email && !company_name && !uid) {
    problems.push('It has no last name, e-mail, company or uid')
  }
  // Without the reader's defaults: the row's key must not change with a new field.
  return { body: sorted as GuestBody, problems }
}

/** The `Idempotency-Key` of a row: a hash of its content, and its number among equal rows of the file. */
export function keyOf(eventId: string, { body, copy }: Pick<GuestRow, 'body' | 'copy'>): string {
  // Existing keys contain the 0.
  return hash('sha256', JSON.stringify([eventId, body, copy, 0]))
}
