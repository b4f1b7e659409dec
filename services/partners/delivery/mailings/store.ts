import { deleteOne, setFields } from '@gatehouse/proto/storage/documents.ts'
import { insertOnce } from '@gatehouse/proto/storage/mongo.ts'
import { type PageQuery, pageThrough } from '@gatehouse/proto/storage/paging.ts'
import type { Collection, Db } from 'mongodb'
import type { Mailing } from './resource.ts'

/** The name that the list's index gets from its keys. */
const BY_CREATION = 'event_id_1_created_at_-1__id_-1'

/** The mailings collection. */
export class MailingStore {
  readonly #mailings: Collection<Mailing>

  constructor(db: Db) {
    this.#mailings = db.collection('mailings')
  }

  async prepare(): Promise<void> {
    await this.#mailings.createIndex({ event_id: 1, created_at: -1, _id: -1 })
  }

  /** Newest creation first. */
  async page(event_id: string, page: PageQuery): Promise<Mailing[]> {
    return pageThrough(this.#mailings, { event_id }, { created_at: -1, _id: -1 }, page, { index: BY_CREATION })
  }

  async get(event_id: string, _id: string): Promise<Mailing | null> {
    return this.#mailings.findOne({ _id, event_id })
  }

  /** Stores a new mailing. Returns it, or the one that an earlier try stored. */
  async insert(mailing: Mailing): Promise<Mailing> {
    return insertOnce(this.#mailings, mailing)
  }

  async update(event_id: string, _id: string, changes: Partial<Mailing>): Promise<Mailing | null> {
    return setFields(this.#mailings, { _id, event_id }, changes)
  }

  async delete(event_id: string, _id: string): Promise<Mailing | null> {
    return deleteOne(this.#mailings, { _id, event_id })
  }
}
