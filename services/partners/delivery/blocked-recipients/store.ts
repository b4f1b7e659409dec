import { domainOf } from '@gatehouse/proto/declaring/addresses.ts'
import { deleteOne, setFields } from '@gatehouse/proto/storage/documents.ts'
import { insertOnce, untilDecided } from '@gatehouse/proto/storage/mongo.ts'
import type { Collection, Db } from 'mongodb'
import type { BlockedRecipient } from './resource.ts'

/** A blocked recipient as stored. */
export interface StoredBlockedRecipient extends BlockedRecipient {
  /** The address or domain as it is compared, unique in the event. */
  key: string
}

/** The unique index of what is blocked. */
export const KEYS = 'event_id_1_key_1'
const BY_CREATION = 'event_id_1_created_at_1__id_1'

/** The blocked recipients collection. */
export class BlockedRecipientStore {
  readonly #blocked: Collection<StoredBlockedRecipient>

  constructor(db: Db) {
    this.#blocked = db.collection('blocked_recipients')
  }

  async prepare(): Promise<void> {
    await this.#blocked.createIndexes([
      { key: { event_id: 1, key: 1 }, name: KEYS, unique: true },
      { key: { event_id: 1, created_at: 1, _id: 1 }, name: BY_CREATION },
    ])
  }

  /** In the order of their creation. */
  async ofEvent(event_id: string): Promise<StoredBlockedRecipient[]> {
    return this.#blocked.find({ event_id }, { hint: BY_CREATION }).sort({ created_at: 1, _id: 1 }).toArray()
  }

  async get(event_id: string, _id: string): Promise<StoredBlockedRecipient | null> {
    return this.#blocked.findOne({ _id, event_id })
  }

  /** What blocks an address or a domain by its own key. */
  async keyed(event_id: string, key: string): Promise<StoredBlockedRecipient | null> {
    return this.#blocked.findOne({ event_id, key })
  }

  /** Those of the normalized addresses that are blocked, themselves or by their domain. */
  async among(event_id: string, addresses: readonly string[]): Promise<Set<string>> {
    const keys = [...new Set(addresses.flatMap((address) => [address, domainOf(address)]))]
    const found = await this.#blocked.find({ event_id, key: { $in: keys } }, { hint: KEYS }).toArray()
    const blocked = new Set(found.map(({ key }) => key))
    return new Set(addresses.filter((address) => blocked.has(address) || blocked.has(domainOf(address))))
  }

  /** Stores a new one. Returns it, or the one that an earlier try stored. Throws a duplicate of KEYS. */
  async insert(recipient: StoredBlockedRecipient): Promise<StoredBlockedRecipient> {
    return insertOnce(this.#blocked, recipient)
  }

  /** The changed one; null if there is none. Throws a duplicate of KEYS. */
  async update(
    event_id: string,
    _id: string,
    changes: Partial<StoredBlockedRecipient>,
  ): Promise<StoredBlockedRecipient | null> {
    return untilDecided(() => setFields(this.#blocked, { _id, event_id }, changes))
  }

  async delete(event_id: string, _id: string): Promise<StoredBlockedRecipient | null> {
    return deleteOne(this.#blocked, { _id, event_id })
  }
}
