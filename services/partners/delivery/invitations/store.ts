import { derivedId } from '@gatehouse/proto/bus/client.ts'
import type { StoredList } from '@gatehouse/proto/formats/raw-documents.ts'
import { insertEachOnce } from '@gatehouse/proto/storage/mongo.ts'
import { type PageQuery, storedPage } from '@gatehouse/proto/storage/paging.ts'
import type { Collection, Db, FindCursor } from 'mongodb'
import type { StoredCampaign } from '../../campaigns/partner-campaigns/store.ts'
import type { AcceptanceNote } from '../../campaigns/partners/usage.ts'
import type { Registration } from '../../pages/registrations/registration.ts'
import type { PartnerInvitation } from './resource.ts'

/** How far the sending of a queued invitation is. */
export type SendingStage = 'waiting' | 'claimed'

/** What came of sending an invitation, for the counters; bounces and the like may change its state later. */
export type SendOutcome = 'sent' | 'unknown' | 'rejected' | 'blocked' | 'cancelled'

/** What a recipient answers. */
export type GivenAnswer = 'accepted' | 'declined'

/** Of an acceptance that the organizer decides about. */
export type RegistrationState = 'unconfirmed' | 'pending' | 'approved' | 'rejected'

/** Which invitation of which event. */
export type InvitationKey = Pick<StoredInvitation, '_id' | 'event_id'>

/** An invitation as stored. */
export interface StoredInvitation
  extends Omit<
    PartnerInvitation,
    'state' | 'answer' | 'registration_state' | 'confirmed_at' | 'opened_at' | 'partner_id' | 'partner_campaign_id'
  > {
  /** Derived from campaign and address (`invitationId`), so that an address is invited once in a campaign; that of a mailing from it and the guest. */
  _id: string
  event_id: string
  partner_id: string
  partner_campaign_id: string
  /** The guest to whom a mailing is delivered, in the collection of these; partner and campaign are the mailing then. */
  guest_id?: string
  /** The invitation of which a mailing reminds, in the collection of mailings' deliveries. */
  invitation_id?: string
  /** The e-mail address as it is compared. */
  address: string
  /** `pending` until its place in the quota is reserved: nobody sees it then. `cancelled`: its campaign was deleted before it was sent. */
  state: PartnerInvitation['state'] | 'pending' | 'cancelled'
  /** The note under which it was accepted. */
  reservation: string
  /** Of the request that invited, if it is traced. */
  traceparent?: string
  /** Present while it is queued. */
  step?: SendingStage
  /** When a waiting one is to be sent. */
  due_at?: Date
  /** How often it was postponed. */
  postponed: number
  /** The note of the lease under which it is, or was at last, sent. */
  claim?: string
  outcome?: SendOutcome
  /** The note under which it was unsubscribed. */
  unsubscription?: string
  /** The notes under which a hard bounce, a complaint, and that the mail server had taken it were reported (mail-events/recording.ts). */
  bounce?: string
  complaint?: string
  handed_over?: string
  /** What a bounce or a complaint gave as its reason. */
  feedback_reason?: string | null
  opened_at?: Date
  /** Present while it waits for its campaign to be resumed. */
  held?: true
  answer: GivenAnswer | null
  /** Counts its answers. */
  answer_version?: number
  /** When it was answered; present until the guest follows. */
  answer_due?: Date
  /** The attempts to let the guest follow that have not ended. */
  following?: { id: string; at: Date }[]
  /** What its recipient gave with the acceptance. */
  registration?: Registration
  registration_state?: RegistrationState
  /** When it was given. */
  registered_at?: Date
  /** Whether its guest was made. */
  has_guest?: true
  /** Of a registration on the page of this category, which stands in the place of partner and campaign. */
  guest_category_id?: string
  /** Of a registration page: the guest and whoever comes along. */
  party_size?: number
  /** Of a registration page: the numbers of its persons' places, while it counts. */
  places?: number[]
  /** Of a registration page: the `_id` of its guest. */
  registered_guest_id?: string
  /** When an unconfirmed registration is deleted. */
  expires_at?: Date
  /** When the e-mail is due that confirms that its recipient is a guest. */
  confirmation_due?: Date
  /** Since when it has been due. */
  confirmation_since?: Date
  /** Of the request that made it due, if that is traced. */
  confirmation_traceparent?: string | null
  /** When the mail server took it. */
  confirmed_at?: Date
  /** How often that was postponed because the mail server did not take it. */
  confirmation_attempts?: number
}

const LIST = 'event_id_1_partner_campaign_id_1_created_at_-1__id_-1'
/** The index of a campaign's invitations in a state. */
export const BY_STATE = 'event_id_1_partner_campaign_id_1_state_1_created_at_-1__id_-1'
const DUE = 'partner_id_1_due_at_1'
const PENDING = 'created_at_1'
const BY_REGISTRATION = 'event_id_1_partner_campaign_id_1_registration_state_1_created_at_-1__id_-1'

