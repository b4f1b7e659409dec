import type { StoredList } from '@gatehouse/proto/formats/raw-documents.ts'
import { changeOne } from '@gatehouse/proto/storage/documents.ts'
import { isConflict, isDuplicate } from '@gatehouse/proto/storage/mongo.ts'
import { type PageQuery, storedPage } from '@gatehouse/proto/storage/paging.ts'
import { type Collection, type Db, ObjectId } from 'mongodb'
import { dueNow } from '../../delivery/invitations/answer-store.ts'
import {
  guestIdOf,
  type InvitationKey,
  type PageKey,
  type RegistrationState,
  type StoredInvitation,
} from '../../delivery/invitations/store.ts'
import type { Registration } from './registration.ts'

const LIST = 'registrations_event_id_1_created_at_-1__id_-1'
const BY_STATE = 'registrations_event_id_1_registration_state_1_created_at_-1__id_-1'

const BY_GUEST = 'event_id_1_registered_guest_id_1'
const BY_ADDRESS = 'event_id_1_guest_category_id_1_address_1'

/** How long a registration waits for its address to be confirmed. */
const UNCONFIRMED_MS = 48 * 3_600_000
/** No address gets an e-mail because somebody typed it on a page more often. */
const ASK_AGAIN_MS = 600_000

/** What an invitation has and a registration on a page does not need. */
const NEW = {
  first_name: null,
  last_name: null,
  guest_metadata: [],
  state: 'sent',
  reason: null,
  sent_at: null,
  answer: null,
  reservation: '',
  postponed: 0,
} as const satisfies Partial<StoredInvitation>

/** What somebody gives on a registration page. */
export interface GivenRegistration {
  address: string
  email: string
  party_size: number
  registration: Registration
}

const NEWEST_FIRST = { created_at: -1, _id: -1 } as const

/** The registrations in the invitations collection: those of registration pages, and accepted invitations about which the organizer decides. */
export class RegistrationStore {
  readonly #invitations: Collection<StoredInvitation>

  constructor(db: Db) {
    this.#invitations = db.collection('invitations')
  }

  async prepare(): Promise<void> {
    const partialFilterExpression = { registration_state: { $exists: true } }
    await this.#invitations.createIndexes([
      { key: { event_id: 1, created_at: -1, _id: -1 }, name: LIST, partialFilterExpression },
      {
        key: { event_id: 1, registration_state: 1, created_at: -1, _id: -1 },
        name: BY_STATE,
        partialFilterExpression,
      },
      {
        key: { event_id: 1, registered_guest_id: 1 },
        name: BY_GUEST,
        partialFilterExpression: { registered_guest_id: { $exists: true } },
      },
      {
        key: { event_id: 1, guest_category_id: 1, address: 1 },
        name: BY_ADDRESS,
        unique: true,
        partialFilterExpression: { guest_category_id: { $exists: true } },
      },
      { key: { expires_at: 1 }, expireAfterSeconds: 0 },
    ])
  }

  /** A page of an event, of one state or all. */
  async page(
    event_id: string,
    { registration_state, ...page }: PageQuery & { registration_state?: RegistrationState },
  ): Promise<StoredList<StoredInvitation>> {
    const filter = { event_id, registration_state: registration_state ?? { $exists: true } }
    const index = registration_state ? BY_STATE : LIST
    return storedPage(this.#invitations, filter, NEWEST_FIRST, page, { index })
  }

  /**
   * Stores what somebody gives on a registration page, as unconfirmed, in the place of what was given with the address before. Returns null if
   * the address is registered already.
   */
  async put(
    { event_id, guest_category_id }: PageKey,
    { address, email, party_size, registration }: GivenRegistration,
  ): Promise<StoredInvitation | null> {
    const where = { event_id, guest_category_id, address }
    const now = new Date()
    const given = { email, party_size, registration, locale: registration.language, updated_at: now }
    const change = () =>
      changeOne(
        this.#invitations,
        { ...where, answer: { $ne: 'accepted' }, registration_state: { $ne: 'rejected' } },
        { $set: { ...given, registration_state: 'unconfirmed' } },
      )
    const changed = await change()
    if (changed) return changed
    const _id = new ObjectId().toHexString()
    const fresh: StoredInvitation = {
      ...NEW,
      ...where,
      ...given,
      _id,
      partner_id: guest_category_id,
      partner_campaign_id: guest_category_id,
      registration_state: 'unconfirmed',
      registered_guest_id: guestIdOf({ _id }),
      expires_at: new Date(now.getTime() + UNCONFIRMED_MS),
      created_at: now,
    }
    try {
      await this.#invitations.insertOne(fresh)
      return fresh
    } catch (error) {
      if (!isDuplicate(error) && !isConflict(error)) throw error
      return change()
    }
  }

  /** Makes the e-mail due by which an address is confirmed, unless one was due a short time ago. Returns whether it is. */
  async askToConfirm({ event_id, _id }: InvitationKey): Promise<boolean> {
    const before = new Date(Date.now() - ASK_AGAIN_MS)
    const { matchedCount } = await this.#invitations.updateOne(
      {
        _id,
        event_id,
        registration_state: 'unconfirmed',
        $or: [{ confirmation_since: { $exists: false } }, { confirmation_since: { $lte: before } }],
      },
      { $set: dueNow() },
    )
    return matchedCount > 0
  }

  /**
   * Makes the e-mail with the QR code of a registered guest due once more, unless it is due already or was within the last ten minutes. Returns whether it became due.
   */
  async sendAgain({ event_id, guest_category_id }: PageKey, address: string): Promise<boolean> {
    const before = new Date(Date.now() - ASK_AGAIN_MS)
    const { matchedCount } = await this.#invitations.updateOne(
      {
        event_id,
        guest_category_id,
        address,
        answer: 'accepted',
        registration_state: 'approved',
        has_guest: true,
        confirmation_due: { $exists: false },
        $or: [{ confirmation_since: { $exists: false } }, { confirmation_since: { $lte: before } }],
      },
      { $set: dueNow(), $unset: { confirmation_attempts: 1 } },
    )
    return matchedCount > 0
  }

  /** Those of the guests whom registration pages have made. */
  async ofGuests(event_id: string, guest_ids: string[]): Promise<string[]> {
    const found = this.#invitations.find({ event_id, registered_guest_id: { $in: guest_ids } }, { hint: BY_GUEST })
    const made = await found.project<{ registered_guest_id: string }>({ registered_guest_id: 1 }).toArray()
    return made.map(({ registered_guest_id }) => registered_guest_id)
  }

  /** Deletes the registrations of guests that were made and are gone. */
  async removeOfGuests(event_id: string, guest_ids: string[]): Promise<void> {
    await this.#invitations.deleteMany(
      { event_id, registered_guest_id: { $in: guest_ids }, has_guest: true },
      { hint: BY_GUEST },
    )
  }

  /** A registration of an event by its `_id`. */
  async get(event_id: string, _id: string): Promise<StoredInvitation | null> {
    return this.#invitations.findOne({ _id, event_id, registration_state: { $exists: true } }, { hint: '_id_' })
  }
}
