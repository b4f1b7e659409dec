import { timeSlicer } from '@gatehouse/proto/concurrency/time-slices.ts'
import { normalized } from '@gatehouse/proto/declaring/addresses.ts'
import { Fault, type FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { MAX_BATCH } from '@gatehouse/proto/declaring/resource.ts'
import { type CsvRow, cellErrors, decode, readCsv } from '@gatehouse/proto/formats/csv.ts'
import { guessDelimiter } from '@gatehouse/proto/formats/delimiters.ts'
import { readerOf } from '@gatehouse/proto/formats/json-reader.ts'
import type { Addressed } from '../../invitations/places.ts'
import { type Recipient, recipient as recipientFields } from '../../invitations/resource.ts'
import { type Column, columnsOf, meaningOf } from './columns.ts'
import { entriesOf } from './lines.ts'

/** Rows which one upload may have: as many as a batch. */
export const MAX_ROWS = MAX_BATCH
const LIMITS = { rows: MAX_ROWS, columns: 120, rowBytes: 262_144 }
/** Characters of a line of addresses. */
const LONGEST_LINE = 65_536
/** Lines of a text of addresses, blank ones included. */
const MAX_LINES = 10 * MAX_ROWS
/** Characters of a bad row which are shown. */
const EXCERPT = 80
/** Rows which are looked at to find the column of addresses. */
const SAMPLE = 50

/** Why a row is bad, as a text of the pages. */
export type RowProblem = 'bad_no_email' | 'bad_email' | 'bad_columns' | 'bad_long'

/** A recipient who can be invited. */
export interface UploadedRecipient extends Addressed {
  line: number
}

/** A row which cannot be read, and its beginning. */
export interface UnreadableRow {
  line: number
  excerpt: string
  problem: RowProblem
}

/** A row whose address an earlier line has. */
export interface Duplicate {
  line: number
  email: string
  earlier: number
}

/** The rows of an upload. */
export interface UploadedRows {
  good: UploadedRecipient[]
  bad: UnreadableRow[]
  duplicates: Duplicate[]
}

/** A row before it is checked. */
interface Candidate {
  line: number
  excerpt: string
  recipient: Record<string, unknown>
  problem?: RowProblem
}

const readRecipient = readerOf(recipientFields)

/**
 * Reads what a partner pasted or uploaded: a table whose first row names its columns, a table without such a row, or lines of addresses. Bytes
 * are decoded as those of imports. Throws `invalid` for a file which cannot be read, `too_large` for one of too many rows.
 */
export async function readUpload(bytes: Uint8Array): Promise<UploadedRows> {
  const candidates = await candidatesOf(bytes)
  const reading: UploadedRows = { good: [], bad: [], duplicates: [] }
  const lines = new Map<string, number>()
  await timeSlicer.map(candidates, (candidate) => {
    const { line, excerpt } = candidate
    const { value, errors } = readRecipient(candidate.recipient)
    const recipient = value as Recipient
    const address = errors ? undefined : normalized(recipient.email)
    const problem = candidate.problem ?? problemOf(candidate.recipient, errors, address)
    if (problem || address === undefined) {
      reading.bad.push({ line, excerpt, problem: problem ?? 'bad_email' })
      return
    }
    const earlier = lines.get(address)
    if (earlier !== undefined) reading.duplicates.push({ line, email: recipient.email, earlier })
    else {
      lines.set(address, line)
      reading.good.push({ line, address, recipient })
    }
  })
  return reading
}

function problemOf(
  { email }: Record<string, unknown>,
  errors: FieldErrors | undefined,
  address: string | undefined,
): RowProblem | undefined {
  if (!email) return 'bad_no_email'
  if (errors && !errors.email) return 'bad_long'
  return address === undefined ? 'bad_email' : undefined
}

async function candidatesOf(bytes: Uint8Array): Promise<Candidate[]> {
  const { text } = decode(bytes)
  const beginning = text.trimStart()
  const [first = ''] = beginning.slice(0, LONGEST_LINE).split(/\r?\n|\r/, 1)
  if (/^sep=./i.test(first)) return tableOf(bytes)
  const cells = first.split(guessDelimiter(beginning)).map((cell) => cell.replaceAll('"', '').trim())
  const addresses = cells.filter((cell) => cell.includes('@')).length
  const isHeader = addresses === 0 && (cells.length > 1 || meaningOf(first.replaceAll('"', '')) === 'email')
  if (isHeader) return tableOf(bytes)
  if (addresses === 1 && cells.length > 1 && !first.includes('<')) return headlessTable(text, cells)
  return linesOf(text)
}

/** The rows of a table whose first row names its columns. */
async function tableOf(bytes: Uint8Array, above = 0): Promise<Candidate[]> {
  const { headers, rows } = await readCsv(bytes, { limits: LIMITS })
  const columns = withAddresses(columnsOf(headers), rows)
  return timeSlicer.map(rows, (row) => candidateOf(row, columns, above))
}

/** The rows of a table without headers: the column of addresses is known by its `@`; first and last name are the next ones. */
function headlessTable(text: string, cells: string[]): Promise<Candidate[]> {
  const names = ['first_name', 'last_name']
  const headers = cells.map((cell, index) => (cell.includes('@') ? 'email' : (names.shift() ?? `Column ${index + 1}`)))
  return tableOf(Buffer.from(`${headers.join(guessDelimiter(text.trimStart()))}\n${text}`), 1)
}

/** The columns, where none is called one of addresses with the one in which most addresses are. */
function withAddresses(columns: Column[], rows: CsvRow[]): Column[] {
  if (columns.some((column) => 'field' in column && column.field === 'email')) return columns
  const counts = columns.map(
    (_, index) => rows.slice(0, SAMPLE).filter(({ cells }) => cells[index]?.includes('@')).length,
  )
  const most = Math.max(...counts)
  return most === 0 ? columns : columns.with(counts.indexOf(most), { field: 'email' })
}

function candidateOf(row: CsvRow, columns: Column[], above: number): Candidate {
  const recipient: Record<string, unknown> = {}
  const guest_metadata: { name: string; value: string }[] = []
  for (const [index, column] of columns.entries()) {
    const cell = row.cells[index] ?? ''
    if (cell === '' || 'leftOut' in column) continue
    if ('metadata' in column) guest_metadata.push({ name: column.metadata, value: cell })
    else recipient[column.field] = cell
  }
  return {
    line: row.line - above,
    excerpt: row.cells.join(' ').slice(0, EXCERPT),
    recipient: { ...recipient, guest_metadata },
    ...(cellErrors(row, columns.length) && { problem: 'bad_columns' }),
  }
}

/** The addresses of a text. */
async function linesOf(text: string): Promise<Candidate[]> {
  let count = 0
  const found = await timeSlicer.map(numberedLines(text), ([index, content]): Candidate[] => {
    const line = index + 1
    const excerpt = content.trim().slice(0, EXCERPT)
    if (content.trim() === '') return []
    if (content.length > LONGEST_LINE) return [{ line, excerpt, recipient: {}, problem: 'bad_long' }]
    const entries = entriesOf(content.normalize())
    count += entries.length
    if (count > MAX_ROWS) throw new Fault('too_large')
    return entries.map((recipient) => ({ line, excerpt, recipient: { ...recipient } }))
  })
  return found.flat()
}

/** The lines of a text, one at a time: a text of blank lines has millions. Throws `too_large` for too many. */
function* numberedLines(text: string): Generator<[number, string]> {
  const endOf = (sign: string, from: number) => {
    const found = text.indexOf(sign, from)
    return found < 0 ? text.length : found
  }
  let [at, feed, carriage] = [0, -1, -1]
  for (let index = 0; at <= text.length; index++) {
    if (index === MAX_LINES) throw new Fault('too_large')
    if (feed < at) feed = endOf('\n', at)
    if (carriage < at) carriage = endOf('\r', at)
    const end = Math.min(feed, carriage)
    yield [index, text.slice(at, end)]
    at = end + (carriage + 1 === feed && end === carriage ? 2 : 1)
  }
}
