import { setTimeout as sleep } from 'node:timers/promises'
import { type BenchCase, SYSTEM } from '@gatehouse/bench/case.ts'
import { type Environment, startEnvironment } from '@gatehouse/bench/environment.ts'
import { measure, type Sample, untilAtRest } from '@gatehouse/bench/measure.ts'
import { cases } from '@gatehouse/bench/rounds.ts'
import { atRate } from '@gatehouse/bench/scan-cases.ts'
import { inPhase } from '@gatehouse/test/load/phases.ts'
import { cpuOf } from '@gatehouse/test/load/processes.ts'
import { type Cost, type Costs, KINDS, type Kind } from './costs.ts'
import { coresOf, fit, type ScanModel, type Use, withShare } from './fitting.ts'

/* What measuring and checking share: a real system, and the costs of check-ins in it. */

const STARTING_MS = 180_000
/** For some ten thousand requests V8 still compiles. */
const WARM_UP_SECONDS = 4
const SECONDS = 5
const IDLE_SECONDS = 5
/** The steady rate, as a share of that which 64 connections reach; none of those that `--check` predicts. */
const STEADY = 0.4
const STEADY_SECONDS = 8
/** Guests of the event: those that checkin keeps, and those that it has to ask for. */
export const GUESTS = 60_000
/** With 64 connections about so many requests share a turn: half are in a flush while the others are on their way. */
const TOGETHER = 32
/** The kind whose costs a process' are counted with. */
const COUNTED_WITH: Record<string, Kind> = { postgres: 'database', mongod: 'database', sso: 'gateway' }

/** What check-ins cost, and what they were measured with. */
export interface MeasuredScans extends ScanModel {
  alone: Sample
  crowded: Sample
  /** The share of a turn's cost that is left under a steady load (fitting.ts). */
  share: number
}

/** Starts a system with these further processes, and stops it after the work. */
export async function withSystem<T>(
  further: string[],
  say: (line: string) => void,
  signal: AbortSignal,
  work: (environment: Environment) => Promise<T>,
): Promise<T> {
  const stopping: (() => unknown)[] = []
  const ended = Promise.withResolvers<never>()
  // It may come while the system starts, which ends by itself then.
  ended.promise.catch(() => {})
  signal.addEventListener('abort', () => ended.reject(signal.reason))
  try {
    const needed = new Set([...SYSTEM, ...further])
    const environment = await inPhase('starting', STARTING_MS, { say, interrupted: signal }, (phase) =>
      startEnvironment({ needed, guests: GUESTS, migrated: 0, profiled: [], phase, say, stopping }),
    )
    return await Promise.race([work(environment), ended.promise])
  } finally {
    for (const stop of stopping.reverse()) await stop()
  }
}

/** A case of `npm run bench`, of which the load generator's CPU counts too. */
export function caseOf(name: string): BenchCase {
  const found = cases.find((each) => each.name === name)
  if (!found) throw new Error(`the bench has no case ${name}`)
  return withLoad(found)
}

function withLoad(each: BenchCase): BenchCase {
  return { ...each, processes: [...each.processes, 'load'] }
}

/** Measures check-ins of cached guests: one after another, as many as go, and at a steady rate. */
export async function measureScans(environment: Environment, say: (line: string) => void): Promise<MeasuredScans> {
  const [one, many] = [caseOf('check-in, c=1'), caseOf('check-in json')]
  say('warming up')
  await measure(many, environment, WARM_UP_SECONDS)
  await measure(one, environment, 1)
  say('measuring check-ins')
  const crowded = await measure(many, environment, SECONDS)
  const alone = await measure(one, environment, SECONDS)
  const idle = await measureIdle(environment)
  const inFull = costsOf(useOf(alone, idle), useOf(crowded, idle))
  const steady = await measureAt(Math.round(STEADY * crowded.rate), environment)
  const { share, waitMs } = fit({ idle, costs: inFull }, steady, coresOf(byKind(steady.cpu), steady.rate))
  return { idle, alone, crowded, costs: withShare(inFull, share), share, waitMs }
}

/** Measures check-ins at planned times. */
export function measureAt(rate: number, environment: Environment): Promise<Sample> {
  const { times: _, ...each } = atRate(`check-in, ${rate}/s`, rate)
  return measure(withLoad(each), environment, STEADY_SECONDS)
}

async function measureIdle(environment: Environment): Promise<Use> {
  await untilAtRest(environment)
  const pids = environment.pidsOf()
  const before = cpuOf(pids)
  await sleep(IDLE_SECONDS * 1_000)
  const after = cpuOf(pids)
  return byKind(
    Object.fromEntries(Object.keys(pids).map((name) => [name, (after[name]! - before[name]!) / IDLE_SECONDS])),
  )
}

/** Adds up what processes use by kind. */
export function byKind(use: Record<string, number>): Use {
  const sums: Use = {}
  for (const [name, used] of Object.entries(use)) {
    const kind = COUNTED_WITH[name] ?? (name as Kind | 'load')
    if (kind === 'load' || KINDS.includes(kind)) sums[kind] = (sums[kind] ?? 0) + used
  }
  return sums
}

/** CPU milliseconds of a request by kind, without what the kind uses anyway. */
export function useOf({ cpu, rate }: Sample, idle: Use): Use {
  // CPU seconds of a thousand requests are milliseconds of one.
  const use = byKind(cpu)
  for (const kind of Object.keys(use) as (Kind | 'load')[])
    use[kind] = Math.max(0, use[kind]! - ((idle[kind] ?? 0) / rate) * 1_000)
  return use
}

/** Parts costs into those of a turn and of each request, from those of requests alone and of many that share turns. */
export function costsOf(alone: Use, crowded: Use): MeasuredScans['costs'] {
  const kinds = Object.keys(crowded) as (Kind | 'load')[]
  return Object.fromEntries(
    kinds.map((kind) => {
      const [one = 0, many = 0] = [alone[kind], crowded[kind]]
      const turn = Math.max(0, (one - many) / (1 - 1 / TOGETHER))
      return [kind, { turn, each: Math.max(0, many - turn / TOGETHER) }]
    }),
  )
}

/** Rounds to microseconds, which is more than measurements repeat. */
export function rounded<T extends Costs['idle'] | Record<string, Cost>>(figures: T): T {
  return JSON.parse(JSON.stringify(figures), (_, value) =>
    typeof value === 'number' ? Math.round(value * 1_000) / 1_000 : value,
  )
}
