import { setTimeout as sleep } from 'node:timers/promises'
import { onOrders } from '@gatehouse/guests/announcements'
import { badgeOrders } from '@gatehouse/guests/resources'
import type { Bus } from '@gatehouse/proto/bus.ts'
import { clientOf } from '@gatehouse/proto/calls.ts'
import type { Log } from '@gatehouse/proto/log.ts'
import { Pace } from '@gatehouse/proto/pace.ts'
import type { Output } from '@gatehouse/proto/resource.ts'
import { DEDUPE_MS, managerOf } from '@gatehouse/proto/streams.ts'
import {
  AckPolicy,
  type Consumer,
  type ConsumerMessages,
  type JetStreamClient,
  type JsMsg,
  jetstream,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import type { BadgeMaker } from './maker.ts'

type BadgeOrder = Output<(typeof badgeOrders)['actions']['due']>[number]

/** An order as it lies in the queue. */
type Queued = Omit<BadgeOrder, 'due'> & { due: string }

const WORKERS = 'workers'
/** Badges of a piece: they are read and stored together, and nobody waits for a processor longer than they take to be drawn. */
const PIECE = 10
/** How many times more badges a piece may have than the last: the first one is made at once. */
const GROWTH = 4
/** How long a piece may take before another process gets it, in milliseconds. */
const ACK_WAIT_MS = 10_000
const EXPIRES_MS = 5_000
const SHORTLY_MS = 1_000
/** What a badge takes beside being drawn, and how late it may get (docs/adr/0017). */
const BADGES = { usualMs: 6, fixed: 4, granted: 1.5, longestRestMs: 500, patienceMs: 60_000 }
/** How old what waits is before the log says so, and how often it does. */
const LATE_MS = 15_000
const SAY_AGAIN_MS = 60_000
/** How long after its n-th failure a badge is tried again: 1, 2, 4, … seconds. */
const LONGEST_DELAY_MS = 300_000
const AWAY_MS = 1_000
/** How often orders are looked for that nobody told of, or that were told while JetStream was away. */
const ROUND_MS = 5_000
const PAGE = 500
/** Badges waiting in the queue, above which nothing more is looked for: there is enough to do. */
const ENOUGH = 1_000
/** Younger orders are most likely just being told, in milliseconds. */
const YOUNG_MS = 3_000

/** What the queue works with. */
interface QueueOptions {
  bus: Bus
  maker: BadgeMaker
  log: Log
}

/**
 * The queue of badges to make, a work queue of JetStream that all processes of this service share. The orders themselves lie in the guests
 * (services/guests/badge-orders): the queue spreads the work, brings it back after a crash, and may be lost.
 */
export class BadgeQueue {
  readonly #options: QueueOptions
  readonly #name: string
  readonly #subject: string
  readonly #jetstream: JetStreamClient
  readonly #orders
  readonly #pace = new Pace(BADGES)
  readonly #stopping = new AbortController()
  readonly #prepared = Promise.withResolvers<void>()
  #messages: ConsumerMessages | undefined
  #saidLate = Number.NEGATIVE_INFINITY
  #loops: Promise<unknown> = Promise.resolve()

  constructor(options: QueueOptions) {
    const { bus } = options
    this.#options = options
    this.#name = `${bus.namespace}_badges`
    this.#subject = `${bus.namespace}.work.badges`
    this.#jetstream = jetstream(bus.connection)
    this.#orders = clientOf(bus, badgeOrders)
  }

  /** Begins to work. JetStream may be away; it is tried again until it is there. */
  start(): void {
    const { bus } = this.#options
    onOrders(bus, (orders) => void this.#enqueue(orders).catch(this.#complain('enqueuing badges')))
    this.#loops = Promise.all([this.#repeat(() => this.#work(), 0), this.#repeat(() => this.#goRound(), ROUND_MS)])
  }

  /** Takes nothing more, ends what is in work. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#prepared.resolve()
    this.#messages?.stop()
    await this.#loops
  }

  /** Does something again and again, `ms` after it ended, or a moment after it failed. */
  async #repeat(action: () => Promise<void>, ms: number): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      let delay = ms
      try {
        await action()
      } catch (error) {
        if (signal.aborted) return
        this.#complain('the queue of badges')(error)
        delay = Math.max(ms, AWAY_MS)
      }
      await this.#rest(delay)
    }
  }

  async #rest(ms: number): Promise<void> {
    if (ms > 0) await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => {})
  }

  #complain(what: string): (error: unknown) => void {
    return (error) => this.#options.log.warn({ err: error }, `${what} failed; it is tried again`)
  }

  /** Makes stream and consumer where they are missing: at the first start, or when JetStream lost them. */
  async #prepare(): Promise<void> {
    const manager = await managerOf(this.#options.bus)
    await manager.streams.add({
      name: this.#name,
      subjects: [this.#subject],
      retention: RetentionPolicy.Workqueue,
      storage: StorageType.File,
      duplicate_window: nanos(DEDUPE_MS),
    })
    await manager.consumers.add(this.#name, {
      durable_name: WORKERS,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ACK_WAIT_MS),
    })
    this.#prepared.resolve()
  }

  /** Puts orders in the queue; an order that it has had lately is not put there again. */
  async #enqueue(orders: BadgeOrder[]): Promise<void> {
    await Promise.all(
      orders.map((order) =>
        this.#jetstream.publish(this.#subject, JSON.stringify(order), {
          msgID: `${order.guest_id}:${order.due.getTime()}`,
        }),
      ),
    )
  }

  /** Takes badges from the queue until it breaks, one piece after the other: what comes meanwhile stays there, where it costs nothing. */
  async #work(): Promise<void> {
    await this.#prepare()
    const consumer = await this.#jetstream.consumers.get(this.#name, WORKERS)
    for (let most = 1; !this.#stopping.signal.aborted; ) {
      const [first] = await this.#fetch(consumer, 1, EXPIRES_MS)
      if (!first) continue
      const more = Math.min(first.info.pending, most - 1)
      const messages = [first, ...(more > 0 ? await this.#fetch(consumer, more, SHORTLY_MS) : [])]
      most = Math.min(GROWTH * messages.length, PIECE)
      await this.#handle(messages)
    }
  }

  async #fetch(consumer: Consumer, max_messages: number, expires: number): Promise<JsMsg[]> {
    const messages = await consumer.fetch({ max_messages, expires })
    this.#messages = messages
    if (this.#stopping.signal.aborted) messages.stop()
    const taken: JsMsg[] = []
    for await (const message of messages) taken.push(message)
    return taken
  }

  /** Makes the badges of a piece, and rests as long as the machine is busy. */
  async #handle(messages: JsMsg[]): Promise<void> {
    const orders = messages.map((message) => ({ message, order: message.json<Queued>() }))
    try {
      const { drawn, waitingMs, failed } = await this.#options.maker.make(orders.map(({ order }) => order))
      for (const { message, order } of orders) {
        if (failed.has(order.guest_id)) this.#tryAgain(message, failed.get(order.guest_id))
        else message.ack()
      }
      // What is there already takes little, and tells nothing of how busy it is.
      if (drawn > 0) await this.#rest(this.#pace.restAfter(drawn, waitingMs, this.#ageOfWaiting(orders)))
    } catch (error) {
      for (const { message } of orders) this.#tryAgain(message, error)
    }
  }

  #tryAgain(message: JsMsg, error: unknown): void {
    const delay = Math.min(AWAY_MS * 2 ** (message.info.deliveryCount - 1), LONGEST_DELAY_MS)
    this.#options.log.warn({ err: error, delay }, 'a badge could not be made; it is tried again')
    message.nak(delay)
  }

  /** For how long the guests behind these have been waiting, in ms; 0 when nobody does. */
  #ageOfWaiting(orders: { message: JsMsg; order: Queued }[]): number {
    const last = orders.findLast(({ message }) => !message.redelivered)
    if (!last || last.message.info.pending === 0) return 0
    const age = Date.now() - Date.parse(last.order.due)
    if (age > LATE_MS && performance.now() - this.#saidLate > SAY_AGAIN_MS) {
      this.#saidLate = performance.now()
      const found = { late_s: Math.round(age / 1_000), badges: last.message.info.pending }
      this.#options.log.info(found, 'badges are put off: the database or the machine is busy')
    }
    return age
  }

  /** Looks for orders that are not in the queue though they should be. */
  async #goRound(): Promise<void> {
    await this.#prepared.promise
    let after: BadgeOrder[] = []
    while (!this.#stopping.signal.aborted) {
      const manager = await managerOf(this.#options.bus)
      const { state } = await manager.streams.info(this.#name)
      if (state.messages >= ENOUGH) return
      const found = await this.#orders.due({ body: { after, limit: PAGE } })
      const young = Date.now() - YOUNG_MS
      const old = found.filter(({ due }) => due.getTime() < young)
      await this.#enqueue(old)
      if (found.length < PAGE || old.length < found.length) return
      after = found.slice(-1)
    }
  }
}
