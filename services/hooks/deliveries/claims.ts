import { randomUUID } from 'node:crypto'
import { AdaptivePause, type PauseSettings } from '@gatehouse/proto/concurrency/adaptive-pause.ts'
import { type Claim, type Delivery, type DeliveryStore, idsOf } from './store.ts'

/** How long requests are begun before it is noted what came of them; what a webhook says is looked at again then. */
export const BATCH_MS = 1_000
/** A claim outlives the longest attempt by far, in time-outs; afterwards its courier counts as dead. */
const CLAIM_TIMEOUTS = 3
/** How long new deliveries may wait in memory for their turn, and how many of them. */
const PRECLAIMED_MS = 10_000
const MAX_PRECLAIMED = 5_000

/** What it takes to queue or to claim a delivery, for each, and how late one may get (docs/adr/0017). */
export const DELIVERY_PAUSES: PauseSettings = {
  baselineMs: 0.2,
  fixed: 50,
  factor: 200,
  maxPauseMs: 50,
  arrivalMs: 10,
  maxDelayMs: 40_000,
}

/** Deliveries of a webhook that were claimed together. */
export interface Batch {
  deliveries: Delivery[]
  claim: string
  /** When no more requests are begun under the claim, by `performance.now()`. */
  until: number
  /** How long to rest afterwards. */
  pauseMs: number
}

/** What this process has claimed and holds in memory: new deliveries, which are stored as claimed already, and those that it found due. */
export class Claims {
  readonly #store: DeliveryStore
  readonly #leaseMs: number
  readonly #adaptivePause = new AdaptivePause(DELIVERY_PAUSES)
  /** Deliveries in memory. */
  #held = 0

  /** `timeoutMs` is how long an attempt may take. */
  constructor(store: DeliveryStore, timeoutMs: number) {
    this.#store = store
    this.#leaseMs = BATCH_MS + CLAIM_TIMEOUTS * timeoutMs
  }

  /** A claim under which new deliveries can be stored; undefined while memory holds enough. */
  offer(): Claim | undefined {
    if (this.#held >= MAX_PRECLAIMED) return undefined
    return { id: randomUUID(), until: new Date(Date.now() + PRECLAIMED_MS + this.#leaseMs) }
  }

  /** What was stored under an offered claim. */
  take(deliveries: Delivery[], claim: string): Batch {
    this.#held += deliveries.length
    return { deliveries, claim, until: performance.now() + PRECLAIMED_MS, pauseMs: 0 }
  }

  /** Claims what is due of a webhook, as many as `max`; undefined when nothing is. */
  async find(webhookId: string, max: number): Promise<Batch | undefined> {
    const claim = randomUUID()
    const begun = performance.now()
    const deliveries = await this.#store.claim(webhookId, claim, max, this.#leaseMs)
    const now = performance.now()
    const [first] = deliveries
    if (!first) return undefined
    this.#held += deliveries.length
    // What is tried again has waited for long anyway.
    const age = first.attempt_count === 0 ? Date.now() - first.created_at.getTime() : 0
    const pauseMs = this.#adaptivePause.pauseAfter(deliveries.length, now - begun, age)
    return { deliveries, claim, until: now + BATCH_MS, pauseMs }
  }

  /** So many were tried. */
  tried(count: number): void {
    this.#held -= count
  }

  /** Makes due what was not tried. Where the store does not answer it is due when the claim ends. */
  async release({ deliveries, claim }: Batch): Promise<void> {
    this.#held -= deliveries.length
    await this.#store.release(idsOf(deliveries), claim).catch(() => {})
  }
}
