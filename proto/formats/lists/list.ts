import { Fault, type FieldErrors } from '../../declaring/faults.ts'
import { messageOf } from '../../declaring/messages.ts'
import { decoder, EncodingGuess, type TextEncoding } from './encodings.ts'
import { FORM_CHARACTERS, firstRows, formOf, headerPlace, type RowForm } from './form.ts'
import { checkText, isArchive } from './kinds.ts'
import { type ListLimits, type ListRow, RowParser, refusedFile } from './rows.ts'
import type { ListForm, ListSettings, Table } from './settings.ts'
import { inTurns, type Slice } from './slices.ts'

/** A list as read. */
export interface List extends ListForm {
  /** Rows that are not empty, below the header; they may have too few or too many cells. */
  rows: ListRow[]
}

/** A list that can be read repeatedly; a text is never held as a whole. */
export interface ListSource extends ListForm {
  /** The number of rows. */
  count: number
  /** These rows, some hundreds at a time. */
  rows(): AsyncGenerator<ListRow[]>
}

/** A file's bytes, which can be read repeatedly. */
export type ReadBytes = () => AsyncIterable<Uint8Array>

/** Characters that are parsed in one slice: a few milliseconds, even if each is a cell. */
const SLICE_CHARACTERS = 4_096
/** Bytes that are decoded in one slice. */
const SLICE_BYTES = 131_072
/** Characters of a notice that come from the file. */
const EXCERPT = 80
/** What a text looks like that was decoded wrongly and saved so. */
const DOUBLY_ENCODED = /[ÃÂ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€|\ufffd/

/** Reads a whole file. Throws a fault of the file, or `too_large` for too many rows. */
export async function readList(bytes: Uint8Array, settings: ListSettings): Promise<List> {
  const { count: _, rows, ...form } = await openList(readerOf(bytes), settings)
  const all: ListRow[] = []
  for await (const some of rows()) all.push(...some)
  return { ...form, rows: all }
}

/** As {@link readList}, for a file that need not fit into memory: it is read once at first, so that its errors are known before any row is used. */
export async function openList(read: ReadBytes, settings: ListSettings): Promise<ListSource> {
  const all = await tableOf(read, settings)
  const place = settings.headerless ? { index: -1, above: [] } : headerPlace(all.first, settings.isKnown)
  const begin = place.index + 1
  const header = all.first[place.index]
  const seen = { count: 0, columns: header?.cells.length ?? 0, filled: 0, garbled: undefined as string | undefined }
  let passed = 0
  for await (const rows of all.rows()) {
    for (const { cells } of rows) {
      if (passed++ < begin) continue
      const most = settings.limits?.rows
      if (++seen.count > (most ?? seen.count)) throw new Fault('too_large', `A file may have at most ${most} rows`)
      seen.filled = Math.max(seen.filled, cells.findLastIndex((cell) => cell !== '') + 1)
      if (!header) seen.columns = Math.max(seen.columns, cells.length)
      seen.garbled ??= cells.find((cell) => DOUBLY_ENCODED.test(cell))
    }
  }
  if (passed === 0) throw refusedFile(messageOf('empty'))
  const headers = header ? header.cells : Array.from({ length: seen.columns }, () => '')
  // A spreadsheet adds columns that nobody filled in.
  while (headers.length > seen.filled && headers.at(-1) === '') headers.pop()
  const notices = [
    ...(place.above.length > 0 ? [messageOf('lines_above_header', { text: excerptOf(place.above) })] : []),
    ...(header ? [] : [messageOf('header_guessed')]),
    ...(seen.count === 0 ? [messageOf('no_rows')] : []),
    ...(seen.garbled === undefined ? [] : [messageOf('garbled', { text: seen.garbled.slice(0, EXCERPT) })]),
    ...all.notices,
  ]
  const { text, workbook } = all
  return {
    ...(text && { text }),
    ...(workbook && { workbook }),
    headers,
    headerLine: header?.line,
    notices,
    count: seen.count,
    rows: () => from(all.rows(), begin),
  }
}

/** The error of a row as a whole: more cells than the header has, the header once more, or a sign that nothing can store. */
export function rowErrors({ cells }: ListRow, { headers }: Pick<ListForm, 'headers'>): FieldErrors | undefined {
  const filled = cells.findLastIndex((cell) => cell !== '') + 1
  if (filled > headers.length) {
    return { row: [messageOf('wrong_column_count', { found: filled, wanted: headers.length })] }
  }
  if (cells.some((cell) => cell.includes('\0'))) return { row: [messageOf('nul_character')] }
  const isHeader = filled > 1 && headers.every((header, index) => header === (cells[index] ?? ''))
  return isHeader ? { row: [messageOf('repeated_header')] } : undefined
}

/** The text of a file that may be other than a list, in pieces. */
export interface TextSource {
  encoding: TextEncoding
  /** At most {@link FORM_CHARACTERS}. */
  beginning: string
  isWhole: boolean
  pieces(): AsyncIterable<string>
}

/** Opens a text, in `given` or its own encoding. Returns undefined for a workbook; throws a fault of the file. */
export async function openText(bytes: Uint8Array, slice: Slice, given?: string): Promise<TextSource | undefined> {
  return isArchive(bytes) ? undefined : textOf(readerOf(bytes), slice, given)
}

async function textOf(read: ReadBytes, slice: Slice, given?: string): Promise<TextSource> {
  const encoding = given ? { encoding: given } : await encodingOf(read, slice)
  const pieces = () => textsOf(read, encoding.encoding, slice)
  const beginning = await beginningOf(pieces())
  checkText(beginning)
  return { encoding, beginning, isWhole: beginning.length < FORM_CHARACTERS, pieces }
}

function readerOf(bytes: Uint8Array): ReadBytes {
  return async function* () {
    for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES)
  }
}

