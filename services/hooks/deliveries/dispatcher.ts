import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { Poller } from '@gatehouse/proto/concurrency/poller.ts'
import { growingCache } from '@gatehouse/proto/storage/growing-cache.ts'
import pLimit from 'p-limit'
import { type AttemptOptions, Attempts } from './attempts.ts'
import { BATCH_MS, type ClaimedBatch, DeliveryClaims } from './claims.ts'
import type { DeliveryClaim, StoredDelivery } from './store.ts'

interface DispatcherOptions extends AttemptOptions {
  /** Time-out of an attempt. */
  timeoutMs: number
}

/** How often due deliveries are looked for: retries, and those that other processes queued or abandoned. */
const POLL_MS = 1_000
const IDLE_POLL_MS = 8_000
/** Receivers that are served at the same time, and slow ones besides. */
const CONCURRENT_TURNS = 64
const CONCURRENT_SLOW_TURNS = 512
/** Remembered slow receivers. Most older ones are deleted by then; a forgotten one takes a normal place once more, for `LATE_MS`. */
const MAX_KNOWN_SLOW = 10_000
/** Largest batch of a fast receiver. After a failure a batch is one delivery. */
const MAX_CLAIMED = 256
/** A receiver whose turn takes longer is slow and returns its place to others. */
const LATE_MS = BATCH_MS + 1_000
/** A receiver that takes this many in a turn keeps the rest of its batch for the next one. */
const FAST = 64

/** The outcome of a receiver's turn. */
interface TurnResult {
  /** Whether all deliveries of the turn succeeded. */
  taken: boolean
  /** The pause after the turn. */
  pauseMs: number
}

/** The queue of a receiver that is being served. */
interface ReceiverQueue {
  /** Batches that are claimed already. */
  claimed: ClaimedBatch[]
  /** Whether deliveries may have become due meanwhile. */
  again: boolean
  serving: Promise<void>
}

/**
 * Dispatches deliveries. Each receiver has its own queue and is served in turns, a limited number of which run at the same time. A slow
 * receiver takes its turns in a limit of its own, so it does not delay others. Processes share the work: a delivery is claimed for a while,
 * and is due again if its process dies. New deliveries are stored as claimed and dispatched without a query.
 */
export class DeliveryDispatcher {
  readonly #options: DispatcherOptions
  readonly #claims: DeliveryClaims
  readonly #attempts: Attempts
  /** The queues of receivers that are being served, by webhook. */
  readonly #queues = new Map<string, ReceiverQueue>()
  /** The latest receivers whose last turn failed or was slow. */
  readonly #slow = growingCache<true>(MAX_KNOWN_SLOW)
  readonly #turns = pLimit(CONCURRENT_TURNS)
  readonly #slowTurns = pLimit(CONCURRENT_SLOW_TURNS)
  readonly #poller: Poller
  readonly #ended = new AbortController()

