import { availableParallelism, cpus, totalmem } from 'node:os'

/** When, where and how a result was measured. */
interface Provenance {
  at: string
  machine: string
  node: string
  command: string
}

/** The provenance of a result of this process. */
export function provenance(): Provenance {
  const model = cpus()[0]?.model ?? 'unknown processor'
  const memory = Math.round(totalmem() / 1024 ** 3)
  return {
    at: new Date().toISOString(),
    machine: `${model}, ${availableParallelism()} cores, ${memory} GiB`,
    node: process.version,
    command: ['npm run bench --', ...process.argv.slice(2)].join(' '),
  }
}
