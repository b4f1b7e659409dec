import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { type AttemptOptions, Attempts } from './attempts.ts'
import { BATCH_MS, type Batch, Claims } from './claims.ts'
import type { Claim, Delivery } from './store.ts'

/** What a courier works with. */
interface DispatcherOptions extends AttemptOptions {
  /** How long an attempt may take. */
  timeoutMs: number
}

/** How often a courier looks for what nobody told it of: retries, and what others queued or left behind. */
const POLL_MS = 1_000
/** Receivers served at once, and how many slow ones besides. */
const CONCURRENT_TURNS = 64
const CONCURRENT_SLOW_TURNS = 512
/** Slow receivers that are known. More would be deleted ones for the most part; one that is forgotten takes a place for `LATE_MS` once more. */
const MAX_KNOWN_SLOW = 10_000
/** Deliveries of one receiver claimed at once, when it takes them fast; one where the last was not taken. */
const MAX_CLAIMED = 256
/** Whose turn takes longer is slow, and leaves its place to others from then on. */
const LATE_MS = BATCH_MS + 1_000
/** A receiver that takes so many of them in a turn goes on getting what was claimed for it. */
const FAST = 64

/** What came of a receiver's turn. */
interface Turn {
  /** Whether it took all that it was to get. */
  taken: boolean
  /** How long to rest afterwards. */
  pauseMs: number
}

/** A receiver that is being served. */
interface ReceiverQueue {
  /** What came for it already claimed. */
  claimed: Batch[]
  /** Something may have become due meanwhile. */
  again: boolean
  serving: Promise<void>
}

/**
 * Brings deliveries to their receivers. Each receiver has its own lane and is served in turns, of which there is a number of places at
 * once. A slow one leaves its place and takes its turns among the slow ones, so it holds up nobody who is not. Couriers of other
 * processes share the work: a delivery is claimed for a while, and is due again when its courier dies. What is new is stored as claimed
 * already, and goes out without being looked for.
 */
export class DeliveryDispatcher {
  readonly #options: DispatcherOptions
  readonly #claims: Claims
  readonly #attempts: Attempts
  /** The receivers that are being served, by webhook. */
  readonly #queues = new Map<string, ReceiverQueue>()
  /** Those that did not take what they got last, or not in time; of very many the latest. */
  readonly #slow = new LRUCache<string, true>({ max: MAX_KNOWN_SLOW })
  readonly #turns = pLimit(CONCURRENT_TURNS)
  readonly #slowTurns = pLimit(CONCURRENT_SLOW_TURNS)
  #polling: NodeJS.Timeout | undefined
  readonly #ended = new AbortController()

  constructor(options: DispatcherOptions) {
    this.#options = options
    this.#claims = new Claims(options.store, options.timeoutMs)
    this.#attempts = new Attempts(options)
  }

  start(): void {
    void this.#poll()
  }

  /** There is something due for these webhooks. */
  wake(webhookIds: Iterable<string>): void {
    for (const id of webhookIds) {
      const queue = this.#queueOf(id)
      if (queue) queue.again = true
    }
  }

  /** Under which claim new deliveries of a webhook are stored, if they are to be handed to this courier; otherwise they are due for anybody. */
  offerClaim(webhookId: string): Claim | undefined {
    return this.#slow.has(webhookId) || this.#ended.signal.aborted ? undefined : this.#claims.offer()
  }

  /** Takes new deliveries on, those under a claim that was offered and those that are due. */
  dispatch(deliveries: Delivery[]): void {
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

  /** Finishes what is being sent. */
  async stop(): Promise<void> {
    this.#ended.abort()
    clearTimeout(this.#polling)
    await Promise.all(this.#queues.values().map(({ serving }) => serving))
  }

  async #poll(): Promise<void> {
    try {
      this.wake(await this.#options.store.dueWebhooks())
    } catch (error) {
      this.#options.log.warn({ err: error }, 'due deliveries can not be read')
    }
    if (this.#ended.signal.aborted) return
    this.#polling = setTimeout(() => void this.#poll(), POLL_MS)
    this.#polling.unref()
  }

  /** The lane of a receiver, which is being served from now on; undefined when the courier has ended. */
  #queueOf(webhookId: string): ReceiverQueue | undefined {
    const known = this.#queues.get(webhookId)
    if (known || this.#ended.signal.aborted) return known
    const queue: ReceiverQueue = { claimed: [], again: false, serving: Promise.resolve() }
    this.#queues.set(webhookId, queue)
    // In the next turn: what it is served for lies in it then.
    queue.serving = nextTurn().then(() => this.#serve(webhookId, queue))
    return queue
  }

  /** Delivers until nothing is left. */
  async #serve(webhookId: string, queue: ReceiverQueue): Promise<void> {
    try {
      for (let max = 1; !this.#ended.signal.aborted; ) {
        const turn = await this.#turn(webhookId, queue, max)
        if (!turn) break
        max = turn.taken ? Math.min(max * 2, MAX_CLAIMED) : 1
        await sleep(turn.pauseMs, undefined, { signal: this.#ended.signal }).catch(() => {})
      }
    } catch (error) {
      // The store is away, or who knows where it goes: what was claimed is given back, or due again when the claim ends.
      this.#options.log.warn({ err: error, webhook_id: webhookId }, 'deliveries can not be worked on')
    }
    this.#queues.delete(webhookId)
    for (const batch of queue.claimed) await this.#claims.release(batch)
  }

  /** A turn of a receiver, as soon as there is a place for it; undefined when nothing is left. */
  async #turn(webhookId: string, queue: ReceiverQueue, max: number): Promise<Turn | undefined> {
    if (this.#slow.has(webhookId)) return this.#slowTurns(() => this.#work(webhookId, queue, max))
    const { working } = await this.#turns(async () => {
      const working = this.#work(webhookId, queue, max)
      await endOf(working, LATE_MS)
      return { working }
    })
    return working
  }

  /** Works on what is next for a receiver, and notes whether it is slow. */
  async #work(webhookId: string, queue: ReceiverQueue, max: number): Promise<Turn | undefined> {
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
    }
    return { taken, pauseMs: batch.pauseMs }
  }

  /** What came for a receiver already claimed, else what is due; undefined when there is nothing. */
  async #next(webhookId: string, queue: ReceiverQueue, max: number): Promise<Batch | undefined> {
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
   * Whether the receiver took all of a batch that it was to get in this turn. What is left waits for the next one where it takes much, and is
   * given back otherwise, also when it can not be known where it goes.
   */
  async #deliver(batch: Batch, queue: ReceiverQueue): Promise<boolean> {
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

/** Waits until some work ends, in whatever way, but no longer than this. */
async function endOf(work: Promise<unknown>, ms: number): Promise<void> {
  const ended = new AbortController()
  const end = (): void => ended.abort()
  work.then(end, end)
  await sleep(ms, undefined, { signal: ended.signal }).catch(() => {})
}
