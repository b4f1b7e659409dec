import { derivedId } from '@gatehouse/proto/bus/client.ts'
import { deleteOne } from '@gatehouse/proto/storage/documents.ts'
import { insertEachOnce } from '@gatehouse/proto/storage/mongo.ts'
import { type PageQuery, pageThrough } from '@gatehouse/proto/storage/paging.ts'
import { upserted } from '@gatehouse/proto/storage/upserted.ts'
import type { Collection, Db } from 'mongodb'
import type { Suppression } from './resource.ts'

/** Why an address gets no more e-mails. */
export type Cause = Suppression['cause']

const LIST = 'event_id_1_created_at_-1__id_-1'
const NEWEST_FIRST = { created_at: -1, _id: -1 } as const

/** The suppressions collection. Each `_id` is derived from event and address. */
export class SuppressionStore {
  readonly #suppressions: Collection<Suppression>

  constructor(db: Db) {
    this.#suppressions = db.collection('suppressions')
  }

  async prepare(): Promise<void> {
    await this.#suppressions.createIndex({ event_id: 1, created_at: -1, _id: -1 }, { name: LIST })
  }

  /** A page of an event, newest first; of one address where it is given. */
  async page(event_id: string, page: PageQuery, address?: string): Promise<Suppression[]> {
    if (address === undefined) return pageThrough(this.#suppressions, { event_id }, NEWEST_FIRST, page, { index: LIST })
    const filter = { _id: derivedId(event_id, address), event_id }
    return pageThrough(this.#suppressions, filter, NEWEST_FIRST, page, { index: '_id_' })
  }

  async get(event_id: string, _id: string): Promise<Suppression | null> {
    return this.#suppressions.findOne({ _id, event_id })
  }

  /** Deletes one after a bounce. Returns it; null if there is none. */
  async deleteBounced(event_id: string, _id: string): Promise<Suppression | null> {
    return deleteOne(this.#suppressions, { _id, event_id, cause: 'bounced' })
  }

  /** Stores addresses, each unless it is there already. A complaint goes before a bounce. */
  async add(found: { event_id: string; address: string; cause: Cause }[]): Promise<void> {
    const created_at = new Date()
    const different = new Map<string, Suppression>()
    for (const each of found) {
      const _id = derivedId(each.event_id, each.address)
      if (different.get(_id)?.cause !== 'complained') different.set(_id, { _id, ...each, created_at })
    }
    const bounced = [...different.values()].filter(({ cause }) => cause === 'bounced')
    if (bounced.length > 0) await insertEachOnce(this.#suppressions, bounced)
    // The id is derived from the event. In one step each: that of a bounce may be deleted at any time.
    const complaints = [...different.values()].flatMap(({ _id, cause, ...rest }) =>
      cause === 'complained'
        ? [{ updateOne: { filter: { _id }, update: { $set: { cause }, $setOnInsert: rest }, upsert: true } }]
        : [],
    )
    if (complaints.length > 0) await upserted(() => this.#suppressions.bulkWrite(complaints, { ordered: false }))
  }

  /** Those of the normalized addresses that get no more e-mails, and why. */
  async among(event_id: string, addresses: readonly string[]): Promise<Map<string, Cause>> {
    const byId = new Map(addresses.map((address) => [derivedId(event_id, address), address]))
    const found = await this.#suppressions
      .find({ _id: { $in: [...byId.keys()] }, event_id }, { hint: '_id_' })
      .toArray()
    // By the `_id`: the stored address may be erased.
    return new Map(found.map(({ _id, cause }) => [byId.get(_id) ?? '', cause]))
  }
}
