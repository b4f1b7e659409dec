import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '@gatehouse/proto/bus.ts'
import { type DomainMessage, readDomainMessage } from '@gatehouse/proto/domain.ts'
import type { Log } from '@gatehouse/proto/log.ts'
import { managerOf, prepareStream, streamNameOf } from '@gatehouse/proto/streams.ts'
import { AckPolicy, type ConsumerMessages, type JsMsg, jetstream } from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import type { Teller } from './telling.ts'
import type { Verified } from './verification.ts'

/** What the intake works with. */
export interface IntakeOptions {
  bus: Bus
  verify: (messages: DomainMessage[]) => Promise<Verified[]>
  teller: Teller
  log: Log
}

/** All replicas share this consumer. */
const CONSUMER = 'hooks'
/** Messages of this time are worked on together: intents are mostly stored by then, and a query serves many. */
const GATHER_MS = 30
/**
 * Who has not said that a message is done by then counts as dead, and another gets it. So long it takes, too, until what JetStream handed out
 * as it was killed comes again; whoever is at it longer does it beside another, which tells nothing twice.
 */
const DONE_WITHIN_MS = 10_000
const MOST_IN_WORK = 500
/** When an intent is looked at again whose check-in is not stored; the last one from then on. */
const LOOK_AGAIN_MS = [200, 1_000, 5_000, 15_000, 60_000]
/** Longer than any insert can be on its way: what is not stored by then was refused, or its process died before. */
const GIVEN_UP_MS = 10 * 60_000
const START_AGAIN_MS = 1_000

interface Taken {
  message: JsMsg
  content: DomainMessage
}

/** Takes what services tell from the stream, finds out what is true of it, and has it told on. A message is done when that is on disk. */
export class Intake {
  readonly #options: IntakeOptions
  readonly #working = new Set<Promise<void>>()
  readonly #ended = new AbortController()
  #messages: ConsumerMessages | undefined
  #consuming: Promise<void> | undefined
  #gathered: Taken[] = []

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
      await sleep(START_AGAIN_MS, undefined, { signal: this.#ended.signal }).catch(() => {})
    }
  }

  async #consume(): Promise<void> {
    const { bus } = this.#options
    await Promise.all([prepareStream(bus, 'domain'), prepareStream(bus, 'live')])
    const stream = streamNameOf(bus, 'domain')
    const manager = await managerOf(bus)
    await manager.consumers.add(stream, {
      durable_name: CONSUMER,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(DONE_WITHIN_MS),
      max_ack_pending: MOST_IN_WORK,
    })
    const consumer = await jetstream(bus.connection).consumers.get(stream, CONSUMER)
    this.#messages = await consumer.consume({ max_messages: 100, expires: 5_000, abort_on_missing_resource: true })
    if (this.#ended.signal.aborted) this.#messages.stop()
    for await (const message of this.#messages) this.#take(message)
  }

  #take(message: JsMsg): void {
    const content = readDomainMessage(message.data)
    if (!content) {
      this.#options.log.error({ seq: message.seq }, 'a message is no domain event')
      return message.term()
    }
    if (this.#gathered.push({ message, content }) > 1) return
    const work = sleep(GATHER_MS).then(() => this.#workOn(this.#gathered.splice(0)))
    this.#working.add(work)
    void work.finally(() => this.#working.delete(work))
  }

  /** Check-ins apart from all else, which need not wait when they can't be looked up. */
  async #workOn(taken: Taken[]): Promise<void> {
    const [checkIns, others] = [taken.filter(isCheckIn), taken.filter((each) => !isCheckIn(each))]
    await Promise.all([checkIns, others].map((group) => group.length > 0 && this.#work(group)))
  }

  async #work(taken: Taken[]): Promise<void> {
    const { verify, teller, log } = this.#options
    try {
      const verified = await verify(taken.map(({ content }) => content))
      await teller.tell(verified)
      const missing = new Set(verified.filter((each) => each.missing > 0).map((each) => each.message))
      for (const { message, content } of taken) this.#finish(message, content, missing.has(content))
    } catch (error) {
      log.warn({ err: error }, 'domain events can not be worked on; they come again')
      for (const { message } of taken) message.nak(START_AGAIN_MS)
    }
  }

  /** A message some of whose intents are not stored comes again: the rest of it is known then. */
  #finish(message: JsMsg, content: DomainMessage, isIncomplete: boolean): void {
    if (!isIncomplete || Date.now() - Date.parse(content.at) > GIVEN_UP_MS) return message.ack()
    message.nak(LOOK_AGAIN_MS[message.info.deliveryCount - 1] ?? LOOK_AGAIN_MS.at(-1))
  }
}

function isCheckIn({ content }: Taken): boolean {
  return content.type === 'check_in.created'
}
