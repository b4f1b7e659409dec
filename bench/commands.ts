import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import type { Terminal } from '../cli/terminal.ts'
import { captured } from '../cli/testing/captured-terminal.ts'
import type { LoadResult } from './load.ts'
import { serveJobs } from './serve-jobs.ts'

/** Runs a command and gives its duration in ms. Throws with the command's output if its exit code is not 0. */
type Timed = (command: (bus: Bus, terminal: Terminal) => Promise<number>) => Promise<number>

/**
 * Makes this process a worker (worker.ts) that runs commands of `gatehouse`. It is connected beforehand, so that the start of Node is not
 * measured.
 */
export async function serveCommands<Job>(name: string, run: (job: Job, timed: Timed) => Promise<LoadResult>) {
  const { NATS_URL: natsUrl = '', NAMESPACE: namespace = '' } = process.env
  const bus = await connectBus({ servers: natsUrl, namespace, name, log: makeLog(name, 'silent') })
  const timed: Timed = async (command) => {
    const terminal = captured()
    const start = performance.now()
    const code = await command(bus, terminal)
    const took = performance.now() - start
    if (code !== 0) throw new Error(`the command ended with ${code}: ${terminal.text.out}${terminal.text.err}`)
    return took
  }
  serveJobs<Job>((job) => run(job, timed))
}
