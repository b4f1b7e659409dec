import { derivedId } from '@gatehouse/proto/bus/client.ts'
import { datetime, identifier, text } from '@gatehouse/proto/declaring/fields.ts'
import type { PersonalDocuments } from '@gatehouse/proto/declaring/personal-data.ts'
import { insertOnce } from '@gatehouse/proto/storage/mongo.ts'
import type { Collection, Db } from 'mongodb'

/** An address to which partners send no more e-mails in an event. */
interface StoredUnsubscription {
  /** Derived from event and address. */
  _id: string
  event_id: string
  /** As it is compared. */
  address: string
  created_at: Date
}

/** Unsubscriptions as personal data. Their `_id`s are hashes of event and address, by which these are still known. */
export const personalUnsubscriptions: PersonalDocuments = {
  name: 'partners.unsubscriptions',
  collection: 'unsubscriptions',
  scope: ['event_id'],
  fields: { _id: identifier(), address: text({ personal: 'email' }), created_at: datetime() },
  order: { _id: 1 },
  outcome: 'blanked',
  reason: 'so that nobody writes to the address again: a hash of it is kept',
}

/** The unsubscriptions collection. */
export class UnsubscriptionStore {
  readonly #unsubscriptions: Collection<StoredUnsubscription>

  constructor(db: Db) {
    this.#unsubscriptions = db.collection('unsubscriptions')
  }

  async prepare(): Promise<void> {
    await this.#unsubscriptions.createIndex({ event_id: 1, _id: 1 })
  }

  /** Stores an address, unless it is there already. */
  async add(event_id: string, address: string): Promise<void> {
    const _id = derivedId(event_id, address)
    await insertOnce(this.#unsubscriptions, { _id, event_id, address, created_at: new Date() })
  }

  /** Those of the normalized addresses that have unsubscribed. */
  async among(event_id: string, addresses: readonly string[]): Promise<Set<string>> {
    const byId = new Map(addresses.map((address) => [derivedId(event_id, address), address]))
    const wanted = { _id: { $in: [...byId.keys()] }, event_id }
    const found = await this.#unsubscriptions.find(wanted, { hint: '_id_' }).toArray()
    // By the `_id`: the stored address may be erased.
    return new Set(found.map(({ _id }) => byId.get(_id) ?? ''))
  }
}
