import { quantile } from '@gatehouse/bench/figures.ts'
import { Random } from '@gatehouse/cli/demo/random.ts'
import { type Costs, KINDS, type Kind } from './costs.ts'
import { Events } from './events.ts'
import { ARRIVALS, type Arrival, FLOWS } from './flows.ts'
import { Host, Station, travel } from './stations.ts'

/** Requests a second. */
export type Rates = Record<Arrival, number>
/** Processes of each kind; processors of the database's primary and of NATS, masters of Redis. */
export type Layout = Record<Kind, number>

/** What to simulate. */
export interface SimulationPlan {
  layout: Layout
  rates: Rates
  seconds: number
  seed: number
  costs: Costs
  /** First check-ins that arrive at the same moment, halfway: devices send what they scanned without a network. */
  burst: number
  /** Milliseconds until most members of the database have a write on disk. */
  diskMs: number
  /** All processes share so many processors; otherwise each has its own. */
  sharedCores?: number
}

/** What came of it. */
export interface SimulationResult {
  arrived: number
  answered: number
  /** Check-ins that were not answered when the last one arrived. */
  waiting: number
  /** Milliseconds until a check-in was answered. */
  p50: number
  p99: number
  /** Share of the time in which the processors of a kind work, 1 at most unless requests wait at the end. */
  utilization: Record<Kind, number>
  /** Processors used by each kind. */
  cores: Record<Kind, number>
  /** Requests that share a turn or flush, on average. */
  batch: Record<Kind, number>
}

/** Connections to the database, at least and for each processor of it. */
const SESSIONS = { least: 64, each: 16 }
/** `FLUSH_SIZE` of services/checkin/door/door.ts. */
const FLUSH_SIZE = 500
/** More than ever waits at once. */
const ALL = 1_000_000

/** Simulates a system for some seconds, and then until every request is answered. */
export function simulate(plan: SimulationPlan): SimulationResult {
  const { rates, seconds, seed, burst } = plan
  const events = new Events()
  const random = new Random(seed)
  const stations = stationsOf(plan, events, random)
  const latencies: number[] = []
  let arrived = 0
  let answered = 0
  let scans = 0
  const send = (arrival: Arrival): void => {
    const begun = events.now
    const isScan = arrival === 'scan' || arrival === 'first'
    arrived++
    if (isScan) scans++
    travel(FLOWS[arrival], stations, () => {
      answered++
      if (isScan) latencies.push(events.now - begun)
    })
  }
  const end = seconds * 1_000
  for (const arrival of ARRIVALS) {
    const mean = 1_000 / rates[arrival]
    // Doors know nothing of each other, so each second differs from the next.
    const pause = (): number => -Math.log(1 - random.next()) * mean
    const come = (): void => {
      if (events.now >= end) return
      send(arrival)
      events.after(pause(), come)
    }
    if (rates[arrival] > 0) events.after(pause(), come)
  }
  events.after(end / 2, () => {
    for (let n = 0; n < burst; n++) send('first')
  })
  let waiting = 0
  let busy = busyOf(stations)
  events.after(end, () => {
    waiting = scans - latencies.length
    busy = busyOf(stations)
  })
  while (events.next()) {
    // Until all are answered.
  }
  latencies.sort((a, b) => a - b)
  const perKind = (figure: (kind: Kind) => number): Record<Kind, number> =>
    Object.fromEntries(KINDS.map((kind) => [kind, figure(kind)])) as Record<Kind, number>
  const { idle } = plan.costs
  const cores = perKind((kind) => (busy.get(kind) ?? 0) / end + (idle[kind] ?? 0) * plan.layout[kind])
  return {
    arrived,
    answered,
    waiting,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    cores,
    utilization: perKind((kind) => cores[kind] / plan.layout[kind]),
    batch: perKind((kind) => {
      const { requests, batches } = stations.get(kind)!
      return requests / Math.max(1, batches)
    }),
  }
}

function busyOf(stations: Map<Kind, Station>): Map<Kind, number> {
  return new Map([...stations].map(([kind, { busyMs }]) => [kind, busyMs]))
}

function stationsOf(
  { layout, costs, diskMs, sharedCores }: SimulationPlan,
  events: Events,
  random: Random,
): Map<Kind, Station> {
  const stations = new Map<Kind, Station>()
  const around = { events, random, costs, stations }
  const shared = sharedCores && new Host(events, sharedCores)
  for (const kind of KINDS) {
    const count = layout[kind]
    const isDatabase = kind === 'database'
    const hosts = shared
      ? [shared]
      : isDatabase
        ? [new Host(events, count)]
        : Array.from({ length: count }, () => new Host(events, 1))
    const plan = {
      kind,
      hosts,
      processes: isDatabase ? Math.max(SESSIONS.least, SESSIONS.each * count) : count,
      limit: isDatabase ? 1 : kind === 'checkin' ? FLUSH_SIZE : ALL,
      holds: kind === 'checkin',
      waitMs: isDatabase ? diskMs : 0,
    }
    stations.set(kind, new Station(plan, around))
  }
  return stations
}
