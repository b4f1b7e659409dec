import type { Attributes, Meter, ObservableGauge, Histogram as SdkHistogram } from '@opentelemetry/api'
import { shared } from '../concurrency/shared.ts'

/* The instruments of metrics. Until they are connected, which happens before a process serves anything, they do nothing and cost nothing. */

/** What is known of a metric: its name in OpenTelemetry, its unit, and the attributes that distinguish its series. */
export interface Metric<A extends string> {
  name: string
  /** By UCUM: `s`, `By`, or a thing in braces. */
  unit: string
  description: string
  /** Each has few values: no ids. */
  attributes: readonly A[]
}

type AttributeValues<A extends string> = { readonly [name in A]?: string | number }

/** The attributes that come with a metric everywhere: `{}` for one without. */
const NONE: Attributes = {}

/** Counts what happens. It adds up by itself and is read when metrics are collected: OpenTelemetry's own writes its attributes as JSON each time. */
export class Counter<A extends string = never> {
  readonly metric: Metric<A>
  readonly #sums = new Map<string, { values: AttributeValues<A>; sum: number }>()
  #isConnected = false

  constructor(metric: Metric<A>) {
    this.metric = metric
  }

  connect(meter: Meter): void {
    const { name, unit, description } = this.metric
    meter.createObservableCounter(name, { unit, description }).addCallback((result) => {
      for (const { values, sum } of this.#sums.values()) result.observe(sum, values as Attributes)
    })
    this.#isConnected = true
  }

  add(count: number, values: AttributeValues<A>): void {
    if (!this.#isConnected || count === 0) return
    let key = ''
    for (const name of this.metric.attributes) key += `${values[name]} `
    const known = this.#sums.get(key)
    if (known) known.sum += count
    else this.#sums.set(key, { values, sum: count })
  }
}

/** Records how values are distributed. */
export class Histogram<A extends string = never> {
  readonly metric: Metric<A>
  readonly #bounds: number[]
  #histogram: SdkHistogram | undefined

  /** `bounds` are the upper bounds of its buckets. */
  constructor(metric: Metric<A>, bounds: number[]) {
    this.metric = metric
    this.#bounds = bounds
  }

  connect(meter: Meter): void {
    const { name, unit, description } = this.metric
    const advice = { explicitBucketBoundaries: this.#bounds }
    this.#histogram = meter.createHistogram(name, { unit, description, advice })
  }

  /** Whether it is connected. */
  get isOn(): boolean {
    return this.#histogram !== undefined
  }

  record(value: number, values: AttributeValues<A> = NONE as AttributeValues<A>): void {
    this.#histogram?.record(value, values as Attributes)
  }
}

/** How long the reading of gauges may take: then they are missing in what is scraped. */
const READ_WITHIN_MS = 1_000

/** A value that is read when metrics are collected. */
export class Gauge<A extends string = never> {
  readonly metric: Metric<A>
  #connected: { meter: Meter; gauge: ObservableGauge } | undefined

  constructor(metric: Metric<A>) {
    this.metric = metric
  }

  connect(meter: Meter): void {
    const { name, unit, description } = this.metric
    this.#connected = { meter, gauge: meter.createObservableGauge(name, { unit, description }) }
  }

  /**
   * Lets gauges of the same attributes be read together, at each collection. A reading that fails or takes long is left out; while one is under
   * way no other begins.
   */
  static observe<A extends string>(
    gauges: readonly Gauge<A>[],
    values: AttributeValues<A>,
    read: () => readonly number[] | Promise<readonly number[]>,
  ): void {
    const connected = gauges.flatMap((gauge) => gauge.#connected ?? [])
    const meter = connected[0]?.meter
    if (!meter) return
    const own = connected.map(({ gauge }) => gauge)
    const reading = shared(async () => read())
    meter.addBatchObservableCallback(async (result) => {
      const found = await inTime(reading()).catch(() => [])
      found.forEach((value, index) => {
        const gauge = own[index]
        if (gauge) result.observe(gauge, value, values as Attributes)
      })
    }, own)
  }
}

async function inTime<T>(reading: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('late')), READ_WITHIN_MS)
  return Promise.race([reading, late.promise]).finally(() => clearTimeout(timer))
}
