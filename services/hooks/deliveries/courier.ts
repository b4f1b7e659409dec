import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '@gatehouse/proto/log.ts'
import { Pace } from '@gatehouse/proto/pace.ts'
import pLimit from 'p-limit'
import type { Secrets, WebhookSecretStore } from '../webhook-secrets/store.ts'
import type { Outcome, Sender } from './sender.ts'
import { signedHeaders } from './signing.ts'
import type { Claim, Delivery, DeliveryStore } from './store.ts'

/** Where a delivery goes: an address, or why it goes nowhere. */
export type Target = { url: string } | { gone: string }

/** Finds where deliveries go, and hears of those who never want to be asked again. */
export interface Targets {
  of(delivery: Delivery): Promise<Target>
  /** The receiver answered 410. */
  leave(delivery: Delivery): Promise<void>
}

/** What a courier works with. */
export interface CourierOptions {
  store: DeliveryStore
  secrets: WebhookSecretStore
  sender: Sender
  targets: Targets
  /** How long an attempt may take. */
  timeoutMs: number
  /** Milliseconds after the first attempt, the second, …, at least; after as many attempts and one more it is given up. */
  delays: readonly number[]
  log: Log
}

/** A claim outlives the longest attempt by far, in time-outs; afterwards its courier counts as dead. */
const CLAIM_TIMEOUTS = 3
/** How often a courier looks for what nobody told it of: retries, and what others queued or left behind. */
const LOOK_MS = 1_000
/** Requests at once to one receiver. */
const WIDE = 4
/** Receivers served at once, and how many slow ones besides. */
const PLACES = 64
const SLOW_PLACES = 512
/** Deliveries of one receiver claimed at once, when it takes them fast; one where the last was not taken. */
const MOST_CLAIMED = 256
/** How long requests are begun before it is noted what came of them; what a webhook says is looked at again then. */
const BATCH_MS = 1_000
/** Whose turn takes longer is slow, and leaves its place to others from then on. */
const LATE_MS = BATCH_MS + 1_000
/** A receiver that takes so many of them in that time goes on getting what was claimed for it. */
const SWIFT = 64
/** How long new deliveries may wait in memory for their turn, and how many of them. */
const HANDED_MS = 10_000
const MOST_HANDED = 5_000
const GONE = 410
/** Delays are longer by up to this share, so that what failed together does not come back together. */
const JITTER = 0.2

/** Deliveries that were claimed together. */
interface Batch {
  deliveries: Delivery[]
  claim: string
  /** When no more requests are begun under the claim, by `performance.now()`. */
  until: number
  /** How long to rest afterwards. */
  restMs: number
}

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
 * Brings deliveries to their receivers. Each receiver has its own lane and is served in turns, of which there is a number of places at once. A
 * slow one leaves its place and takes its turns among the slow ones, so it holds up nobody who is not. Couriers of other processes share the work: a delivery is claimed for a while, and is due again when its courier dies. What is new is stored as claimed already,
 * and goes out without being looked for.
 */
export class Courier {
  readonly #options: CourierOptions
  readonly #pace = new Pace()
  /** The receivers that are being served, by webhook. */
  readonly #lanes = new Map<string, Lane>()
  /** Those that did not take what they got last, or not in time. */
  readonly #slow = new Set<string>()
  readonly #places = pLimit(PLACES)
  readonly #slowPlaces = pLimit(SLOW_PLACES)
  /** Deliveries that wait in memory. */
  #handed = 0
  #looking: NodeJS.Timeout | undefined
  readonly #ended = new AbortController()

