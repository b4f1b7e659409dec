import { derivedId } from '@gatehouse/proto/bus/client.ts'
import { DUPLICATE_KEY, untilDecided, writeErrorsOf } from '@gatehouse/proto/storage/mongo.ts'
import { Binary, type Collection, type Db, type UpdateOneModel } from 'mongodb'

/** A badge as stored: the newest of its guest. */
export interface StoredBadge {
  _id: string
  event_id: string
  guest_id: string
  /** A hash of what it shows. */
  version: string
  /** Which of the guest's orders it was made for. */
  badge_order: number
  /** Whether it was told that it is completed. */
  told: boolean
  bytes: Binary
  created_at: Date
}

/** What is known of a badge without its bytes. */
export type BadgeHead = Omit<StoredBadge, 'bytes'>

/** The badges collection: one for each guest. */
export class BadgeStore {
  readonly #badges: Collection<StoredBadge>

  constructor(db: Db) {
    this.#badges = db.collection('badges')
  }

  async prepare(): Promise<void> {
    await this.#badges.createIndex({ event_id: 1, guest_id: 1 }, { unique: true })
  }

  async bytes(event_id: string, guest_id: string): Promise<Uint8Array | null> {
    const badge = await this.#badges.findOne({ event_id, guest_id }, { projection: { bytes: 1 } })
    return badge?.bytes.value() ?? null
  }

  async ofGuests(event_id: string, guest_ids: string[]): Promise<BadgeHead[]> {
    return this.#badges
      .find({ event_id, guest_id: { $in: guest_ids } })
      .project<BadgeHead>({ bytes: 0 })
      .toArray()
  }

  /** Stores badges, each in place of the one before, unless that was made for a later order. */
  async put(event_id: string, badges: MadeBadge[]): Promise<void> {
    if (badges.length === 0) return
    const writes = badges.map(({ guest_id, bytes, ...made }) => {
      const older = {
        _id: derivedId('badge', event_id, guest_id),
        event_id,
        guest_id,
        badge_order: { $lte: made.badge_order },
      }
      const badge = { $set: { ...made, bytes: new Binary(bytes), told: false, created_at: new Date() } }
      return { filter: older, update: badge }
    })
    const refused = await this.#write(writes.map((write) => ({ ...write, upsert: true })))
    // There is one by now, stored for a later order, or for an older one at the same moment: only then it is replaced.
    if (refused.length > 0) await this.#write(refused.map((index) => writes[index] as (typeof writes)[number]))
  }

  /** Gives the places of those that a unique index refused. */
  async #write(writes: UpdateOneModel<StoredBadge>[]): Promise<number[]> {
    try {
      const all = writes.map((updateOne) => ({ updateOne }))
      await untilDecided(() => this.#badges.bulkWrite(all, { ordered: false }))
      return []
    } catch (error) {
      const errors = writeErrorsOf(error)
      if (errors.length === 0 || errors.some(({ code }) => code !== DUPLICATE_KEY)) throw error
      return errors.map(({ index }) => index)
    }
  }

  /** Notes that it was told that these versions are completed. */
  async markPublished(event_id: string, badges: Pick<BadgeHead, 'guest_id' | 'version'>[]): Promise<void> {
    if (badges.length === 0) return
    const writes = badges.map((badge) => ({
      updateOne: { filter: { event_id, ...badge }, update: { $set: { told: true } } },
    }))
    await this.#badges.bulkWrite(writes, { ordered: false })
  }

  async deleteOfGuests(event_id: string, guest_ids: string[]): Promise<void> {
    await this.#badges.deleteMany({ event_id, guest_id: { $in: guest_ids } })
  }

  /** Whose badges there are, all events in turn: some guests after one. */
  async owners(after: Owner | undefined, limit: number): Promise<Owner[]> {
    return ownersIn(this.#badges, after, limit)
  }
}

/** A badge as drawn. */
export type MadeBadge = Pick<BadgeHead, 'guest_id' | 'version' | 'badge_order'> & { bytes: Uint8Array }

/** A guest who has something here. */
export interface Owner {
  event_id: string
  guest_id: string
}

/** The owners of what a collection holds, in the order of event and guest, after one; its index begins with these. */
export async function ownersIn<T extends Owner>(
  collection: Collection<T>,
  after: Owner | undefined,
  limit: number,
): Promise<Owner[]> {
  const find = (filter: object, most: number): Promise<Owner[]> =>
    collection
      .find(filter)
      .sort({ event_id: 1, guest_id: 1 })
      .limit(most)
      .project<Owner>({ _id: 0, event_id: 1, guest_id: 1 })
      .toArray()
  if (!after) return find({}, limit)
  const sameEvent = await find({ event_id: after.event_id, guest_id: { $gt: after.guest_id } }, limit)
  if (sameEvent.length === limit) return sameEvent
  return [...sameEvent, ...(await find({ event_id: { $gt: after.event_id } }, limit - sameEvent.length))]
}
