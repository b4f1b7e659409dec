import { guessDelimiter } from '@gatehouse/proto/formats/delimiters.ts'
import type { UnparseConfig } from 'papaparse'
import { hashOf } from './hash.ts'

/** A file as it was read: its header, and rows with the lines of the file where they begin. */
export interface ImportFile {
  /** Of its bytes: the same file again has the same one. */
  digest: string
  header: string[]
  rows: { line: number; cells: string[] }[]
}

/** Spreadsheets run no cell as a formula. */
const WRITING: UnparseConfig = { escapeFormulae: true }
const LINE_ENDS = /\r\n|\n|\r/g
export const CSV = 'text/csv;charset=utf-8'

/** Reads a file: UTF-8, else windows-1252; separated by commas, semicolons or tabs. Rows without a cell are left out. */
export async function readCsv(file: File): Promise<ImportFile> {
  const { default: papa } = await import('papaparse')
  const bytes = new Uint8Array(await file.arrayBuffer())
  const text = decode(bytes)
  const all: ImportFile['rows'] = []
  let line = 1
  let start = 0
  papa.parse<string[]>(text, {
    // Its own guess needs ten rows where there are two columns.
    delimiter: guessDelimiter(text),
    step: ({ data, meta }) => {
      all.push({ line, cells: data.map((cell) => cell.trim()) })
      // Cells may have line breaks.
      line += text.slice(start, meta.cursor).match(LINE_ENDS)?.length ?? 0
      start = meta.cursor
    },
  })
  const [first, ...others] = all
  const rows = others.filter(({ cells }) => cells.some((cell) => cell !== ''))
  return { digest: await hashOf(bytes), header: first?.cells ?? [], rows }
}

/** Rows as text of a CSV file. */
export async function csvOf(rows: readonly (readonly unknown[])[]): Promise<string> {
  const { default: papa } = await import('papaparse')
  return `${papa.unparse(rows as unknown[][], WRITING)}\r\n`
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
