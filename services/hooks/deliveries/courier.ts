import { randomUUID } from 'node:crypto'
import type { Log } from '@gatehouse/proto/log.ts'
import type { Secrets, WebhookSecretStore } from '../webhook-secrets/store.ts'
import type { Outcome, Sender } from './sender.ts'
import { signedHeaders } from './signing.ts'
import type { Delivery, DeliveryStore } from './store.ts'

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
  /** Milliseconds after the first attempt, the second, …; after as many and one more it is given up. */
  delays: readonly number[]
  log: Log
}

/** A claim outlives the longest attempt by far, in time-outs; afterwards its courier counts as dead. */
const CLAIM_TIMEOUTS = 3
/** How often a courier looks for what nobody told it of: retries, and what others queued or left behind. */
const LOOK_MS = 1_000
/** Requests at once to one receiver. */
const WIDE = 4
/** Receivers served at once. */
const MOST_LANES = 64
/** Deliveries of one receiver claimed at once, when it takes them fast; one where the last was not taken. */
const MOST_CLAIMED = 64
/** How long a batch of them goes on beginning requests: what a webhook says is looked at again for each batch. */
const BATCH_MS = 1_000
const GONE = 410
/** Delays vary by this share, so that what failed together does not come back together. */
const JITTER = 0.2

/**
 * Brings deliveries to their receivers. Each receiver has its own lane, so a slow one holds up nobody else. Couriers of other
 * processes share the work: a delivery is claimed for a while, and is due again when its courier dies.
 */
export class Courier {
  readonly #options: CourierOptions
  /** The receivers that are being served, by webhook. */
  readonly #lanes = new Map<string, Promise<void>>()
  /** Those of them for whom something came meanwhile. */
  readonly #again = new Set<string>()
  #looking: NodeJS.Timeout | undefined
  #ended = false

  constructor(options: CourierOptions) {
    this.#options = options
  }

  start(): void {
    void this.#look()
  }

  /** There is something due for these webhooks. */
  wake(webhookIds: Iterable<string>): void {
    for (const id of webhookIds) this.#serve(id)
  }

  /** Finishes what is being sent. */
  async stop(): Promise<void> {
    this.#ended = true
    clearTimeout(this.#looking)
    await Promise.all(this.#lanes.values())
  }

  async #look(): Promise<void> {
    try {
      const due = await this.#options.store.dueWebhooks()
      // Not always the same ones first, where there are more than can be served at once.
      this.wake(shuffled(due))
    } catch (error) {
      this.#options.log.warn({ err: error }, 'due deliveries can not be read')
    }
    if (this.#ended) return
    this.#looking = setTimeout(() => void this.#look(), LOOK_MS)
    this.#looking.unref()
  }

  /** Serves a receiver; where that goes on already, it looks once more before it ends. */
  #serve(webhookId: string): void {
    if (this.#lanes.has(webhookId)) this.#again.add(webhookId)
    if (this.#ended || this.#lanes.has(webhookId) || this.#lanes.size >= MOST_LANES) return
    const serving = this.#deliverAll(webhookId).finally(() => {
      this.#lanes.delete(webhookId)
      this.#again.delete(webhookId)
    })
    this.#lanes.set(webhookId, serving)
  }

  /** Delivers until nothing is due, the more at a time the better the receiver takes it. */
  async #deliverAll(webhookId: string): Promise<void> {
    const claim = randomUUID()
    try {
      for (let most = 1; !this.#ended; ) {
        const leaseMs = BATCH_MS + CLAIM_TIMEOUTS * this.#options.timeoutMs
        const batch = await this.#options.store.claim(webhookId, claim, most, leaseMs)
        const [first] = batch
        if (!first) {
          if (this.#again.delete(webhookId)) continue
          return
        }
        const taken = await this.#deliverBatch(first, batch, claim)
        most = taken ? Math.min(most * 2, MOST_CLAIMED) : 1
      }
    } catch (error) {
      // The store is away: what was claimed is due again when the claim ends.
      this.#options.log.warn({ err: error, webhook_id: webhookId }, 'deliveries can not be worked on')
    }
  }

  /** Whether all of a batch were taken in time. What there was no time for is given back, as is all after a failure. */
  async #deliverBatch(first: Delivery, batch: Delivery[], claim: string): Promise<boolean> {
    const { store, targets, secrets } = this.#options
    const target = await targets.of(first)
    if ('gone' in target) {
      const attempt = { delivered: false, response_status: null, error: target.gone }
      await store.finish(idsOf(batch), claim, attempt)
      return true
    }
    const signing = await secrets.of(first.account_id)
    const until = Date.now() + BATCH_MS
    const left = [...batch]
    const delivered = new Map<number, string[]>()
    let failed = false
    const walk = async (): Promise<void> => {
      while (!failed && !this.#ended && Date.now() < until) {
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
    await Promise.all(Array.from({ length: Math.min(WIDE, batch.length) }, walk))
    for (const [response_status, ids] of delivered)
      await store.finish(ids, claim, { delivered: true, response_status, error: null })
    await store.release(idsOf(left), claim)
    return !failed && left.length === 0
  }

  /** Notes when a delivery that was not taken is tried again, if ever. */
  async #refused(delivery: Delivery, claim: string, { response_status, error }: Result): Promise<void> {
    const { store, targets, delays, log } = this.#options
    const { _id, webhook_id, attempt_count } = delivery
    const delay = response_status === GONE ? undefined : delays[attempt_count - 1]
    const retry_at = delay === undefined ? undefined : new Date(Date.now() + varied(delay))
    await store.finish([_id], claim, { delivered: false, retry_at, response_status, error })
    if (response_status === GONE) await targets.leave(delivery)
    log.info({ delivery_id: _id, webhook_id, attempt_count, response_status, error }, 'not delivered')
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
  return ms * (1 + JITTER * (2 * Math.random() - 1))
}

function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
