import type { EventType } from '@gatehouse/proto/events/domain-events.ts'
import { changeOne } from '@gatehouse/proto/storage/documents.ts'
import { DUPLICATE_KEY, distinctValues, expireAfterDays, writeErrorsOf } from '@gatehouse/proto/storage/mongo.ts'
import { type PageQuery, pageThrough } from '@gatehouse/proto/storage/paging.ts'
import type { Collection, Db } from 'mongodb'
import type { TEST } from './resource.ts'

/** A delivery as stored: an entry of the queue while it is pending, of the log afterwards. */
export interface StoredDelivery {
  /** Derived from webhook and occurrence, so an event is delivered once however often it is consumed. */
  _id: string
  account_id: string
  /** A webhook, or an event for its badge hook. */
  webhook_id: string
  /** Null for a test of a webhook that hears of all events. */
  event_id: string | null
  event_type: EventType | typeof TEST
  /** Body of its requests. */
  payload: string
  /** Of the request that it is about, if that is traced. */
  traceparent?: string
  state: 'pending' | 'delivered' | 'failed'
  /** Completed attempts; those of a process that died are unknown. */
  attempt_count: number
  /** For a pending one, when it is attempted next; while it is claimed, when the claim expires. */
  due_at: Date
  /** The claim under which it is being attempted. */
  claim: string | null
  last_attempt_at: Date | null
  response_status: number | null
  error: string | null
  created_at: Date
  updated_at: Date
}

/** A delivery before its first attempt. */
export type NewDelivery = Pick<
  StoredDelivery,
  '_id' | 'account_id' | 'webhook_id' | 'event_id' | 'event_type' | 'payload' | 'traceparent' | 'created_at'
>

/** A claim on deliveries, and when it expires. */
export interface DeliveryClaim {
  id: string
  until: Date
}

/** The outcome of an attempt. `retry_at` is set if it is retried. */
export interface DeliveryAttempt {
  delivered: boolean
  retry_at?: Date | undefined
  response_status: number | null
  error: string | null
}

/** Deliveries that are made and inserted together, and the characters of their payloads, which the last one may exceed. */
const MAX_AT_ONCE = { deliveries: 1_000, characters: 1024 * 1024 }

/** The deliveries collection. */
export class DeliveryStore {
  readonly #db: Db
  readonly #deliveries: Collection<StoredDelivery>
  readonly #keptDays: number

  constructor(db: Db, keptDays: number) {
    this.#db = db
    this.#deliveries = db.collection('deliveries')
    this.#keptDays = keptDays
  }

