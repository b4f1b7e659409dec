import { derivedId } from '@gatehouse/proto/bus/client.ts'
import { datetime, identifier, maybe, optionalDatetime, optionalText, text } from '@gatehouse/proto/declaring/fields.ts'
import type { PersonalDocuments } from '@gatehouse/proto/declaring/personal-data.ts'
import { freeTextsOf } from '@gatehouse/proto/privacy/free-texts.ts'
import { insertEachOnce } from '@gatehouse/proto/storage/mongo.ts'
import type { Collection, Db } from 'mongodb'
import { state } from '../invitations/resource.ts'
import type { StoredInvitation } from '../invitations/store.ts'
import { DELIVERIES, type StoredMailing } from './store.ts'

const LIST = 'event_id_1_partner_campaign_id_1_created_at_-1__id_-1'

/** Deliveries as personal data. */
export const personalDeliveries: PersonalDocuments = {
  name: 'partners.mailing_deliveries',
  collection: DELIVERIES,
  scope: ['event_id'],
  fields: {
    _id: identifier(),
    guest_id: maybe(identifier({ personal: 'guest_id' })),
    email: text({ personal: 'email' }),
    partner_campaign_id: identifier({ description: 'The mailing' }),
    state,
    reason: optionalText({ personal: true }),
    sent_at: optionalDatetime(),
    opened_at: maybe(datetime()),
    created_at: datetime(),
    updated_at: datetime(),
  },
  hidden: {
    address: text({ personal: 'email' }),
    feedback_reason: maybe(optionalText({ personal: true })),
  },
  order: { partner_campaign_id: 1, created_at: -1, _id: -1 },
  outcome: 'blanked',
  reason: 'so that mailings stay counted, and none goes to a guest twice',
}

/** What mail servers said, which may name others. */
export const deliveryTexts = freeTextsOf(personalDeliveries, 'reason', 'feedback_reason')

/** The `_id` of the delivery of a mailing to a guest, or to the recipient of an invitation: so there is one. */
export function deliveryId(mailing_id: string, addressee_id: string): string {
  return derivedId('mailing', mailing_id, addressee_id)
}

/** To whom a mailing goes: a guest, or the recipient of an invitation. The address is normalized. */
export type Addressee = { address: string } & (
  | { guest_id: string; invitation_id?: never }
  | { invitation_id: string; guest_id?: never }
)

/** The deliveries collection, where deliveries begin: sending treats them as invitations. */
export class DeliveryStore {
  readonly #deliveries: Collection<StoredInvitation>

  constructor(db: Db) {
    this.#deliveries = db.collection(DELIVERIES)
  }

  /** Queues deliveries, unless an addressee has one. */
  async add({ _id, event_id }: StoredMailing, addressees: readonly Addressee[]): Promise<void> {
    if (addressees.length === 0) return
    const now = new Date()
    const deliveries = addressees.map(
      ({ address, ...of }): StoredInvitation => ({
        ...{ _id: deliveryId(_id, of.guest_id ?? of.invitation_id), event_id, ...of },
        ...{ partner_id: _id, partner_campaign_id: _id },
        ...{ email: address, address, first_name: null, last_name: null, locale: null, guest_metadata: [] },
        ...{ state: 'queued', step: 'waiting', due_at: now, postponed: 0, reservation: '', reason: null },
        ...{ sent_at: null, answer: null, created_at: now, updated_at: now },
      }),
    )
    await insertEachOnce(this.#deliveries, deliveries)
  }

  /** Those of the guests to whom a mailing goes. */
  async among(event_id: string, mailing_id: string, guest_ids: readonly string[]): Promise<Set<string>> {
    const ids = guest_ids.map((id) => deliveryId(mailing_id, id))
    const found = this.#deliveries.find({ _id: { $in: ids }, event_id }, { hint: '_id_' })
    const known = await found.project<Pick<StoredInvitation, 'guest_id'>>({ guest_id: 1 }).toArray()
    return new Set(known.flatMap(({ guest_id }) => guest_id ?? []))
  }

  /** To how many guests a mailing goes. */
  async count({ _id, event_id }: Pick<StoredMailing, '_id' | 'event_id'>): Promise<number> {
    return this.#deliveries.countDocuments({ event_id, partner_campaign_id: _id }, { hint: LIST })
  }
}
