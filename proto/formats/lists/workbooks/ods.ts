import type { ListSettings } from '../settings.ts'
import type { Archive } from './archive.ts'
import { chosenOf, type Sheet, SheetRows } from './sheets.ts'

/** A number that its cell shows rounded. */
const ROUNDED = /^-?\d([.,]\d+)?E[+-]?\d+$/i

/** Reads a table of an OpenDocument spreadsheet: each cell as it shows. */
export async function readOds(archive: Archive, { sheet: wanted, limits }: ListSettings): Promise<Sheet> {
  const names: string[] = []
  await archive.read('content.xml', {
    open(name, attribute) {
      if (name === 'table') names.push(attribute('name') ?? '')
    },
  })
  const chosen = chosenOf(
    names.map((name, index) => ({ name, index })),
    wanted,
  )
  const rows = new SheetRows(limits)
  await archive.read('content.xml', tableReader(chosen.index, rows))
  return { name: chosen.name, names, rows: rows.rows }
}

function tableReader(wanted: number, rows: SheetRows): Parameters<Archive['read']>[1] {
  let table = -1
  let line = 1
  let rowTimes = 1
  let column = 0
  let cellTimes = 1
  let value: string | undefined
  let text = ''
  let paragraphs = 0
  /** How deep within a comment, whose text the cell does not show. */
  let comment = 0
  const end = (): void => {
    const exact = value !== undefined && (text === '' || ROUNDED.test(text)) ? value : text
    if (exact !== '') for (let nth = 0; nth < cellTimes; nth++) rows.set(column + nth, exact)
    column += cellTimes
  }
  return {
    open(name, attribute) {
      if (name === 'table') table++
      if (table !== wanted) return
      if (name === 'annotation' || comment > 0) comment++
      if (comment > 0) return
      if (name === 'table-row') {
        rowTimes = timesOf(attribute('number-rows-repeated'))
        column = 0
      } else if (name === 'table-cell' || name === 'covered-table-cell') {
        cellTimes = timesOf(attribute('number-columns-repeated'))
        value = attribute('value')
        text = ''
        paragraphs = 0
      } else if (name === 'p') text += paragraphs++ > 0 ? '\n' : ''
      else if (name === 's') text += ' '.repeat(Math.min(1_000, timesOf(attribute('c'))))
      else if (name === 'tab') text += '\t'
      else if (name === 'line-break') text += '\n'
    },
    text(part) {
      if (table === wanted && comment === 0 && paragraphs > 0) text += part
    },
    close(name) {
      if (table !== wanted) return
      if (comment > 0) comment--
      else if (name === 'table-cell' || name === 'covered-table-cell') end()
      else if (name === 'table-row') {
        rows.end(line, rowTimes)
        line += rowTimes
      }
    },
  }
}

function timesOf(given: string | undefined): number {
  return Math.min(1_048_576, Math.max(1, Math.floor(Number(given)) || 1))
}