  async prepare(): Promise<void> {
    await this.#deliveries.createIndexes([
      { key: { webhook_id: 1, due_at: 1 }, partialFilterExpression: { state: 'pending' } },
      { key: { account_id: 1, webhook_id: 1, created_at: -1, _id: -1 } },
    ])
    await expireAfterDays(this.#db, 'deliveries', 'created_at', this.#keptDays)
  }

  /**
   * Queues deliveries in batches, and returns the new ones of each batch; existing ones stay as they are. Only the next batch is taken from
   * `deliveries`. `claimedBy` gives the claim for new deliveries of a webhook; without one they are due.
   */
  async *insert(
    deliveries: Iterable<NewDelivery>,
    claimedBy: (webhook_id: string) => DeliveryClaim | undefined = () => undefined,
  ): AsyncGenerator<StoredDelivery[]> {
    for (const chunk of chunksOf(deliveries)) yield this.#insert(chunk, claimedBy)
  }

  async #insert(
    deliveries: NewDelivery[],
    claimedBy: (webhook_id: string) => DeliveryClaim | undefined,
  ): Promise<StoredDelivery[]> {
    const claims = new Map(
      [...new Set(deliveries.map(({ webhook_id }) => webhook_id))].map((id) => [id, claimedBy(id)]),
    )
    const documents = deliveries.map((delivery) => queued(delivery, claims.get(delivery.webhook_id)))
    try {
      await this.#deliveries.insertMany(documents, { ordered: false })
      return documents
    } catch (error) {
      const errors = writeErrorsOf(error)
      if (errors.length === 0 || errors.some(({ code }) => code !== DUPLICATE_KEY)) throw error
      const known = new Set(errors.map(({ index }) => index))
      return documents.filter((_, index) => !known.has(index))
    }
  }

  /** The webhooks that have due deliveries. */
  async dueWebhooks(): Promise<string[]> {
    return distinctValues(this.#deliveries, 'webhook_id', { state: 'pending', due_at: { $lte: new Date() } })
  }

  /**
   * Claims up to `most` deliveries of a webhook for a while, the longest due first. Returns fewer if other processes claim some meanwhile,
   * and none if none is due.
   */
  async claim(webhook_id: string, claim: string, most: number, forMs: number): Promise<StoredDelivery[]> {
    const now = new Date()
    const due = { webhook_id, state: 'pending', due_at: { $lte: now } } as const
    const found = await this.#deliveries.find(due).sort({ due_at: 1 }).limit(most).project({ _id: 1 }).toArray()
    if (found.length === 0) return []
    const ids = found.map(({ _id }) => _id as string)
    await this.#deliveries.updateMany(
      { ...due, _id: { $in: ids } },
      { $set: { due_at: new Date(now.getTime() + forMs), claim, updated_at: now } },
    )
    const claimed = await this.#deliveries.find({ webhook_id, _id: { $in: ids }, claim }).toArray()
    return claimed.sort((one, other) => ids.indexOf(one._id) - ids.indexOf(other._id))
  }

  /** Releases deliveries that were claimed and not attempted. A claim is random, and belongs to one process and webhook. */
  async release(ids: string[], claim: string): Promise<void> {
    if (ids.length === 0) return
    await this.#deliveries.updateMany({ _id: { $in: ids }, claim }, { $set: { due_at: new Date(), claim: null } })
  }

  /** Stores the common outcome of attempts, unless a delivery was claimed by another process or replayed since. */
  async finish(
    ids: string[],
    claim: string,
    { delivered, retry_at, response_status, error }: DeliveryAttempt,
  ): Promise<void> {
    if (ids.length === 0) return
    const now = new Date()
    const state = delivered ? 'delivered' : retry_at ? 'pending' : 'failed'
    await this.#deliveries.updateMany(
      { _id: { $in: ids }, claim },
      {
        $set: {
          state,
          claim: null,
          ...(retry_at && { due_at: retry_at }),
          last_attempt_at: now,
          response_status,
          error,
          updated_at: now,
        },
        $inc: { attempt_count: 1 },
      },
    )
  }

  /** Returns up the pending deliveries of a webhook. */
  async giveUp(webhook_id: string, error: string): Promise<void> {
    await this.#deliveries.updateMany(
      { webhook_id, state: 'pending' },
      { $set: { state: 'failed', claim: null, error, updated_at: new Date() } },
    )
  }

  /** A delivery of a webhook. */
  async get(account_id: string, webhook_id: string, _id: string): Promise<StoredDelivery | null> {
    return this.#deliveries.findOne({ _id, account_id, webhook_id }, { projection: { payload: 0 } })
  }

  /** Newest first. */
  async list(account_id: string, webhook_id: string, page: PageQuery): Promise<StoredDelivery[]> {
    return pageThrough(this.#deliveries, { account_id, webhook_id }, { created_at: -1, _id: -1 }, page, {
      hidden: ['payload'],
    })
  }

  /** Makes a delivery due at once, with all its attempts. */
  async replay(account_id: string, webhook_id: string, _id: string): Promise<StoredDelivery | null> {
    const now = new Date()
    return changeOne(
      this.#deliveries,
      { _id, account_id, webhook_id },
      { $set: { state: 'pending', attempt_count: 0, claim: null, due_at: now, error: null, updated_at: now } },
    )
  }

  async deleteOf(account_id: string, webhook_id: string): Promise<void> {
    await this.#deliveries.deleteMany({ account_id, webhook_id })
  }
}

/** The ids of deliveries. */
export function idsOf(deliveries: StoredDelivery[]): string[] {
  return deliveries.map(({ _id }) => _id)
}

/** Deliveries in batches of limited size, each of which is made on demand. */
function* chunksOf(deliveries: Iterable<NewDelivery>): Generator<NewDelivery[]> {
  let chunk: NewDelivery[] = []
  let characters = 0
  for (const delivery of deliveries) {
    chunk.push(delivery)
    characters += delivery.payload.length
    if (chunk.length < MAX_AT_ONCE.deliveries && characters < MAX_AT_ONCE.characters) continue
    yield chunk
    chunk = []
    characters = 0
  }
  if (chunk.length > 0) yield chunk
}

function queued(delivery: NewDelivery, claim: DeliveryClaim | undefined): StoredDelivery {
  return {
    ...delivery,
    state: 'pending',
    attempt_count: 0,
    due_at: claim?.until ?? delivery.created_at,
    claim: claim?.id ?? null,
    last_attempt_at: null,
    response_status: null,
    error: null,
    updated_at: delivery.created_at,
  }
}
