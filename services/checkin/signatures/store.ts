import { type Adopted, type Adoption, adoptAll, storedWith } from '@gatehouse/proto/storage/adopting.ts'
import { deleteOne } from '@gatehouse/proto/storage/documents.ts'
import { insertEachOnce, WHILE_AWAITED } from '@gatehouse/proto/storage/mongo.ts'
import { type PageQuery, pageThrough } from '@gatehouse/proto/storage/paging.ts'
import type { Collection, Db } from 'mongodb'

/** A signature as stored. */
export interface GuestSignature {
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

/** As stored. */
interface StoredSignature extends GuestSignature {
  /** The drawing's bytes as JSON: known before the drawing is read. */
  points_size: number
  /** How another system gave it last; absent if it was made here. */
  adopted?: Adoption
}

/** A signature in a list, where a drawing may be left out. */
export type ListedSignature = Omit<GuestSignature, 'points'> & Partial<Pick<GuestSignature, 'points'>>

/** Bytes of drawings in one page. A page of the largest ones would be half a gigabyte, and hold up the door. */
const PAGE_BYTES = 10 * 1024 * 1024

/** The signatures collection. */
export class SignatureStore {
  readonly #signatures: Collection<StoredSignature>

  constructor(db: Db) {
    this.#signatures = db.collection('signatures')
  }

  async prepare(): Promise<void> {
    await this.#signatures.createIndexes([
      { key: { event_id: 1, access_stamp: -1, _id: -1 } },
      { key: { event_id: 1, accesspoint_id: 1, access_stamp: -1, _id: -1 } },
    ])
  }

  /** Stores signatures. Returns them in the same order; one whose id is stored already is given as stored. */
  async insert(signatures: GuestSignature[]): Promise<GuestSignature[]> {
    if (signatures.length === 0) return []
    const documents = signatures.map(withSize)
    // Ids are new, derived from the caller's token and its Idempotency-Key, or those of a request of the gateway: no other account has them.
    const stored = await insertEachOnce(this.#signatures, documents)
    return signatures.map((signature, index) => stored[index] ?? signature)
  }

  /** Stores signatures of another system. */
  async adopt(signatures: GuestSignature[], compares: boolean): Promise<Adopted[]> {
    return adoptAll(this.#signatures, signatures.map(withSize), { compares })
  }

  /** Those with these ids. */
  withIds(event_id: string, ids: string[]): Promise<StoredSignature[]> {
    return storedWith(this.#signatures, event_id, ids)
  }

  /** Deletes one as it was read. */
  async delete({ _id, event_id, updated_at }: StoredSignature): Promise<boolean> {
    return (await deleteOne(this.#signatures, { _id, event_id, updated_at })) !== null
  }

  /** Highest access stamp first, of all points or of some, with as many drawings as one answer may hold. */
  async list(event_id: string, page: PageQuery, points?: readonly string[]): Promise<ListedSignature[]> {
    const order = { access_stamp: -1, _id: -1 } as const
    const filter = { event_id, ...(points && { accesspoint_id: { $in: points } }) }
    const signatures = await pageThrough(this.#signatures, filter, order, page, { hidden: ['points'] })
    let left = PAGE_BYTES
    const drawn = signatures.filter(({ points_size }) => {
      left -= points_size
      return left >= 0
    })
    const drawings = await this.#signatures
      .find({ event_id, _id: { $in: drawn.map(({ _id }) => _id) } })
      .project<Pick<GuestSignature, '_id' | 'points'>>({ points: 1 })
      .toArray()
    const byId = new Map(drawings.map(({ _id, points }) => [_id, { points }]))
    return signatures.map((signature) => ({ ...signature, ...byId.get(signature._id) }))
  }

  /** The number of signatures by event; events without any are missing. */
  async countByEvent(eventIds: string[]): Promise<Map<string, number>> {
    const rows = await this.#signatures
      .aggregate<{ _id: string; count: number }>(
        [{ $match: { event_id: { $in: eventIds } } }, { $group: { _id: '$event_id', count: { $sum: 1 } } }],
        WHILE_AWAITED,
      )
      .toArray()
    return new Map(rows.map(({ _id, count }) => [_id, count]))
  }
}

function withSize(signature: GuestSignature): StoredSignature {
  return { ...signature, points_size: JSON.stringify(signature.points).length }
}
