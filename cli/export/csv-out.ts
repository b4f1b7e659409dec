import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { escapeFormula } from '@gatehouse/proto/formats/csv.ts'
import { stringify } from 'csv-stringify'

/** The destination and form of a CSV. */
export interface CsvTarget {
  /** A file, which appears only when it is complete; default: `stream`. */
  file?: string | undefined
  stream: Writable
  delimiter: string
  /** Begins with a byte order mark, by which spreadsheets recognize UTF-8. */
  bom?: boolean | undefined
}

/** Writes rows as they arrive; ends quietly when the reader closes the pipe (`| head`). */
export async function writeCsv(rows: AsyncIterable<string[]>, target: CsvTarget, stop: AbortSignal): Promise<void> {
  const csv = stringify({ delimiter: target.delimiter, bom: target.bom ?? false })
  const safe = Readable.from(escaped(rows))
  if (target.file === undefined) {
    try {
      await pipeline(safe, csv, target.stream, { end: false, signal: stop })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
    }
    return
  }
  const unfinished = `${target.file}.part`
  try {
    await pipeline(safe, csv, createWriteStream(unfinished), { signal: stop })
    await rename(unfinished, target.file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

async function* escaped(rows: AsyncIterable<string[]>): AsyncGenerator<string[]> {
  for await (const row of rows) yield row.map(escapeFormula)
}
