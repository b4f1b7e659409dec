import { setTimeout as sleep } from 'node:timers/promises'
import { cpuOf } from '@gatehouse/test/load/processes.ts'
import type { BackgroundReport } from './background.ts'
import type { BenchCase } from './case.ts'
import type { Environment } from './environment.ts'
import { quantile } from './figures.ts'
import type { LoadResult } from './workers/worker.ts'

/** The figures of one run of a case. */
export interface Sample {
  /** Requests a second. */
  rate: number
  /** Milliseconds. */
  p50: number
  p95: number
  p99: number
  /** CPU seconds for 1,000 requests, by process. */
  cpu: Record<string, number>
  background?: BackgroundReport
}

/** CPU seconds for 1,000 requests in all processes. */
export function cpuTotalOf({ cpu }: Sample): number {
  return Object.values(cpu).reduce((sum, each) => sum + each, 0)
}

/**
 * A system rests once all processes together use less than this share of a processor for a second: the preparation checks 20,000 guests in, of which
 * guests then hears, and the stores go on writing for some seconds.
 */
const RESTING = 0.2
const LOOK_MS = 1_000
const RESTS_WITHIN_MS = 60_000
/** The pause before the load, until all processes know of the background work. */
const BEGUN_MS = 1_000

/** Runs a case once. Throws if an answer is not 2xx. */
export async function measure(each: BenchCase, shared: Environment, seconds: number): Promise<Sample> {
  const environment = (await each.environment?.(shared)) ?? shared
  const job = await each.job(environment, seconds)
  const worker = await environment.worker(job.worker)
  if ('rate' in job || each.group === 'alone') await untilAtRest(environment)
  const endBackground = await each.background?.(environment, seconds)
  if (endBackground) await sleep(BEGUN_MS)
  const pids = environment.pidsOf(each.processes)
  const before = cpuOf(pids)
  const result = await worker.run(job)
  const after = cpuOf(pids)
  throwIfFailed(each.name, result)
  await each.verify?.(environment, result.requests)
  const background = await endBackground?.(result.requests)
  const { requests, latencies } = result
  const perThousand = (name: string, used: number): number => ((used - (before[name] ?? 0)) / requests) * 1_000
  return {
    rate: requests / result.seconds,
    p50: quantile(latencies, 0.5),
    p95: quantile(latencies, 0.95),
    p99: quantile(latencies, 0.99),
    cpu: Object.fromEntries(Object.entries(after).map(([name, used]) => [name, perThousand(name, used)])),
    ...(background && { background }),
  }
}

/** Waits until the processes have done what was left to do, before requests at planned times, a device alone, and what is compared with idleness. */
export async function untilAtRest(environment: Environment): Promise<void> {
  const pids = environment.pidsOf()
  const usedOf = (): number => Object.values(cpuOf(pids)).reduce((sum, each) => sum + each, 0)
  const end = performance.now() + RESTS_WITHIN_MS
  for (let before = usedOf(); performance.now() < end; ) {
    const begun = performance.now()
    await sleep(LOOK_MS)
    const now = usedOf()
    if ((now - before) / ((performance.now() - begun) / 1_000) < RESTING) return
    before = now
  }
  throw new Error(`the system is still at work after ${RESTS_WITHIN_MS / 1_000} s`)
}

/** Throws if an answer failed, or if there was none: such figures mean nothing. */
function throwIfFailed(name: string, { statuses = {}, requests }: LoadResult): void {
  if (Object.keys(statuses).some((status) => !status.startsWith('2')))
    throw new Error(`${name}: answers by status ${JSON.stringify(statuses)}`)
  if (requests === 0) throw new Error(`${name}: no request was answered`)
}
