import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Attributes, type Meter, metrics, type ObservableGauge } from '@opentelemetry/api'

/* All metrics. docs/telemetry.md lists them; a test compares the two. */

/** Seconds; those that OpenTelemetry advises for HTTP, and for stores. */
const LATENCIES = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const STORE_LATENCIES = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]
/** A flush has up to 500 scans. */
const SIZES = [1, 2, 5, 10, 20, 50, 100, 200, 500]

/** What is measured: names of OpenTelemetry, units by UCUM, and the attributes that distinguish the series, each with few values. */
export const declared = {
  httpDuration: histogram(
    'http.server.request.duration',
    's',
    'HTTP requests, to the end of the answer',
    ['http.request.method', 'http.route', 'http.response.status_code'],
    LATENCIES,
  ),
  busDuration: histogram(
    'gatehouse.bus.request.duration',
    's',
    'Requests over the bus as their callers see them, second attempts included',
    ['service', 'resource', 'action', 'outcome'],
    LATENCIES,
  ),
  storeDuration: histogram(
    'db.client.operation.duration',
    's',
    'Commands to MongoDB and Redis, as their clients see them',
    ['db.system.name', 'db.operation.name', 'error.type'],
    STORE_LATENCIES,
  ),
  decisions: counter('gatehouse.checkin.decisions', '{check-in}', 'Decided and stored check-ins, each once', [
    'status',
  ]),
  flushSize: histogram('gatehouse.checkin.flush.size', '{scan}', 'Scans that are stored together', [], SIZES),
  flushDuration: histogram('gatehouse.checkin.flush.duration', 's', 'How long that takes', [], LATENCIES),
  cacheLookups: counter('gatehouse.cache.lookups', '{lookup}', 'Lookups in caches', ['cache', 'result']),
  retries: counter('gatehouse.retries', '{retry}', 'What is tried again', ['kind']),
  queueDepth: gauge('gatehouse.queue.depth', '{message}', 'Messages that wait or are in work', ['queue']),
  queueAge: gauge('gatehouse.queue.oldest.age', 's', 'The age of the oldest of them; 0 without any', ['queue']),
  outboxDepth: gauge('gatehouse.outbox.depth', '{entry}', 'Outbox entries of the service, up to 10,000', ['outbox']),
  outboxAge: gauge('gatehouse.outbox.oldest.age', 's', 'The age of the oldest of them; 0 without any', ['outbox']),
  quotaRefusals: counter('gatehouse.quota.refusals', '{refusal}', 'Refused, as a quota is used up', ['quota']),
  overloadRefusals: counter('gatehouse.overload.refusals', '{request}', 'Requests refused early', ['work']),
  webhookDeliveries: counter('gatehouse.webhook.deliveries', '{attempt}', 'Attempts to deliver', ['outcome']),
  mailHandOvers: counter('gatehouse.mail.handovers', '{attempt}', 'Attempts to hand e-mails over', ['outcome']),
  eventLoopDelayP50: gauge('nodejs.eventloop.delay.p50', 's', 'Median delay of the event loop', []),
  eventLoopDelayP99: gauge('nodejs.eventloop.delay.p99', 's', '99th percentile of it', []),
  memoryUsage: gauge('process.memory.usage', 'By', 'Resident memory of the process', []),
}

/** Values of the attributes of a metric. */
type Values<A extends string> = { [name in A]?: string | number }

function counter<const A extends string>(name: string, unit: string, description: string, attributes: readonly A[]) {
  const create = (meter: Meter) => meter.createCounter<Values<A>>(name, { unit, description })
  return { kind: 'counter', name, unit, attributes, create }
}

function histogram<const A extends string>(
  name: string,
  unit: string,
  description: string,
  attributes: readonly A[],
  buckets: number[],
) {
  const advice = { explicitBucketBoundaries: buckets }
  const create = (meter: Meter) => meter.createHistogram<Values<A>>(name, { unit, description, advice })
  return { kind: 'histogram', name, unit, attributes, create }
}

function gauge<const A extends string>(name: string, unit: string, description: string, attributes: readonly A[]) {
  const create = (meter: Meter) => meter.createObservableGauge<Values<A>>(name, { unit, description })
  return { kind: 'gauge', name, unit, attributes, create }
}

type Instruments = { [name in keyof typeof declared]: ReturnType<(typeof declared)[name]['create']> }

/** The instruments of OpenTelemetry's API, which do nothing until {@link turnOn}. */
export let instruments = createInstruments()
/** Whether this process measures or traces anything. */
export let isOn = false

/** Makes the instruments again, of the SDK that has been registered: before anything else of the process starts. */
export function turnOn(): void {
  isOn = true
  instruments = createInstruments()
  observeProcess()
}

function createInstruments(): Instruments {
  const meter = metrics.getMeter('gatehouse')
  return Object.fromEntries(Object.entries(declared).map(([name, { create }]) => [name, create(meter)])) as Instruments
}

/** Counts lookups in a cache. */
export function countLookups(cache: string, hits: number, misses: number): void {
  if (hits > 0) instruments.cacheLookups.add(hits, { cache, result: 'hit' })
  if (misses > 0) instruments.cacheLookups.add(misses, { cache, result: 'miss' })
}

/** How long a reading of gauges may take; those of one that fails or takes longer are missing in what is collected. */
const READ_WITHIN_MS = 1_000

/** Reads gauges of the same attributes together, at each collection. While a reading is under way no other begins. */
export function observeGauges<A extends Attributes>(
  gauges: ObservableGauge<A>[],
  attributes: A,
  read: () => Promise<number[]>,
): void {
  let reading: Promise<number[]> | undefined
  metrics.getMeter('gatehouse').addBatchObservableCallback<A>(async (result) => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    const late = sleep(READ_WITHIN_MS, [], { ref: false })
    const values = await Promise.race([reading, late]).catch(() => [])
    for (const [index, value] of values.entries())
      result.observe(gauges[index] as ObservableGauge<A>, value, attributes)
  }, gauges)
}

/** The event loop is asked at this interval, in ms. */
const RESOLUTION_MS = 10

/** Reads the delay of the event loop since the last collection, and memory. */
function observeProcess(): void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  // What is measured is the time between two turns.
  const late = (percent: number): number => Math.max(0, delays.percentile(percent) / 1e9 - RESOLUTION_MS / 1_000)
  const { eventLoopDelayP50, eventLoopDelayP99, memoryUsage } = instruments
  observeGauges([eventLoopDelayP50, eventLoopDelayP99, memoryUsage], {}, async () => {
    const found = [late(50), late(99), process.memoryUsage.rss()]
    delays.reset()
    return found
  })
}
