import { type CsvError, type InfoRecord, parse } from 'csv-parse/sync'
import { unescapeFormula } from '../guest-columns.ts'

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

const delimiters = [',', ';', '\t']

/**
 * The text of a file: by its byte order mark, else UTF-8 where every byte of it is, else windows-1252. `forced` is any name
 * of an encoding that the web knows. Throws one sentence for bytes that the forced encoding does not have.
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
    throw new Error(`The file is not in ${encoding}`)
  }
}

/** The sign that parts the cells: the one that the header line holds most of, outside quotes; a comma where it holds none. */
export function guessDelimiter(text: string): string {
  const found = new Map(delimiters.map((each) => [each, 0]))
  let quoted = false
  for (const sign of text) {
    if (sign === '"') quoted = !quoted
    else if (quoted) continue
    else if (sign === '\n') break
    else if (found.has(sign)) found.set(sign, found.get(sign)! + 1)
  }
  return delimiters.reduce((best, each) => (found.get(each)! > found.get(best)! ? each : best))
}

/** Reads a CSV file. Throws one sentence, with the line, when it can not be told where its cells end, and when it has no header. */
export function readCsv(bytes: Uint8Array, given: { encoding?: string; delimiter?: string } = {}): CsvFile {
  const { text: whole, encoding } = decode(bytes, given.encoding)
  // Excel's own first line, which says the delimiter.
  const told = /^sep=(.)\r?\n/i.exec(whole)
  const text = (told ? whole.slice(told[0].length) : whole).replaceAll(/\r\n?/g, '\n')
  const delimiter = given.delimiter ?? told?.[1] ?? guessDelimiter(text)
  const [header, ...rows] = parseRows(text, delimiter, told ? 1 : 0)
  if (!header) throw new Error('The file is empty')
  return { encoding, delimiter, headers: header.cells, rows }
}

function parseRows(text: string, delimiter: string, linesBefore: number): Row[] {
  const rows: Row[] = []
  let ended = linesBefore
  let blank = 0
  const take = (record: string[], info: InfoRecord): null => {
    // csv-parse counts the lines up to a row's end; blank lines before it are not its own.
    const line = ended + 1 + (info.empty_lines - blank)
    ended = info.lines + linesBefore
    blank = info.empty_lines
    const cells = record.map((cell) => unescapeFormula(cell.trim()).normalize())
    if (cells.some((cell) => cell !== '')) rows.push({ line, cells })
    return null
  }
  try {
    parse(text, { delimiter, relax_column_count: true, relax_quotes: true, skip_empty_lines: true, on_record: take })
  } catch (error) {
    const open = (error as CsvError).code === 'CSV_QUOTE_NOT_CLOSED'
    const problem = open ? 'a quote is opened and never closed' : (error as Error).message
    throw new Error(`The file can not be read: ${problem}, in the row of line ${ended + 1}`)
  }
  return rows
}
