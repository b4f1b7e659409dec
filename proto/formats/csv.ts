import { isUtf8 } from 'node:buffer'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type CsvError, type InfoRecord, parse } from 'csv-parse'
import { Fault, type FieldErrors } from '../declaring/faults.ts'
import { type Message, messageOf } from '../declaring/messages.ts'
import { guessDelimiter, HEADER_SIGNS } from './delimiters.ts'

/** A row of a file: the line where it starts, from 1, and its cells, trimmed and in Unicode's composed form. */
export interface CsvRow {
  line: number
  cells: string[]
}

/** The form of a file. */
export interface CsvForm {
  encoding: string
  delimiter: string
  headers: string[]
}

/** A file as read. */
export interface CsvFile extends CsvForm {
  /** Rows that are not empty; they may have too few or too many cells. */
  rows: CsvRow[]
}

/** A file that can be read repeatedly and is never held as a whole. */
export interface CsvSource extends CsvForm {
  /** The number of rows that are not empty. */
  count: number
  /** These rows, some hundreds at a time; they may have too few or too many cells. */
  rows(): AsyncGenerator<CsvRow[]>
}

/** Limits for uploaded files. */
export interface CsvLimits {
  /** Rows below the header; a file with more is `too_large` (413). */
  rows: number
  /** Cells of a row. */
  columns: number
  /** Bytes of a row. */
  rowBytes: number
}

/** Options of reading; by default encoding and delimiter are detected. */
export interface CsvHints {
  encoding?: string
  delimiter?: string
  limits?: CsvLimits
}

/** Excel's own first line, which gives the delimiter. */
const SEP_LINE = /^sep=(.)\r?\n/i
/** Characters that are parsed in one turn of the event loop: a few milliseconds, even if each is a cell. */
const CHUNK_CHARACTERS = 4_096

/** The beginnings of formulas in spreadsheets; some accept full-width characters. */
const FORMULA = /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/
const ESCAPED = /^'+[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/

/**
 * Prefixes a cell that looks like a formula with `'`, so that no spreadsheet runs it; also one which has this prefix, so that `unescapeFormula`
 * restores every cell.
 */
export function escapeFormula(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell
}

/** Reverses `escapeFormula`. */
function unescapeFormula(cell: string): string {
  return ESCAPED.test(cell) ? cell.slice(1) : cell
}

/**
 * Decodes a file: by its byte order mark, else as UTF-8 if it is valid, else as windows-1252. `forced` is any name of an encoding of the web.
 * Throws one sentence for bytes that are invalid in the encoding.
 */
export function decode(bytes: Uint8Array, forced?: string): { text: string; encoding: string } {
  const encoding = forced ?? marked(bytes) ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252')
  return { text: decoder(encoding)(bytes), encoding }
}

