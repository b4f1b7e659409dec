import { derivedId } from '@gatehouse/proto/calls.ts'
import { isDuplicate, untilDecided } from '@gatehouse/proto/mongo.ts'
import { Binary, type Collection, type Db } from 'mongodb'

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

  async head(event_id: string, guest_id: string): Promise<BadgeHead | null> {
    return this.#badges.findOne<BadgeHead>({ event_id, guest_id }, { projection: { bytes: 0 } })
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

  /** Stores a badge in place of the one before, unless that was made for a later order. */
  async put({ event_id, guest_id, bytes, ...made }: MadeBadge): Promise<void> {
    const older = {
      _id: derivedId('badge', event_id, guest_id),
      event_id,
      guest_id,
      badge_order: { $lte: made.badge_order },
    }
    const badge = { $set: { ...made, bytes: new Binary(bytes), told: false, created_at: new Date() } }
    try {
      await untilDecided(() => this.#badges.updateOne(older, badge, { upsert: true }))
    } catch (error) {
      if (!isDuplicate(error)) throw error
      // There is one by now, stored for a later order, or for an older one at the same moment: only then it is replaced.
      await untilDecided(() => this.#badges.updateOne(older, badge))
    }
  }

  /** Notes that it was told that a version is completed. */
  async markTold(event_id: string, guest_id: string, version: string): Promise<void> {
    await this.#badges.updateOne({ event_id, guest_id, version }, { $set: { told: true } })
  }

  async forget(event_id: string, guest_ids: string[]): Promise<void> {
    await this.#badges.deleteMany({ event_id, guest_id: { $in: guest_ids } })
  }

  /** Whose badges there are, all events in turn: some guests after one. */
  async owners(after: Owner | undefined, limit: number): Promise<Owner[]> {
    return ownersIn(this.#badges, after, limit)
  }
}

type MadeBadge = Pick<BadgeHead, 'event_id' | 'guest_id' | 'version' | 'badge_order'> & { bytes: Uint8Array }

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
