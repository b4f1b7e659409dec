import { derivedId } from '@gatehouse/proto/bus/client.ts'
import { DUPLICATE_KEY, untilDecided, writeErrorsOf } from '@gatehouse/proto/storage/mongo.ts'
import { Binary, type Collection, type Db, type UpdateOneModel } from 'mongodb'

/** The newest badge of a guest, as stored. */
export interface StoredBadge {
  _id: string
  event_id: string
  guest_id: string
  /** Hash of its content. */
  version: string
  /** The guest's order for which it was made. */
  badge_order: number
  /** Whether its completion was published. */
  told: boolean
  bytes: Binary
  created_at: Date
}

/** A badge without its bytes. */
export type BadgeHead = Omit<StoredBadge, 'bytes'>

/** The badges collection: one badge for each guest. */
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

  /** Stores badges. Each replaces the previous one, unless that was made for a later order. */
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
    // Another process stored one meanwhile. Without an upsert it is replaced only if its order is not later.
    if (refused.length > 0) await this.#write(refused.map((index) => writes[index] as (typeof writes)[number]))
  }

  /** Returns the positions of writes that the unique index refused. */
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

  /** Notes that the completion of these versions was published. */
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
}

/** A drawn badge that is to be stored. */
export type MadeBadge = Pick<BadgeHead, 'guest_id' | 'version' | 'badge_order'> & { bytes: Uint8Array }
