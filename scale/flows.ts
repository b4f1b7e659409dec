import type { Costs, Kind, Operation } from './costs.ts'

/** A stop on the way of a request. */
export interface Step {
  operation: Operation
  at: Kind
  /** What a batch then asks as a whole, before its requests go on. */
  within: Kind[]
}

/** Requests that arrive. `first` is a guest's first check-in, for which checkin asks guests. */
export const ARRIVALS = ['scan', 'first', 'page', 'mail', 'webhook', 'feed'] as const
export type Arrival = (typeof ARRIVALS)[number]

const step = (operation: Operation, at: Kind, ...within: Kind[]): Step => ({ operation, at, within })
const way = (operation: Operation, ...kinds: Kind[]): Step[] => kinds.map((kind) => step(operation, kind))

const asked = way('scan', 'gateway', 'nats')
const decided = [step('scan', 'checkin', 'redis', 'database'), ...way('scan', 'nats', 'gateway')]
const lookedUp = [...way('lookup', 'nats'), step('lookup', 'guests', 'database'), ...way('lookup', 'nats')]

/** The way of each request through the system (docs/check-in.md). */
export const FLOWS: Record<Arrival, Step[]> = {
  scan: [...asked, ...decided],
  first: [...asked, ...lookedUp, ...decided],
  page: [...way('page', 'gateway', 'nats'), step('page', 'guests', 'database'), ...way('page', 'nats', 'gateway')],
  mail: way('mail', 'partners', 'nats', 'mail', 'nats', 'database'),
  webhook: way('webhook', 'checkin', 'nats', 'hooks', 'database'),
  feed: way('feed', 'hooks', 'nats', 'gateway'),
}

/** The share of an operation's cost that each of its stops at a kind has. */
export function shareOf(operation: Operation, kind: Kind): number {
  return shares[`${operation} ${kind}`] ?? 1
}

const shares: Record<string, number> = {}
for (const flow of [FLOWS.first, FLOWS.page, FLOWS.mail, FLOWS.webhook, FLOWS.feed]) {
  const stops = flow.flatMap(({ operation, at, within }) => [at, ...within].map((kind) => `${operation} ${kind}`))
  for (const stop of stops) shares[stop] = 1 / stops.filter((each) => each === stop).length
}

/** CPU milliseconds a second in each kind when so many requests arrive a second and each shares its turns with countless others. */
export function leastDemand(rates: Record<Arrival, number>, { operations }: Costs): Map<Kind, number> {
  const demand = new Map<Kind, number>()
  for (const arrival of ARRIVALS)
    for (const { operation, at, within } of FLOWS[arrival])
      for (const kind of [at, ...within]) {
        const { each = 0 } = operations[operation][kind] ?? {}
        demand.set(kind, (demand.get(kind) ?? 0) + rates[arrival] * each * shareOf(operation, kind))
      }
  return demand
}
