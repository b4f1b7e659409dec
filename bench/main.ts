import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { percent } from './figures.ts'
import { GROWTH_SIZES, measureGrowth } from './growth.ts'
import { plotGrowth } from './growth-plot.ts'
import { provenance } from './machine.ts'
import { printMemory, printTable, printVerdicts, rowsOf } from './report.ts'
import { makeWorld, measureAll, select } from './rounds.ts'
import { printSoak, soak } from './soak.ts'
import { RESULTS, say, startStage } from './stage.ts'
import { judge, type Verdict } from './targets.ts'
import { memoryOf, watchStolen } from './usage.ts'
import type { Stopping } from './world.ts'

/* `npm run bench`: everything that bench/README.md describes. */

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    guests: { type: 'string', default: '100000' },
    only: { type: 'string', multiple: true, default: [] },
    profile: { type: 'string', multiple: true, default: [] },
    'open-seconds': { type: 'string', default: '60' },
    counters: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    soak: { type: 'string' },
    growth: { type: 'boolean', default: false },
    sizes: { type: 'string', default: GROWTH_SIZES.join(',') },
    rate: { type: 'string', default: '1500' },
  },
})
const seconds = Number(values.seconds)
const rounds = Number(values.rounds)
const guests = Number(values.guests)
const growthSvg = join(import.meta.dirname, '..', 'docs', 'growth.svg')

const stopping: Stopping = []
let ending: Promise<void> | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void end().finally(() => process.exit(1)))
try {
  const verdicts = await (values.growth ? growth() : values.soak ? soaking(Number(values.soak)) : bench())
  printVerdicts(verdicts)
  if (values.check && verdicts.some(({ held }) => !held)) process.exitCode = 1
} finally {
  await end()
}

/** Ends what was started, the latest first. Who calls it while that goes on waits for the same. */
function end(): Promise<void> {
  ending ??= (async () => {
    for (const stop of stopping.reverse()) await stop()
  })()
  return ending
}

async function bench(): Promise<Verdict[]> {
  const chosen = select(values.only)
  const stage = await startStage(new Set(chosen.flatMap(({ processes }) => processes)), values.profile, stopping)
  const world = await makeWorld(stage, guests)
  const lengths = { seconds, rounds, openSeconds: Number(values['open-seconds']), counters: values.counters }
  const stolen = watchStolen()
  const samples = await measureAll(chosen, stage, world, lengths)
  const rows = rowsOf(chosen, samples)
  const memory = memoryOf(stage.pids)
  const verdicts = judge(samples, memory)
  printTable(rows)
  printMemory(memory)
  await write('latest', { ...lengths, guests, cases: rows, memory, stolen: stolen(), verdicts })
  say(`${percent(stolen())} of the machine's time went to others on its host`)
  return verdicts
}

async function soaking(length: number): Promise<Verdict[]> {
  const stage = await startStage(new Set(), values.profile, stopping)
  const result = await soak(stage, await makeWorld(stage, guests), length)
  printSoak(result)
  await write('soak', { guests, ...result })
  return result.verdicts
}

async function growth(): Promise<Verdict[]> {
  const sizes = values.sizes.split(',').map(Number)
  const stage = await startStage(new Set(), values.profile, stopping)
  const result = await measureGrowth(stage, { sizes, seconds, rounds, rate: Number(values.rate) })
  await write('growth', result)
  // The picture in the documents is of the sizes that it speaks of.
  const picture = values.sizes === GROWTH_SIZES.join(',') ? growthSvg : join(RESULTS, 'growth.svg')
  await writeFile(picture, plotGrowth(result))
  say(`drawn in ${picture}`)
  return result.verdicts
}

async function write(name: string, result: object): Promise<void> {
  await mkdir(RESULTS, { recursive: true })
  await writeFile(join(RESULTS, `${name}.json`), `${JSON.stringify({ ...provenance(), ...result }, null, 2)}\n`)
  say(`written to bench/results/${name}.json`)
}
