import { readFileSync } from 'node:fs'
import type { Costs, Kind } from './costs.ts'
import { type Question, scansOf } from './question.ts'
import type { Layout } from './simulation.ts'

/* Memory, disk and network. Figures without a comment are those of docs/operations.md and docs/performance.md. */

const MIB = 1_048_576
/** Bytes of a document and its indexes on the disk of one member, and of the indexes alone. */
const GUEST = { all: 4_838 * 1.048576, indexes: 3_997 * 1.048576 }
const CHECK_IN = { all: 858 * 1.048576, indexes: 536 * 1.048576 }
/** An estimate. */
const INVITATION = { all: 2_000, indexes: 1_000 }
/** The database's log, and room to rewrite collections in. */
const LOG_BYTES = 2_048 * MIB
const ROOM = 1.5
/** What a checkin process keeps of a guest whose check-ins it counts, of how many events and guests; of one event all (services/checkin/counting/event-totals.ts). */
const COUNTED = { bytes: 130, events: 20, guests: 1_500_000 }
/** At least three members of each store, and two processes of each kind, so that one may go. */
export const MEMBERS = 3
export const LEAST = 2
/** Processes that hardly have more to do when many people come. */
export const OTHERS = ['sso', 'promo', 'leads', 'badges']
/** What a member of the database has at least (deploy/k8s/stores/mongodb.yaml). */
const DATABASE_BYTES = 4_096 * MIB
const NATS_BYTES = 512 * MIB
/** `maxmemory` of deploy/k8s/stores/redis.yaml. */
export const REDIS_BYTES = 768 * MIB
const REDIS_SHARE = 0.6
const REDIS_REQUEST = 1_024 * MIB

/** Requests of a Deployment. */
export interface Requests {
  cpu: number
  bytes: number
}

/** What a process is given on Kubernetes (deploy/k8s/base). */
export function requestsOf(process: string): Requests {
  const text = readFileSync(new URL(`../deploy/k8s/base/processes/${process}.yaml`, import.meta.url), 'utf8')
  const [, milli, mebi] = /requests: \{ cpu: (\d+)m, memory: (\d+)Mi \}/.exec(text) ?? []
  return { cpu: Number(milli) / 1_000, bytes: Number(mebi) * MIB }
}

/** Bytes. */
export interface Needs {
  /** Of all processes and members. */
  memory: number
  /** Of one checkin process, the data of one master of Redis, and one member of the database. */
  checkin: number
  redis: number
  database: number
  /** Of one member of the database, and of all. */
  disk: number
  allDisks: number
  /** In the busiest second, in and out; and to clients and receivers altogether. */
  networkPerSecond: number
  egress: number
}

/** What a checkin process holds of guests for statistics. */
export function countedBytes({ guests, events }: Question): number {
  const ofEvent = guests / events
  return Math.max(ofEvent, Math.min(ofEvent * Math.min(events, COUNTED.events), COUNTED.guests)) * COUNTED.bytes
}

/** Masters of Redis that what is kept of scanned guests needs, with room. */
export function redisMasters({ guests }: Question, { redisBytes }: Costs): number {
  return Math.ceil((guests * redisBytes) / (REDIS_BYTES * REDIS_SHARE))
}

const PROCESSES = ['gateway', 'checkin', 'guests', 'mail', 'partners', 'hooks'] as const satisfies Kind[]

/** What a system needs besides processors. */
export function needsOf(question: Question, layout: Layout, costs: Costs, rates: Record<string, number>): Needs {
  const { guests, mail } = question
  const scans = scansOf(question)
  const indexes = guests * GUEST.indexes + scans * CHECK_IN.indexes + mail * INVITATION.indexes
  // A delivery to a webhook is slightly larger than its payload.
  const stored = guests * GUEST.all + scans * (CHECK_IN.all + costs.bytes.webhook) + mail * INVITATION.all
  const database = Math.max(DATABASE_BYTES, indexes * 1.25)
  const disk = (stored + LOG_BYTES) * ROOM
  const checkin = requestsOf('checkin').bytes + countedBytes(question)
  const redis = (guests * costs.redisBytes) / layout.redis
  const processes = PROCESSES.reduce((sum, kind) => {
    return sum + layout[kind] * (kind === 'checkin' ? checkin : requestsOf(kind).bytes)
  }, 0)
  const others = OTHERS.reduce((sum, name) => sum + LEAST * requestsOf(name).bytes, 0)
  const stores = MEMBERS * (database + NATS_BYTES) + LEAST * layout.redis * REDIS_REQUEST
  const { scan, page, webhook, feed, mail: message } = costs.bytes
  return {
    memory: processes + others + stores,
    checkin,
    redis,
    database,
    disk,
    allDisks: MEMBERS * disk,
    networkPerSecond:
      (rates.first! + rates.scan!) * scan +
      rates.page! * page +
      rates.webhook! * webhook +
      rates.feed! * feed +
      rates.mail! * message,
    egress: scans * (scan + webhook + feed) + mail * message + rates.page! * question.minutes * 60 * page,
  }
}
