import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startStack } from '@gatehouse/local/stack'
import { type Process, startProcess } from '@gatehouse/test/process.ts'
import { type Case, cases } from './cases.ts'
import type { Work } from './driver.ts'
import type { LoadResult } from './load.ts'
import { printMemory, printTable, type Row, rowsOf, type Sample } from './report.ts'
import type { Job } from './requests.ts'
import { cpuOf, peakMemoryOf } from './usage.ts'
import { startWorker, type Worker } from './worker.ts'
import { type Stopping, startWorld, type World } from './world.ts'

/* `npm run bench`: everything that bench/README.md describes, in rounds, so that a machine's moods hit all cases alike. */

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    guests: { type: 'string', default: '100000' },
    only: { type: 'string', multiple: true, default: [] },
    profile: { type: 'string', multiple: true, default: [] },
  },
})
const seconds = Number(values.seconds)
const rounds = Number(values.rounds)
const WARM_UP_SECONDS = 1
/** Scans of one run stay below this number. */
const RUN_APART = 10_000_000

const chosen = select(values.only)
const stopping: Stopping = []
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void end().finally(() => process.exit(1)))
try {
  await bench()
} finally {
  await end()
}

/** Ends what was started, the latest first. */
async function end(): Promise<void> {
  for (const stop of stopping.splice(0).reverse()) await stop()
}

async function bench(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'))
  const stack = await startStack({ dataDir, throwAway: true, log: () => {} })
  stopping.push(() => stack.stop())
  say('preparing')
  const world = await startWorld(stack, Number(values.guests), profiling(values.profile), stopping)
  const { urls, processes } = await startContenders(stack.natsUrl, world.namespace)
  const load = await startWorker<Job>('load.ts')
  stopping.push(() => load.stop())
  const driver = await startWorker<Work>('driver.ts', { args: [stack.mongodbUrl, world.namespace], announces: true })
  stopping.push(() => driver.stop())
  const own = { ...world.processes, ...processes }
  const pids = {
    ...stack.processes,
    ...Object.fromEntries(Object.entries(own).map(([name, { pid }]) => [name, pid])),
    driver: driver.pid,
  }

  const samples = new Map<string, Sample[]>()
  let run = 0
  for (let round = 0; round <= rounds; round++) {
    say(round === 0 ? 'warming up' : `round ${round} of ${rounds}`)
    for (const each of chosen) {
      const length = round === 0 ? WARM_UP_SECONDS : seconds
      const sample = await measure(each, { world, urls, load, driver, pids, length, from: run++ * RUN_APART })
      if (round > 0) samples.set(each.name, [...(samples.get(each.name) ?? []), sample])
    }
  }
  const rows = rowsOf(chosen, samples)
  const memory = peakMemoryOf(pids)
  printTable(rows)
  printMemory(memory)
  await write(rows, memory)
}

interface Setting {
  world: World
  urls: Record<string, string>
  load: Worker<Job>
  driver: Worker<Work>
  pids: Record<string, number>
  length: number
  from: number
}

async function measure(each: Case, { world, urls, load, driver, pids, length, from }: Setting): Promise<Sample> {
  const counted = Object.fromEntries(each.processes.map((name) => [name, pids[name] as number]))
  const job = await each.load?.(world, urls, { seconds: length })
  const before = cpuOf(counted)
  const result = job
    ? await load.run({ url: world.url, from, concurrency: each.concurrency, seconds: length, ...job })
    : await driver.run({ ...(each.work?.(world) as Work), seconds: length })
  const after = cpuOf(counted)
  refuseFailures(each.name, result)
  const cpu = Object.fromEntries(
    Object.entries(after).map(([name, used]) => [name, ((used - (before[name] ?? 0)) / result.requests) * 1_000]),
  )
  const quantile = (q: number): number => result.latencies[Math.floor(q * (result.latencies.length - 1))] ?? 0
  return { rate: result.requests / result.seconds, p50: quantile(0.5), p99: quantile(0.99), cpu }
}

/** A figure of answers that went wrong would be worth nothing. */
function refuseFailures(name: string, { statuses, requests }: LoadResult): void {
  const bad = Object.entries(statuses).filter(([status]) => !status.startsWith('2'))
  if (bad.length > 0) throw new Error(`${name}: answers by status ${JSON.stringify(statuses)}`)
  if (requests === 0) throw new Error(`${name}: nothing was answered`)
}

async function startContenders(nats: string, namespace: string) {
  const config = { nats_url: nats, namespace: `${namespace}-echo` }
  const urls: Record<string, string> = {}
  const processes: Record<string, Process> = {}
  const start = async (name: string, file: string, address?: string): Promise<void> => {
    const process = await startProcess(`bench/contenders/${file}`, config)
    stopping.push(() => process.stop())
    processes[name] = process
    if (address) urls[address] = process.url
  }
  if (chosen.some(({ processes }) => processes.includes('fastify'))) await start('fastify', 'fastify.ts', 'fastify')
  if (chosen.some(({ name }) => name === 'echo')) {
    await start('echo-service', 'echo-service.ts')
    await start('echo-gateway', 'echo-gateway.ts', 'echo')
  }
  if (chosen.some(({ name }) => name === 'moleculer')) {
    await start('moleculer-service', 'moleculer-service.ts')
    await start('moleculer-gateway', 'moleculer-gateway.ts', 'moleculer-gateway')
  }
  return { urls, processes }
}

/** The cases of these groups or names, and their floors; all when none is named. */
function select(only: string[]): Case[] {
  if (only.length === 0) return cases
  const wanted = new Set<string>()
  const want = (each: Case): void => {
    wanted.add(each.name)
    const floor = cases.find(({ name }) => name === each.floor)
    if (floor) want(floor)
  }
  for (const each of cases) if (only.includes(each.group) || only.includes(each.name)) want(each)
  if (wanted.size === 0)
    throw new Error(`--only: ${[...new Set(cases.map(({ group }) => group))].join(', ')}, or a name`)
  return cases.filter(({ name }) => wanted.has(name))
}

/** `--profile gateway` has a process write a CPU profile into bench/results when it ends. */
function profiling(names: string[]): Record<string, object> {
  const node_options = `--cpu-prof --cpu-prof-dir=${join(import.meta.dirname, 'results')}`
  return Object.fromEntries(
    names.map((name) => [name, { node_options: `${node_options} --cpu-prof-name=${name}.cpuprofile` }]),
  )
}

async function write(rows: Row[], memory: Record<string, number>): Promise<void> {
  const folder = join(import.meta.dirname, 'results')
  await mkdir(folder, { recursive: true })
  const result = { at: new Date().toISOString(), seconds, rounds, guests: Number(values.guests), cases: rows, memory }
  await writeFile(join(folder, 'latest.json'), `${JSON.stringify(result, null, 2)}\n`)
  say('written to bench/results/latest.json')
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
