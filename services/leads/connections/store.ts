import { derivedId } from '@gatehouse/proto/bus/client.ts'
import { DUPLICATE_KEY, WRITE_CONFLICT, writeErrorsOf } from '@gatehouse/proto/storage/mongo.ts'
import { type PageQuery, storedPage } from '@gatehouse/proto/storage/paging.ts'
import { StoredList } from '@gatehouse/proto/storage/raw-documents.ts'
import type { Collection, Db } from 'mongodb'

/** A lead as stored. */
export interface StoredLead {
  /** Made of exhibitor and uid (`leadId`): so the index of `_id` keeps a guest from being two leads of one exhibitor. */
  _id: string
  event_id: string
  exhibitor_id: string
  guest_uid: string
  /** The guest keeps it when its uid changes. */
  guest_id: string
  author: string
  /** Absent in leads of before they were kept. */
  comments?: unknown[]
  created_at: Date
  updated_at: Date
}

/** Conflicts with other writes, one after the other, before something else must be wrong. */
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
    await this.#leads.createIndex({ event_id: 1, exhibitor_id: 1, created_at: -1, _id: -1 })
  }

  /** Newest first; all where no page is asked for. */
  async ofExhibitor(event_id: string, exhibitor_id: string, page?: PageQuery): Promise<StoredList<StoredLead>> {
    const order = { created_at: -1, _id: -1 } as const
    if (page) return storedPage(this.#leads, { event_id, exhibitor_id }, order, page)
    const leads = await this.#leads.find({ event_id, exhibitor_id }, { raw: true }).sort(order).toArray()
    return new StoredList(leads as unknown as Uint8Array[])
  }

  /**
   * Stores leads of one exhibitor, unlike each other, unless they are there already. Gives all of them by `_id` as they are stored.
   */
  async keep(leads: StoredLead[]): Promise<Map<string, StoredLead>> {
    const stored = await this.#find(leads)
    let missing = leads.filter(({ _id }) => !stored.has(_id))
    for (let attempt = 0; missing.length > 0 && attempt < TRIES; attempt++) {
      const refused = await this.#insert(missing)
      for (const lead of missing) {
        if (!refused.has(lead)) stored.set(lead._id, lead)
      }
      for (const [_id, lead] of await this.#find([...refused])) stored.set(_id, lead)
      missing = missing.filter(({ _id }) => !stored.has(_id))
    }
    if (missing.length > 0) throw new Error('Leads are in conflict with other writes for too long')
    return stored
  }

  /** The leads with these ids; those that do not exist are missing. */
  async find(event_id: string, ids: string[]): Promise<StoredLead[]> {
    // Without fresh statistics a planner may read all leads of the event.
    return this.#leads.find({ _id: { $in: ids }, event_id }, { hint: '_id_' }).toArray()
  }

  async #find(leads: StoredLead[]): Promise<Map<string, StoredLead>> {
    const [first] = leads
    if (!first) return new Map()
    const found = await this.find(
      first.event_id,
      leads.map(({ _id }) => _id),
    )
    return new Map(found.map((lead) => [lead._id, lead]))
  }

  /** Those that another write kept out. Throws where it is not known what was stored. */
  async #insert(leads: StoredLead[]): Promise<Set<StoredLead>> {
    try {
      await this.#leads.insertMany(leads, { ordered: false })
      return new Set()
    } catch (error) {
      const errors = writeErrorsOf(error)
      if (errors.length === 0 || errors.some(({ code }) => code !== DUPLICATE_KEY && code !== WRITE_CONFLICT))
        throw error
      return new Set(errors.map(({ index }) => leads[index] as StoredLead))
    }
  }

  async deleteOfExhibitor(event_id: string, exhibitor_id: string): Promise<void> {
    await this.#leads.deleteMany({ event_id, exhibitor_id })
  }
}
