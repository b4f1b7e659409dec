import { type ListRow, RowParser } from './rows.ts'

/** What separates the cells of texts. */
export const delimiters = [',', ';', '\t', '|'] as const

/** Characters that are read to find out the form of a file. */
export const FORM_CHARACTERS = 32_768
/** Rows that are looked at. */
const ROWS = 20
/** Excel's own first line, which gives the delimiter. */
const SEP_LINE = /^\s*"?sep=(.)"?[ ;,\t]*(\r\n|\r|\n)/i

/** How rows are separated into cells. */
export interface RowForm {
  delimiter: string
  /** Characters of Excel's first line, which is no row. */
  skipped: number
}

/** Where the header of a list is. */
export interface HeaderPlace {
  /** Its index among the rows; -1 if there is none. */
  index: number
  /** What stands above it. */
  above: ListRow[]
}

/** What a header means to whoever reads the list. */
export type IsKnown = (header: string) => boolean

/** The form of a text with this beginning: by `sep=`, by its header, by the number of cells of its rows. */
export function formOf(beginning: string, isWhole: boolean, isKnown: IsKnown, given?: string): RowForm {
  const sepLine = SEP_LINE.exec(beginning)
  const skipped = sepLine ? sepLine[0].length : 0
  if (given !== undefined) return { delimiter: given, skipped }
  if (sepLine) return { delimiter: sepLine[1] as string, skipped }
  let best = { delimiter: ',' as string, score: 0 }
  for (const delimiter of delimiters) {
    const score = scoreOf(firstRows(beginning, delimiter, isWhole), isKnown)
    if (score > best.score) best = { delimiter, score }
  }
  return { delimiter: best.delimiter, skipped }
}

/** The rows with which a text begins. */
export function firstRows(beginning: string, delimiter: string, isWhole: boolean): ListRow[] {
  const parser = new RowParser(delimiter)
  try {
    const rows = parser.push(beginning.slice(0, FORM_CHARACTERS))
    return isWhole ? [...rows, ...parser.end()] : rows
  } catch {
    // Reading all of it says where a quote is not closed; the rows before it tell the form.
    return rowsBefore(beginning, delimiter)
  }
}

function rowsBefore(beginning: string, delimiter: string): ListRow[] {
  const found: ListRow[] = []
  const parser = new RowParser(delimiter)
  try {
    for (const line of beginning.slice(0, FORM_CHARACTERS).split(/(?<=\n|\r(?!\n))/)) found.push(...parser.push(line))
  } catch {
    // As far as it goes.
  }
  return found
}

/** Known headers count most, then how many rows have the same number of cells, then that number. */
function scoreOf(rows: readonly ListRow[], isKnown: IsKnown): number {
  const known = Math.max(0, ...rows.slice(0, ROWS).map(({ cells }) => (cells.length > 1 ? knownIn(cells, isKnown) : 0)))
  const counts = new Map<number, number>()
  for (const { cells } of rows.slice(0, ROWS)) {
    if (cells.length > 1) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  }
  let usual: [number, number] = [0, 0]
  for (const [cells, times] of counts) if (times > usual[1]) usual = [cells, times]
  return known * 2 * ROWS + usual[1] + Math.min(usual[0], 50) / 100
}

function knownIn(cells: readonly string[], isKnown: IsKnown): number {
  return cells.filter((cell) => cell !== '' && isKnown(cell)).length
}

/**
 * Finds the header: the first row, unless a row below it names more columns. What stands above is a title, or a second line of headers. A first row
 * with an e-mail address and without any known header is no header.
 */
export function headerPlace(rows: readonly ListRow[], isKnown: IsKnown): HeaderPlace {
  const first = rows[0]
  if (!first) return { index: 0, above: [] }
  const known = knownIn(first.cells, isKnown)
  const widest = Math.max(...rows.slice(0, ROWS).map(({ cells }) => cells.length))
  let best = { index: 0, known }
  for (const [index, { cells }] of rows.slice(0, ROWS).entries()) {
    if (cells.some((cell) => cell.includes('@'))) break
    const found = knownIn(cells, isKnown)
    const filled = cells.filter((cell) => cell !== '').length
    const names = found * 2 >= filled && found >= Math.min(2, widest)
    if (names && found > best.known + (best.known > 0 ? 1 : 0)) best = { index, known: found }
  }
  if (best.known === 0 && first.cells.some((cell) => cell.includes('@'))) return { index: -1, above: [] }
  return { index: best.index, above: rows.slice(0, best.index) }
}
