import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '@gatehouse/proto/bus.ts'
import { type DomainMessage, readDomainMessage } from '@gatehouse/proto/domain.ts'
import type { Log } from '@gatehouse/proto/log.ts'
import type { Pace } from '@gatehouse/proto/pace.ts'
import { managerOf, prepareStream, streamNameOf } from '@gatehouse/proto/streams.ts'
import { AckPolicy, type Consumer, type ConsumerMessages, type JsMsg, jetstream } from '@nats-io/jetstream'
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
export interface IntakeOptions {
  bus: Bus
  /** Its place in the stream, which all replicas share. */
  consumer: string
  verify: (messages: DomainMessage[]) => Promise<Verified[]>
  telling: Telling
  /** How it gives way to whoever is served: it rests between its pieces. */
  pace: Pace
  log: Log
}

/** Messages of this time are worked on together: intents are mostly stored by then, and a query serves many. */
const GATHER_MS = 30
/**
 * Who has not said that a message is done by then counts as dead, and another gets it. So long it takes, too, until what JetStream handed out
 * as it was killed comes again; whoever is at it longer does it beside another, which tells nothing twice.
 */
const DONE_WITHIN_MS = 10_000
const MOST_IN_WORK = 500
const UNHEARD_REST_MS = 250
/** Things of a piece, about. */
const PIECE = 250
const MOST_OF_A_PIECE = 100
/** How many times more messages a piece may have than the last. */
const GROWTH = 4
/** What takes longer holds up the next piece no more: it may hang on a service that is away. */
const HELD_UP_MS = 3_000
const EXPIRES_MS = 5_000
const SHORTLY_MS = 1_000
/** When an intent is looked at again whose check-in is not stored; the last one from then on. */
const LOOK_AGAIN_MS = [200, 1_000, 5_000, 15_000, 60_000]
/** Longer than any insert can be on its way: what is not stored by then was refused, or its process died before. */
const GIVEN_UP_MS = 10 * 60_000
const START_AGAIN_MS = 1_000
/** How old what waits is before the log says so, and how often it does. */
const LATE_MS = 10_000
const SAY_AGAIN_MS = 60_000

interface Taken {
  message: JsMsg
  content: DomainMessage
}

/** Takes what services tell from the stream, finds out what is true of it, and has it told on. A message is done when that is on disk. */
export class Intake {
  readonly #options: IntakeOptions
  readonly #working = new Set<Promise<unknown>>()
  readonly #ended = new AbortController()
  #messages: ConsumerMessages | undefined
  #consuming: Promise<void> | undefined
  #saidLate = Number.NEGATIVE_INFINITY

  constructor(options: IntakeOptions) {
    this.#options = options
  }

  /** Makes the streams, and begins to take from them. Goes on by itself when JetStream is away. */
  start(): void {
    this.#consuming = this.#consumeForEver()
  }

  /** Takes no more, and finishes what it has. */
  async stop(): Promise<void> {
    this.#ended.abort()
    this.#messages?.stop()
    await this.#consuming
    await Promise.all(this.#working)
  }

  async #consumeForEver(): Promise<void> {
    const { log } = this.#options
    while (!this.#ended.signal.aborted) {
      try {
        await this.#consume()
      } catch (error) {
        log.warn({ err: error }, 'JetStream does not give domain events')
      }
      await this.#rest(START_AGAIN_MS)
    }
  }

  async #consume(): Promise<void> {
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
    const consumer = await jetstream(bus.connection).consumers.get(stream, durable_name)
    await this.#inPieces(consumer)
  }

  /** One piece after the other: what comes meanwhile stays in the stream, where it costs nothing. */
  async #inPieces(consumer: Consumer): Promise<void> {
    const { pace } = this.#options
    for (let most = 1; !this.#ended.signal.aborted; ) {
      const [first] = await this.#fetch(consumer, 1, EXPIRES_MS)
      if (!first) continue
      // By two clocks, which may differ.
      await this.#rest(Math.min(GATHER_MS, GATHER_MS - ageOf(first)))
      const more = Math.min(first.info.pending, most - 1)
      const messages = [first, ...(more > 0 ? await this.#fetch(consumer, more, SHORTLY_MS) : [])]
      const taken = messages.flatMap((message) => this.#read(message) ?? [])
      const begun = performance.now()
      const worked = await Promise.race([this.#hold(this.#workOn(taken)), sleep(HELD_UP_MS, PIECE, { ref: false })])
      const enough = Math.ceil((PIECE * messages.length) / Math.max(1, worked))
      most = Math.min(enough, GROWTH * messages.length, MOST_OF_A_PIECE)
      // What nobody listens to takes nothing but the taking, and tells nothing of how busy it is: a rest, so that more is taken at once.
      const rest =
        worked > 0 ? pace.restAfter(worked, performance.now() - begun, this.#ageOfWaiting(messages)) : UNHEARD_REST_MS
      await this.#rest(rest)
    }
  }

  async #fetch(consumer: Consumer, max_messages: number, expires: number): Promise<JsMsg[]> {
    const taken: JsMsg[] = []
    for await (const message of this.#stoppable(await consumer.fetch({ max_messages, expires }))) taken.push(message)
    return taken
  }

  #stoppable(messages: ConsumerMessages): ConsumerMessages {
    this.#messages = messages
    if (this.#ended.signal.aborted) messages.stop()
    return messages
  }

  /** How old what waits behind these is, in ms; 0 when nothing does. */
  #ageOfWaiting(messages: JsMsg[]): number {
    const last = messages.findLast(({ redelivered }) => !redelivered)
    if (!last || last.info.pending === 0) return 0
    const age = ageOf(last)
    if (age > LATE_MS && performance.now() - this.#saidLate > SAY_AGAIN_MS) {
      this.#saidLate = performance.now()
      const found = { consumer: this.#options.consumer, late_s: Math.round(age / 1_000), messages: last.info.pending }
      this.#options.log.info(found, 'telling is put off: the database or the machine is busy')
    }
    return age
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

  async #rest(ms: number): Promise<void> {
    if (ms > 0) await sleep(ms, undefined, { signal: this.#ended.signal }).catch(() => {})
  }

  /** Check-ins apart from all else, which need not wait when they can't be looked up. Gives how many things somebody listened to. */
  async #workOn(taken: Taken[]): Promise<number> {
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
      for (const { message } of taken) message.nak(START_AGAIN_MS)
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

/** How long a message has been in the stream, in ms. */
function ageOf({ timestampNanos }: JsMsg): number {
  return Date.now() - Number(timestampNanos / 1_000_000n)
}

function isCheckIn({ content }: Taken): boolean {
  return content.type === 'check_in.created'
}
