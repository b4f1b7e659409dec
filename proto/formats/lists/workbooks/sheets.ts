import { Fault } from '../../../declaring/faults.ts'
import { messageOf } from '../../../declaring/messages.ts'
import { type ListLimits, type ListRow, refusedFile, rowOf } from '../rows.ts'

/** Rows that may stand above a header. */
const ABOVE = 20
/** The most columns that a spreadsheet has. */
const COLUMNS = 16_384

/** A sheet of a workbook with its rows. */
export interface Sheet {
  name: string
  /** The names of all. */
  names: string[]
  rows: ListRow[]
}

/** Collects the cells of a sheet as they are read, row by row. */
export class SheetRows {
  readonly rows: ListRow[] = []
  readonly #limits: ListLimits | undefined
  #cells: string[] = []

  constructor(limits: ListLimits | undefined) {
    this.#limits = limits
  }

  /** Puts a text into a column, from 0. */
  set(column: number, text: string): void {
    const limit = Math.min(COLUMNS, this.#limits?.columns ?? COLUMNS)
    if (column >= limit) throw refusedFile(messageOf('too_many_columns', { limit, line: this.rows.length + 1 }))
    while (this.#cells.length < column) this.#cells.push('')
    this.#cells[column] = text
  }

  /** Ends a row, which stands in so many lines of the sheet. */
  end(line: number, times = 1): void {
    const row = this.#cells.length > 0 ? rowOf(line, this.#cells, this.#limits) : undefined
    this.#cells = []
    if (!row) return
    const most = this.#limits?.rows ?? Number.POSITIVE_INFINITY
    for (let nth = 0; nth < times; nth++) {
      if (this.rows.length > most + ABOVE) throw new Fault('too_large', `A file may have at most ${most} rows`)
      this.rows.push({ line: line + nth, cells: row.cells })
    }
  }
}

/** The sheet that is wanted by its name; by default the first one. */
export function chosenOf<T extends { name: string }>(sheets: readonly T[], wanted: string | undefined): T {
  const [first] = sheets
  const found = wanted === undefined ? first : sheets.find(({ name }) => folded(name) === folded(wanted))
  if (found) return found
  if (!first) throw refusedFile(messageOf('empty'))
  throw refusedFile(
    messageOf('unknown_sheet', { name: wanted ?? '', names: sheets.map(({ name }) => name).join(', ') }),
  )
}

function folded(name: string): string {
  return name.trim().normalize('NFKC').toLowerCase()
}
