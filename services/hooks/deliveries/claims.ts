import { randomUUID } from 'node:crypto'
import { yieldingPause } from '@gatehouse/proto/concurrency/yielding-pause.ts'
import { type DeliveryClaim, type DeliveryStore, idsOf, type StoredDelivery } from './store.ts'

/** For how long a batch starts requests. Then outcomes are stored and the webhook is read again. */
export const BATCH_MS = 1_000
/** The lease of a claim, in time-outs of an attempt. Afterwards its process counts as dead. */
const CLAIM_TIMEOUTS = 3
/** How long new deliveries may wait in memory, and how many. */
const PRECLAIMED_MS = 10_000
const MAX_PRECLAIMED = 5_000

/** Deliveries that have waited for this long no longer yield (docs/adr/0009). */
export const DELIVERY_PATIENCE_MS = 40_000

/** Deliveries of a webhook that were claimed together. */
export interface ClaimedBatch {
  deliveries: StoredDelivery[]
  claim: string
  /** When requests are no longer started under the claim, by `performance.now()`. */
  until: number
  /** The pause after the batch. */
  pauseMs: number
}

/**
 * The deliveries that this process has claimed and holds in memory: new ones, which are stored as claimed, and due ones that it found.
 */
export class DeliveryClaims {
  readonly #store: DeliveryStore
  readonly #leaseMs: number
  /** Deliveries in memory. */
  #held = 0

  /** `timeoutMs` is the time-out of an attempt. */
  constructor(store: DeliveryStore, timeoutMs: number) {
    this.#store = store
    this.#leaseMs = BATCH_MS + CLAIM_TIMEOUTS * timeoutMs
  }

  /** A claim for storing new deliveries; undefined while memory holds enough. */
  offer(): DeliveryClaim | undefined {
    if (this.#held >= MAX_PRECLAIMED) return undefined
    return { id: randomUUID(), until: new Date(Date.now() + PRECLAIMED_MS + this.#leaseMs) }
  }

  /** The batch of deliveries that were stored under an offered claim. */
  take(deliveries: StoredDelivery[], claim: string): ClaimedBatch {
    this.#held += deliveries.length
    return { deliveries, claim, until: performance.now() + PRECLAIMED_MS, pauseMs: 0 }
  }

  /** Claims up to `max` due deliveries of a webhook; undefined if none is due. */
  async find(webhookId: string, max: number): Promise<ClaimedBatch | undefined> {
    const claim = randomUUID()
    const begun = performance.now()
    const deliveries = await this.#store.claim(webhookId, claim, max, this.#leaseMs)
    const now = performance.now()
    const [first] = deliveries
    if (!first) return undefined
    this.#held += deliveries.length
    // Retries are late anyway.
    const age = first.attempt_count === 0 ? Date.now() - first.created_at.getTime() : 0
    const pauseMs = yieldingPause(now - begun, age, DELIVERY_PATIENCE_MS)
    return { deliveries, claim, until: now + BATCH_MS, pauseMs }
  }

  /** `count` deliveries were tried. */
  tried(count: number): void {
    this.#held -= count
  }

  /** Makes deliveries due that were not tried. If the store does not answer, they are due when the claim expires. */
  async release({ deliveries, claim }: ClaimedBatch): Promise<void> {
    this.#held -= deliveries.length
    await this.#store.release(idsOf(deliveries), claim).catch(() => {})
  }
}
