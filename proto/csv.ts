import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type CsvError, type InfoRecord, parse } from 'csv-parse'
import { Fault, type FieldErrors } from './faults.ts'

/** A row of a file: the line where it starts, from 1, and its cells without the blanks around them, in Unicode's composed form. */
export interface Row {
  line: number
  cells: string[]
}

/** A file as read. */
export interface CsvFile {
  encoding: string
  delimiter: string
  headers: string[]
  /** Rows that are not empty; a cell may be missing or too much. */
  rows: Row[]
}

/** How much of a file is taken from somebody else. */
export interface CsvLimits {
  /** Below the header; a file that holds more is `too_large` (413). */
  rows: number
  /** Cells of a row. */
  columns: number
  /** Bytes of a row. */
  rowBytes: number
}

/** What is known of a file before it is read. */
export interface CsvHints {
  encoding?: string
  delimiter?: string
  limits?: CsvLimits
}

const delimiters = [',', ';', '\t']
/** Signs in which a header line ends, as far as the guess of its delimiter goes. */
const HEADER_SIGNS = 65_536
/** Signs that are read in one turn of the event loop: a millisecond, or some twenty where every one is a cell. */
const PIECE = 16_384

/** Cells that a spreadsheet would run as a formula begin so; the full-width signs do in some. */
const FORMULA = /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/
const ESCAPED = /^'+[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/

/**
 * A cell that no spreadsheet runs: `'` goes before what looks like a formula, and before what already has one, so that
 * `unescapeFormula` always finds the way back.
 */
export function escapeFormula(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell
}

/** What was in a cell before `escapeFormula`. */
function unescapeFormula(cell: string): string {
  return ESCAPED.test(cell) ? cell.slice(1) : cell
}

/**
 * The text of a file: by its byte order mark, else UTF-8 where every byte of it is, else windows-1252. `forced` is any name
 * of an encoding that the web knows. Throws one sentence for bytes that the encoding does not have.
 */
export function decode(bytes: Uint8Array, forced?: string): { text: string; encoding: string } {
  if (forced !== undefined) return { text: decoder(forced, bytes), encoding: forced }
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { text: decoder('utf-16le', bytes), encoding: 'utf-16le' }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { text: decoder('utf-16be', bytes), encoding: 'utf-16be' }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' }
  } catch {
    return { text: decoder('windows-1252', bytes), encoding: 'windows-1252' }
  }
}

function decoder(encoding: string, bytes: Uint8Array): string {
  let reader: TextDecoder
  try {
    reader = new TextDecoder(encoding, { fatal: true })
  } catch {
    throw new Error(`The encoding ${encoding} is not known`)
  }
  try {
    return reader.decode(bytes)
  } catch {
    throw refused(`is not in ${encoding}`)
  }
}

/** The sign that parts the cells: the one that the header line holds most of, outside quotes; a comma where it holds none. */
export function guessDelimiter(text: string): string {
  const found = new Map(delimiters.map((each) => [each, 0]))
  let quoted = false
  for (const sign of text.slice(0, HEADER_SIGNS)) {
    if (sign === '"') quoted = !quoted
    else if (quoted) continue
    else if (sign === '\n' || sign === '\r') break
    else if (found.has(sign)) found.set(sign, found.get(sign)! + 1)
  }
  return delimiters.reduce((best, each) => (found.get(each)! > found.get(best)! ? each : best))
}

/**
 * Reads a CSV file, in many short turns of the event loop. Throws `invalid` on `file`, with a sentence that names the line, when it can not
 * be told where its cells end, when it has no header, and for a row beyond the limits.
 */
export async function readCsv(bytes: Uint8Array, { limits, ...given }: CsvHints = {}): Promise<CsvFile> {
  const { text: whole, encoding } = decode(bytes, given.encoding)
  // Excel's own first line, which says the delimiter.
  const told = /^sep=(.)\r?\n/i.exec(whole)
  const text = told ? whole.slice(told[0].length) : whole
  const delimiter = given.delimiter ?? told?.[1] ?? guessDelimiter(text)
  const [header, ...rows] = await parseRows(text, delimiter, told ? 1 : 0, limits)
  if (!header) throw refused('is empty')
  return { encoding, delimiter, headers: header.cells, rows }
}

async function parseRows(text: string, delimiter: string, linesBefore: number, limits?: CsvLimits): Promise<Row[]> {
  const rows: Row[] = []
  let ended = linesBefore
  let blank = 0
  const take = (record: string[], info: InfoRecord): null => {
    // csv-parse counts the lines up to a row's end; blank lines before it are not its own.
    const line = ended + 1 + (info.empty_lines - blank)
    if (limits && record.length > limits.columns) {
      throw refused(`has more than ${limits.columns} columns in line ${line}`)
    }
    ended = info.lines + linesBefore
    blank = info.empty_lines
    const cells = record.map((cell) => unescapeFormula(cell.trim()).normalize())
    if (cells.some((cell) => cell !== '')) rows.push({ line, cells })
    // The header is one of them.
    if (limits && rows.length > limits.rows + 1) throw new Fault('too_large', `A file may hold ${limits.rows} rows`)
    return null
  }
  try {
    const parser = parse({
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      on_record: take,
      ...(limits && { max_record_size: limits.rowBytes }),
    })
    // It gives nothing on: each row has been taken.
    await pipeline(Readable.from(piecesOf(text)), parser.resume())
  } catch (error) {
    if (error instanceof Fault) throw error
    throw refused(`can not be read: ${problemOf(error as CsvError, limits)}, in the row of line ${ended + 1}`)
  }
  return rows
}

function problemOf({ code, message }: CsvError, limits: CsvLimits | undefined): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'a quote is opened and never closed'
  return code === 'CSV_MAX_RECORD_SIZE' ? `it is longer than ${limits?.rowBytes} bytes` : message
}

/** A text in pieces, each in a turn of its own, with one sign for the end of a line. */
async function* piecesOf(text: string): AsyncGenerator<Buffer> {
  for (let from = 0; from < text.length; ) {
    let end = Math.min(from + PIECE, text.length)
    // Neither half of a pair nor of `\r\n` begins a piece.
    if (end < text.length && /[\r\uD800-\uDBFF]/.test(text[end - 1] ?? '')) end--
    yield Buffer.from(text.slice(from, end).replaceAll(/\r\n?/g, '\n'))
    from = end
    await nextTurn()
  }
}

/** The fault of a file that can not be read, with one sentence that says so. */
function refused(problem: string): Fault {
  return new Fault('invalid', `The file ${problem}`, { file: [problem] })
}

/** What is wrong with a row that has not the cells that the header has. */
export function cellErrors({ cells }: Row, columns: number): FieldErrors | undefined {
  const surplus = cells.slice(columns).some((cell) => cell !== '')
  if (cells.length >= columns && !surplus) return undefined
  return { row: [`has ${cells.length} columns, the header has ${columns}`] }
}
