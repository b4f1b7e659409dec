import { setTimeout as sleep } from 'node:timers/promises'
import type { BackgroundReport } from './background.ts'
import type { BenchCase, Run } from './case.ts'
import { startCounting } from './counters.ts'
import type { DriverJob } from './driver.ts'
import { quantile } from './figures.ts'
import type { LoadResult } from './load.ts'
import type { Sample, StoreCounters } from './report.ts'
import type { Stage } from './stage.ts'
import { cpuOf } from './usage.ts'
import type { BenchWorld } from './world.ts'

/** More than the scans of any run, so that no two runs send the same scan. */
const RUN_APART = 10_000_000
let runs = 0
/**
 * The pause between preparation and an open loop. The preparation checks 20,000 guests in to get them cached, and the stores go on writing for
 * some seconds.
 */
const PREPARED_MS = 5_000
/** The pause before the load, until all processes know of the background work. Open loops always have it, so that all begin alike. */
const SETTLE_MS = 1_000

/** Runs a case once and gives its figures. Throws if an answer is not 2xx. */
export async function measure(each: BenchCase, stage: Stage, world: BenchWorld, run: Run): Promise<Sample> {
  const { result, cpu, counters, background } = await runOnce(each, stage, world, run)
  return {
    rate: result.requests / result.seconds,
    p50: quantile(result.latencies, 0.5),
    p99: quantile(result.latencies, 0.99),
    cpu,
    ...(counters && { counters }),
    ...(background && { background }),
  }
}

/** Runs a case once. `cpu` is in seconds for 1,000 requests, by process. Throws if an answer is not 2xx. */
export async function runOnce(
  each: BenchCase,
  { load, driver, exporter, importer, mailer, pids, urls, stack }: Stage,
  world: BenchWorld,
  run: Run,
): Promise<{
  result: LoadResult
  cpu: Record<string, number>
  counters: StoreCounters | undefined
  background: BackgroundReport | undefined
}> {
  const counted = Object.fromEntries(each.processes.map((name) => [name, pids[name] as number]))
  const from = runs++ * RUN_APART
  const { seconds } = run
  const job = await each.load?.(world, urls, run)
  const imported = await each.imports?.(world)
  const mails = await each.mails?.(world, urls, run)
  if (run.rate !== undefined) await sleep(PREPARED_MS)
  const endBackground = await each.background?.(world, urls, run)
  if (endBackground || run.rate !== undefined) await sleep(SETTLE_MS)
  const counting = run.counters ? await startCounting(stack.redisUrl, pids) : undefined
  const before = cpuOf(counted)
  const result = job
    ? await load.run({ url: world.url, from, concurrency: each.concurrency, seconds, ...job })
    : each.exports
      ? await exporter.run(each.exports(world))
      : imported
        ? await importer.run(imported)
        : mails
          ? await mailer.run(mails)
          : await driver.run({ ...(each.work?.(world) as DriverJob), seconds })
  const after = cpuOf(counted)
  const counters = await counting?.(result.requests)
  refuseFailures(each.name, result)
  const background = await endBackground?.(result.requests)
  const cpu = Object.fromEntries(
    Object.entries(after).map(([name, used]) => [name, ((used - (before[name] ?? 0)) / result.requests) * 1_000]),
  )
  return { result, cpu, counters, background }
}

/** Throws if an answer failed, or if there was none: such figures mean nothing. */
function refuseFailures(name: string, { statuses, requests }: LoadResult): void {
  const bad = Object.entries(statuses).filter(([status]) => !status.startsWith('2'))
  if (bad.length > 0) throw new Error(`${name}: answers by status ${JSON.stringify(statuses)}`)
  if (requests === 0) throw new Error(`${name}: no request was answered`)
}
