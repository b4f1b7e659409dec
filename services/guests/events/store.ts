import { insertOnce } from '@gatehouse/proto/mongo.ts'
import type { Collection, Db } from 'mongodb'
import type { Event } from './resource.ts'

/** An event as stored: its counts are counted, not kept. */
export type StoredEvent = Omit<Event, 'guest_count' | 'check_in_count' | 'signature_count'>

/** The events collection. */
export class EventStore {
  readonly #events: Collection<StoredEvent>

  constructor(db: Db) {
    this.#events = db.collection('events')
  }

  async prepare(): Promise<void> {
    await this.#events.createIndex({ account_id: 1, created_at: -1, _id: -1 })
  }

  /** Newest creation first; with `_id`, that one alone. */
  async ofAccount(account_id: string, _id?: string): Promise<StoredEvent[]> {
    return this.#events
      .find({ account_id, ...(_id && { _id }) })
      .sort({ created_at: -1, _id: -1 })
      .toArray()
  }

  async get(_id: string): Promise<StoredEvent | null> {
    return this.#events.findOne({ _id })
  }

  /** Stores a new event, or gives the one that an earlier try stored. */
  async insert(event: StoredEvent): Promise<StoredEvent> {
    return insertOnce(this.#events, event)
  }

  async update(_id: string, changes: Partial<StoredEvent>): Promise<StoredEvent | null> {
    return this.#events.findOneAndUpdate(
      { _id },
      { $set: { ...changes, updated_at: new Date() } },
      { returnDocument: 'after' },
    )
  }
}
