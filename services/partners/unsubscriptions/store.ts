import { derivedId } from '@gatehouse/proto/bus/client.ts'
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

/** The unsubscriptions collection. */
export class UnsubscriptionStore {
  readonly #unsubscriptions: Collection<StoredUnsubscription>

  constructor(db: Db) {
    this.#unsubscriptions = db.collection('unsubscriptions')
  }

  /** Stores an address, unless it is there already. */
  async add(event_id: string, address: string): Promise<void> {
    const _id = derivedId(event_id, address)
    await insertOnce(this.#unsubscriptions, { _id, event_id, address, created_at: new Date() })
  }

  /** Those of the normalized addresses which have unsubscribed. */
  async among(event_id: string, addresses: readonly string[]): Promise<Set<string>> {
    const ids = [...new Set(addresses.map((address) => derivedId(event_id, address)))]
    const found = await this.#unsubscriptions.find({ _id: { $in: ids }, event_id }, { hint: '_id_' }).toArray()
    return new Set(found.map(({ address }) => address))
  }
}
