import { changeOne, deleteOne } from '@gatehouse/proto/storage/documents.ts'
import { insertWithinQuota, type Numbered, QUOTA_INDEX } from '@gatehouse/proto/storage/quota.ts'
import type { Collection, Db } from 'mongodb'
import type { Webhook } from './resource.ts'

/** Defaults for documents older than these fields. */
const ADDED_LATER = { payload: 'standard', access_statuses: [] as number[] } as const

/** The webhooks collection. */
export class WebhookStore {
  readonly #webhooks: Collection<Webhook & Numbered>
  /** Most webhooks of an account. */
  readonly cap: number

  constructor(db: Db, cap: number) {
    this.#webhooks = db.collection('webhooks')
    this.cap = cap
  }

  async prepare(): Promise<void> {
    await this.#webhooks.createIndexes([
      { key: { account_id: 1, created_at: -1, _id: -1 } },
      { key: { is_enabled: 1, account_id: 1 } },
      QUOTA_INDEX,
    ])
  }

  /** Newest first. */
  async ofAccount(account_id: string): Promise<Webhook[]> {
    return this.#webhooks.find({ account_id }).sort({ created_at: -1, _id: -1 }).map(whole).toArray()
  }

  async get(account_id: string, _id: string): Promise<Webhook | null> {
    const webhook = await this.#webhooks.findOne({ _id, account_id })
    return webhook && whole(webhook)
  }

  /** Stores a new webhook, or gives the one that an earlier try stored; null if the account has the maximum. */
  async insert(webhook: Webhook): Promise<Webhook | null> {
    return insertWithinQuota(this.#webhooks, webhook, this.cap)
  }

  async update(account_id: string, _id: string, changes: Partial<Webhook>): Promise<Webhook | null> {
    const webhook = await changeOne(
      this.#webhooks,
      { _id, account_id },
      { $set: { ...changes, updated_at: new Date() } },
    )
    return webhook && whole(webhook)
  }

  async delete(account_id: string, _id: string): Promise<Webhook | null> {
    const webhook = await deleteOne(this.#webhooks, { _id, account_id })
    return webhook && whole(webhook)
  }

  /** Enabled webhooks of an account. */
  async enabledOf(account_id: string): Promise<Webhook[]> {
    return this.#webhooks.find({ is_enabled: true, account_id }).map(whole).toArray()
  }

  /** The event types of all enabled webhooks of all accounts; an empty list means all types. */
  async subscriptions(): Promise<Pick<Webhook, 'event_types'>[]> {
    return this.#webhooks
      .find({ is_enabled: true })
      .project<Pick<Webhook, 'event_types'>>({ _id: 0, event_types: 1 })
      .toArray()
  }
}

function whole(webhook: Webhook): Webhook {
  return { ...ADDED_LATER, ...webhook }
}
