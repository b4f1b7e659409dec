import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import type { PauseSettings } from '@gatehouse/proto/concurrency/adaptive-pause.ts'
import { BatchConsumer, type BatchResult } from '@gatehouse/proto/events/batch-consumer.ts'
import {
  type DomainHead,
  type DomainMessage,
  readDomainHead,
  readDomainMessage,
} from '@gatehouse/proto/events/domain-events.ts'
import { managerOf, prepareStream, streamNameOf } from '@gatehouse/proto/events/streams.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import { AckPolicy, type Consumer, type JsMsg, jetstream } from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'

/** Tells what happened to some who listen. */
export interface EventHandler {
  /** Those of messages that somebody listens to, by their heads; the others are read no further. */
  select(heads: DomainHead[]): Promise<DomainHead[]>
  /** Resolves when what they tell of is on disk. What is told twice does no harm. */
  handle(messages: DomainMessage[]): Promise<void>
}

/** What an intake works with. */
interface EventConsumerOptions {
  bus: Bus
  /** Its place in the stream, which all replicas share. */
  consumer: string
  handler: EventHandler
  /** Messages of a piece while others are busy; as many as ever unless told. */
  whileBusy?: number
  /** What a piece takes, by which it gives way to whoever is served. */
  pauseSettings: PauseSettings
  log: Log
}

/**
 * Who has not said that a message is done by then counts as dead, and another gets it. So long it takes, too, until what JetStream handed out
 * as it was killed comes again; whoever is at it longer does it beside another, which tells nothing twice.
 */
const ACK_WAIT_MS = 10_000
const MAX_IN_FLIGHT = 500
/** What nobody listens to takes nothing but the taking: so long a rest after it, in which more comes together to be taken at once. */
const IDLE_PAUSE_MS = 250
/** Things of a piece, about, and its messages. */
const MAX_BATCH = { things: 250, messages: 100 }
/** What takes longer holds up the next piece no more: it may hang on a service that is away. */
const MAX_WAIT_MS = 3_000
/** When it is worked on again what could not be. */
const RETRY_MS = 1_000
/** How old what waits is before the log says so. */
const LATE_MS = 10_000

/** A message of the stream, and as much as was read of it. */
interface Received<T> {
  message: JsMsg
  content: T
}

/** Takes what services tell from the stream, and has it told on. A message is done when that is on disk. */
export class EventConsumer {
  readonly #options: EventConsumerOptions
  readonly #working = new Set<Promise<unknown>>()
  readonly #ended = new AbortController()
  readonly #batches: BatchConsumer
  #running: Promise<void> = Promise.resolve()

  constructor(options: EventConsumerOptions) {
    const { consumer, pauseSettings, whileBusy, log } = options
    this.#options = options
    this.#batches = new BatchConsumer({
      open: () => this.#open(),
      work: (messages) => this.#workOn(messages),
      waitingSince: ({ timestampNanos }) => Number(timestampNanos / 1_000_000n),
      max: { ...MAX_BATCH, ...(whileBusy && { whileBusy }) },
      idleMs: IDLE_PAUSE_MS,
      pauseSettings,
      lateMs: LATE_MS,
      signal: this.#ended.signal,
      log: log.child({ consumer }),
    })
  }

  /** Makes the streams, and begins to take from them. Goes on by itself when JetStream is away. */
  start(): void {
    this.#running = this.#batches.run()
  }

  /** Takes no more, and finishes what it has. */
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

  /** A message that can not be read is given up. */
  #read<T>(message: JsMsg, read: (data: Uint8Array) => T | undefined): Received<T> | undefined {
    const content = read(message.data)
    if (content) return { message, content }
    this.#options.log.error({ seq: message.seq }, 'a message is no domain event')
    message.term()
    return undefined
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#working.add(work)
    return work.finally(() => this.#working.delete(work))
  }

  /** Each type apart: what can not be told of one holds up no other. Gives how many things somebody listened to. */
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
      await handler.handle(read.map(({ content }) => content))
      // What was given up is given up: it is not said again.
      for (const { message } of received) message.ack()
      return read.reduce((sum, { content }) => sum + content.items.length, 0)
    } catch (error) {
      log.warn({ err: error }, 'domain events can not be worked on; they come again')
      for (const { message } of received) message.nak(RETRY_MS)
      return received.length
    }
  }
}
