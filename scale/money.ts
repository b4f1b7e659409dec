import { KINDS } from './costs.ts'
import type { Question } from './question.ts'
import type { Layout } from './simulation.ts'
import { LEAST, MEMBERS, type Needs, OTHERS, requestsOf } from './sizes.ts'
import { coresOf } from './sizing.ts'

/** Prices in one currency. */
export interface Prices {
  /** A virtual processor and a GiB of memory for an hour; a GB of disk and a GB to the Internet a month; a thousand e-mails. */
  cpu: number
  memory: number
  disk: number
  egress: number
  mail: number
}

/** Assumed, in US dollars, of no provider in particular: replace them by yours. */
export const PRICES: Prices = { cpu: 0.04, memory: 0.005, disk: 0.1, egress: 0.09, mail: 0.1 }

const HOURS = 730
const GIB = 2 ** 30
const GB = 1e9

/** What a system costs a month when it runs all the time at the size of its busiest second. */
export function costsOf(question: Question, layout: Layout, needs: Needs, prices: Prices): Prices & { all: number } {
  const others = OTHERS.reduce((sum, name) => sum + LEAST * requestsOf(name).cpu, 0)
  const each = {
    cpu: (coresOfAll(layout) + others) * HOURS * prices.cpu,
    memory: (needs.memory / GIB) * HOURS * prices.memory,
    disk: (needs.allDisks / GB) * prices.disk,
    egress: (needs.egress / GB) * prices.egress,
    mail: (question.mail / 1_000) * prices.mail,
  }
  return { ...each, all: Object.values(each).reduce((sum, cost) => sum + cost, 0) }
}

/** Processors of all members and processes. */
export function coresOfAll(layout: Layout): number {
  const members = { database: MEMBERS, redis: LEAST } as Record<string, number>
  return KINDS.reduce((sum, kind) => sum + coresOf(kind, layout) * (members[kind] ?? 1), 0)
}
