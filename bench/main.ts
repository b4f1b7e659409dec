import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command, numberFrom, Option, runCommand } from '@gatehouse/proto/process/command.ts'
import { interruptible } from '@gatehouse/proto/process/interruption.ts'
import { inPhase } from '@gatehouse/test/load/phases.ts'
import { memoryOf } from '@gatehouse/test/load/processes.ts'
import { type Environment, PROCESSES, RESULTS, startEnvironment } from './environment.ts'
import { hopsOf, printHops, probing } from './hops/hops.ts'
import { provenanceOf } from './provenance.ts'
import { printMemory, printResults, printTable, rowsOf } from './report.ts'
import { measureAll, readOnly, select } from './rounds.ts'
import { judge } from './targets.ts'

/* `npm run bench`: everything that bench/README.md describes. */

const STARTING_MS = 180_000
const atLeastOne = numberFrom(1)
const command = new Command('npm run bench --')
  .description('Measures the speed of the system and compares it with peers that do the same work; see bench/README.md')
  .option('--seconds <number>', 'seconds of each case in a round', atLeastOne, 3)
  .option('--rounds <number>', 'measurements of each case', atLeastOne, 3)
  .option('--guests <number>', 'guests of the event', atLeastOne, 100_000)
  .option(
    '--migrated <number>',
    'guests that are taken over from another system, with three check-ins each',
    atLeastOne,
    20_000,
  )
  .option('--only <what...>', 'groups or names of cases to measure', readOnly, [])
  .addOption(
    new Option('--profile <process...>', 'write a CPU profile of these processes to bench/results')
      .choices(PROCESSES)
      .default([], 'none'),
  )
  .option('--hops', 'print where a check-in alone spends its time (--only alone)', false)
  .option('--check', 'exit with 1 if a target is missed', false)
await runCommand(command)
const { seconds, rounds, guests, migrated, only, profile, hops, check } = command.opts<{
  seconds: number
  rounds: number
  guests: number
  migrated: number
  only: string[]
  profile: string[]
  hops: boolean
  check: boolean
}>()

const folder = hops ? mkdtempSync(join(tmpdir(), 'gatehouse-hops-')) : undefined
// The stores have users of their own.
if (folder) chmodSync(folder, 0o777)
const probes = folder ? probing(folder) : undefined
// That of the stores and of the load generator.
Object.assign(process.env, probes)

const interruption = interruptible(say)
const { signal } = interruption
const stopping: (() => unknown)[] = []
let measured: Environment | undefined
let exitCode = 0
try {
  const ended = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => ended.reject(signal.reason))
  exitCode = await Promise.race([bench(), ended.promise])
} catch (error) {
  say(`FAILED: ${(error as Error).stack}`)
  exitCode = 1
} finally {
  for (const stop of stopping.reverse()) await stop()
  if (folder && measured) printHops(hopsOf(folder, measured))
  if (folder) rmSync(folder, { recursive: true })
}
process.exit(interruption.exitCode ?? exitCode)

/** Measures, prints and writes all; returns the exit code. */
async function bench(): Promise<number> {
  const chosen = select(only)
  const needed = new Set(chosen.flatMap(({ processes }) => processes))
  const environment = await inPhase('starting', STARTING_MS, { say, interrupted: signal }, (phase) =>
    startEnvironment({ needed, guests, migrated, profiled: profile, settings: probes, phase, say, stopping }),
  )
  measured = environment
  const samples = await measureAll(chosen, environment, { seconds, rounds, say })
  const rows = rowsOf(chosen, samples)
  const memory = memoryOf(environment.pidsOf())
  const results = judge(samples, memory)
  printTable(rows)
  printMemory(memory)
  printResults(results)
  const report = { ...provenanceOf('bench'), seconds, rounds, guests, migrated, cases: rows, memory, results }
  await writeFile(join(RESULTS, 'latest.json'), `${JSON.stringify(report, null, 2)}\n`)
  say('written to bench/results/latest.json')
  return check && results.some(({ isMet }) => !isMet) ? 1 : 0
}

/** Prints a line of progress on stderr. */
function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
