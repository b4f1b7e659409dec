import { derivedId } from '@gatehouse/proto/bus/client.ts'
import type { OutboxEntry } from '@gatehouse/proto/events/outbox.ts'
import { type Adopted, type Adoption, adoptAll } from '@gatehouse/proto/storage/adopting.ts'
import { changeOne, laterThan } from '@gatehouse/proto/storage/documents.ts'
import { insertEachOnce } from '@gatehouse/proto/storage/mongo.ts'
import { type PageQuery, pageThrough } from '@gatehouse/proto/storage/paging.ts'
import type { Collection, Db, Filter } from 'mongodb'
import { BY_EXHIBITOR, leadIndexes } from './indexes.ts'
import type { Lead, ListedLead } from './resource.ts'

/** A lead as stored. */
export interface StoredLead {
  /** Derived from exhibitor and uid (`leadId`), so that a guest cannot be two leads of one exhibitor. */
  _id: string
  event_id: string
  exhibitor_id: string
  guest_uid: string
  /** Stays the same when the guest's uid changes. */
  guest_id: string
  author: string
  /** Absent in leads that are older than this field. */
  comments?: unknown[]
  /** Absent, like the two below, until the exhibitor has changed one of them. */
  note?: string | null
  rating?: number | null
  revision?: number
  /** How another system gave it last; absent if it was made here. */
  adopted?: Adoption
  created_at: Date
  updated_at: Date
}

/** What an outbox entry holds of a lead: the stored lead has another `created_at` if an earlier request stored it. */
export type PlannedLead = Pick<StoredLead, '_id' | 'created_at'>

/** Tries to store leads that another request deletes, before something else must be wrong. */
const TRIES = 10

/** The `_id` of an exhibitor's lead of a guest. */
export function leadId(exhibitor_id: string, guest_uid: string): string {
  return derivedId(exhibitor_id, guest_uid)
}

/** The leads collection. */
export class LeadStore {
  readonly #leads: Collection<StoredLead>

  constructor(db: Db) {
    this.#leads = db.collection('leads')
  }

  async prepare(): Promise<void> {
    await this.#leads.createIndexes(leadIndexes)
  }

  /** Newest first; all unless a page is asked for. */
  async ofExhibitor(event_id: string, exhibitor_id: string, page?: PageQuery): Promise<StoredLead[]> {
    const order = { created_at: -1, _id: -1 } as const
    if (page) return pageThrough(this.#leads, { event_id, exhibitor_id }, order, page, { index: BY_EXHIBITOR })
    return this.#leads.find({ event_id, exhibitor_id }, { hint: BY_EXHIBITOR }).sort(order).toArray()
  }

  /** Those that were stored or changed at a time or later; newest first. */
  async changedSince(event_id: string, exhibitor_id: string, since: Date | undefined): Promise<StoredLead[]> {
    const changed = since && { updated_at: { $gte: since } }
    const order = { created_at: -1, _id: -1 } as const
    return this.#leads
      .find({ event_id, exhibitor_id, ...changed }, { hint: BY_EXHIBITOR })
      .sort(order)
      .toArray()
  }

  /** How many leads each exhibitor of an event has, read from the index alone; exhibitors without leads are missing. */
  async counts(event_id: string): Promise<Map<string, number>> {
    const steps = [{ $match: { event_id } }, { $group: { _id: '$exhibitor_id', count: { $sum: 1 } } }]
    const found = this.#leads.aggregate<{ _id: string; count: number }>(steps, { hint: BY_EXHIBITOR })
    return new Map((await found.toArray()).map(({ _id, count }) => [_id, count]))
  }

  /** How many leads an exhibitor has. */
  async count(event_id: string, exhibitor_id: string): Promise<number> {
    return this.#leads.countDocuments({ event_id, exhibitor_id }, { hint: BY_EXHIBITOR })
  }

  /** Changes a lead as it was read. Null if another change came between, or it is deleted. */
  async change(
    { _id, event_id, revision, updated_at }: StoredLead,
    changes: Partial<StoredLead>,
  ): Promise<StoredLead | null> {
    const which = { _id, event_id, revision: revision ?? { $exists: false } } as Filter<StoredLead>
    const set = { ...changes, revision: (revision ?? 0) + 1, updated_at: laterThan(updated_at) }
    return changeOne(this.#leads, which, { $set: set })
  }

  /** Stores leads of another system, or compares them. */
  async adopt(leads: StoredLead[], compares: boolean): Promise<Adopted[]> {
    return adoptAll(this.#leads, leads, { compares })
  }

  /** Stores leads of one exhibitor, each of another guest, unless they are there already. Returns all of them by `_id`, as they are stored. */
  async insertMissing(leads: StoredLead[]): Promise<Map<string, StoredLead>> {
    const [first] = leads
    const ids = leads.map(({ _id }) => _id)
    const earlier = first ? await this.find(first.event_id, ids) : []
    const stored = new Map(earlier.map((lead) => [lead._id, lead]))
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const missing = leads.filter(({ _id }) => !stored.has(_id))
      if (missing.length === 0) return stored
      for (const lead of await insertEachOnce(this.#leads, missing)) if (lead) stored.set(lead._id, lead)
    }
    throw new Error('Leads kept conflicting with other writes')
  }

  /** The leads with these ids; those that do not exist are missing. */
  async find(event_id: string, ids: string[]): Promise<StoredLead[]> {
    // Without fresh statistics the planner may read all leads of the event.
    return this.#leads.find({ _id: { $in: ids }, event_id }, { hint: '_id_' }).toArray()
  }

  /** The leads of an event that were made here within a time. */
  createdWithin(event_id: string, since: Date, until: Date): AsyncIterable<Pick<StoredLead, '_id' | 'created_at'>> {
    const own = { event_id, created_at: { $gte: since, $lt: until }, adopted: { $exists: false } }
    const found = this.#leads.find(own)
    return found.project<Pick<StoredLead, '_id' | 'created_at'>>({ created_at: 1 })
  }

  async deleteOfExhibitor(event_id: string, exhibitor_id: string): Promise<void> {
    await this.#leads.deleteMany({ event_id, exhibitor_id })
  }
}

/** A lead as it goes out. */
export function shownLead(lead: StoredLead): ListedLead {
  return {
    ...lead,
    comments: lead.comments ?? [],
    exhibitor_products: [],
    note: lead.note ?? null,
    rating: lead.rating ?? null,
  }
}

/** Finds the leads of an outbox entry that the entry's own request stored. */
export function recoverLeads(store: LeadStore): (entry: OutboxEntry<PlannedLead>) => Promise<Lead[]> {
  return async ({ event_id, items }) => {
    const times = new Map(items.map(({ _id, created_at }) => [_id, created_at.getTime()]))
    const leads = await store.find(event_id, [...times.keys()])
    return leads.filter(({ _id, created_at }) => times.get(_id) === created_at.getTime()).map(shownLead)
  }
}
