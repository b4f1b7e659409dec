import { Writable } from 'node:stream'
import { type Bus, connectBus } from '@gatehouse/proto/bus/bus.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import type { Terminal } from '../cli/terminal.ts'
import type { LoadResult } from './load.ts'

/** Runs a command, in ms; throws with what it said when its exit code is not 0. */
export type Timed = (command: (bus: Bus, terminal: Terminal) => Promise<number>) => Promise<number>

/**
 * Makes this process a worker (worker.ts) that runs commands of `gatehouse`. It is already connected, so that starting Node is no part of
 * what is measured.
 */
export async function serveCommands<Job>(name: string, run: (job: Job, timed: Timed) => Promise<LoadResult>) {
  const { NATS_URL: natsUrl = '', NAMESPACE: namespace = '' } = process.env
  const bus = await connectBus({ servers: natsUrl, namespace, name, log: makeLog(name, 'silent') })
  const timed: Timed = async (command) => {
    const remarks: string[] = []
    const terminal = { out: remember(remarks), err: remember(remarks), stop: new AbortController().signal }
    const start = performance.now()
    const code = await command(bus, terminal)
    const took = performance.now() - start
    if (code !== 0) throw new Error(`it ended with ${code}: ${remarks.join('')}`)
    return took
  }
  process.on('message', (job: Job) => {
    run(job, timed).then(
      (result) => process.send?.({ result }),
      (error: Error) => process.send?.({ error: error.message }),
    )
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.({ ready: true })
}

function remember(lines: string[]): Writable {
  return new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk))
      done()
    },
  })
}
