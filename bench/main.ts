import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Command, numberFrom, Option, runCommand } from '@gatehouse/proto/process/command.ts'
import { judgeAttacks, measureAttacks, readAttack } from './attacks.ts'
import { percent } from './figures.ts'
import { GROWTH_SIZES, measureGrowth, readSizes } from './growth.ts'
import { plotGrowth } from './growth-plot.ts'
import { provenance } from './machine.ts'
import { printMemory, printTable, printVerdicts, rowsOf, type TargetResult } from './report.ts'
import { makeWorld, measureAll, readOnly, select } from './rounds.ts'
import { printSizing } from './sizing.ts'
import { printSoak, soak } from './soak.ts'
import { RESULTS, say, startStage } from './stage.ts'
import { judge } from './targets.ts'
import { measureTelemetry, printTelemetry } from './telemetry.ts'
import { memoryOf, watchStolen } from './usage.ts'
import { PROCESSES, type Stopping } from './world.ts'

/* `npm run bench`: everything that bench/README.md describes. */

interface BenchOptions {
  seconds: number
  rounds: number
  guests: number
  only: string[]
  profile: string[]
  openSeconds: number
  counters: boolean
  check: boolean
  soak?: number
  /** The names of attacks; `true` means all. */
  attacks?: string[] | true
  growth: boolean
  telemetry: boolean
  sizes: number[]
  rate: number
}

const atLeastOne = numberFrom(1)
const command = new Command('npm run bench --')
  .description('Measures the speed of the system and compares it with floors and peers; see bench/README.md')
  .option('--seconds <number>', 'seconds of each case in a round', atLeastOne, 3)
  .option('--rounds <number>', 'measurements of each case', atLeastOne, 3)
  .option('--guests <number>', 'guests of the event', atLeastOne, 100_000)
  .option('--only <what...>', 'groups or names of cases to measure', readOnly, [])
  .addOption(
    new Option('--profile <process...>', 'write a CPU profile of these processes to bench/results')
      .choices(PROCESSES)
      .default([], 'none'),
  )
  .option('--open-seconds <number>', 'seconds of each case of the open loop', atLeastOne, 60)
  .option('--counters', 'count what 1,000 requests cost NATS and Redis', false)
  .option('--check', 'exit with 1 if a target is missed', false)
  .option('--soak <seconds>', 'measure one long run at 70 % of capacity', atLeastOne)
  .option('--attacks [names...]', 'measure check-ins during all attacks, or during these', readAttack)
  .option('--telemetry', 'measure what telemetry costs, off and on', false)
  .option('--growth', 'measure events of growing size', false)
  .option('--sizes <list>', 'numbers of guests of the events of --growth', readSizes, GROWTH_SIZES)
  .option('--rate <number>', 'check-ins a second of --growth', atLeastOne, 1_500)
await runCommand(command)
const values = command.opts<BenchOptions>()
const { seconds, rounds, guests } = values
const growthSvg = join(import.meta.dirname, '..', 'docs', 'growth.svg')

const stopping: Stopping = []
let ending: Promise<void> | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void end().finally(() => process.exit(1)))
try {
  const verdicts = await chosenBench()
  printVerdicts(verdicts)
  if (values.check && verdicts.some(({ held }) => !held)) process.exitCode = 1
} finally {
  await end()
}

/** Stops all that was started, in reverse order. A second call waits for the first. */
function end(): Promise<void> {
  ending ??= (async () => {
    for (const stop of stopping.reverse()) await stop()
  })()
  return ending
}

function chosenBench(): Promise<TargetResult[]> {
  if (values.growth) return growth()
  if (values.telemetry) return telemetry()
  if (values.attacks) return attacks(values.attacks === true ? undefined : values.attacks)
  return values.soak ? soaking(values.soak) : bench()
}

async function attacks(names?: string[]): Promise<TargetResult[]> {
  const stage = await startStage(new Set(['leads', 'receiver']), values.profile, stopping, {
    gateway: { rate_limits: 'on' },
  })
  const felt = await measureAttacks(stage, await makeWorld(stage, guests), { seconds, rounds, names })
  await write('attacks', { seconds, rounds, guests, felt })
  return judgeAttacks(felt)
}

async function bench(): Promise<TargetResult[]> {
  const chosen = select(values.only)
  const stage = await startStage(new Set(chosen.flatMap(({ processes }) => processes)), values.profile, stopping)
  const world = await makeWorld(stage, guests)
  const lengths = { seconds, rounds, openSeconds: values.openSeconds, counters: values.counters }
  const stolen = watchStolen()
  const samples = await measureAll(chosen, stage, world, lengths)
  const rows = rowsOf(chosen, samples)
  const memory = memoryOf(stage.pids)
  const verdicts = judge(samples, memory)
  printTable(rows)
  printMemory(memory)
  await write('latest', { ...lengths, guests, cases: rows, memory, stolen: stolen(), verdicts })
  say(`the host gave ${percent(stolen())} of the machine's time to others`)
  return verdicts
}

async function soaking(length: number): Promise<TargetResult[]> {
  const stage = await startStage(new Set(), values.profile, stopping)
  const result = await soak(stage, await makeWorld(stage, guests), length)
  printSoak(result)
  await write('soak', { guests, ...result })
  return result.verdicts
}

async function telemetry(): Promise<TargetResult[]> {
  const stage = await startStage(new Set(['receiver']), values.profile, stopping)
  const result = await measureTelemetry(stage, stopping, { seconds, rounds, guests })
  printTelemetry(result)
  await write('telemetry', { seconds, rounds, guests, ...result })
  return result.verdicts
}

async function growth(): Promise<TargetResult[]> {
  const { sizes } = values
  const stage = await startStage(new Set(), values.profile, stopping)
  const result = await measureGrowth(stage, { sizes, seconds, rounds, rate: values.rate })
  printSizing(result)
  await write('growth', result)
  // The picture in the docs shows the standard sizes.
  const picture = `${sizes}` === `${GROWTH_SIZES}` ? growthSvg : join(RESULTS, 'growth.svg')
  await writeFile(picture, plotGrowth(result))
  say(`picture written to ${picture}`)
  return result.verdicts
}

async function write(name: string, result: object): Promise<void> {
  await mkdir(RESULTS, { recursive: true })
  await writeFile(join(RESULTS, `${name}.json`), `${JSON.stringify({ ...provenance(), ...result }, null, 2)}\n`)
  say(`written to bench/results/${name}.json`)
}
