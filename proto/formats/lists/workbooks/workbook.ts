import { messageOf } from '../../../declaring/messages.ts'
import { refusedFile } from '../rows.ts'
import type { ListSettings, Table } from '../settings.ts'
import { inTurns } from '../slices.ts'
import { Archive } from './archive.ts'
import { readOds } from './ods.ts'
import type { Sheet } from './sheets.ts'
import { readXlsx } from './xlsx.ts'

/** Files by which other archives are known. */
const OTHERS: [string, string][] = [
  ['xl/workbook.bin', '.xlsb'],
  ['Index/Document.iwa', '.numbers'],
  ['Index.zip', '.numbers'],
]

/** The rows of a workbook. */
export async function workbookTable(bytes: Uint8Array, settings: ListSettings): Promise<Table> {
  const { slice = inTurns, limits } = settings
  const sheet = await sheetOf(await Archive.open(bytes, slice, limits?.unpackedBytes), settings)
  const { name, names, rows } = sheet
  const isChoice = names.length > 1 && settings.sheet === undefined
  return {
    workbook: { sheet: name, sheets: names },
    first: rows.slice(0, 100),
    notices: isChoice ? [messageOf('several_sheets', { name, names: names.join(', ') })] : [],
    async *rows() {
      for (let at = 0; at < rows.length; at += 500) yield await slice(() => rows.slice(at, at + 500))
    },
  }
}

async function sheetOf(archive: Archive, settings: ListSettings): Promise<Sheet> {
  if (archive.has('xl/workbook.xml')) return readXlsx(archive, settings)
  const other = OTHERS.find(([file]) => archive.has(file))
  if (other) throw refusedFile(messageOf('unsupported_file', { kind: other[1] }))
  if (archive.has('content.xml')) return readOds(archive, settings)
  throw refusedFile(messageOf('not_a_list', { kind: 'zip' }))
}
