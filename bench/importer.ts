import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importGuests } from '../cli/import-guests/command.ts'
import { serveCommands } from './commands.ts'
import { guestOf } from './documents.ts'

/* Runs `gatehouse import guests`. */

/** The event to import into, and the number of guests. */
export interface Import {
  event_id: string
  count: number
}

const columns = ['uid', 'first_name', 'last_name', 'email', 'company_name', 'position', 'rsvp_status'] as const

await serveCommands<Import>('importer', async ({ event_id, count }, timed) => {
  const file = join(tmpdir(), `gatehouse-bench-${process.pid}.csv`)
  // The same guests that the driver stores; no value contains a comma.
  const rows = Array.from({ length: count }, (_, n) => guestOf(n, event_id, '', 0))
  await writeFile(file, [columns, ...rows.map((guest) => columns.map((name) => guest[name]))].join('\n'))
  const took = await timed((bus, terminal) => importGuests(file, { event: event_id }, bus, terminal))
  await rm(file)
  return { requests: count, seconds: took / 1_000, latencies: [took], statuses: {} }
})
