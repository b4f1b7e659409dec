import { readFileSync } from 'node:fs'

/* What an operation costs, as measured: `npm run scale -- --measure` writes costs.json. */

/** What serves requests: kinds of processes, and stores. */
export const KINDS = ['gateway', 'nats', 'checkin', 'guests', 'redis', 'database', 'mail', 'partners', 'hooks'] as const
export type Kind = (typeof KINDS)[number]

/** A check-in of a cached guest; what a guest's first one costs beside that; a list page; an e-mail; a delivery; a message of a live feed. */
export const OPERATIONS = ['scan', 'lookup', 'page', 'mail', 'webhook', 'feed'] as const
export type Operation = (typeof OPERATIONS)[number]

/** CPU milliseconds: of a turn of the event loop, a flush or a transaction, however many operations share it, and of each operation in it. */
export interface Cost {
  turn: number
  each: number
}

/** Measured costs. */
export interface Costs {
  source: { at: string; machine: string; command: string; node?: string }
  operations: Record<Operation, Partial<Record<Kind, Cost>>>
  /** Processors used when nothing is asked. */
  idle: Partial<Record<Kind, number>>
  /** On the network between clients and gateways, or receivers and us, both ways. */
  bytes: Record<Exclude<Operation, 'lookup'>, number>
  /** What Redis keeps of a scanned guest. */
  redisBytes: number
}

/** The file of the measured costs. */
export const COSTS_FILE = new URL('costs.json', import.meta.url)

/** Reads the measured costs. */
export function readCosts(): Costs {
  return JSON.parse(readFileSync(COSTS_FILE, 'utf8')) as Costs
}
