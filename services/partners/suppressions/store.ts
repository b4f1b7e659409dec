import { derivedId } from '@gatehouse/proto/bus/client.ts'
import { insertEachOnce } from '@gatehouse/proto/storage/mongo.ts'
import type { Collection, Db } from 'mongodb'

/** Why an address gets no more e-mails: its mail server refused one for good, or its owner complained of one. */
export type Cause = 'bounced' | 'complained'

/** An address to which an event sends no more e-mails. */
interface StoredSuppression {
  /** Derived from event and address. */
  _id: string
  event_id: string
  /** As it is compared. */
  address: string
  /** What came first. */
  cause: Cause
  created_at: Date
}

/** The suppressions collection. */
export class SuppressionStore {
  readonly #suppressions: Collection<StoredSuppression>

  constructor(db: Db) {
    this.#suppressions = db.collection('suppressions')
  }

  /** Stores addresses, each unless it is there already. */
  async add(found: { event_id: string; address: string; cause: Cause }[]): Promise<void> {
    const created_at = new Date()
    const wanted = found.map((each) => ({ _id: derivedId(each.event_id, each.address), ...each, created_at }))
    const different = [...new Map(wanted.map((each) => [each._id, each])).values()]
    if (different.length > 0) await insertEachOnce(this.#suppressions, different)
  }

  /** Those of the normalized addresses which get no more e-mails, and why. */
  async among(event_id: string, addresses: readonly string[]): Promise<Map<string, Cause>> {
    const ids = [...new Set(addresses.map((address) => derivedId(event_id, address)))]
    const found = await this.#suppressions.find({ _id: { $in: ids }, event_id }, { hint: '_id_' }).toArray()
    return new Map(found.map(({ address, cause }) => [address, cause]))
  }
}
