import type { Links } from '@gatehouse/door/decision.ts'
import { type Adopted, type Adoption, adoptAll, storedWith } from '@gatehouse/proto/storage/adopting.ts'
import { deleteOne, setFields } from '@gatehouse/proto/storage/documents.ts'
import { insertOnce, untilDecided } from '@gatehouse/proto/storage/mongo.ts'
import { upserted } from '@gatehouse/proto/storage/upserted.ts'
import { type Collection, type Db, ObjectId } from 'mongodb'

/** A link as stored. */
export interface Link {
  _id: string
  event_id: string
  guest_category_id: string
  accesspoint_id: string
  max_allowed_accesses: number
  valid_from: Date | null
  valid_until: Date | null
  period: 'event' | 'day'
  reentry: boolean
  /** How another system gave it last; absent if it was made here. */
  adopted?: Adoption
  created_at: Date
  updated_at: Date
}

/** Defaults for documents older than these fields. */
const ADDED_LATER = { valid_from: null, valid_until: null, period: 'event', reentry: false } as const

/** The links collection. */
export class LinkStore {
  readonly #links: Collection<Link>

  constructor(db: Db) {
    this.#links = db.collection('guest_category_accesspoints')
  }

  async prepare(): Promise<void> {
    await this.#links.createIndexes([
      { key: { event_id: 1, guest_category_id: 1, accesspoint_id: 1 }, unique: true },
      { key: { event_id: 1, accesspoint_id: 1 } },
    ])
  }

  async insert(link: Link): Promise<Link> {
    return insertOnce(this.#links, link)
  }

  /** Stores links of another system. */
  async adopt(links: Link[], compares: boolean): Promise<Adopted[]> {
    return adoptAll(this.#links, links, { compares, unique: 'accesspoint_id' })
  }

  async get(event_id: string, _id: string): Promise<Link | null> {
    return whole(await this.#links.findOne({ _id, event_id }))
  }

  /** All links of an event, or those of a category or a check-in point, oldest first. */
  async find(event_id: string, filter: { guest_category_id?: string; accesspoint_id?: string } = {}): Promise<Link[]> {
    return this.#links
      .find({ event_id, ...filter })
      .sort({ created_at: 1, _id: 1 })
      .map(whole)
      .toArray()
  }

  async ofEvent(event_id: string): Promise<Link[]> {
    return this.find(event_id)
  }

  async ofPoint(event_id: string, accesspoint_id: string): Promise<Link[]> {
    return this.find(event_id, { accesspoint_id })
  }

  async ofCategories(event_id: string, ids: string[]): Promise<Link[]> {
    return this.#links
      .find({ event_id, guest_category_id: { $in: ids } })
      .sort({ created_at: 1, _id: 1 })
      .map(whole)
      .toArray()
  }

  /**
   * Replaces all links of a category, in their order. Links whose point stays keep their `_id`; meanwhile the category has both old
   * and new ones.
   */
  async replaceOfCategory(
    event_id: string,
    guest_category_id: string,
    links: Omit<Link, '_id' | 'event_id' | 'guest_category_id' | 'created_at' | 'updated_at'>[],
  ): Promise<void> {
    const now = new Date()
    const puts = links.map(({ accesspoint_id, ...terms }) => ({
      updateOne: {
        filter: { event_id, guest_category_id, accesspoint_id },
        update: {
          $set: { ...terms, updated_at: now },
          $setOnInsert: { _id: new ObjectId().toHexString(), created_at: now },
        },
        upsert: true,
      },
    }))
    if (puts.length > 0) await upserted(() => untilDecided(() => this.#links.bulkWrite(puts)))
    const kept = links.map(({ accesspoint_id }) => accesspoint_id)
    await this.#links.deleteMany({ event_id, guest_category_id, accesspoint_id: { $nin: kept } })
  }

  async update(event_id: string, _id: string, changes: Partial<Link>): Promise<Link | null> {
    return whole(await setFields(this.#links, { _id, event_id }, changes))
  }

  /** Those with these ids. */
  withIds(event_id: string, ids: string[]): Promise<Link[]> {
    return storedWith(this.#links, event_id, ids)
  }

  /** Deletes one, only `as` it was read if that is given. */
  async delete(event_id: string, _id: string, as: { updated_at?: Date } = {}): Promise<Link | null> {
    return whole(await deleteOne(this.#links, { _id, event_id, ...as }))
  }

  async deleteOfPoint(event_id: string, accesspoint_id: string): Promise<void> {
    await this.#links.deleteMany({ event_id, accesspoint_id })
  }

  async deleteOfCategory(event_id: string, guest_category_id: string): Promise<void> {
    await this.#links.deleteMany({ event_id, guest_category_id })
  }
}

function whole<T extends Link | null>(link: T): T {
  return link && { ...ADDED_LATER, ...link }
}

/** Returns the terms of an event's links, by check-in point and category. */
export function termsOf(links: Link[]): Links {
  const terms: Links = new Map()
  for (const { accesspoint_id, guest_category_id, max_allowed_accesses, ...optional } of links) {
    const { valid_from, valid_until, period, reentry } = optional
    terms
      .getOrInsertComputed(accesspoint_id, () => new Map())
      .set(guest_category_id, {
        max_allowed_accesses,
        ...(valid_from && { valid_from: valid_from.getTime() }),
        ...(valid_until && { valid_until: valid_until.getTime() }),
        ...(period === 'day' && { period }),
        ...(reentry && { reentry }),
      })
  }
  return terms
}
