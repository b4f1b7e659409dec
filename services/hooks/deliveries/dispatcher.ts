import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { type AttemptOptions, Attempts } from './attempts.ts'
import { BATCH_MS, type Batch, Claims } from './claims.ts'
import type { Claim, Delivery } from './store.ts'

/** What a courier works with. */
interface CourierOptions extends AttemptOptions {
  /** How long an attempt may take. */
  timeoutMs: number
}

/** How often a courier looks for what nobody told it of: retries, and what others queued or left behind. */
const LOOK_MS = 1_000
/** Receivers served at once, and how many slow ones besides. */
const PLACES = 64
const SLOW_PLACES = 512
/** Slow receivers that are known. More would be deleted ones for the most part; one that is forgotten takes a place for `LATE_MS` once more. */
const MOST_KNOWN_SLOW = 10_000
/** Deliveries of one receiver claimed at once, when it takes them fast; one where the last was not taken. */
const MOST_CLAIMED = 256
/** Whose turn takes longer is slow, and leaves its place to others from then on. */
const LATE_MS = BATCH_MS + 1_000
/** A receiver that takes so many of them in a turn goes on getting what was claimed for it. */
const SWIFT = 64

/** What came of a receiver's turn. */
interface Turn {
  /** Whether it took all that it was to get. */
  taken: boolean
  /** How long to rest afterwards. */
  restMs: number
}

/** A receiver that is being served. */
interface Lane {
  /** What came for it already claimed. */
  handed: Batch[]
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
export class Courier {
  readonly #options: CourierOptions
  readonly #claims: Claims
  readonly #attempts: Attempts
  /** The receivers that are being served, by webhook. */
  readonly #lanes = new Map<string, Lane>()
  /** Those that did not take what they got last, or not in time; of very many the latest. */
  readonly #slow = new LRUCache<string, true>({ max: MOST_KNOWN_SLOW })
  readonly #places = pLimit(PLACES)
  readonly #slowPlaces = pLimit(SLOW_PLACES)
  #looking: NodeJS.Timeout | undefined
  readonly #ended = new AbortController()

  constructor(options: CourierOptions) {
    this.#options = options
    this.#claims = new Claims(options.store, options.timeoutMs)
    this.#attempts = new Attempts(options)
  }

  start(): void {
    void this.#look()
  }

  /** There is something due for these webhooks. */
  wake(webhookIds: Iterable<string>): void {
    for (const id of webhookIds) {
      const lane = this.#laneOf(id)
      if (lane) lane.again = true
    }
  }

  /** Under which claim new deliveries of a webhook are stored, if they are to be handed to this courier; otherwise they are due for anybody. */
  offer(webhookId: string): Claim | undefined {
    return this.#slow.has(webhookId) || this.#ended.signal.aborted ? undefined : this.#claims.offer()
  }

  /** Takes new deliveries on, those under a claim that was offered and those that are due. */
  bring(deliveries: Delivery[]): void {
    for (const [webhookId, ofWebhook] of Map.groupBy(deliveries, ({ webhook_id }) => webhook_id)) {
      const claim = ofWebhook[0]?.claim
      const lane = this.#laneOf(webhookId)
      if (!claim) {
        if (lane) lane.again = true
        continue
      }
      const batch = this.#claims.take(ofWebhook, claim)
      if (lane) lane.handed.push(batch)
      else void this.#claims.giveBack(batch)
    }
  }

