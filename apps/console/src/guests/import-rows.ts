import type { Item } from '../server/server.ts'
import type { ConsoleSay } from '../texts/words.ts'
import type { Meaning } from './columns.ts'
import type { ImportFile } from './csv.ts'

/** A row which can be sent. */
export interface ImportRow {
  line: number
  cells: string[]
  body: Item
}

/** A row which is not imported, and why. */
export interface SkippedRow {
  line: number
  cells: string[]
  problem: string
}

/** The rows of a file as guests, and those which cannot be. `categories` are names and ids by id. */
export function rowsOf(
  { header, rows }: ImportFile,
  meanings: readonly Meaning[],
  categories: ReadonlyMap<string, string>,
  category: string,
  say: ConsoleSay,
): { good: ImportRow[]; bad: SkippedRow[] } {
  const ids = new Map(
    [...categories].flatMap(
      ([id, name]) =>
        [
          [id, id],
          [name.toLowerCase(), id],
        ] as const,
    ),
  )
  const good: ImportRow[] = []
  const bad: SkippedRow[] = []
  for (const { line, cells } of rows) {
    const { length } = cells
    if (length !== header.length) {
      bad.push({ line, cells, problem: say('import_cells', { found: length, wanted: header.length }) })
      continue
    }
    const { guest_category = '', ...body } = bodyOf(header, meanings, cells)
    const named = String(guest_category)
    const guest_category_id = named === '' ? category : (ids.get(named) ?? ids.get(named.toLowerCase()))
    if (guest_category_id) good.push({ line, cells, body: { ...body, guest_category_id } })
    else bad.push({ line, cells, problem: say('import_no_category', { name: named }) })
  }
  return { good, bad }
}

function bodyOf(header: readonly string[], meanings: readonly Meaning[], cells: readonly string[]): Item {
  const body: Item = {}
  const metadata: { name: string; value: string }[] = []
  for (const [index, cell] of cells.entries()) {
    const meaning = meanings[index]
    if (cell === '' || meaning === undefined || meaning === 'none') continue
    if (meaning === 'metadata') metadata.push({ name: header[index] || String(index + 1), value: cell })
    else body[meaning] = cell
  }
  return metadata.length > 0 ? { ...body, guest_metadata: metadata } : body
}
