import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import type { Burden } from '@gatehouse/proto/concurrency/adaptive-pause.ts'
import { Pieces, type Worked } from '@gatehouse/proto/events/batch-consumer.ts'
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
export interface Telling {
  /** Those of messages that somebody listens to, by their heads; the others are read no further. */
  select(heads: DomainHead[]): Promise<DomainHead[]>
  /** Resolves when what they tell of is on disk. What is told twice does no harm. */
  tell(messages: DomainMessage[]): Promise<void>
}

/** What an intake works with. */
interface IntakeOptions {
  bus: Bus
  /** Its place in the stream, which all replicas share. */
  consumer: string
  telling: Telling
  /** Messages of a piece while others are busy; as many as ever unless told. */
  whileBusy?: number
  /** What a piece takes, by which it gives way to whoever is served. */
  burden: Burden
  log: Log
}

/**
 * Who has not said that a message is done by then counts as dead, and another gets it. So long it takes, too, until what JetStream handed out
 * as it was killed comes again; whoever is at it longer does it beside another, which tells nothing twice.
 */
const DONE_WITHIN_MS = 10_000
const MOST_IN_WORK = 500
/** What nobody listens to takes nothing but the taking: so long a rest after it, in which more comes together to be taken at once. */
const UNHEARD_REST_MS = 250
/** Things of a piece, about, and its messages. */
const MOST = { things: 250, messages: 100 }
/** What takes longer holds up the next piece no more: it may hang on a service that is away. */
const HELD_UP_MS = 3_000
/** When it is worked on again what could not be. */
const AGAIN_MS = 1_000
/** How old what waits is before the log says so. */
const LATE_MS = 10_000

/** A message of the stream, and as much as was read of it. */
interface Taken<T> {
  message: JsMsg
  content: T
}

/** Takes what services tell from the stream, and has it told on. A message is done when that is on disk. */
export class Intake {
  readonly #options: IntakeOptions
  readonly #working = new Set<Promise<unknown>>()
  readonly #ended = new AbortController()
  readonly #pieces: Pieces
  #running: Promise<void> = Promise.resolve()

  constructor(options: IntakeOptions) {
    const { consumer, burden, whileBusy, log } = options
    this.#options = options
    this.#pieces = new Pieces({
      open: () => this.#open(),
      work: (messages) => this.#workOn(messages),
      sinceOf: ({ timestampNanos }) => Number(timestampNanos / 1_000_000n),
      most: { ...MOST, ...(whileBusy && { whileBusy }) },
      idleMs: UNHEARD_REST_MS,
      burden,
      lateMs: LATE_MS,
      signal: this.#ended.signal,
      log: log.child({ consumer }),
    })
  }

  /** Makes the streams, and begins to take from them. Goes on by itself when JetStream is away. */
  start(): void {
    this.#running = this.#pieces.run()
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
      ack_wait: nanos(DONE_WITHIN_MS),
      max_ack_pending: MOST_IN_WORK,
    })
    return jetstream(bus.connection).consumers.get(stream, durable_name)
  }

  async #workOn(messages: JsMsg[]): Promise<Worked> {
    const taken = messages.flatMap((message) => this.#read(message, readDomainHead) ?? [])
    const begun = performance.now()
    const heldUp = sleep(HELD_UP_MS, MOST.things, { ref: false })
    const things = await Promise.race([this.#hold(this.#workOnEach(taken)), heldUp])
    return { things, tookMs: performance.now() - begun }
  }

  /** A message that can not be read is given up. */
  #read<T>(message: JsMsg, read: (data: Uint8Array) => T | undefined): Taken<T> | undefined {
    const content = read(message.data)
    if (content) return { message, content }
    this.#options.log.error({ seq: message.seq }, 'a message is no domain event')
    message.term()
    return undefined
  }

  #hold<T>(work: Promise<T>): Promise<T> {
    this.#working.add(work)
    return work.finally(() => this.#working.delete(work))
  }

  /** Each type apart: what can not be told of one holds up no other. Gives how many things somebody listened to. */
  async #workOnEach(taken: Taken<DomainHead>[]): Promise<number> {
    const byType = Map.groupBy(taken, ({ content }) => content.type)
    const worked = await Promise.all([...byType.values()].map((ofType) => this.#work(ofType)))
    return worked.reduce((sum, count) => sum + count, 0)
  }

  async #work(taken: Taken<DomainHead>[]): Promise<number> {
    const { telling, log } = this.#options
    try {
      const wanted = new Set(await telling.select(taken.map(({ content }) => content)))
      const heard = taken.filter(({ content }) => wanted.has(content))
      const read = heard.flatMap(({ message }) => this.#read(message, readDomainMessage) ?? [])
      await telling.tell(read.map(({ content }) => content))
      // What was given up is given up: it is not said again.
      for (const { message } of taken) message.ack()
      return read.reduce((sum, { content }) => sum + content.items.length, 0)
    } catch (error) {
      log.warn({ err: error }, 'domain events can not be worked on; they come again')
      for (const { message } of taken) message.nak(AGAIN_MS)
      return taken.length
    }
  }
}