  /** Finishes what is being sent. */
  async stop(): Promise<void> {
    this.#ended.abort()
    clearTimeout(this.#looking)
    await Promise.all(this.#lanes.values().map(({ serving }) => serving))
  }

  async #look(): Promise<void> {
    try {
      this.wake(await this.#options.store.dueWebhooks())
    } catch (error) {
      this.#options.log.warn({ err: error }, 'due deliveries can not be read')
    }
    if (this.#ended.signal.aborted) return
    this.#looking = setTimeout(() => void this.#look(), LOOK_MS)
    this.#looking.unref()
  }

  /** The lane of a receiver, which is being served from now on; undefined when the courier has ended. */
  #laneOf(webhookId: string): Lane | undefined {
    const known = this.#lanes.get(webhookId)
    if (known || this.#ended.signal.aborted) return known
    const lane: Lane = { handed: [], again: false, serving: Promise.resolve() }
    this.#lanes.set(webhookId, lane)
    // In the next turn: what it is served for lies in it then.
    lane.serving = nextTurn().then(() => this.#serve(webhookId, lane))
    return lane
  }

  /** Delivers until nothing is left. */
  async #serve(webhookId: string, lane: Lane): Promise<void> {
    try {
      for (let most = 1; !this.#ended.signal.aborted; ) {
        const turn = await this.#turn(webhookId, lane, most)
        if (!turn) break
        most = turn.taken ? Math.min(most * 2, MOST_CLAIMED) : 1
        await sleep(turn.restMs, undefined, { signal: this.#ended.signal }).catch(() => {})
      }
    } catch (error) {
      // The store is away, or who knows where it goes: what was claimed is given back, or due again when the claim ends.
      this.#options.log.warn({ err: error, webhook_id: webhookId }, 'deliveries can not be worked on')
    }
    this.#lanes.delete(webhookId)
    for (const batch of lane.handed) await this.#claims.giveBack(batch)
  }

  /** A turn of a receiver, as soon as there is a place for it; undefined when nothing is left. */
  async #turn(webhookId: string, lane: Lane, most: number): Promise<Turn | undefined> {
    if (this.#slow.has(webhookId)) return this.#slowPlaces(() => this.#work(webhookId, lane, most))
    const { working } = await this.#places(async () => {
      const working = this.#work(webhookId, lane, most)
      await endOf(working, LATE_MS)
      return { working }
    })
    return working
  }

  /** Works on what is next for a receiver, and notes whether it is slow. */
  async #work(webhookId: string, lane: Lane, most: number): Promise<Turn | undefined> {
    if (this.#ended.signal.aborted) return undefined
    const begun = performance.now()
    const batch = await this.#next(webhookId, lane, most)
    if (!batch) return undefined
    let taken = false
    try {
      taken = await this.#deliver(batch, lane)
    } finally {
      if (taken && performance.now() - begun < LATE_MS) this.#slow.delete(webhookId)
      else this.#slow.set(webhookId, true)
    }
    return { taken, restMs: batch.restMs }
  }

  /** What came for a receiver already claimed, else what is due; undefined when there is nothing. */
  async #next(webhookId: string, lane: Lane, most: number): Promise<Batch | undefined> {
    for (;;) {
      const handed = lane.handed.shift()
      if (handed || !lane.again) return handed
      lane.again = false
      const found = await this.#claims.find(webhookId, most)
      if (!found) continue
      lane.again = true
      return found
    }
  }

  /**
   * Whether the receiver took all of a batch that it was to get in this turn. What is left waits for the next one where it takes much, and is
   * given back otherwise, also when it can not be known where it goes.
   */
  async #deliver(batch: Batch, lane: Lane): Promise<boolean> {
    const { signal } = this.#ended
    const left = [...batch.deliveries]
    let isTaken = false
    let isSwift = false
    try {
      if (performance.now() < batch.until) {
        isTaken = await this.#attempts.deliver(left, batch.claim, BATCH_MS, signal)
      }
      const tried = batch.deliveries.length - left.length
      isSwift = isTaken && tried >= SWIFT && performance.now() < batch.until && !signal.aborted
    } finally {
      this.#claims.tried(batch.deliveries.length - left.length)
      const rest = { ...batch, deliveries: left }
      if (isSwift && left.length > 0) lane.handed.unshift(rest)
      else await this.#claims.giveBack(rest)
    }
    return isTaken && (isSwift || left.length === 0)
  }
}

/** Waits until some work ends, in whatever way, but no longer than this. */
async function endOf(work: Promise<unknown>, ms: number): Promise<void> {
  const ended = new AbortController()
  const end = (): void => ended.abort()
  work.then(end, end)
  await sleep(ms, undefined, { signal: ended.signal }).catch(() => {})
}