async function tableOf(read: ReadBytes, settings: ListSettings): Promise<Table> {
  for await (const bytes of read()) {
    if (bytes.length === 0) continue
    if (!isArchive(bytes)) return textTable(read, settings)
    // Most lists are texts, and the code that reads workbooks is large.
    const { workbookTable } = await import('./workbooks/workbook.ts')
    return workbookTable(await bytesOf(read), settings)
  }
  throw refusedFile(messageOf('empty'))
}

async function textTable(read: ReadBytes, settings: ListSettings): Promise<Table> {
  const { limits, slice = inTurns } = settings
  const { encoding, beginning, isWhole, pieces } = await textOf(read, slice, settings.encoding)
  const form = formOf(beginning, isWhole, settings.isKnown, settings.delimiter)
  return {
    text: { ...encoding, delimiter: form.delimiter },
    first: rowsBelow(firstRows(beginning.slice(form.skipped), form.delimiter, isWhole), form, beginning),
    notices: [],
    rows: () => parsed(pieces(), form, beginning, limits, slice),
  }
}

/** The rows with their lines in the file, where a first line is left out. */
function rowsBelow(rows: ListRow[], { skipped }: RowForm, beginning: string): ListRow[] {
  if (skipped === 0) return rows
  const lines = beginning.slice(0, skipped).split(/\r\n|\r|\n/).length - 1
  return rows.map(({ line, cells }) => ({ line: line + lines, cells }))
}

async function* parsed(
  texts: AsyncIterable<string>,
  form: RowForm,
  beginning: string,
  limits: ListLimits | undefined,
  slice: Slice,
): AsyncGenerator<ListRow[]> {
  const parser = new RowParser(form.delimiter, limits)
  let skip = form.skipped
  for await (const text of texts) {
    const begin = Math.min(skip, text.length)
    skip -= begin
    for (let at = begin; at < text.length; at += SLICE_CHARACTERS) {
      const rows = await slice(() => parser.push(text.slice(at, at + SLICE_CHARACTERS)))
      if (rows.length > 0) yield rowsBelow(rows, form, beginning)
    }
  }
  const rows = parser.end()
  if (rows.length > 0) yield rowsBelow(rows, form, beginning)
}

async function encodingOf(read: ReadBytes, slice: Slice): Promise<TextEncoding> {
  const guess = new EncodingGuess()
  for await (const bytes of read()) if (await slice(() => guess.take(bytes))) break
  return guess.result(slice)
}

async function* textsOf(read: ReadBytes, encoding: string, slice: Slice): AsyncGenerator<string> {
  const decode = decoder(encoding)
  let isFirst = true
  for await (const bytes of read()) {
    const text = await slice(() => decode(bytes))
    if (text === '') continue
    // Joined exports have several marks.
    yield isFirst ? text.replace(/^\ufeff+/, '') : text
    isFirst = false
  }
  yield decode()
}

async function beginningOf(texts: AsyncIterable<string>): Promise<string> {
  let beginning = ''
  for await (const text of texts) {
    beginning += text
    if (beginning.length >= FORM_CHARACTERS) return beginning.slice(0, FORM_CHARACTERS)
  }
  return beginning
}

async function bytesOf(read: ReadBytes): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of read()) {
    parts.push(part)
    length += part.length
  }
  if (parts.length === 1) return parts[0] as Uint8Array
  const bytes = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

async function* from(all: AsyncIterable<ListRow[]>, begin: number): AsyncGenerator<ListRow[]> {
  let passed = 0
  for await (const rows of all) {
    const some = passed < begin ? rows.slice(begin - passed) : rows
    passed += rows.length
    if (some.length > 0) yield some
  }
}

function excerptOf(rows: readonly ListRow[]): string {
  const text = rows.map(({ cells }) => cells.filter((cell) => cell !== '').join(' ')).join('; ')
  return text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text
}
