import { randomUUID } from 'node:crypto'
import type { Log } from '@gatehouse/proto/log.ts'
import type { WebhookSecretStore } from '../webhook-secrets/store.ts'
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
/** Requests at once to one receiver, and to one whose last attempt failed. */
const WIDE = 4
const NARROW = 1
/** Requests at once in all. */
const MOST = 256
const GONE = 410
/** Delays vary by this share, so that what failed together does not come back together. */
const JITTER = 0.2

/** What one receiver gets from this process. */
interface Lane {
  running: number
  width: number
}

/**
 * Brings deliveries to their receivers. Each receiver has its own lane, so a slow one holds up nobody else. Couriers of other
 * processes share the work: a delivery is claimed for a while, and is due again when its courier dies.
 */
export class Courier {
  readonly #options: CourierOptions
  readonly #lanes = new Map<string, Lane>()
  readonly #working = new Set<Promise<void>>()
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
    for (const id of webhookIds) this.#walk(id)
  }

  /** Finishes what is being sent. */
  async stop(): Promise<void> {
    this.#ended = true
    clearTimeout(this.#looking)
    await Promise.all(this.#working)
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

  /** Starts a walk along a lane where there is room for one more. */
  #walk(webhookId: string): void {
    const lane = this.#lanes.get(webhookId) ?? { running: 0, width: WIDE }
    if (this.#ended || lane.running >= lane.width || this.#working.size >= MOST) return
    this.#lanes.set(webhookId, lane)
    lane.running++
    const walk = this.#deliverAll(webhookId, lane).finally(() => {
      lane.running--
      if (lane.running === 0) this.#lanes.delete(webhookId)
      this.#working.delete(walk)
    })
    this.#working.add(walk)
  }

  /** Delivers until nothing is due. Whoever found something makes room for another to look. */
  async #deliverAll(webhookId: string, lane: Lane): Promise<void> {
    const { store, timeoutMs } = this.#options
    const claim = randomUUID()
    try {
      while (!this.#ended && lane.running <= lane.width) {
        const delivery = await store.claim(webhookId, claim, CLAIM_TIMEOUTS * timeoutMs)
        if (!delivery) return
        this.#walk(webhookId)
        lane.width = (await this.#deliver(delivery, claim)) ? WIDE : NARROW
      }
    } catch (error) {
      // The store is away: what was claimed is due again when the claim ends.
      this.#options.log.warn({ err: error, webhook_id: webhookId }, 'a delivery can not be worked on')
    }
  }

  /** Whether a delivery was taken. */
  async #deliver(delivery: Delivery, claim: string): Promise<boolean> {
    const { store, targets, log } = this.#options
    const { _id, webhook_id, attempt_count } = delivery
    const target = await targets.of(delivery)
    if ('gone' in target) {
      await store.finish(_id, claim, { delivered: false, response_status: null, error: target.gone })
      return true
    }
    const outcome = await this.#send(delivery, target.url)
    const { response_status, error } = read(outcome)
    const delivered = response_status !== null && response_status >= 200 && response_status < 300
    const delay = response_status === GONE ? undefined : this.#options.delays[attempt_count - 1]
    const retry_at = delivered || delay === undefined ? undefined : new Date(Date.now() + varied(delay))
    await store.finish(_id, claim, { delivered, retry_at, response_status, error })
    if (response_status === GONE) await targets.leave(delivery)
    if (!delivered) log.info({ delivery_id: _id, webhook_id, attempt_count, response_status, error }, 'not delivered')
    return delivered
  }

  async #send(delivery: Delivery, url: string): Promise<Outcome> {
    const secrets = await this.#options.secrets.of(delivery.account_id)
    const headers = signedHeaders(delivery._id, new Date(), delivery.payload, secrets)
    return this.#options.sender.post(url, headers, delivery.payload)
  }
}

function read(outcome: Outcome): { response_status: number | null; error: string | null } {
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