/** The encoding of a byte order mark other than UTF-8's. */
function marked(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

/** Decodes a text chunk by chunk; without bytes, the rest of it. */
function decoder(encoding: string): (bytes?: Uint8Array, isChunk?: true) => string {
  let reader: TextDecoder
  try {
    reader = new TextDecoder(encoding, { fatal: true })
  } catch {
    throw new Error(`The encoding ${encoding} is not known`)
  }
  return (bytes, isChunk) => {
    try {
      return reader.decode(bytes, { stream: isChunk === true })
    } catch {
      throw refused(messageOf('encoding', { encoding }))
    }
  }
}

export async function readCsv(bytes: Uint8Array, { limits, ...given }: CsvHints = {}): Promise<CsvFile> {
  const { text, encoding } = decode(bytes, given.encoding)
  const { delimiter, hasSepLine } = formOf(text, given.delimiter)
  const all: CsvRow[] = []
  for await (const rows of rowsOf(chunksOf([text]), delimiter, hasSepLine, limits)) all.push(...rows)
  const [header, ...rows] = all
  if (!header) throw refused(messageOf('empty'))
  return { encoding, delimiter, headers: header.cells, rows }
}

/**
 * As {@link readCsv}, for a file that need not fit into memory: reads it once at first, so that its errors are known before any row is used. `read`
 * begins to read it anew.
 */
export async function openCsv(read: () => AsyncIterable<Uint8Array>, given: CsvHints = {}): Promise<CsvSource> {
  const encoding = given.encoding ?? (await guessEncoding(read()))
  const { delimiter, hasSepLine } = formOf(await beginningOf(textsOf(read(), encoding)), given.delimiter)
  const all = (): AsyncGenerator<CsvRow[]> =>
    rowsOf(chunksOf(textsOf(read(), encoding)), delimiter, hasSepLine, given.limits)
  let header: CsvRow | undefined
  let count = -1
  for await (const rows of all()) {
    header ??= rows[0]
    count += rows.length
  }
  if (!header) throw refused(messageOf('empty'))
  return {
    encoding,
    delimiter,
    headers: header.cells,
    count,
    rows: async function* () {
      let isHeader = true
      for await (const rows of all()) {
        yield isHeader ? rows.slice(1) : rows
        isHeader = false
      }
    },
  }
}

async function guessEncoding(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const utf8 = decoder('utf-8')
  let isFirst = true
  try {
    for await (const bytes of chunks) {
      const fromMark = isFirst && marked(bytes)
      if (fromMark) return fromMark
      isFirst = false
      utf8(bytes, true)
    }
    utf8()
    return 'utf-8'
  } catch (error) {
    if (error instanceof Fault) return 'windows-1252'
    throw error
  }
}

async function* textsOf(chunks: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string> {
  const read = decoder(encoding)
  for await (const bytes of chunks) yield read(bytes, true)
  yield read()
}

/** The beginning of a text, long enough to detect its form. */
async function beginningOf(texts: AsyncIterable<string>): Promise<string> {
  let beginning = ''
  for await (const text of texts) {
    beginning += text
    if (beginning.length >= HEADER_SIGNS) break
  }
  return beginning
}

/** The delimiter of a text with this beginning; `hasSepLine` if Excel's first line gives it. */
function formOf(beginning: string, given: string | undefined): { delimiter: string; hasSepLine: boolean } {
  const sepLine = SEP_LINE.exec(beginning)
  return { delimiter: given ?? sepLine?.[1] ?? guessDelimiter(beginning), hasSepLine: sepLine !== null }
}

/** The rows of a text, its header included. With `hasSepLine` the first line is skipped. */
async function* rowsOf(
  chunks: AsyncIterable<string>,
  delimiter: string,
  hasSepLine: boolean,
  limits?: CsvLimits,
): AsyncGenerator<CsvRow[]> {
  let rows: CsvRow[] = []
  let count = 0
  let ended = hasSepLine ? 1 : 0
  let blank = 0
  const take = (record: string[], info: InfoRecord): null => {
    // csv-parse counts the lines up to a row's end; blank lines before it are not its own.
    const line = ended + 1 + (info.empty_lines - blank)
    if (limits && record.length > limits.columns) {
      throw refused(messageOf('too_many_columns', { limit: limits.columns, line }))
    }
    ended = info.lines + (hasSepLine ? 1 : 0)
    blank = info.empty_lines
    const cells = record.map((cell) => unescapeFormula(cell.trim()).normalize())
    if (cells.some((cell) => cell !== '') && rows.push({ line, cells })) count++
    // The header is one of them.
    if (limits && count > limits.rows + 1) throw new Fault('too_large', `A file may hold ${limits.rows} rows`)
    return null
  }
  const parser = parse({
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    on_record: take,
    ...(limits && { max_record_size: limits.rowBytes }),
  })
  /** Characters since the last end of a line: the parser counts those of cells only, and not what is between them. */
  let unended = 0
  // Its errors surface in the writes.
  parser.on('error', () => {}).resume()
  const parsed = (write: (done: (error?: Error | null) => void) => void): Promise<void> =>
    new Promise((resolve, reject) => {
      write((error) => (error ? reject(error) : resolve()))
    })
  try {
    for await (const chunk of hasSepLine ? belowFirstLine(chunks) : chunks) {
      const end = chunk.lastIndexOf('\n')
      unended = end < 0 ? unended + chunk.length : chunk.length - end
      if (limits && unended > limits.rowBytes + CHUNK_CHARACTERS) throw refused(tooLongFrom(ended + 1, limits))
      await parsed((done) => parser.write(chunk, done))
      if (rows.length > 0) yield rows
      rows = []
    }
    await parsed((done) => parser.end(done))
    if (rows.length > 0) yield rows
  } catch (error) {
    if (error instanceof Fault) throw error
    const code = (error as CsvError).code
    if (!code?.startsWith('CSV_')) throw error
    if (code === 'CSV_MAX_RECORD_SIZE' && limits) throw refused(tooLongFrom(ended + 1, limits))
    throw refused(messageOf('unreadable', { problem: problemOf(error as CsvError), line: ended + 1 }))
  } finally {
    parser.destroy()
  }
}

function tooLongFrom(line: number, { rowBytes }: CsvLimits): Message {
  return messageOf('unreadable', { problem: `it is longer than ${rowBytes} bytes`, line })
}

function problemOf({ code, message }: CsvError): string {
  return code === 'CSV_QUOTE_NOT_CLOSED' ? 'a quote is opened and never closed' : message
}

/** A text in short chunks, each in its own turn of the event loop, with `\n` as the end of lines. */
async function* chunksOf(texts: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let held = ''
  for await (const text of texts) {
    for (let from = 0; from < text.length; from += CHUNK_CHARACTERS) {
      const chunk = held + text.slice(from, from + CHUNK_CHARACTERS)
      // A chunk never ends within a surrogate pair or `\r\n`.
      const end = /[\r\uD800-\uDBFF]$/.test(chunk) ? chunk.length - 1 : chunk.length
      held = chunk.slice(end)
      yield oneEnd(chunk.slice(0, end))
      await nextTurn()
    }
  }
  if (held) yield oneEnd(held)
}

async function* belowFirstLine(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let isBelow = false
  for await (const chunk of chunks) {
    const end = chunk.indexOf('\n')
    if (isBelow) yield chunk
    else if (end >= 0) yield chunk.slice(end + 1)
    isBelow ||= end >= 0
  }
}

function oneEnd(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n')
}

/** The fault of an unreadable file, with a sentence. */
function refused(problem: Message): Fault {
  return new Fault('invalid', `The file ${problem}`, { file: [problem] })
}

/** The error of a row whose number of cells differs from the header's. */
export function cellErrors({ cells }: CsvRow, columns: number): FieldErrors | undefined {
  const surplus = cells.slice(columns).some((cell) => cell !== '')
  if (cells.length >= columns && !surplus) return undefined
  return { row: [messageOf('columns', { found: cells.length, wanted: columns })] }
}
