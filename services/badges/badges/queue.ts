import * as guestTopics from '@gatehouse/guests/topics'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { Poller } from '@gatehouse/proto/concurrency/poller.ts'
import { toFault } from '@gatehouse/proto/declaring/faults.ts'
import type { SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import type { Output } from '@gatehouse/proto/declaring/resource.ts'
import { BatchConsumer, type BatchResult } from '@gatehouse/proto/events/batch-consumer.ts'
import { addStream, DEDUPE_MS, managerOf, observeQueue } from '@gatehouse/proto/events/streams.ts'
import { messageReader } from '@gatehouse/proto/formats/message-reader.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import { instruments } from '@gatehouse/proto/telemetry/metrics.ts'
import { AckPolicy, type Consumer, type JsMsg, jetstream, RetentionPolicy } from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import { badgeOrders } from '../permissions.ts'
import type { BadgeMaker } from './maker.ts'

type BadgeOrder = Output<(typeof badgeOrders)['actions']['due']>[number]

/** Reads an order of the queue, where it is as the guests service gives it. */
const readOrder = messageReader<BadgeOrder>((badgeOrders.actions.due.reply as object as SchemaNode).items ?? {})

const WORKERS = 'workers'
/** Badges of a batch, which are read and stored together. Other work waits for the processor at most while these are drawn. */
const MAX_BATCH = 10
/** After this time without acknowledgement another process gets a batch. */
const ACK_WAIT_MS = 10_000
/** Badges that have waited for this long no longer yield (docs/adr/0009). */
const PATIENCE_MS = 60_000
/** Orders older than this are logged as late. */
const LATE_MS = 15_000
/** The delay before a retry doubles from the first to the longest. */
const FIRST_DELAY_MS = 1_000
const MAX_DELAY_MS = 300_000
/** How often the queue looks for orders that were not announced, or were announced while JetStream was away. */
const RECOVERY_EVERY_MS = 5_000
const RECOVERY_IDLE_MS = 10_000
/** For so long after the last success an absent guests service is not logged. */
const AWAITED_WITHIN_MS = 60_000
const PAGE_SIZE = 500
/** With this many orders in the queue no others are looked for. */
const MAX_QUEUED = 1_000
/** Younger orders are probably just being announced. */
const MIN_AGE_MS = 3_000
/** Timeout of storing an order in the queue. */
const STORED_WITHIN_MS = 5_000

interface QueueOptions {
  bus: Bus
  maker: BadgeMaker
  log: Log
}

/**
 * The queue of badges to make: a JetStream work queue that all processes of this service share. The orders themselves lie in the guests
 * (services/guests/badge-orders). The queue distributes the work, delivers it again after a crash, and may be lost.
 */
export class BadgeQueue {
  readonly #options: QueueOptions
  readonly #name: string
  readonly #subject: string
  readonly #orders
  readonly #batches: BatchConsumer
  readonly #stopping = new AbortController()
  readonly #recovery: Poller
  /** The last look that succeeded, by `performance.now()`. */
  #recoveredAt = performance.now()
  #isListening = false
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
      waitingSince: ({ data }) => readOrder(data)?.due.getTime() ?? Date.now(),
      max: { things: MAX_BATCH, messages: MAX_BATCH },
      patienceMs: PATIENCE_MS,
      lateMs: LATE_MS,
      signal: this.#stopping.signal,
      log,
    })
    this.#recovery = new Poller({
      everyMs: RECOVERY_EVERY_MS,
      idleMs: RECOVERY_IDLE_MS,
      look: (signal) => this.#recover(signal),
      onError: (error) => {
        // When all processes start together, the guests service may come later.
        const isAwaited = performance.now() - this.#recoveredAt < AWAITED_WITHIN_MS
        if (toFault(error).code !== 'unavailable' || !isAwaited) this.#logFailure(error)
      },
    })
  }

  /** Starts working. While JetStream is away it keeps trying. */
  start(): void {
    this.#running = this.#batches.run()
    observeQueue('badges', this.#options.bus, this.#name, WORKERS)
  }

  /** Takes no more work and resolves when the current batch is done. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all([this.#recovery.stop(), this.#running])
  }

  #logFailure(error: unknown): void {
    if (this.#stopping.signal.aborted) return
    this.#options.log.warn({ err: error }, 'queueing badge orders failed; retrying')
  }

  /** Creates stream and consumer if they are missing: at the first start, or after JetStream lost them. */
  async #open(): Promise<Consumer> {
    await addStream(this.#options.bus, {
      name: this.#name,
      subjects: [this.#subject],
      retention: RetentionPolicy.Workqueue,
      duplicate_window: nanos(DEDUPE_MS),
    })
    const manager = await managerOf(this.#options.bus)
    await manager.consumers.add(this.#name, {
      durable_name: WORKERS,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ACK_WAIT_MS),
    })
    if (!this.#isListening) {
      this.#isListening = true
      this.#options.bus.listen(guestTopics.badgesDue, (orders) => {
        this.#enqueue(orders).catch((error) => this.#logFailure(error))
      })
    }
    // Finds orders from before the stream existed.
    this.#recovery.wake()
    return jetstream(this.#options.bus.connection).consumers.get(this.#name, WORKERS)
  }

  /** Puts orders in the queue. JetStream drops those that it received lately. */
  async #enqueue(orders: BadgeOrder[]): Promise<void> {
    await Promise.all(
      orders.map((order) => {
        const id = `${order.guest_id}:${order.due.getTime()}`
        return this.#options.bus.store(this.#subject, Buffer.from(JSON.stringify(order)), STORED_WITHIN_MS, id)
      }),
    )
  }

  /** Makes the badges of a batch. A message that cannot be read is terminated. */
  async #make(messages: JsMsg[]): Promise<BatchResult> {
    const orders = messages.flatMap((message) => {
      const order = readOrder(message.data)
      if (order) return [{ message, order }]
      this.#options.log.error({ seq: message.seq }, 'a message is not a badge order')
      message.term()
      return []
    })
    try {
      const { drawn, waitingMs, failed } = await this.#options.maker.make(orders.map(({ order }) => order))
      for (const { message, order } of orders) {
        if (failed.has(order.guest_id)) this.#retry(message, failed.get(order.guest_id))
        else message.ack()
      }
      // Badges that were stored already take little time and do not count.
      return { things: drawn, tookMs: waitingMs }
    } catch (error) {
      for (const { message } of orders) this.#retry(message, error)
      return { things: 0, tookMs: 0 }
    }
  }

  #retry(message: JsMsg, error: unknown): void {
    const delay = Math.min(FIRST_DELAY_MS * 2 ** (message.info.deliveryCount - 1), MAX_DELAY_MS)
    this.#options.log.warn({ err: error, delay }, 'making a badge failed; it will be retried')
    instruments.retries.add(1, { kind: 'badge' })
    message.nak(delay)
  }

  /** Queues orders that are missing in the queue. Returns whether there were any. */
  async #recover(signal: AbortSignal): Promise<boolean> {
    let hasFound = false
    let after: BadgeOrder[] = []
    while (!signal.aborted) {
      const manager = await managerOf(this.#options.bus)
      const { state } = await manager.streams.info(this.#name)
      if (state.messages >= MAX_QUEUED) break
      const found = await this.#orders.due({ body: { after, limit: PAGE_SIZE } })
      const young = Date.now() - MIN_AGE_MS
      const old = found.filter(({ due }) => due.getTime() < young)
      await this.#enqueue(old)
      hasFound ||= found.length > 0
      if (found.length < PAGE_SIZE || old.length < found.length) break
      after = found.slice(-1)
    }
    this.#recoveredAt = performance.now()
    return hasFound
  }
}
