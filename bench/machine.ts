import { availableParallelism, cpus, totalmem } from 'node:os'

/** What a result was measured on, and how it was asked for. */
export interface Provenance {
  at: string
  machine: string
  node: string
  command: string
}

/** Of this process, now. */
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
