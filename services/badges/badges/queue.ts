import { setTimeout as sleep } from 'node:timers/promises'
import { onOrders } from '@gatehouse/guests/announcements'
import { badgeOrders } from '@gatehouse/guests/resources'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { PauseSettings } from '@gatehouse/proto/concurrency/adaptive-pause.ts'
import { toFault } from '@gatehouse/proto/declaring/faults.ts'
import type { Output } from '@gatehouse/proto/declaring/resource.ts'
import { BatchConsumer, type BatchResult } from '@gatehouse/proto/events/batch-consumer.ts'
import { DEDUPE_MS, managerOf } from '@gatehouse/proto/events/streams.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import { AckPolicy, type Consumer, type JsMsg, jetstream, RetentionPolicy, StorageType } from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import type { BadgeMaker } from './maker.ts'

type BadgeOrder = Output<(typeof badgeOrders)['actions']['due']>[number]

/** An order as it lies in the queue. */
type Queued = Omit<BadgeOrder, 'due'> & { due: string }

const WORKERS = 'workers'
/** Badges of a piece: they are read and stored together, and nobody waits for a processor longer than they take to be drawn. */
const MAX_BATCH = 10
/** How long a piece may take before another process gets it, in milliseconds. */
const ACK_WAIT_MS = 10_000
/** What a badge takes beside being drawn, and how late it may get (docs/adr/0017). */
const BADGE_PAUSES: PauseSettings = {
  baselineMs: 6,
  fixed: 4,
  tolerance: 1.5,
  factor: 60,
  maxPauseMs: 500,
  maxDelayMs: 60_000,
}
/** How old what waits is before the log says so. */
const LATE_MS = 15_000
/** How long after its n-th failure a badge is tried again: 1, 2, 4, … seconds. */
const FIRST_DELAY_MS = 1_000
const MAX_DELAY_MS = 300_000
/** How often orders are looked for that nobody told of, or that were told while JetStream was away. */
const RECOVERY_EVERY_MS = 5_000
/** How long the guests service may be away before the log says so. */
const AWAITED_WITHIN_MS = 60_000
const PAGE_SIZE = 500
/** Badges waiting in the queue, above which nothing more is looked for: there is enough to do. */
const MAX_QUEUED = 1_000
/** Younger orders are most likely just being told, in milliseconds. */
const MIN_AGE_MS = 3_000
/** How long the queue may take for an order. */
const STORED_WITHIN_MS = 5_000

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
  readonly #orders
  readonly #batches: BatchConsumer
  readonly #stopping = new AbortController()
  readonly #prepared = Promise.withResolvers<void>()
  #running: Promise<unknown> = Promise.resolve()

  constructor(options: QueueOptions) {
    const { bus, log } = options
    this.#options = options
    this.#name = `${bus.namespace}_badges`
    this.#subject = `${bus.namespace}.work.badges`
    this.#orders = clientOf(bus, badgeOrders)
    this.#batches = new BatchConsumer({
      open: () => this.#open(),
      work: (messages) => this.#make(messages),
      waitingSince: (message) => Date.parse(message.json<Queued>().due),
      max: { things: MAX_BATCH, messages: MAX_BATCH },
      pauseSettings: BADGE_PAUSES,
      lateMs: LATE_MS,
      signal: this.#stopping.signal,
      log,
    })
  }

  /** Begins to work. JetStream may be away; it is tried again until it is there. */
  start(): void {
    this.#running = Promise.all([this.#batches.run(), this.#recoveryLoop()])
  }

  /** Takes nothing more, ends what is in work. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#prepared.resolve()
    await this.#running
  }

  #logFailure(error: unknown): void {
    if (this.#stopping.signal.aborted) return
    this.#options.log.warn({ err: error }, 'enqueuing badges failed; it is tried again')
  }

  /** Makes stream and consumer where they are missing: at the first start, or when JetStream lost them. */
  async #open(): Promise<Consumer> {
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
    return jetstream(this.#options.bus.connection).consumers.get(this.#name, WORKERS)
  }

  /** Puts orders in the queue; an order that it has had lately is not put there again. */
  async #enqueue(orders: BadgeOrder[]): Promise<void> {
    await Promise.all(
      orders.map((order) => {
        const id = `${order.guest_id}:${order.due.getTime()}`
        return this.#options.bus.store(this.#subject, Buffer.from(JSON.stringify(order)), STORED_WITHIN_MS, id)
      }),
    )
  }

  /** Makes the badges of a piece. */
  async #make(messages: JsMsg[]): Promise<BatchResult> {
    const orders = messages.map((message) => ({ message, order: message.json<Queued>() }))
    try {
      const { drawn, waitingMs, failed } = await this.#options.maker.make(orders.map(({ order }) => order))
      for (const { message, order } of orders) {
        if (failed.has(order.guest_id)) this.#retry(message, failed.get(order.guest_id))
        else message.ack()
      }
      // What is there already takes little, and counts as nothing.
      return { things: drawn, tookMs: waitingMs }
    } catch (error) {
      for (const { message } of orders) this.#retry(message, error)
      return { things: 0, tookMs: 0 }
    }
  }

  #retry(message: JsMsg, error: unknown): void {
    const delay = Math.min(FIRST_DELAY_MS * 2 ** (message.info.deliveryCount - 1), MAX_DELAY_MS)
    this.#options.log.warn({ err: error, delay }, 'a badge could not be made; it is tried again')
    message.nak(delay)
  }

  async #recoveryLoop(): Promise<void> {
    const { signal } = this.#stopping
    await this.#prepared.promise
    if (signal.aborted) return
    // What was ordered before there was a queue is found by a round.
    onOrders(this.#options.bus, (orders) => void this.#enqueue(orders).catch((error) => this.#logFailure(error)))
    let worked = performance.now()
    while (!signal.aborted) {
      try {
        await this.#recover()
        worked = performance.now()
      } catch (error) {
        // Where all processes start together guests comes when it comes.
        const isAwaited = toFault(error).code === 'unavailable' && performance.now() - worked < AWAITED_WITHIN_MS
        if (!isAwaited) this.#logFailure(error)
      }
      await sleep(RECOVERY_EVERY_MS, undefined, { signal }).catch(() => {})
    }
  }

  /** Looks for orders that are not in the queue though they should be. */
  async #recover(): Promise<void> {
    let after: BadgeOrder[] = []
    while (!this.#stopping.signal.aborted) {
      const manager = await managerOf(this.#options.bus)
      const { state } = await manager.streams.info(this.#name)
      if (state.messages >= MAX_QUEUED) return
      const found = await this.#orders.due({ body: { after, limit: PAGE_SIZE } })
      const young = Date.now() - MIN_AGE_MS
      const old = found.filter(({ due }) => due.getTime() < young)
      await this.#enqueue(old)
      if (found.length < PAGE_SIZE || old.length < found.length) return
      after = found.slice(-1)
    }
  }
}
