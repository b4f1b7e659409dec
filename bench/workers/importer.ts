import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { importGuests } from '../../cli/import-guests/command.ts'
import { captured } from '../../cli/testing/captured-terminal.ts'
import { guestOf } from '../documents.ts'
import { resultOf, serveJobs } from './worker.ts'

/* Runs `gatehouse import guests`. It is connected beforehand, so that the start of Node is not measured. */

/** The event to import into, and the number of guests. */
export interface ImportJob {
  worker: 'importer'
  event_id: string
  count: number
}

const columns = ['uid', 'first_name', 'last_name', 'email', 'company_name', 'position', 'rsvp_status'] as const
const { NATS_URL: servers = '', NAMESPACE: namespace = '' } = process.env
const bus = await connectBus({ servers, namespace, name: 'importer', log: makeLog('importer', 'silent') })

serveJobs(async ({ event_id, count }: ImportJob) => {
  const file = join(tmpdir(), `gatehouse-bench-${process.pid}.csv`)
  // The same guests that the driver stores; no value contains a comma.
  const rows = Array.from({ length: count }, (_, n) => guestOf(n, event_id, ''))
  await writeFile(file, [columns, ...rows.map((guest) => columns.map((name) => guest[name]))].join('\n'))
  const terminal = captured()
  const start = performance.now()
  const code = await importGuests(file, { event: event_id }, bus, terminal)
  const took = performance.now() - start
  await rm(file)
  if (code !== 0) throw new Error(`the command ended with ${code}: ${terminal.text.out}${terminal.text.err}`)
  return resultOf(count, took)
})
