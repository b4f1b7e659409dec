import { timeSlicer } from '@gatehouse/proto/concurrency/time-slices.ts'
import { normalized } from '@gatehouse/proto/declaring/addresses.ts'
import { Fault, type FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { MAX_BATCH } from '@gatehouse/proto/declaring/resource.ts'
import { readerOf } from '@gatehouse/proto/formats/json-reader.ts'
import { type AddressEntry, addressesIn, addressesOf } from '@gatehouse/proto/formats/lists/addresses.ts'
import type { TextEncoding } from '@gatehouse/proto/formats/lists/encodings.ts'
import { firstRows, formOf } from '@gatehouse/proto/formats/lists/form.ts'
import { openText, readList, rowErrors, type TextSource } from '@gatehouse/proto/formats/lists/list.ts'
import type { ListRow } from '@gatehouse/proto/formats/lists/rows.ts'
import type { ListForm } from '@gatehouse/proto/formats/lists/settings.ts'
import type { Addressed } from '../../../delivery/invitations/acceptance.ts'
import { type Recipient, recipient as recipientFields } from '../../../delivery/invitations/resource.ts'
import { columnsOf, meaningOf, valuesOf } from './columns.ts'

/** Rows which one upload may have: as many as a batch. */
export const MAX_ROWS = MAX_BATCH
const LIMITS = { rows: MAX_ROWS, columns: 120, rowCharacters: 262_144, unpackedBytes: 32 * 1024 * 1024 }
/** Characters of a line of addresses. */
const LONGEST_LINE = 65_536
/** Lines of a text of addresses, blank ones included. */
const MAX_LINES = 10 * MAX_ROWS
/** Characters of a bad row that are shown. */
const EXCERPT = 80
/** Names on lines of their own: so many lines at least, in turn with those of their addresses. */
const FEWEST_IN_TURN = 4
/** Words of a name. */
const MOST_WORDS = 5

/** Why a row is bad, as a text of the pages. */
export type RowProblem = 'bad_no_email' | 'bad_email' | 'bad_columns' | 'bad_long'

/** A recipient who can be invited. */
export interface UploadedRecipient extends Addressed {
  line: number
}

/** A row that cannot be read, and its beginning. */
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

/** How a file was read: its encoding, or the sheet of several; and what is odd about it. */
export interface ReadForm {
  text?: TextEncoding
  workbook?: ListForm['workbook']
  notices: ListForm['notices']
}

/** What a partner chose in place of what was guessed. */
export interface ReadChoice {
  encoding?: string | undefined
  sheet?: string | undefined
}

/** The rows of an upload. */
export interface UploadedRows {
  form: ReadForm
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

interface Candidates {
  form: ReadForm
  candidates: Candidate[]
}

const inSlices = <T>(work: () => T): Promise<T> => timeSlicer.run(work)

const readRecipient = readerOf(recipientFields)

/**
 * Reads what a partner pasted or uploaded: a table whose first row names its columns, a table without such a row, a workbook, or lines of addresses.
 * Throws `invalid` for a file that cannot be read, `too_large` for one of too many rows.
 */
export async function readUpload(bytes: Uint8Array, choice: ReadChoice = {}): Promise<UploadedRows> {
  const { form, candidates } = await candidatesOf(bytes, choice)
  const reading: UploadedRows = { form, good: [], bad: [], duplicates: [] }
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

async function candidatesOf(bytes: Uint8Array, choice: ReadChoice): Promise<Candidates> {
  const text = await openText(bytes, inSlices, choice.encoding)
  if (!text || isTable(text)) return tableOf(bytes, choice)
  return { form: { text: text.encoding, notices: [] }, candidates: await linesOf(text) }
}

/**
 * Whether a text is a table: a header is known, or the first rows are alike and have one address each, in a cell of its own, besides others.
 */
function isTable({ beginning, isWhole }: TextSource): boolean {
  const { delimiter, skipped } = formOf(beginning, isWhole, isKnown)
  const rows = firstRows(beginning.slice(skipped), delimiter, isWhole).slice(0, 20)
  const header = rows.find(({ cells }) => cells.every((cell) => !cell.includes('@')) && cells.some(isKnown))
  if (header && (header.cells.length > 1 || meaningOf(header.cells[0] as string) === 'email')) return true
  if (rows.length === 0 && isOpenHeader(beginning)) return true
  const withAddress = rows.findIndex(({ cells }) => cells.some((cell) => cell.includes('@')))
  const { cells = [] } = rows[withAddress] ?? {}
  const isAlone = cells.length > 1 && cells.filter((cell) => cell.includes('@')).length === 1
  const isAddress = cells.some((cell) => /^[^\s<>()]+@[^\s<>()]+$/.test(cell))
  return skipped > 0 || (isAlone && isAddress && rows.every((row) => row.cells.length === cells.length))
}

/** Whether a quote in the header is never closed, so that there are no rows. */
function isOpenHeader(beginning: string): boolean {
  const first = /\S[^\r\n]*/.exec(beginning)?.[0] ?? ''
  return first.includes('"') && !first.includes('@') && first.split(/[,;\t|]/).some(isKnown)
}

function isKnown(header: string): boolean {
  return meaningOf(header) !== undefined
}

/** The rows of a table. */
async function tableOf(bytes: Uint8Array, choice: ReadChoice): Promise<Candidates> {
  const list = await readList(bytes, { ...choice, limits: LIMITS, isKnown, slice: inSlices })
  const columns = columnsOf(list)
  let count = 0
  const found = await timeSlicer.map(list.rows, (row) => {
    const { fields, guest_metadata } = valuesOf(row, columns)
    const entries = entriesOf(fields.email)
    count += entries.length
    if (count > MAX_ROWS) throw new Fault('too_large')
    const problem = rowErrors(row, list) ? ({ problem: 'bad_columns' } as const) : {}
    return entries.map(
      (entry): Candidate => ({
        line: row.line,
        excerpt: excerptOf(row),
        // The names of a row with several addresses are those of none of them.
        recipient:
          entries.length > 1
            ? { ...entry, guest_metadata }
            : { ...entry, ...fields, ...emailOf(entry), guest_metadata },
        ...problem,
      }),
    )
  })
  const { text, workbook, notices, headerLine } = list
  const form = {
    ...(text && { text }),
    ...(workbook && { workbook }),
    notices: headerLine === undefined ? [] : notices,
  }
  return { form, candidates: found.flat() }
}

/** The addresses of a cell; what has none is an entry of its own. */
function entriesOf(cell = ''): AddressEntry[] {
  return cell.includes('@') ? addressesOf(cell.slice(0, LONGEST_LINE)) : [{ email: cell }]
}

function emailOf({ email }: AddressEntry): { email?: string } {
  return email === '' ? {} : { email }
}

function excerptOf({ cells }: ListRow): string {
  return cells.join(' ').slice(0, EXCERPT)
}

/** The addresses of a text. Throws `too_large` for too many, or for too many lines. */
async function linesOf(text: TextSource): Promise<Candidate[]> {
  const lines = new LineSplitter()
  const candidates: Candidate[] = []
  for await (const piece of text.pieces()) {
    for (const candidate of await timeSlicer.map(entriesIn(lines.push(piece)), (each) => each))
      candidates.push(candidate)
    if (candidates.length > MAX_ROWS) throw new Fault('too_large')
  }
  candidates.push(...entriesIn(lines.end()))
  if (candidates.length > MAX_ROWS) throw new Fault('too_large')
  return withNamesAbove(candidates)
}

/** The entries of lines, one at a time. */
function* entriesIn(lines: Iterable<[number, string]>): Generator<Candidate> {
  for (const [line, content] of lines) {
    const isLong = content.length > LONGEST_LINE
    const excerpt = (isLong ? content.slice(0, EXCERPT) : content.trim()).slice(0, EXCERPT)
    if (isLong) yield { line, excerpt, recipient: {}, problem: 'bad_long' }
    else if (excerpt !== '') {
      for (const recipient of addressesIn(content.normalize())) yield { line, excerpt, recipient: { ...recipient } }
    }
  }
}

/** A list in which each name has a line of its own, above that of its address. */
function withNamesAbove(candidates: Candidate[]): Candidate[] {
  const isInTurn =
    candidates.length >= FEWEST_IN_TURN &&
    candidates.length % 2 === 0 &&
    candidates.every(({ recipient }, index) => (index % 2 === 0 ? isName(recipient) : isBareAddress(recipient)))
  if (!isInTurn) return candidates
  return candidates.flatMap((candidate, index) => {
    const above = candidates[index - 1]
    if (index % 2 === 0 || !above) return []
    const [named] = addressesOf(`${above.recipient.email} <${candidate.recipient.email}>`)
    return [{ ...candidate, recipient: { ...named } }]
  })
}

function isName({ email }: Record<string, unknown>): boolean {
  const name = String(email)
  return !name.includes('@') && /^\P{Number}+$/u.test(name) && name.split(/\s+/).length <= MOST_WORDS
}

function isBareAddress({ email, first_name, last_name }: Record<string, unknown>): boolean {
  return String(email).includes('@') && first_name === undefined && last_name === undefined
}

/**
 * Splits a text that comes in pieces into lines, which it numbers from 1. Of a line that is too long only the beginning is kept. Throws `too_large`
 * for too many lines: a text of blank ones has millions.
 */
class LineSplitter {
  #rest = ''
  #number = 0
  #endedInCarriage = false

  #take(part: string): void {
    if (this.#rest.length <= LONGEST_LINE) this.#rest += part.slice(0, LONGEST_LINE + 1)
  }

  /** Yields the lines that end in the next piece. */
  *push(piece: string): Generator<[number, string]> {
    let at = this.#endedInCarriage && piece.startsWith('\n') ? 1 : 0
    if (piece !== '') this.#endedInCarriage = piece.endsWith('\r')
    const ends = /\r\n?|\n/g
    ends.lastIndex = at
    for (let end = ends.exec(piece); end; end = ends.exec(piece)) {
      this.#take(piece.slice(at, end.index))
      at = ends.lastIndex
      yield* this.end()
    }
    this.#take(piece.slice(at))
  }

  /** Yields the last line. */
  *end(): Generator<[number, string]> {
    if (this.#number++ === MAX_LINES) throw new Fault('too_large')
    yield [this.#number, this.#rest]
    this.#rest = ''
  }
}
