import type { Random } from '@gatehouse/cli/demo/random.ts'
import type { Costs, Kind, Operation } from './costs.ts'
import type { Events } from './events.ts'
import { type Step, shareOf } from './flows.ts'

/** Requests that stay together at a stop: one, or those of a flush. */
export interface Unit {
  operation: Operation
  count: number
  within: Kind[]
  done: () => void
}

/** Processors that processes share, first come, first served. */
export class Host {
  readonly #events: Events
  #free: number
  readonly #waiting: { ms: number; done: () => void }[] = []

  constructor(events: Events, cores: number) {
    this.#events = events
    this.#free = cores
  }

  /** Works for so many milliseconds as soon as a processor is free. */
  run(ms: number, done: () => void): void {
    if (this.#free === 0) this.#waiting.push({ ms, done })
    else {
      this.#free--
      this.#work(ms, done)
    }
  }

  #work(ms: number, done: () => void): void {
    this.#events.after(ms, () => {
      const next = this.#waiting.shift()
      if (next) this.#work(next.ms, next.done)
      else this.#free++
      done()
    })
  }
}

/** How processes of a kind work. */
export interface StationPlan {
  kind: Kind
  /** One for each process, or one for all of them. */
  hosts: Host[]
  processes: number
  /** A process takes all that waits, up to so many requests, at once; 1 for one unit at a time. */
  limit: number
  /** A process waits for what a batch asks within before it takes the next one, unless `limit` requests wait: a flush. */
  holds: boolean
  /** Milliseconds after the work in which the processor is free: a disk. */
  waitMs: number
}

interface Process {
  waiting: Unit[]
  /** Batches in work. */
  batches: number
  host: Host
}

/** What the stations of a simulation share. */
export interface Surroundings {
  events: Events
  random: Random
  costs: Costs
  stations: Map<Kind, Station>
}

/** All processes of a kind. */
export class Station {
  /** Milliseconds of work so far, batches, and requests in them. */
  busyMs = 0
  batches = 0
  requests = 0
  readonly #plan: StationPlan
  readonly #around: Surroundings
  readonly #processes: Process[]

  constructor(plan: StationPlan, around: Surroundings) {
    this.#plan = plan
    this.#around = around
    this.#processes = Array.from({ length: plan.processes }, (_, n) => ({
      waiting: [],
      batches: 0,
      host: plan.hosts[n % plan.hosts.length]!,
    }))
  }

  /** Gives a unit to a process: as NATS and a load balancer do to any, but a unit that is served by itself to a free connection. */
  accept(unit: Unit): void {
    const free = this.#plan.limit === 1 ? this.#processes.find(({ batches }) => batches === 0) : undefined
    const process = free ?? this.#around.random.pick(this.#processes)
    process.waiting.push(unit)
    this.#serve(process)
  }

  #serve(process: Process): void {
    const { limit, holds } = this.#plan
    const { waiting, batches } = process
    if (waiting.length === 0 || (batches > 0 && !(holds && batches === 1 && waiting.length >= limit))) return
    process.batches++
    const batch = waiting.splice(0, limit)
    const ms = this.#costOf(batch)
    this.batches++
    for (const { count } of batch) this.requests += count
    process.host.run(ms, () => {
      this.busyMs += ms
      this.#around.events.after(this.#plan.waitMs, () => this.#ask(process, batch))
    })
  }

  /** Every batch costs a turn, of the costliest operation in it. Some take longer than others, with the same mean. */
  #costOf(batch: Unit[]): number {
    const { random, costs } = this.#around
    let turn = 0
    let each = 0
    for (const { operation, count } of batch) {
      const cost = costs.operations[operation][this.#plan.kind]
      if (!cost) continue
      const share = shareOf(operation, this.#plan.kind)
      turn = Math.max(turn, cost.turn * share)
      each += cost.each * share * count
    }
    return (turn + each) * (0.5 - 0.5 * Math.log(1 - random.next()))
  }

  /** Asks what is within, once for all requests of an operation. */
  #ask(process: Process, batch: Unit[]): void {
    const { holds } = this.#plan
    const groups = Map.groupBy(batch, ({ operation, within }) => `${operation} ${within}`)
    let open = groups.size
    const release = (): void => {
      process.batches--
      this.#serve(process)
    }
    for (const group of groups.values()) {
      const { operation, within } = group[0]!
      const count = group.reduce((sum, unit) => sum + unit.count, 0)
      const go = (nth: number): void => {
        const kind = within[nth]
        if (kind) {
          const unit = { operation, count, within: [], done: () => go(nth + 1) }
          this.#around.stations.get(kind)!.accept(unit)
          return
        }
        for (const unit of group) unit.done()
        open--
        if (holds && open === 0) release()
      }
      go(0)
    }
    if (!holds) release()
  }
}

/** Sends a request on its way. */
export function travel(steps: readonly Step[], stations: Map<Kind, Station>, arrived: () => void, nth = 0): void {
  const step = steps[nth]
  if (!step) return arrived()
  const { operation, at, within } = step
  stations.get(at)!.accept({ operation, count: 1, within, done: () => travel(steps, stations, arrived, nth + 1) })
}
