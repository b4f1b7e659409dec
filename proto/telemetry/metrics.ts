import { Counter, Gauge, Histogram } from './instruments.ts'

/* All metrics. docs/telemetry.md lists them; a test compares the two. */

/** Seconds; those that OpenTelemetry advises for HTTP. */
const LATENCIES = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
/** Seconds; those that OpenTelemetry advises for stores. */
const STORE_LATENCIES = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]
/** A flush has up to 500 scans. */
const SIZES = [1, 2, 5, 10, 20, 50, 100, 200, 500]

/** HTTP requests of the gateway. */
export const httpDuration = new Histogram(
  {
    name: 'http.server.request.duration',
    unit: 's',
    description: 'HTTP requests, to the end of the answer',
    attributes: ['http.request.method', 'http.route', 'http.response.status_code'],
  },
  LATENCIES,
)

/** Requests over the bus, as their callers see them. */
export const busDuration = new Histogram(
  {
    name: 'gatehouse.bus.request.duration',
    unit: 's',
    description: 'Requests over the bus as their callers see them, second attempts included',
    attributes: ['service', 'resource', 'action', 'outcome'],
  },
  LATENCIES,
)

/** Commands to MongoDB and Redis. */
export const storeDuration = new Histogram(
  {
    name: 'db.client.operation.duration',
    unit: 's',
    description: 'Commands to MongoDB and Redis, as their clients see them',
    attributes: ['db.system.name', 'db.operation.name', 'error.type'],
  },
  STORE_LATENCIES,
)

/** Stored decisions of the door. */
export const decisions = new Counter({
  name: 'gatehouse.checkin.decisions',
  unit: '{check-in}',
  description: 'Check-ins which were decided and stored; repeated requests do not count',
  attributes: ['status'],
})

/** Flushes of the door. */
export const flushSize = new Histogram(
  {
    name: 'gatehouse.checkin.flush.size',
    unit: '{scan}',
    description: 'Scans which were decided and stored together',
    attributes: [],
  },
  SIZES,
)
export const flushDuration = new Histogram(
  {
    name: 'gatehouse.checkin.flush.duration',
    unit: 's',
    description: 'How long it takes to decide and store them',
    attributes: [],
  },
  LATENCIES,
)

/** Lookups in caches. */
const cacheLookups = new Counter({
  name: 'gatehouse.cache.lookups',
  unit: '{lookup}',
  description: 'Lookups in the caches of tokens and events (gateway), guests and rights (checkin)',
  attributes: ['cache', 'result'],
})

/** Counts lookups in a cache. */
export function countLookups(cache: string, hits: number, misses: number): void {
  cacheLookups.add(hits, { cache, result: 'hit' })
  cacheLookups.add(misses, { cache, result: 'miss' })
}

/** What is tried again. */
export const retries = new Counter({
  name: 'gatehouse.retries',
  unit: '{retry}',
  description: 'What is tried again',
  attributes: ['kind'],
})

/** Queues in JetStream. */
export const queueDepth = new Gauge({
  name: 'gatehouse.queue.depth',
  unit: '{message}',
  description: 'Messages which wait or are in work: turns of partners (mail), domain events (hooks), badges',
  attributes: ['queue'],
})
export const queueAge = new Gauge({
  name: 'gatehouse.queue.oldest.age',
  unit: 's',
  description: 'The age of the oldest of them; 0 without any',
  attributes: ['queue'],
})

/** Outbox entries. */
export const outboxDepth = new Gauge({
  name: 'gatehouse.outbox.depth',
  unit: '{entry}',
  description:
    'Outbox entries of the service, counted to 10,000: events to be published, audit records to be delivered',
  attributes: ['outbox'],
})
export const outboxAge = new Gauge({
  name: 'gatehouse.outbox.oldest.age',
  unit: 's',
  description: 'The age of the oldest of them; 0 without any',
  attributes: ['outbox'],
})

/** What a quota refuses. */
export const quotaRefusals = new Counter({
  name: 'gatehouse.quota.refusals',
  unit: '{refusal}',
  description: 'What was refused because a quota is used up',
  attributes: ['quota'],
})

/** What is refused early. */
export const overloadRefusals = new Counter({
  name: 'gatehouse.overload.refusals',
  unit: '{request}',
  description: 'Requests which the gateway refused because there was more to do than can be done',
  attributes: ['work'],
})

/** Attempts to deliver. */
export const webhookDeliveries = new Counter({
  name: 'gatehouse.webhook.deliveries',
  unit: '{attempt}',
  description: 'Attempts to deliver to webhooks',
  attributes: ['outcome'],
})

/** Attempts to hand over. */
export const mailHandOvers = new Counter({
  name: 'gatehouse.mail.handovers',
  unit: '{attempt}',
  description: 'Attempts to hand e-mails of invitations over to the mail server',
  attributes: ['outcome'],
})

/** The delay of the event loop since the last collection. */
export const eventLoopDelayP50 = new Gauge({
  name: 'nodejs.eventloop.delay.p50',
  unit: 's',
  description: 'Median delay of the event loop since the last collection',
  attributes: [],
})
export const eventLoopDelayP99 = new Gauge({
  name: 'nodejs.eventloop.delay.p99',
  unit: 's',
  description: '99th percentile of it',
  attributes: [],
})

/** The memory of the process. */
export const memoryUsage = new Gauge({
  name: 'process.memory.usage',
  unit: 'By',
  description: 'Resident memory of the process',
  attributes: [],
})

/** All of them. */
export const instruments = [
  httpDuration,
  busDuration,
  storeDuration,
  decisions,
  flushSize,
  flushDuration,
  cacheLookups,
  retries,
  queueDepth,
  queueAge,
  outboxDepth,
  outboxAge,
  quotaRefusals,
  overloadRefusals,
  webhookDeliveries,
  mailHandOvers,
  eventLoopDelayP50,
  eventLoopDelayP99,
  memoryUsage,
]