/** Invitations that one command deletes. */
const DELETED_AT_ONCE = 5_000

const NEWEST_FIRST = { created_at: -1, _id: -1 } as const

/** Whether it is a delivery of a mailing, which stands in the place of partner and campaign. */
export function isDelivery({ partner_id, partner_campaign_id, guest_category_id }: StoredInvitation): boolean {
  return partner_id === partner_campaign_id && guest_category_id === undefined
}

/** The `_id` of the invitation of an address in a campaign. */
export function invitationId(partner_campaign_id: string, address: string): string {
  return derivedId(partner_campaign_id, address)
}

/** The `_id` of the guest whom an invitation or a registration becomes. */
export function guestIdOf({ _id }: Pick<StoredInvitation, '_id'>): string {
  return derivedId('guest of invitation', _id)
}

/** The registration page of which category of which event. */
export interface PageKey {
  event_id: string
  guest_category_id: string
}

/** A registration that was made on a registration page. */
export type PageRegistration = StoredInvitation & PageKey

/** Whether a registration was made on a registration page, and not with an invitation. */
export function isOfPage(registration: StoredInvitation): registration is PageRegistration {
  return registration.guest_category_id !== undefined
}

const isSet = (field: string) => ({ $gt: [`$${field}`, null] })
const isFound = { $and: [{ $eq: ['$outcome', 'unknown'] }, isSet('handed_over')] }

/** What is shown of all that happened to an invitation, whatever came first: what recipients do goes before what mail servers say. */
export const GRAVEST = [
  { when: isSet('complaint'), state: 'complained' },
  { when: isSet('unsubscription'), state: 'unsubscribed' },
  { when: isSet('bounce'), state: 'bounced' },
  { when: isFound, state: 'sent' },
].reduceRight<unknown>((otherwise, { when, state }) => ({ $cond: [when, state, otherwise] }), '$state')

/** Which invitations of a campaign are listed. */
interface InvitationFilter {
  state?: string | undefined
  registration_state?: RegistrationState | undefined
}

/**
 * Returns those of the found invitations whose time has come. With a bound for the time in the filter the local stack would read all of its
 * partial index.
 */
export async function dueOf(
  found: FindCursor<StoredInvitation>,
  field: 'due_at' | 'answer_due' | 'confirmation_due',
  until = new Date(),
): Promise<StoredInvitation[]> {
  return (await found.toArray()).filter(({ [field]: time }) => time && time <= until)
}

type CampaignKey = Pick<StoredCampaign, '_id' | 'event_id'>

/** The invitations collection. */
export class InvitationStore {
  readonly #invitations: Collection<StoredInvitation>

  constructor(db: Db, collection = 'invitations') {
    this.#invitations = db.collection(collection)
  }

