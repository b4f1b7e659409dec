import { setTimeout as sleep } from 'node:timers/promises'
import { onOrders } from '@gatehouse/guests/announcements'
import { badgeOrders } from '@gatehouse/guests/resources'
import type { Bus } from '@gatehouse/proto/bus.ts'
import { clientOf } from '@gatehouse/proto/calls.ts'
import type { Log } from '@gatehouse/proto/log.ts'
import type { Output } from '@gatehouse/proto/resource.ts'
import { DEDUPE_MS, managerOf } from '@gatehouse/proto/streams.ts'
import {
  AckPolicy,
  type ConsumerMessages,
  type JetStreamClient,
  type JsMsg,
  jetstream,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import type { BadgeMaker } from './maker.ts'
import type { Owner } from './store.ts'

type BadgeOrder = Output<(typeof badgeOrders)['actions']['due']>[number]

const WORKERS = 'workers'
/** Badges in work at once in one process: while one is drawn, others are asked for and stored. */
const AT_ONCE = 4
/** How long a badge may take before another process gets it, in milliseconds. */
const ACK_WAIT_MS = 10_000
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
  readonly #working = new Set<Promise<void>>()
  readonly #stopping = new AbortController()
  readonly #prepared = Promise.withResolvers<void>()
  #messages: ConsumerMessages | undefined
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
    await Promise.all(this.#working)
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
      await sleep(delay, undefined, { signal }).catch(() => {})
    }
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
      orders.map(({ due, ...owner }) =>
        this.#jetstream.publish(this.#subject, JSON.stringify(owner), {
          msgID: `${owner.guest_id}:${due.getTime()}`,
        }),
      ),
    )
  }

  /** Takes badges from the queue until it breaks. */
  async #work(): Promise<void> {
    await this.#prepare()
    const consumer = await this.#jetstream.consumers.get(this.#name, WORKERS)
    const messages = await consumer.consume({ max_messages: AT_ONCE, abort_on_missing_resource: true })
    this.#messages = messages
    if (this.#stopping.signal.aborted) messages.stop()
    for await (const message of messages) {
      const job = this.#handle(message).finally(() => this.#working.delete(job))
      this.#working.add(job)
      if (this.#working.size >= AT_ONCE) await Promise.race(this.#working)
    }
  }

  async #handle(message: JsMsg): Promise<void> {
    try {
      await this.#options.maker.make(message.json<Owner>())
      message.ack()
    } catch (error) {
      const delay = Math.min(AWAY_MS * 2 ** (message.info.deliveryCount - 1), LONGEST_DELAY_MS)
      this.#options.log.warn({ err: error, delay }, 'a badge could not be made; it is tried again')
      message.nak(delay)
    }
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
