import type { Writable } from 'node:stream'
import { type CsvFile, escapeFormula } from '@gatehouse/proto/csv.ts'
import { stringify } from 'csv-stringify/sync'
import { count, say } from '../terminal.ts'
import type { BadRow, GoodRow } from './import-file.ts'

/** Bad rows that are shown; a file of them has all. */
const SHOWN = 20
const SAMPLES = 3

/** Shows how the file is read: encoding, delimiter, and where each column goes. */
export function tellMapping(stream: Writable, file: CsvFile, columns: string[]): void {
  const delimiter = file.delimiter === '\t' ? 'tab' : `"${file.delimiter}"`
  say(stream, `${count(file.rows.length, 'row')}, ${file.encoding}, cells parted by ${delimiter}`)
  const width = Math.min(40, Math.max(...file.headers.map((header) => header.length)))
  for (const [index, column] of columns.entries()) {
    say(stream, `  ${(file.headers[index] ?? '').padEnd(width)}  ${column}`)
  }
}

/** Shows the first rows as they would go in. */
export function tellSamples(stream: Writable, rows: GoodRow[]): void {
  for (const { row, body } of rows.slice(0, SAMPLES)) {
    say(stream, `line ${row.line} would go in as`)
    for (const [name, value] of Object.entries(body)) {
      // Terminals are looked at and recorded.
      const shown = name === 'password' ? '(given)' : value
      say(stream, `  ${name}: ${typeof shown === 'string' ? shown : JSON.stringify(shown)}`)
    }
  }
}

/** Shows the first bad rows, with line and reason. */
export function tellBadRows(stream: Writable, bad: BadRow[], errorsFile: string | undefined): void {
  for (const { row, problem } of bad.slice(0, SHOWN)) say(stream, `line ${row.line}: ${problem}`)
  if (bad.length <= SHOWN) return
  say(stream, `and ${count(bad.length - SHOWN, 'more bad row')}${errorsFile ? '' : ': --errors FILE writes them all'}`)
}

/** Bad rows as CSV, with line and reason before the columns of the file: mended, it can be imported as it is. */
export function badRowsAsCsv(file: CsvFile, bad: BadRow[]): string {
  const records = [
    ['import_line', 'import_problem', ...file.headers],
    ...bad.map(({ row, problem }) => [String(row.line), problem, ...row.cells]),
  ]
  return stringify(
    records.map((cells) => cells.map(escapeFormula)),
    { delimiter: file.delimiter },
  )
}