  async prepare(): Promise<void> {
    await this.#invitations.createIndexes([
      { key: { event_id: 1, partner_campaign_id: 1, created_at: -1, _id: -1 }, name: LIST },
      { key: { event_id: 1, partner_campaign_id: 1, state: 1, created_at: -1, _id: -1 }, name: BY_STATE },
      { key: { partner_id: 1, due_at: 1 }, name: DUE, partialFilterExpression: { due_at: { $exists: true } } },
      {
        key: { event_id: 1, partner_campaign_id: 1, registration_state: 1, created_at: -1, _id: -1 },
        name: BY_REGISTRATION,
        partialFilterExpression: { registration_state: { $exists: true } },
      },
      { key: { created_at: 1 }, name: PENDING, partialFilterExpression: { state: 'pending' } },
    ])
  }

  /** A page of a campaign, of one state or all. */
  async page(
    { _id, event_id }: CampaignKey,
    { state, registration_state, ...page }: PageQuery & InvitationFilter,
  ): Promise<StoredList<StoredInvitation>> {
    const all = { event_id, partner_campaign_id: _id, ...(registration_state && { registration_state }) }
    const filter = { ...all, state: (state ?? { $ne: 'pending' }) as StoredInvitation['state'] }
    const index = registration_state ? BY_REGISTRATION : state ? BY_STATE : LIST
    return storedPage(this.#invitations, filter, NEWEST_FIRST, page, { index })
  }

  /** An invitation of any event by its `_id`; not a pending one. */
  async get(_id: string): Promise<StoredInvitation | null> {
    return this.#invitations.findOne({ _id, state: { $ne: 'pending' } }, { hint: '_id_' })
  }

  /** Whether a campaign has invitations. */
  async hasAny({ _id, event_id }: CampaignKey): Promise<boolean> {
    const some = { event_id, partner_campaign_id: _id }
    return (await this.#invitations.findOne(some, { hint: LIST, projection: { _id: 1 } })) !== null
  }

  /** Those of the invitations of a campaign that exist, pending ones included. */
  async find({ _id, event_id }: CampaignKey, ids: string[]): Promise<StoredInvitation[]> {
    return this.#invitations.find({ _id: { $in: ids }, event_id, partner_campaign_id: _id }, { hint: '_id_' }).toArray()
  }

  /** Some of the invitations of a campaign that were sent and are not answered, newest first, after one of them. */
  async unanswered(
    { _id, event_id }: CampaignKey,
    after: Pick<StoredInvitation, '_id' | 'created_at'> | undefined,
    limit: number,
  ): Promise<StoredInvitation[]> {
    const all = { event_id, partner_campaign_id: _id, state: 'sent', answer: null } as const
    const { created_at, _id: last } = after ?? {}
    const older = created_at && { $or: [{ created_at: { $lt: created_at } }, { created_at, _id: { $lt: last } }] }
    const rest = { ...all, ...(created_at && { created_at: { $lte: created_at } }), ...older }
    return this.#invitations
      .find(rest as never, { hint: BY_STATE })
      .sort(NEWEST_FIRST)
      .limit(limit)
      .toArray()
  }

  /** How many invitations of a campaign are in a state, counted up to a limit. */
  async count({ _id, event_id }: CampaignKey, state: PartnerInvitation['state'], limit: number): Promise<number> {
    return this.#invitations.countDocuments({ event_id, partner_campaign_id: _id, state }, { hint: BY_STATE, limit })
  }

  /** Stores pending invitations unless they are there already. Returns those that it stored. */
  async insertPending(invitations: StoredInvitation[]): Promise<StoredInvitation[]> {
    if (invitations.length === 0) return []
    const stored = await insertEachOnce(this.#invitations, invitations)
    return invitations.filter(({ reservation }, index) => stored[index]?.reservation === reservation)
  }

  /** Queues pending invitations of a reservation. Returns how many. */
  async queue(event_id: string, reservation: string, ids: string[]): Promise<number> {
    if (ids.length === 0) return 0
    const queued = { state: 'queued', step: 'waiting', due_at: new Date() } as const
    const { modifiedCount } = await this.#invitations.updateMany(
      { _id: { $in: ids }, event_id, reservation, state: 'pending' },
      { $set: queued },
    )
    return modifiedCount
  }

  /** Deletes pending invitations of a reservation. */
  async deletePending(event_id: string, reservation: string, ids: string[]): Promise<void> {
    if (ids.length === 0) return
    await this.#invitations.deleteMany({ _id: { $in: ids }, event_id, reservation, state: 'pending' })
  }

  /**
   * Ends an acceptance that was interrupted: deletes its pending invitations, and returns the number of the others. That number is final, since
   * all were stored before the note was, and only pending ones can be queued.
   */
  async endAcceptance(event_id: string, { id, campaign_id, at }: AcceptanceNote): Promise<number> {
    const all = { event_id, partner_campaign_id: campaign_id, created_at: at, reservation: id }
    await this.#invitations.deleteMany({ ...all, state: 'pending' }, { hint: LIST })
    return this.#invitations.countDocuments({ ...all, state: { $ne: 'pending' } }, { hint: LIST })
  }

  /** Deletes pending invitations of all events from before a time: those who stored them have died. */
  async deleteAbandoned(time: Date): Promise<void> {
    const abandoned = { state: 'pending', created_at: { $lte: time } } as const
    await this.#invitations.deleteMany(abandoned, { hint: PENDING })
  }

  /** A partner's invitations that are due, oldest first, after the first `skip`. */
  async due(event_id: string, partner_id: string, limit: number, skip = 0): Promise<StoredInvitation[]> {
    const waiting = this.#invitations.find({ event_id, partner_id, due_at: { $exists: true } }, { hint: DUE })
    return dueOf(waiting.sort({ partner_id: 1, due_at: 1 }).skip(skip).limit(limit), 'due_at')
  }

  /** Partners of all events whose invitations are due. One step of the index for each partner with waiting invitations. */
  async *partnersDue(): AsyncGenerator<{ _id: string; event_id: string }> {
    for (let last = ''; ; ) {
      const [next] = await this.#invitations
        .find({ partner_id: { $gt: last }, due_at: { $exists: true } }, { hint: DUE })
        .sort({ partner_id: 1, due_at: 1 })
        .limit(1)
        .toArray()
      if (!next?.due_at) return
      if (next.due_at <= new Date()) yield { _id: next.partner_id, event_id: next.event_id }
      last = next.partner_id
    }
  }

  /** Leases waiting invitations. Returns those that it got; what changed since they were read may be missing. */
  async lease(event_id: string, lease: string, waiting: StoredInvitation[]): Promise<StoredInvitation[]> {
    const ids = waiting.map(({ _id }) => _id)
    const { modifiedCount } = await this.#invitations.updateMany(
      { _id: { $in: ids }, event_id, step: 'waiting' },
      { $set: { step: 'claimed', claim: lease }, $unset: { due_at: 1, held: 1 } },
    )
    return modifiedCount === ids.length ? waiting : this.ofLease(event_id, lease, ids)
  }

  /** Those of the invitations that have a lease. */
  async ofLease(event_id: string, lease: string, ids: string[]): Promise<StoredInvitation[]> {
    return this.#invitations.find({ _id: { $in: ids }, event_id, claim: lease }, { hint: '_id_' }).toArray()
  }

  /**
   * Records what came of invitations of a lease, and returns of how many. What recipients and mail servers have answered to the e-mail may be
   * reported before: that stays, and an e-mail that was answered was sent.
   */
  async recordOutcome(
    event_id: string,
    lease: string,
    ids: string[],
    outcome: SendOutcome,
    reason: string | null,
  ): Promise<number> {
    if (ids.length === 0) return 0
    const now = new Date()
    const isAnswered = { $in: ['$state', ['bounced', 'complained', 'unsubscribed']] }
    const known = outcome === 'unknown' ? { $cond: [isSet('handed_over'), 'sent', outcome] } : outcome
    const { modifiedCount } = await this.#invitations.updateMany(
      { _id: { $in: ids }, event_id, claim: lease, step: 'claimed' },
      [
        { $set: { outcome: known, reason: { $ifNull: ['$feedback_reason', { $literal: reason }] }, updated_at: now } },
        {
          $set: {
            state: { $cond: [isAnswered, '$state', '$outcome'] },
            sent_at: { $cond: [{ $eq: ['$outcome', 'sent'] }, now, null] },
          },
        },
        { $unset: 'step' },
      ],
    )
    return modifiedCount
  }

  /** Unsubscribes an invitation under a note, unless it is already. Returns it; null if there is none. */
  async unsubscribe(event_id: string, _id: string, note: string): Promise<StoredInvitation | null> {
    await this.#invitations.updateOne(
      { _id, event_id, state: { $ne: 'pending' }, unsubscription: { $exists: false } },
      [{ $set: { unsubscription: note, updated_at: new Date() } }, { $set: { state: GRAVEST } }],
    )
    return this.#invitations.findOne({ _id, event_id })
  }

  /** Lets invitations of a lease that were not begun wait again, each for some ms; that is no attempt. */
  async hold(event_id: string, lease: string, held: { _id: string; ms: number }[]): Promise<void> {
    if (held.length === 0) return
    const updates = held.map(({ _id, ms }) => ({
      updateOne: {
        filter: { _id, event_id, claim: lease, step: 'claimed' as const },
        update: {
          $set: { step: 'waiting' as const, due_at: new Date(Date.now() + ms) },
          $unset: { claim: 1 as const },
        },
      },
    }))
    await this.#invitations.bulkWrite(updates, { ordered: false })
  }

  /** Lets invitations of a lease wait again until a time, unless something came of them. */
  async release(
    event_id: string,
    lease: string,
    ids: string[],
    due_at = new Date(),
    changes: Partial<Pick<StoredInvitation, 'reason' | 'updated_at' | 'postponed' | 'held'>> = {},
  ): Promise<void> {
    if (ids.length === 0) return
    await this.#invitations.updateMany(
      { _id: { $in: ids }, event_id, claim: lease, step: 'claimed' },
      { $set: { step: 'waiting', due_at, ...changes }, $unset: { claim: 1 } },
    )
  }

  /** Deletes all invitations of a campaign, some at a time: there may be very many. Yields them before they are deleted. */
  async *deleteOfCampaign({ _id, event_id }: CampaignKey): AsyncGenerator<StoredInvitation[]> {
    const all = this.#invitations.find({ event_id, partner_campaign_id: _id }, { hint: LIST }).limit(DELETED_AT_ONCE)
    for (;;) {
      const some = await all.clone().project<StoredInvitation>({ guest_metadata: 0, registration: 0 }).toArray()
      yield some
      await this.#invitations.deleteMany({ _id: { $in: some.map(({ _id }) => _id) }, event_id })
      if (some.length < DELETED_AT_ONCE) return
    }
  }

  /** Deletes the waiting invitations of a deleted partner. */
  async deleteWaiting({ _id, event_id }: { _id: string; event_id: string }): Promise<void> {
    await this.#invitations.deleteMany({ event_id, partner_id: _id, due_at: { $exists: true } }, { hint: DUE })
  }
}
