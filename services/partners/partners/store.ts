import { insertOnce, untilDecided } from '@gatehouse/proto/storage/mongo.ts'
import type { Collection, Db } from 'mongodb'
import type { Counter, Partner } from './resource.ts'

/** What a client can set of a partner. */
export type PartnerFields = Pick<Partner, 'name' | 'uid' | 'recipients_quota' | 'disable_emails'>

/**
 * A partner as stored. Its counters lie in one document with its quota, so that an e-mail is reserved in one step; percentages are
 * computed, and its campaigns stand by themselves.
 */
export interface StoredPartner extends PartnerFields, Record<Counter, number> {
  _id: string
  event_id: string
  created_at: Date
  updated_at: Date
  /** What a path may call it: its `_id` and its `uid`. A unique index over both keeps every call unambiguous. */
  addresses: string[]
  /** Counts the names it has had, so that campaigns never take an older one for a newer. */
  name_version: number
  /** Deleted for everybody; the document stays until its campaigns are gone too, so that a deletion can be taken up again. */
  deleted: boolean
  /** There while its campaigns do not know yet that it was renamed or deleted. */
  unsettled?: true
}

/** A partner before what the store derives is added. */
export type NewPartner = Omit<StoredPartner, 'addresses' | 'name_version' | 'deleted' | 'unsettled'>

/** The index that keeps names apart. */
export const NAMES = 'event_id_1_name_1'
/** The index that keeps `_id`s and `uid`s apart. */
export const ADDRESSES = 'event_id_1_addresses_1'

/** Named in the list's query: a planner without statistics may take another one of the event, and sort. */
const BY_CREATION = 'event_id_1_created_at_1__id_1'

/** The partners collection. */
export class PartnerStore {
  readonly #partners: Collection<StoredPartner>

  constructor(db: Db) {
    this.#partners = db.collection('partners')
  }

  async prepare(): Promise<void> {
    // What was deleted gives name and addresses free at once.
    const partialFilterExpression = { deleted: false }
    await this.#partners.createIndexes([
      { key: { event_id: 1, name: 1 }, name: NAMES, unique: true, partialFilterExpression },
      { key: { event_id: 1, addresses: 1 }, name: ADDRESSES, unique: true, partialFilterExpression },
      { key: { event_id: 1, created_at: 1, _id: 1 }, name: BY_CREATION },
      { key: { unsettled: 1, event_id: 1 }, partialFilterExpression: { unsettled: true } },
    ])
  }

  /** In the order of their creation. */
  async ofEvent(event_id: string): Promise<StoredPartner[]> {
    const all = { event_id, deleted: false }
    return this.#partners.find(all, { hint: BY_CREATION }).sort({ created_at: 1, _id: 1 }).toArray()
  }

  /** The partner that an `_id` or a `uid` stands for. */
  async get(event_id: string, address: string): Promise<StoredPartner | null> {
    return this.#partners.findOne({ event_id, addresses: address, deleted: false })
  }

  /** The partner with a name. */
  async named(event_id: string, name: string): Promise<StoredPartner | null> {
    return this.#partners.findOne({ event_id, name, deleted: false })
  }

  /** Stores a new partner, or gives the one that an earlier try stored. Throws a duplicate of NAMES or ADDRESSES. */
  async insert(partner: NewPartner): Promise<StoredPartner> {
    const { _id, uid } = partner
    const stored = { ...partner, addresses: addressesOf(_id, uid), name_version: 0, deleted: false }
    return insertOnce(this.#partners, stored)
  }

  /** The changed partner, unsettled where it was renamed; null when there is none. Throws a duplicate of NAMES or ADDRESSES. */
  async update(event_id: string, _id: string, changes: Partial<PartnerFields>): Promise<StoredPartner | null> {
    const renamed = changes.name !== undefined
    const update = {
      $set: {
        ...changes,
        ...(changes.uid !== undefined && { addresses: addressesOf(_id, changes.uid) }),
        ...(renamed && { unsettled: true as const }),
        updated_at: new Date(),
      },
      ...(renamed && { $inc: { name_version: 1 } }),
    }
    const which = { _id, event_id, deleted: false }
    return untilDecided(() => this.#partners.findOneAndUpdate(which, update, { returnDocument: 'after' }))
  }

  /** Notes that the campaigns know a partner's name, unless it has another by now. */
  async settleName({ _id, event_id, name_version }: StoredPartner): Promise<void> {
    await this.#partners.updateOne({ _id, event_id, name_version, deleted: false }, { $unset: { unsettled: 1 } })
  }

  /** Deletes a partner for everybody; also gives one whose deletion was broken off. Null when there is none. */
  async markDeleted(event_id: string, address: string): Promise<StoredPartner | null> {
    const marked = await this.#partners.findOneAndUpdate(
      { event_id, addresses: address, deleted: false },
      { $set: { deleted: true, unsettled: true, updated_at: new Date() } },
      { returnDocument: 'after' },
    )
    return marked ?? this.#partners.findOne({ event_id, unsettled: true, deleted: true, addresses: address })
  }

  /** Removes what is left of a deleted partner. */
  async remove({ _id, event_id }: StoredPartner): Promise<void> {
    await this.#partners.deleteOne({ _id, event_id, deleted: true })
  }

  /** Those of an event whose campaigns do not know yet that they were renamed or deleted. */
  async unsettledOf(event_id: string): Promise<StoredPartner[]> {
    return this.#partners.find({ event_id, unsettled: true }).toArray()
  }

  /** The same of all events, as far as nothing has happened to them since a time: what a process that died left to do. */
  async unsettledSince(time: Date): Promise<StoredPartner[]> {
    return this.#partners.find({ unsettled: true, updated_at: { $lte: time } }).toArray()
  }
}

function addressesOf(_id: string, uid: string | null): string[] {
  return uid === null || uid === _id ? [_id] : [_id, uid]
}
