import type { Collection, Db } from 'mongodb'
import type { StoredInvitation } from '../invitations/store.ts'
import { deliveryId } from '../mailings/delivery-store.ts'
import { DELIVERIES, type StoredMailing } from '../mailings/store.ts'

const BY_ADDRESS = 'event_id_1_address_1'
/** Most of each kind. */
const MOST = 500
/** What is not read: it may be large. */
const LEFT_OUT = { guest_metadata: 0, registration: 0 } as const
/** Those that nobody sees. */
const HIDDEN: StoredInvitation['state'][] = ['pending', 'cancelled']

/** Reads invitations and deliveries by whom they are for. */
export class GuestMailStore {
  readonly #invitations: Collection<StoredInvitation>
  readonly #deliveries: Collection<StoredInvitation>

  constructor(db: Db) {
    this.#invitations = db.collection('invitations')
    this.#deliveries = db.collection(DELIVERIES)
  }

  async prepare(): Promise<void> {
    await this.#invitations.createIndex({ event_id: 1, address: 1 }, { name: BY_ADDRESS })
  }

  /** Invitations and registrations of a normalized address, newest first. */
  async invitations(event_id: string, address: string): Promise<StoredInvitation[]> {
    return this.#invitations
      .find({ event_id, address, state: { $nin: HIDDEN } }, { hint: BY_ADDRESS, projection: LEFT_OUT })
      .sort({ created_at: -1, _id: -1 })
      .limit(MOST)
      .toArray()
  }

  /** The deliveries of mailings to a guest, and to recipients of invitations. Their `_id`s follow from both. */
  async deliveries(
    event_id: string,
    mailings: readonly Pick<StoredMailing, '_id'>[],
    addressee_ids: readonly string[],
  ): Promise<StoredInvitation[]> {
    const ids = mailings.flatMap(({ _id }) => addressee_ids.map((addressee) => deliveryId(_id, addressee)))
    if (ids.length === 0) return []
    return this.#deliveries
      .find({ _id: { $in: ids }, event_id, state: { $nin: HIDDEN } }, { hint: '_id_', projection: LEFT_OUT })
      .toArray()
  }
}