  constructor(options: CourierOptions) {
    this.#options = options
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
    if (this.#handed >= MOST_HANDED || this.#slow.has(webhookId) || this.#ended.signal.aborted) return undefined
    return { id: randomUUID(), until: new Date(Date.now() + HANDED_MS + this.#leaseMs) }
  }

  /** Takes new deliveries on, those under a claim that was offered and those that are due. */
  bring(deliveries: Delivery[]): void {
    const until = performance.now() + HANDED_MS
    for (const [webhookId, ofWebhook] of Map.groupBy(deliveries, ({ webhook_id }) => webhook_id)) {
      const claim = ofWebhook[0]?.claim
      const lane = this.#laneOf(webhookId)
      if (!claim) {
        if (lane) lane.again = true
        continue
      }
      this.#handed += ofWebhook.length
      const batch = { deliveries: ofWebhook, claim, until, restMs: 0 }
      if (lane) lane.handed.push(batch)
      else void this.#giveBack([batch])
    }
  }

  /** Finishes what is being sent. */
  async stop(): Promise<void> {
    this.#ended.abort()
    clearTimeout(this.#looking)
    await Promise.all(this.#lanes.values().map(({ serving }) => serving))
  }

  get #leaseMs(): number {
    return BATCH_MS + CLAIM_TIMEOUTS * this.#options.timeoutMs
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
    await this.#giveBack(lane.handed)
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
    const batch = lane.handed.shift() ?? (lane.again ? await this.#claim(webhookId, most, lane) : undefined)
    if (!batch) return undefined
    let taken = false
    try {
      taken = await this.#deliver(batch, lane)
    } finally {
      if (taken && performance.now() - begun < LATE_MS) this.#slow.delete(webhookId)
      else this.#slow.add(webhookId)
    }
    return { taken, restMs: batch.restMs }
  }

  /** The next deliveries of a webhook that are due, as many as `most`; undefined when none is. */
  async #claim(webhookId: string, most: number, lane: Lane): Promise<Batch | undefined> {
    const claim = randomUUID()
    lane.again = false
    const begun = performance.now()
    const deliveries = await this.#options.store.claim(webhookId, claim, most, this.#leaseMs)
    const now = performance.now()
    const [first] = deliveries
    if (!first) return lane.handed.shift() ?? (lane.again ? this.#claim(webhookId, most, lane) : undefined)
    lane.again = true
    this.#handed += deliveries.length
    // What is tried again has waited for long anyway.
    const age = first.attempt_count === 0 ? Date.now() - first.created_at.getTime() : 0
    return {
      deliveries,
      claim,
      until: now + BATCH_MS,
      restMs: this.#pace.restAfter(deliveries.length, now - begun, age),
    }
  }

  /**
   * Whether the receiver took all of a batch that it was to get in this turn. What is left waits for the next one where it takes much, and is
   * given back otherwise, also when it can not be known where it goes.
   */
  async #deliver(batch: Batch, lane: Lane): Promise<boolean> {
    const left = [...batch.deliveries]
    let isTaken = false
    let isSwift = false
    try {
      if (performance.now() < batch.until) isTaken = await this.#deliverFor(BATCH_MS, left, batch.claim)
      const tried = batch.deliveries.length - left.length
      isSwift = isTaken && tried >= SWIFT && performance.now() < batch.until && !this.#ended.signal.aborted
    } finally {
      this.#handed -= batch.deliveries.length
      if (isSwift && left.length > 0) {
        this.#handed += left.length
        lane.handed.unshift({ ...batch, deliveries: left })
      } else await this.#options.store.release(idsOf(left), batch.claim)
    }
    return isTaken && (isSwift || left.length === 0)
  }

  /** Takes from the list of what is left for so many ms, or until one is not taken. Whether all were taken that were tried. */
  async #deliverFor(ms: number, left: Delivery[], claim: string): Promise<boolean> {
    const { store, targets, secrets } = this.#options
    const [first] = left as [Delivery]
    const target = await targets.of(first)
    if ('gone' in target) {
      const attempt = { delivered: false, response_status: null, error: target.gone }
      await store.finish(idsOf(left.splice(0)), claim, attempt)
      return true
    }
    const signing = await secrets.of(first.account_id)
    const until = performance.now() + ms
    const delivered = new Map<number, string[]>()
    let failed = false
    const walk = async (): Promise<void> => {
      while (!failed && !this.#ended.signal.aborted && performance.now() < until) {
        const delivery = left.shift()
        if (!delivery) return
        const outcome = read(await this.#send(delivery, target.url, signing))
        if (isTaken(outcome.response_status)) {
          const ids = delivered.get(outcome.response_status) ?? []
          delivered.set(outcome.response_status, ids)
          ids.push(delivery._id)
        } else {
          failed = true
          await this.#refused(delivery, claim, outcome)
        }
      }
    }
    await Promise.all(Array.from({ length: Math.min(WIDE, left.length) }, walk))
    for (const [response_status, ids] of delivered)
      await store.finish(ids, claim, { delivered: true, response_status, error: null })
    return !failed
  }

  /** Makes due what was claimed and is not tried here. */
  async #giveBack(batches: Batch[]): Promise<void> {
    for (const { deliveries, claim } of batches) {
      this.#handed -= deliveries.length
      try {
        await this.#options.store.release(idsOf(deliveries), claim)
      } catch {
        // They are due when the claim ends.
      }
    }
  }

  /** Notes when a delivery that was not taken is tried again, if ever. */
  async #refused(delivery: Delivery, claim: string, { response_status, error }: Result): Promise<void> {
    const { store, targets, delays, log } = this.#options
    const { _id, webhook_id, attempt_count } = delivery
    const delay = response_status === GONE ? undefined : delays[attempt_count]
    const retry_at = delay === undefined ? undefined : new Date(Date.now() + varied(delay))
    await store.finish([_id], claim, { delivered: false, retry_at, response_status, error })
    if (response_status === GONE) await targets.leave(delivery)
    log.info(
      { delivery_id: _id, webhook_id, attempt_count: attempt_count + 1, response_status, error },
      'not delivered',
    )
  }

  #send({ _id, payload }: Delivery, url: string, secrets: Secrets): Promise<Outcome> {
    return this.#options.sender.post(url, signedHeaders(_id, new Date(), payload, secrets), payload)
  }
}

function idsOf(deliveries: Delivery[]): string[] {
  return deliveries.map(({ _id }) => _id)
}

/** What a request came to. */
interface Result {
  response_status: number | null
  error: string | null
}

function isTaken(status: number | null): status is number {
  return status !== null && status >= 200 && status < 300
}

function read(outcome: Outcome): Result {
  return 'status' in outcome
    ? { response_status: outcome.status, error: null }
    : { response_status: null, error: outcome.error }
}

function varied(ms: number): number {
  return ms * (1 + JITTER * Math.random())
}

/** Waits until some work ends, in whatever way, but no longer than this. */
async function endOf(work: Promise<unknown>, ms: number): Promise<void> {
  const ended = new AbortController()
  const end = (): void => ended.abort()
  work.then(end, end)
  await sleep(ms, undefined, { signal: ended.signal }).catch(() => {})
}
