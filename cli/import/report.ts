import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { problemText } from '@gatehouse/imports/problem.ts'
import type { ImportableRow, ImportCounts, UnimportableRow } from '@gatehouse/imports/row-import.ts'
import type { MessageCode } from '@gatehouse/proto/declaring/messages.ts'
import { encodingLabel } from '@gatehouse/proto/formats/lists/encodings.ts'
import { escapeFormula } from '@gatehouse/proto/formats/lists/formulas.ts'
import type { ListSource } from '@gatehouse/proto/formats/lists/list.ts'
import type { ListForm } from '@gatehouse/proto/formats/lists/settings.ts'
import { stringify } from 'csv-stringify/sync'
import { count, say } from '../terminal.ts'

/** Bad rows that are shown; the file of bad rows has all. */
const SHOWN = 20
/** Rows that a dry run shows. */
export const SAMPLES = 3

/** What helps against the problem of a row. */
const HINTS: Partial<Record<MessageCode, string>> = {
  ambiguous_day: ': say with --dates dmy or --dates mdy which one',
  point_not_given: ': --point names one',
  check_in_without_point: ': --point names one',
  time_not_given: ': --at gives one',
}

/** What else was imported, or would be, in sentences. */
export function remarksOf(counts: ImportCounts, isDryRun: boolean): string[] {
  const { checkIns, checkInsThere, lackingTime, withoutRights, codeless } = counts
  const verb = isDryRun ? 'would be imported' : 'imported'
  const ticketsWere = count(lackingTime, 'ticket was', 'tickets were')
  const newCategories = count(withoutRights, 'new guest category', 'new guest categories')
  return [
    ...(checkIns + checkInsThere > 0
      ? [`${count(checkIns, 'check-in')} ${verb}, ${checkInsThere.toLocaleString('en')} already there`]
      : []),
    ...(lackingTime > 0 ? [`${ticketsWere} checked in, but the file does not say when: --at gives a time`] : []),
    ...(withoutRights > 0 ? [`${newCategories} may enter nowhere yet: give them rights`] : []),
    ...(codeless > 0
      ? [`${count(codeless, 'guest')} without a code in the file: printed tickets do not let them in`]
      : []),
  ]
}

/** Shows how the file is read: its form, what is odd about it, and the field of each column. */
export function printMapping(stream: Writable, file: ListSource, columns: string[]): void {
  say(stream, `${count(file.count, 'row')}, ${formWords(file)}`)
  for (const notice of file.notices) say(stream, `The file ${notice}`)
  const headers = file.headers.map((header, index) => header.replaceAll(/\s+/g, ' ') || `Column ${index + 1}`)
  const width = Math.min(40, Math.max(0, ...headers.map((header) => header.length)))
  for (const [index, column] of columns.entries()) say(stream, `  ${(headers[index] ?? '').padEnd(width)}  ${column}`)
}

function formWords({ text, workbook }: ListForm): string {
  if (!text) return `sheet ${workbook?.sheet}`
  const delimiter = text.delimiter === '\t' ? 'tab' : `"${text.delimiter}"`
  return `read as ${encodingLabel(text, 'en')}, cells separated by ${delimiter}`
}

/** Shows the first rows as they would be imported. */
export function printSamples(stream: Writable, rows: ImportableRow[]): void {
  for (const { row, body } of rows) {
    say(stream, `line ${row.line} would go in as`)
    for (const [name, value] of Object.entries(body)) {
      // Passwords do not belong on terminals.
      const shown = name === 'password' ? '(given)' : value
      say(stream, `  ${name}: ${typeof shown === 'string' ? shown : JSON.stringify(shown)}`)
    }
  }
}

/** What is odd about rows that were, or can be, imported: the first are shown. */
export class Warnings {
  #count = 0
  readonly #shown: string[] = []

  add(rows: readonly UnimportableRow[]): void {
    this.#count += rows.length
    for (const row of rows.slice(0, SHOWN - this.#shown.length)) this.#shown.push(lineOf(row))
  }

  print(stream: Writable): void {
    for (const line of this.#shown) say(stream, `Look at ${line}`)
    const more = this.#count - this.#shown.length
    if (more > 0) say(stream, `and at ${count(more, 'more line')}`)
  }
}

function lineOf({ row, problem }: UnimportableRow): string {
  return `line ${row.line}: ${problemText(problem, HINTS)}`
}

/** The bad rows of a file: the first are shown, all are written to a file if wanted. */
export class BadRows {
  count = 0
  readonly #form: ListForm
  readonly #path: string | undefined
  readonly #file: FileHandle | undefined
  readonly #shown: string[] = []

  private constructor(form: ListForm, path: string | undefined, file: FileHandle | undefined) {
    this.#form = form
    this.#path = path
    this.#file = file
  }

  /** Begins the CSV file, if wanted: line and reason come before the columns, so that it can be corrected and imported as it is. */
  static async open(form: ListForm, path: string | undefined): Promise<BadRows> {
    // Under another name until it is complete: it may replace the imported file.
    const file = path === undefined ? undefined : await open(partOf(path), 'w')
    const rows = new BadRows(form, path, file)
    await rows.#write([['import_line', 'import_problem', ...form.headers]])
    return rows
  }

  /** Adds rows, in the order of their lines. */
  async add(rows: UnimportableRow[]): Promise<void> {
    this.count += rows.length
    for (const row of rows.slice(0, SHOWN - this.#shown.length)) this.#shown.push(lineOf(row))
    await this.#write(rows.map(({ row, problem }) => [String(row.line), problemText(problem, HINTS), ...row.cells]))
  }

  /** Shows the first rows with line and reason, and moves the file to its place. */
  async print(stream: Writable): Promise<void> {
    for (const line of this.#shown) say(stream, line)
    const more = this.count - this.#shown.length
    if (more > 0) {
      say(stream, `and ${count(more, 'more bad row')}${this.#path ? '' : '; --errors FILE writes them all'}`)
    }
    if (this.#path !== undefined) await rename(partOf(this.#path), this.#path)
  }

  /** Deletes an incomplete file. */
  async close(): Promise<void> {
    if (this.#path === undefined) return
    await this.#file?.close()
    await rm(partOf(this.#path), { force: true })
  }

  async #write(records: string[][]): Promise<void> {
    if (!this.#file || records.length === 0) return
    const delimiter = this.#form.text?.delimiter ?? ','
    await this.#file.write(stringify(records, { delimiter, cast: { string: escapeFormula } }))
  }
}

function partOf(path: string): string {
  return `${path}.part`
}