  constructor(options: DispatcherOptions) {
    this.#options = options
    this.#claims = new DeliveryClaims(options.store, options.timeoutMs)
    this.#attempts = new Attempts(options)
    this.#poller = new Poller({
      everyMs: POLL_MS,
      idleMs: IDLE_POLL_MS,
      look: () => this.#poll(),
      onError: (error) => options.log.warn({ err: error }, 'due deliveries could not be read'),
    })
  }

  start(): void {
    this.#poller.wake()
  }

  /** Serves these webhooks: they have due deliveries. */
  wake(webhookIds: Iterable<string>): void {
    for (const id of webhookIds) {
      const queue = this.#queueOf(id)
      if (queue) queue.again = true
    }
  }

  /** A claim under which new deliveries of a webhook are stored and then dispatched here; without one they are due for any process. */
  offerClaim(webhookId: string): DeliveryClaim | undefined {
    return this.#slow.has(webhookId) || this.#ended.signal.aborted ? undefined : this.#claims.offer()
  }

  /** Dispatches new deliveries, which are due or stored under an offered claim. */
  dispatch(deliveries: StoredDelivery[]): void {
    for (const [webhookId, ofWebhook] of Map.groupBy(deliveries, ({ webhook_id }) => webhook_id)) {
      const claim = ofWebhook[0]?.claim
      const queue = this.#queueOf(webhookId)
      if (!claim) {
        if (queue) queue.again = true
        continue
      }
      const batch = this.#claims.take(ofWebhook, claim)
      if (queue) queue.claimed.push(batch)
      else void this.#claims.release(batch)
    }
  }

  /** Resolves when the current attempts are done. */
  async stop(): Promise<void> {
    this.#ended.abort()
    await this.#poller.stop()
    await Promise.all(this.#queues.values().map(({ serving }) => serving))
  }

  async #poll(): Promise<boolean> {
    const due = await this.#options.store.dueWebhooks()
    this.wake(due)
    return due.length > 0
  }

  /** The queue of a receiver, which is served from now on; undefined after {@link stop}. */
  #queueOf(webhookId: string): ReceiverQueue | undefined {
    const known = this.#queues.get(webhookId)
    if (known || this.#ended.signal.aborted) return known
    const queue: ReceiverQueue = { claimed: [], again: false, serving: Promise.resolve() }
    this.#queues.set(webhookId, queue)
    // In the next turn of the event loop, when the caller has filled the queue.
    queue.serving = nextTurn().then(() => this.#serve(webhookId, queue))
    return queue
  }

  /** Serves a receiver until nothing is left. */
  async #serve(webhookId: string, queue: ReceiverQueue): Promise<void> {
    try {
      for (let max = 1; !this.#ended.signal.aborted; ) {
        const turn = await this.#turn(webhookId, queue, max)
        if (!turn) break
        max = turn.taken ? Math.min(max * 2, MAX_CLAIMED) : 1
        await sleep(turn.pauseMs, undefined, { signal: this.#ended.signal }).catch(() => {})
      }
    } catch (error) {
      // The store or the service with the target is away. Claims are released, or expire.
      this.#options.log.warn({ err: error, webhook_id: webhookId }, 'deliveries could not be attempted')
    }
    this.#queues.delete(webhookId)
    for (const batch of queue.claimed) await this.#claims.release(batch)
  }

  /** A turn of a receiver, as soon as there is a place; undefined if nothing is left. */
  async #turn(webhookId: string, queue: ReceiverQueue, max: number): Promise<TurnResult | undefined> {
    if (this.#slow.has(webhookId)) return this.#slowTurns(() => this.#work(webhookId, queue, max))
    const { working } = await this.#turns(async () => {
      const working = this.#work(webhookId, queue, max)
      await endOf(working, LATE_MS)
      return { working }
    })
    return working
  }

  /** Delivers the next batch of a receiver, and remembers whether it is slow. */
  async #work(webhookId: string, queue: ReceiverQueue, max: number): Promise<TurnResult | undefined> {
    if (this.#ended.signal.aborted) return undefined
    const begun = performance.now()
    const batch = await this.#next(webhookId, queue, max)
    if (!batch) return undefined
    let taken = false
    try {
      taken = await this.#deliver(batch, queue)
    } finally {
      if (taken && performance.now() - begun < LATE_MS) this.#slow.delete(webhookId)
      else this.#slow.set(webhookId, true)
      // A retry may become due soon.
      if (!taken) this.#poller.wake(POLL_MS)
    }
    return { taken, pauseMs: batch.pauseMs }
  }

  /** The next claimed batch of a receiver, or else one of due deliveries; undefined if there is none. */
  async #next(webhookId: string, queue: ReceiverQueue, max: number): Promise<ClaimedBatch | undefined> {
    for (;;) {
      const claimed = queue.claimed.shift()
      if (claimed || !queue.again) return claimed
      queue.again = false
      const found = await this.#claims.find(webhookId, max)
      if (!found) continue
      queue.again = true
      return found
    }
  }

  /**
   * Delivers a batch. Returns whether all deliveries of this turn succeeded. The rest waits for the next turn of a fast receiver; otherwise
   * it is released, also if the target cannot be looked up.
   */
  async #deliver(batch: ClaimedBatch, queue: ReceiverQueue): Promise<boolean> {
    const { signal } = this.#ended
    const left = [...batch.deliveries]
    let isTaken = false
    let isFast = false
    try {
      if (performance.now() < batch.until) {
        isTaken = await this.#attempts.deliver(left, batch.claim, BATCH_MS, signal)
      }
      const tried = batch.deliveries.length - left.length
      isFast = isTaken && tried >= FAST && performance.now() < batch.until && !signal.aborted
    } finally {
      this.#claims.tried(batch.deliveries.length - left.length)
      const rest = { ...batch, deliveries: left }
      if (isFast && left.length > 0) queue.claimed.unshift(rest)
      else await this.#claims.release(rest)
    }
    return isTaken && (isFast || left.length === 0)
  }
}

/** Waits until work succeeds or fails, at most `ms`. */
async function endOf(work: Promise<unknown>, ms: number): Promise<void> {
  const ended = new AbortController()
  const end = (): void => ended.abort()
  work.then(end, end)
  await sleep(ms, undefined, { signal: ended.signal }).catch(() => {})
}
