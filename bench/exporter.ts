import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { exportEvent } from '../cli/export/command.ts'
import { serveCommands } from './commands.ts'

/* Runs `gatehouse export guests`. */

/** The event to export. */
export interface Export {
  event_id: string
}

await serveCommands<Export>('exporter', async ({ event_id }, timed) => {
  const out = join(tmpdir(), `gatehouse-bench-${process.pid}.csv`)
  const took = await timed((bus, terminal) => exportEvent('guests', { event: event_id, out }, bus, terminal))
  const requests = await linesOf(out)
  await rm(out)
  return { requests, seconds: took / 1_000, latencies: [took], statuses: {} }
})

/** Counts the lines below the header. No guest of the bench contains a line break, so that is the number of guests. */
async function linesOf(file: string): Promise<number> {
  let lines = -1
  for await (const _line of createInterface({ input: createReadStream(file) })) lines++
  return lines
}
