import { type Costs, KINDS, type Kind } from './costs.ts'
import { leastDemand } from './flows.ts'
import { burstOf, peakRates, type Question } from './question.ts'
import { type Layout, type Rates, type SimulationResult, simulate } from './simulation.ts'
import { LEAST, MEMBERS, redisMasters, requestsOf } from './sizes.ts'

/** How a simulation is to be. */
export interface Assumptions {
  costs: Costs
  seed: number
  diskMs: number
  /** The share of a processor that may be in use in the busiest second. */
  utilization: number
}

/** 99 of 100 check-ins are answered within this time (docs/operations.md). */
export const OBJECTIVE_MS = 500
/** Whatever is busier than this has more to do from second to second, though few seconds do not show it yet. */
const FULL = 0.95
/** About so many requests of a simulated rush, within at least and at most so many seconds. */
const REQUESTS = 40_000
const SECONDS = { least: 1, most: 30 }
/** Masters of Redis and servers of NATS have one processor each. */
const FEWEST: Layout = {
  gateway: LEAST,
  nats: MEMBERS,
  checkin: LEAST,
  guests: LEAST,
  redis: 1,
  database: 2,
  mail: LEAST,
  partners: LEAST,
  hooks: LEAST,
}
/** Each raises at least one kind. */
const TRIES = 30
/** Less would take many tries. */
const STEP = 1.25

/** A system for a question. */
export interface Sizing {
  layout: Layout
  rates: Rates
  result: SimulationResult
}

/** Simulates the busiest seconds of a question, `times` as busy. */
export function simulateRush(
  question: Question,
  layout: Layout,
  assumptions: Assumptions,
  times = 1,
): SimulationResult {
  const rates = Object.fromEntries(
    Object.entries(peakRates(question)).map(([arrival, rate]) => [arrival, rate * times]),
  ) as Rates
  const total = Object.values(rates).reduce((sum, rate) => sum + rate, 0)
  const seconds = Math.min(SECONDS.most, Math.max(SECONDS.least, REQUESTS / total))
  return simulate({ layout, rates, seconds, burst: Math.ceil(burstOf(question) * times), ...assumptions })
}

/** The kind that is too busy for check-ins to be answered in time; undefined if they are. */
export function failureOf({ p99, utilization }: SimulationResult): Kind | undefined {
  const kind = busiest(utilization)
  return p99 > OBJECTIVE_MS || utilization[kind] > FULL ? kind : undefined
}

/** The kind of processes whose processors are busiest. */
function busiest(utilization: Record<Kind, number>): Kind {
  return KINDS.reduce((most, kind) => (utilization[kind] > utilization[most] ? kind : most))
}

/** Finds the fewest processes that have room in the busiest second. */
export function size(question: Question, assumptions: Assumptions, say: (line: string) => void): Sizing {
  const rates = peakRates(question)
  const demand = leastDemand(rates, assumptions.costs)
  const layout = { ...FEWEST, redis: redisMasters(question, assumptions.costs) }
  for (const kind of KINDS) {
    const cores = (demand.get(kind) ?? 0) / 1_000
    layout[kind] = Math.max(FEWEST[kind], layout[kind], Math.ceil(cores / assumptions.utilization))
  }
  for (let nth = 1; nth <= TRIES; nth++) {
    const result = simulateRush(question, layout, assumptions)
    const busy = KINDS.filter((kind) => result.utilization[kind] > assumptions.utilization)
    const late = failureOf(result)
    if (busy.length === 0 && !late) return { layout, rates, result }
    const raised = busy.length > 0 ? busy : [late!]
    say(`try ${nth}: more of ${raised.join(', ')}`)
    for (const kind of raised) {
      const needed = Math.ceil((layout[kind] * result.utilization[kind]) / assumptions.utilization)
      // With more processes fewer requests share a turn, so that more than that may be needed.
      layout[kind] = Math.max(Math.ceil(layout[kind] * STEP), Math.min(needed, layout[kind] * 2))
    }
  }
  throw new Error(`no system was found within ${TRIES} tries: split this into several`)
}

/** Processors that all processes of a layout are given: one each where there is much to do, otherwise what Kubernetes gives. */
export function coresOf(kind: Kind, layout: Layout): number {
  const isProcess = !['nats', 'redis', 'database'].includes(kind)
  return layout[kind] * (isProcess && layout[kind] === FEWEST[kind] ? requestsOf(kind).cpu : 1)
}
