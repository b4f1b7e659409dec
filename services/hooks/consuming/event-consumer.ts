import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { BatchConsumer, type BatchResult } from '@gatehouse/proto/events/batch-consumer.ts'
import {
  type DomainHead,
  type DomainMessage,
  readDomainHead,
  readDomainMessage,
} from '@gatehouse/proto/events/domain-events.ts'
import { managerOf, observeQueue, prepareStream, streamNameOf } from '@gatehouse/proto/events/streams.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import { instruments } from '@gatehouse/proto/telemetry/metrics.ts'
import { inSharedSpan } from '@gatehouse/proto/telemetry/tracing.ts'
import { AckPolicy, type Consumer, type JsMsg, jetstream } from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import { SpanKind } from '@opentelemetry/api'

/** Publishes domain events to one kind of subscriber. */
export interface EventHandler {
  /** The heads of messages that have subscribers. Other messages are not read further. */
  select(heads: DomainHead[]): Promise<DomainHead[]>
  /** Resolves when the messages' events are stored. Handling a message twice is harmless. */
  handle(messages: DomainMessage[]): Promise<void>
}

interface EventConsumerOptions {
  bus: Bus
  /** Durable name, which all replicas share. */
  consumer: string
  handler: EventHandler
  /** Messages of a batch while the system is busy; unlimited if omitted. */
  whileBusy?: number
  /** Work that has waited for this long, in ms, is no longer paused. */
  patienceMs: number
  log: Log
}

/**
 * A message that is not acknowledged by then is delivered to another process; this is also the delay of messages that JetStream had
 * delivered when it was killed. A process that takes longer works beside the other one, and nothing is published twice.
 */
const ACK_WAIT_MS = 10_000
const MAX_IN_FLIGHT = 500
/** The pause after messages without subscribers. More messages arrive meanwhile and are fetched together. */
const IDLE_PAUSE_MS = 250
/** Approximate items of a batch, and its messages. */
const MAX_BATCH = { things: 250, messages: 100 }
/** A batch that takes longer no longer delays the next one: it may be waiting for an absent service. */
const MAX_WAIT_MS = 3_000
/** The delay before failed messages are delivered again. */
const RETRY_MS = 1_000
/** Messages older than this are logged as late. */
const LATE_MS = 10_000

const PROCESSING = {
  kind: SpanKind.CONSUMER,
  attributes: {
    'messaging.system': 'nats',
    'messaging.operation.type': 'process',
    'messaging.operation.name': 'process',
    'messaging.destination.name': 'domain',
  },
} as const

/** A message of the stream with its head or content. */
interface Received<T> {
  message: JsMsg
  content: T
}

/** Consumes domain events from the stream. A message is acknowledged when its handler has stored its events. */
export class EventConsumer {
  readonly #options: EventConsumerOptions
  readonly #working = new Set<Promise<unknown>>()
  readonly #ended = new AbortController()
  readonly #batches: BatchConsumer
  #running: Promise<void> = Promise.resolve()

  constructor(options: EventConsumerOptions) {
    const { consumer, patienceMs, whileBusy, log } = options
    this.#options = options
    this.#batches = new BatchConsumer({
      open: () => this.#open(),
      work: (messages) => this.#workOn(messages),
      waitingSince: ({ timestampNanos }) => Number(timestampNanos / 1_000_000n),
      max: { ...MAX_BATCH, ...(whileBusy && { whileBusy }) },
      idleMs: IDLE_PAUSE_MS,
      patienceMs,
      lateMs: LATE_MS,
      signal: this.#ended.signal,
      log: log.child({ consumer }),
    })
  }

  /** Creates the streams and starts consuming. While JetStream is away it keeps trying. */
  start(): void {
    this.#running = this.#batches.run()
    const { bus, consumer } = this.#options
    if (consumer === 'hooks') observeQueue('hooks', bus, streamNameOf(bus, 'domain'), consumer)
  }

  /** Stops consuming and resolves when the current messages are done. */
  async stop(): Promise<void> {
    this.#ended.abort()
    await this.#running
    await Promise.all(this.#working)
  }

  async #open(): Promise<Consumer> {
    const { bus, consumer: durable_name } = this.#options
    await Promise.all([prepareStream(bus, 'domain'), prepareStream(bus, 'live')])
    const stream = streamNameOf(bus, 'domain')
    const manager = await managerOf(bus)
    await manager.consumers.add(stream, {
      durable_name,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ACK_WAIT_MS),
      max_ack_pending: MAX_IN_FLIGHT,
    })
    return jetstream(bus.connection).consumers.get(stream, durable_name)
  }

  async #workOn(messages: JsMsg[]): Promise<BatchResult> {
    const received = messages.flatMap((message) => this.#read(message, readDomainHead) ?? [])
    const begun = performance.now()
    const heldUp = sleep(MAX_WAIT_MS, MAX_BATCH.things, { ref: false })
    const things = await Promise.race([this.#track(this.#workOnEach(received)), heldUp])
    return { things, tookMs: performance.now() - begun }
  }

  /** A message that cannot be read is terminated. */
  #read<T>(message: JsMsg, read: (data: Uint8Array) => T | undefined): Received<T> | undefined {
    const content = read(message.data)
    if (content) return { message, content }
    this.#options.log.error({ seq: message.seq }, 'a message is not a domain event')
    message.term()
    return undefined
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#working.add(work)
    return work.finally(() => this.#working.delete(work))
  }

  /** Handles each type separately, so a failure of one does not delay others. Returns the number of items that have subscribers. */
  async #workOnEach(received: Received<DomainHead>[]): Promise<number> {
    const byType = Map.groupBy(received, ({ content }) => content.type)
    const worked = await Promise.all([...byType.values()].map((ofType) => this.#work(ofType)))
    return worked.reduce((sum, count) => sum + count, 0)
  }

  async #work(received: Received<DomainHead>[]): Promise<number> {
    const { handler, log } = this.#options
    try {
      const wanted = new Set(await handler.select(received.map(({ content }) => content)))
      const subscribed = received.filter(({ content }) => wanted.has(content))
      const read = subscribed.flatMap(({ message }) => this.#read(message, readDomainMessage) ?? [])
      const events = read.map(({ content }) => content)
      const requests = events.flatMap(({ traces = {} }) => Object.values(traces))
      await inSharedSpan('process domain', PROCESSING, requests, () => handler.handle(events))
      // Messages that were terminated keep that state.
      for (const { message } of received) message.ack()
      return read.reduce((sum, { content }) => sum + content.items.length, 0)
    } catch (error) {
      log.warn({ err: error }, 'handling domain events failed; they will be redelivered')
      instruments.retries.add(received.length, { kind: 'event' })
      for (const { message } of received) message.nak(RETRY_MS)
      return received.length
    }
  }
}
