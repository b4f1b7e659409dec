import { type Adopted, type Adoption, adoptAll } from '@gatehouse/proto/storage/adopting.ts'
import { changeOne, setFields } from '@gatehouse/proto/storage/documents.ts'
import { insertOnce, untilDecided } from '@gatehouse/proto/storage/mongo.ts'
import type { Collection, Db } from 'mongodb'
import type { CounterName, Partner } from './resource.ts'
import type { PartnerUsage } from './usage.ts'

/** What a client can set of a partner. */
export type PartnerFields = Pick<Partner, 'name' | 'uid' | 'recipients_quota' | 'disable_emails' | 'email' | 'locale'>

/**
 * A partner as stored. Its counters and those of its campaigns are in one document with its quota, so that a recipient can be reserved in one
 * step. Its percentages are computed, and its campaigns are stored in a collection of their own.
 */
export interface StoredPartner extends PartnerFields, Record<CounterName, number>, PartnerUsage {
  _id: string
  event_id: string
  created_at: Date
  updated_at: Date
  /** Its `_id` and its `uid`: what stands for it in paths, and is unique in the event. */
  addresses: string[]
  /** Counts its names, so that campaigns never replace a newer one with an older one. */
  name_version: number
  /** Deleted to all clients; the document stays until its campaigns are deleted, so that an interrupted deletion can be finished. */
  deleted: boolean
  /** Present while it is renamed or deleted but its campaigns are not yet. */
  unsettled?: true
  /** How another system gave it last; absent if it was made here. */
  adopted?: Adoption
}

/** A partner without the fields that are derived from the others. */
export type NewPartner = Omit<StoredPartner, 'addresses' | 'name_version' | 'deleted' | 'unsettled' | 'adopted'>

/** The unique index of names. */
export const NAMES = 'event_id_1_name_1'
/** The unique index of `_id`s and `uid`s. */
export const ADDRESSES = 'event_id_1_addresses_1'

/** The list's index, named in its query: without statistics the planner may choose another index, and sort. */
const BY_CREATION = 'event_id_1_created_at_1__id_1'

/** The partners collection. */
export class PartnerStore {
  readonly #partners: Collection<StoredPartner>

  constructor(db: Db) {
    this.#partners = db.collection('partners')
  }

  async prepare(): Promise<void> {
    // A deleted partner frees its name and addresses at once.
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

  /** The partner with an `_id` or a `uid`. */
  async get(event_id: string, address: string): Promise<StoredPartner | null> {
    return this.#partners.findOne({ event_id, addresses: address, deleted: false })
  }

  /** The partner with a name. */
  async named(event_id: string, name: string): Promise<StoredPartner | null> {
    return this.#partners.findOne({ event_id, name, deleted: false })
  }

  /** Stores a new partner. Returns it, or the one that an earlier try stored. Throws a duplicate of NAMES or ADDRESSES. */
  async insert(partner: NewPartner): Promise<StoredPartner> {
    const { _id, uid } = partner
    const stored = { ...partner, addresses: addressesOf(_id, uid), name_version: 0, deleted: false }
    return insertOnce(this.#partners, stored)
  }

  /** Stores partners of another system, or compares them. */
  async adopt(partners: (NewPartner & PartnerUsage)[], compares: boolean): Promise<Adopted[]> {
    const given = partners.map(({ reserved: _, usage: __, ...partner }) => partner)
    const usages = new Map(partners.map(({ _id, reserved, usage }) => [_id, { reserved, usage }]))
    const aside = ({ _id, uid }: NewPartner) => {
      return { ...usages.get(_id), addresses: addressesOf(_id, uid), name_version: 0, deleted: false }
    }
    return adoptAll<NewPartner>(this.#partners as unknown as Collection<NewPartner>, given, {
      compares,
      unique: 'name',
      aside,
      guards: ['reserved', 'usage', 'name_version'],
      beside: ({ _id, uid, nb_recipients }, fields, stored) => {
        const usage = { ...stored.usage, ...usages.get(_id)?.usage }
        const reserved = stored.reserved - stored.nb_recipients + nb_recipients
        // Its campaigns have its name.
        const renamed = fields.includes('name') && { unsettled: true, name_version: stored.name_version + 1 }
        return { usage, reserved, addresses: addressesOf(_id, uid), ...renamed }
      },
    })
  }

  /** The changed partner, unsettled if it was renamed; null if there is none. Throws a duplicate of NAMES or ADDRESSES. */
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
    return untilDecided(() => changeOne(this.#partners, which, update))
  }

  /** Notes that the campaigns have a partner's name, unless it was renamed again. */
  async noteRenamed({ _id, event_id, name_version }: StoredPartner): Promise<void> {
    await this.#partners.updateOne({ _id, event_id, name_version, deleted: false }, { $unset: { unsettled: 1 } })
  }

  /** Deletes a partner to all clients, only `as` it was read if that is given. Returns it, also if its deletion was interrupted; null if there is none. */
  async markDeleted(event_id: string, address: string, as: { updated_at?: Date } = {}): Promise<StoredPartner | null> {
    const which = { event_id, addresses: address }
    const asRead = { ...which, ...as, deleted: false }
    const marked = await setFields(this.#partners, asRead, { deleted: true, unsettled: true })
    return marked ?? this.#partners.findOne({ ...which, unsettled: true, deleted: true })
  }

  /** Removes the document of a deleted partner. */
  async remove({ _id, event_id }: StoredPartner): Promise<void> {
    await this.#partners.deleteOne({ _id, event_id, deleted: true })
  }

  /** Those of the partners of an event that exist. */
  async withIds(event_id: string, ids: string[]): Promise<StoredPartner[]> {
    return this.#partners.find({ _id: { $in: ids }, event_id, deleted: false }, { hint: '_id_' }).toArray()
  }

  /** Partners of an event that are renamed or deleted but their campaigns are not yet. */
  async unsettledOf(event_id: string): Promise<StoredPartner[]> {
    return this.#partners.find({ event_id, unsettled: true }).toArray()
  }

  /** As {@link unsettledOf}, of all events, if they have not changed since a time: they were interrupted. */
  async unsettledSince(time: Date): Promise<StoredPartner[]> {
    return this.#partners.find({ unsettled: true, updated_at: { $lte: time } }).toArray()
  }
}

function addressesOf(_id: string, uid: string | null): string[] {
  return uid === null || uid === _id ? [_id] : [_id, uid]
}
