import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { connectBus } from '@gatehouse/proto/bus.ts'
import { makeLog } from '@gatehouse/proto/log.ts'
import { exportEvent } from '../cli/export/command.ts'
import type { LoadResult } from './load.ts'

/* `gatehouse export guests`, in a process of its own that is already connected, so that starting Node is not part of it. */

/** Which event. */
export interface Export {
  event_id: string
}

const { NATS_URL: natsUrl = '', NAMESPACE: namespace = '' } = process.env
const bus = await connectBus({ servers: natsUrl, namespace, name: 'exporter', log: makeLog('exporter', 'silent') })
process.on('message', (job: Export) => {
  run(job).then(
    (result) => process.send?.({ result }),
    (error: Error) => process.send?.({ error: error.message }),
  )
})
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })

async function run({ event_id }: Export): Promise<LoadResult> {
  const out = join(tmpdir(), `gatehouse-bench-${process.pid}.csv`)
  const remarks: string[] = []
  const terminal = { out: remember(remarks), err: remember(remarks), stop: new AbortController().signal }
  const start = performance.now()
  const code = await exportEvent('guests', { event: event_id, out }, bus, terminal)
  const took = performance.now() - start
  if (code !== 0) throw new Error(`the export ended with ${code}: ${remarks.join('')}`)
  const requests = await linesOf(out)
  await rm(out)
  return { requests, seconds: took / 1_000, latencies: [took], statuses: {} }
}

function remember(lines: string[]): Writable {
  return new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk))
      done()
    },
  })
}

/** Lines below the header: no guest of the bench has a line break in it. */
async function linesOf(file: string): Promise<number> {
  let lines = -1
  for await (const _line of createInterface({ input: createReadStream(file) })) lines++
  return lines
}
