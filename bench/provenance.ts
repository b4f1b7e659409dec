import { availableParallelism, cpus, totalmem } from 'node:os'

/** When, where and how the results of this process were measured. */
export interface Provenance {
  at: string
  machine: string
  node: string
  command: string
}

/** The provenance of results that `npm run <script>` measures. */
export function provenanceOf(script: string): Provenance {
  const memory = Math.round(totalmem() / 1024 ** 3)
  return {
    at: new Date().toISOString(),
    machine: `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, ${memory} GiB`,
    node: process.version,
    command: [`npm run ${script} --`, ...process.argv.slice(2)].join(' '),
  }
}
