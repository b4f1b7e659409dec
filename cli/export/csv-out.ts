import { Readable } from 'node:stream'
import { escapeFormula } from '@gatehouse/proto/formats/csv.ts'
import { stringify } from 'csv-stringify'
import { type OutTarget, writeOut } from './out.ts'

/** The destination and form of a CSV. */
export interface CsvTarget extends OutTarget {
  delimiter: string
  /** Begins with a byte order mark, by which spreadsheets recognize UTF-8. */
  bom?: boolean | undefined
}

/** Writes rows as they arrive. */
export async function writeCsv(rows: AsyncIterable<string[]>, target: CsvTarget, stop: AbortSignal): Promise<void> {
  const csv = stringify({ delimiter: target.delimiter, bom: target.bom ?? false })
  await writeOut([Readable.from(escaped(rows)), csv], target, stop)
}

async function* escaped(rows: AsyncIterable<string[]>): AsyncGenerator<string[]> {
  for await (const row of rows) yield row.map(escapeFormula)
}
