import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { type Adopted, type Adoption, adoptAll, storedWith } from '@gatehouse/proto/storage/adopting.ts'
import { deleteOne, knownIds, setFields } from '@gatehouse/proto/storage/documents.ts'
import { insertEachOnce, insertOnce } from '@gatehouse/proto/storage/mongo.ts'
import type { Collection, Db } from 'mongodb'

/** A check-in point as stored. */
export interface StoredAccesspoint {
  _id: string
  event_id: string
  name: string
  /** The area that guests enter or leave here; null: the event as a whole. */
  area_id: string | null
  direction: 'in' | 'out'
  /** Whether guests are asked to sign here. */
  signature_enabled: boolean
  /** A granted check-in of this point was deleted once: its guests' slots may have gaps (docs/adr/0003). */
  has_gaps?: boolean
  /** How another system gave it last; absent if it was made here. */
  adopted?: Adoption
  created_at: Date
  updated_at: Date
}

/** The error for a check-in point of another event. */
export const NO_POINT = {
  accesspoint_id: [messageOf('unknown_reference', { thing: 'a check-in point', owner: 'event' })],
}

/** Defaults for documents older than these fields. */
const ADDED_LATER = { area_id: null, direction: 'in', signature_enabled: false } as const

/** The check-in points collection. */
export class AccesspointStore {
  readonly #accesspoints: Collection<StoredAccesspoint>

  constructor(db: Db) {
    this.#accesspoints = db.collection('accesspoints')
  }

  async prepare(): Promise<void> {
    await this.#accesspoints.createIndex({ event_id: 1, created_at: 1, _id: 1 })
  }

  async insert(accesspoint: StoredAccesspoint): Promise<StoredAccesspoint> {
    return insertOnce(this.#accesspoints, accesspoint)
  }

  /** Stores new ones, of which an earlier try may have stored some. */
  async insertMany(accesspoints: StoredAccesspoint[]): Promise<void> {
    if (accesspoints.length > 0) await insertEachOnce(this.#accesspoints, accesspoints)
  }

  /** Stores check-in points of another system. */
  async adopt(accesspoints: Omit<StoredAccesspoint, 'area_id'>[], compares: boolean): Promise<Adopted[]> {
    const collection = this.#accesspoints as unknown as Collection<Omit<StoredAccesspoint, 'area_id'>>
    // Areas are not shown by other systems.
    return adoptAll(collection, accesspoints, { compares, aside: () => ({ area_id: null }) })
  }

  /** Oldest first. */
  async ofEvent(event_id: string): Promise<StoredAccesspoint[]> {
    return this.#accesspoints.find({ event_id }).sort({ created_at: 1, _id: 1 }).map(whole).toArray()
  }

  /** The area of each check-in point of an event that is in one. */
  async areasOf(event_id: string): Promise<Map<string, string>> {
    const found = this.#accesspoints
      .find({ event_id })
      .project<Pick<StoredAccesspoint, '_id' | 'area_id'>>({ area_id: 1 })
    const points = await found.toArray()
    return new Map(points.flatMap(({ _id, area_id }) => (area_id ? [[_id, area_id]] : [])))
  }

  async get(event_id: string, _id: string): Promise<StoredAccesspoint | null> {
    return whole(await this.#accesspoints.findOne({ _id, event_id }))
  }

  async known(event_id: string, ids: string[]): Promise<string[]> {
    return knownIds(this.#accesspoints, { event_id }, ids)
  }

  async update(event_id: string, _id: string, changes: Partial<StoredAccesspoint>): Promise<StoredAccesspoint | null> {
    return whole(await setFields(this.#accesspoints, { _id, event_id }, changes))
  }

  /** Marks for good that slots may have gaps. False if the check-in point does not exist. */
  async markGaps(event_id: string, _id: string): Promise<boolean> {
    const { matchedCount } = await this.#accesspoints.updateOne({ _id, event_id }, { $set: { has_gaps: true } })
    return matchedCount > 0
  }

  /** Those with these ids. */
  withIds(event_id: string, ids: string[]): Promise<StoredAccesspoint[]> {
    return storedWith(this.#accesspoints, event_id, ids)
  }

  /** Deletes one, only `as` it was read if that is given. */
  async delete(event_id: string, _id: string, as: { updated_at?: Date } = {}): Promise<StoredAccesspoint | null> {
    return whole(await deleteOne(this.#accesspoints, { _id, event_id, ...as }))
  }

  /** Takes all points of an area that is deleted out of it. */
  async leaveArea(event_id: string, area_id: string): Promise<void> {
    await this.#accesspoints.updateMany({ event_id, area_id }, { $set: { area_id: null, updated_at: new Date() } })
  }
}

function whole<T extends StoredAccesspoint | null>(accesspoint: T): T {
  return accesspoint && { ...ADDED_LATER, ...accesspoint }
}
