import { DUPLICATE_KEY } from '@gatehouse/proto/mongo.ts'
import { type Page, pageThrough } from '@gatehouse/proto/paging.ts'
import { type Collection, type Db, MongoBulkWriteError } from 'mongodb'
import { countByEvent } from '../check-ins/store.ts'

/** A signature as stored. */
export interface Signature {
  _id: string
  event_id: string
  accesspoint_id: string
  guest_uid: string
  access_stamp: Date
  /** The drawing; numbers are strings, as devices send them. */
  points: {
    width: string
    height: string
    lines: { x1: string; y1: string; x2: string; y2: string; 'stroke-width'?: string }[]
  }
  created_at: Date
  updated_at: Date
}

/** The signatures collection. */
export class SignatureStore {
  readonly #signatures: Collection<Signature>

  constructor(db: Db) {
    this.#signatures = db.collection('signatures')
  }

  async prepare(): Promise<void> {
    await this.#signatures.createIndex({ event_id: 1, access_stamp: -1, _id: -1 })
  }

  /** Stores signatures; what was stored under an id before stays and is given instead. In the order given. */
  async insert(signatures: Signature[]): Promise<Signature[]> {
    if (signatures.length === 0) return []
    try {
      await this.#signatures.insertMany(signatures, { ordered: false })
      return signatures
    } catch (error) {
      if (
        !(error instanceof MongoBulkWriteError) ||
        [error.writeErrors].flat().some(({ code }) => code !== DUPLICATE_KEY)
      )
        throw error
    }
    const stored = await this.#signatures.find({ _id: { $in: signatures.map(({ _id }) => _id) } }).toArray()
    const byId = new Map(stored.map((signature) => [signature._id, signature]))
    return signatures.map((signature) => byId.get(signature._id) ?? signature)
  }

  /** Highest access stamp first. */
  async list(event_id: string, page: Page): Promise<Signature[]> {
    return pageThrough(this.#signatures, { event_id }, { access_stamp: -1, _id: -1 }, page)
  }

  async countByEvent(eventIds: string[]): Promise<Map<string, number>> {
    return countByEvent(this.#signatures, eventIds)
  }
}
