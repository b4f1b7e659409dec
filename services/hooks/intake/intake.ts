import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '@gatehouse/proto/bus.ts'
import { type DomainMessage, readDomainMessage } from '@gatehouse/proto/domain.ts'
import type { Log } from '@gatehouse/proto/log.ts'
import type { Burden } from '@gatehouse/proto/pace.ts'
import { Pieces, type Worked } from '@gatehouse/proto/pieces.ts'
import { managerOf, prepareStream, streamNameOf } from '@gatehouse/proto/streams.ts'
import { AckPolicy, type Consumer, type JsMsg, jetstream } from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import type { Verified } from './verification.ts'

/** Tells what happened to some who listen. */
export interface Telling {
  /** Those of messages that somebody listens to; the others are not looked up. */
  select(messages: DomainMessage[]): Promise<DomainMessage[]>
  /** Resolves when what is to be told is on disk. What is told twice does no harm. */
  tell(verified: Verified[]): Promise<void>
}

/** What an intake works with. */
interface IntakeOptions {
  bus: Bus
  /** Its place in the stream, which all replicas share. */
  consumer: string
  verify: (messages: DomainMessage[]) => Promise<Verified[]>
  telling: Telling
  /** What a piece takes, by which it gives way to whoever is served. */
  burden: Burden
  log: Log
}

/** How old a message is when it is worked on, in ms: its intents are mostly stored by then, and a query serves those that came meanwhile. */
const RIPE_MS = 30
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
/** When an intent is looked at again whose check-in is not stored; the last one from then on. */
const LOOK_AGAIN_MS = [200, 1_000, 5_000, 15_000, 60_000]
/** Longer than any insert can be on its way: what is not stored by then was refused, or its process died before. */
const GIVEN_UP_MS = 10 * 60_000
/** When it is worked on again what could not be. */
const AGAIN_MS = 1_000
/** How old what waits is before the log says so. */
const LATE_MS = 10_000

interface Taken {
  message: JsMsg
  content: DomainMessage
}

/** Takes what services tell from the stream, finds out what is true of it, and has it told on. A message is done when that is on disk. */
export class Intake {
  readonly #options: IntakeOptions
  readonly #working = new Set<Promise<unknown>>()
  readonly #ended = new AbortController()
  readonly #pieces: Pieces
  #running: Promise<void> = Promise.resolve()

  constructor(options: IntakeOptions) {
    const { consumer, burden, log } = options
    this.#options = options
    this.#pieces = new Pieces({
      open: () => this.#open(),
      work: (messages) => this.#workOn(messages),
      sinceOf: ({ timestampNanos }) => Number(timestampNanos / 1_000_000n),
      most: MOST,
      ripeMs: RIPE_MS,
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
    const taken = messages.flatMap((message) => this.#read(message) ?? [])
    const begun = performance.now()
    const heldUp = sleep(HELD_UP_MS, MOST.things, { ref: false })
    const things = await Promise.race([this.#hold(this.#workOnBoth(taken)), heldUp])
    return { things, tookMs: performance.now() - begun }
  }

  #read(message: JsMsg): Taken | undefined {
    const content = readDomainMessage(message.data)
    if (content) return { message, content }
    this.#options.log.error({ seq: message.seq }, 'a message is no domain event')
    message.term()
    return undefined
  }

  #hold<T>(work: Promise<T>): Promise<T> {
    this.#working.add(work)
    return work.finally(() => this.#working.delete(work))
  }

  /** Check-ins apart from all else, which need not wait when they can't be looked up. Gives how many things somebody listened to. */
  async #workOnBoth(taken: Taken[]): Promise<number> {
    const [checkIns, others] = [taken.filter(isCheckIn), taken.filter((each) => !isCheckIn(each))]
    const worked = await Promise.all([checkIns, others].map((group) => (group.length > 0 ? this.#work(group) : 0)))
    return worked.reduce((sum, count) => sum + count)
  }

  async #work(taken: Taken[]): Promise<number> {
    const { verify, telling, log } = this.#options
    try {
      const selected = await telling.select(taken.map(({ content }) => content))
      const verified = await verify(selected)
      await telling.tell(verified)
      const missing = new Set(verified.filter((each) => each.missing > 0).map((each) => each.message))
      for (const { message, content } of taken) this.#finish(message, content, missing.has(content))
      return countOf(selected)
    } catch (error) {
      log.warn({ err: error }, 'domain events can not be worked on; they come again')
      for (const { message } of taken) message.nak(AGAIN_MS)
      return countOf(taken.map(({ content }) => content))
    }
  }

  /** A message some of whose intents are not stored comes again: the rest of it is known then. */
  #finish(message: JsMsg, content: DomainMessage, isIncomplete: boolean): void {
    if (!isIncomplete || Date.now() - Date.parse(content.at) > GIVEN_UP_MS) return message.ack()
    message.nak(LOOK_AGAIN_MS[message.info.deliveryCount - 1] ?? LOOK_AGAIN_MS.at(-1))
  }
}

function countOf(messages: DomainMessage[]): number {
  return messages.reduce((sum, { items }) => sum + items.length, 0)
}

function isCheckIn({ content }: Taken): boolean {
  return content.type === 'check_in.created'
}
