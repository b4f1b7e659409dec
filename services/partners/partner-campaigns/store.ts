import { isDuplicate, untilDecided } from '@gatehouse/proto/storage/mongo.ts'
import { type PageQuery, pageThrough } from '@gatehouse/proto/storage/paging.ts'
import { fold } from '@gatehouse/proto/storage/text-folding.ts'
import type { Collection, Db } from 'mongodb'
import type { StoredPartner } from '../partners/store.ts'
import type { PartnerCampaign } from './resource.ts'

/** The discount code that a campaign is to have, in the platform event. */
export interface WantedCode {
  event_id: string
  text: string
  amount: number
  percentage_of_total: boolean
  max_usage: number
}

/** What is known of a campaign's discount code once it is made. */
export type MadeCode = Pick<
  PartnerCampaign,
  | 'platform_promo_code_id'
  | 'platform_promo_code_text'
  | 'platform_promo_code_amount'
  | 'platform_promo_code_percentage_of_total'
  | 'platform_promo_code_max_usage'
>

/**
 * A partner campaign as stored. Its quota and `nb_email_sent` lie in one document, so that an e-mail is reserved in one step.
 *
 * It is stored before it is seen: it holds its partner's place in the invitation type (`gone` is false) while its discount code is being
 * made, and is seen once it is `settled`. When it is to go, it gives its place free and is not seen from then on (`gone`, not `settled`),
 * and the document stays until its tokens and its discount code are dealt with. So whatever a process that dies leaves behind is a
 * document that is not settled, and settlement.ts brings it to its end.
 */
export interface StoredCampaign extends PartnerCampaign {
  event_id: string
  /** What the list is ordered by: the partner's name folded, then as it is. */
  sort_name: string
  /** Which of the partner's names that is. */
  name_version: number
  wanted_code?: WantedCode
  settled: boolean
  gone: boolean
}

/** What a campaign is before it has a discount code and anything was sent. */
export const nothingYet = {
  platform_promo_code_amount: null,
  platform_promo_code_percentage_of_total: null,
  platform_promo_code_text: null,
  platform_promo_code_max_usage: null,
  platform_promo_code_id: null,
  from_mailer: null,
  metadata: {},
  nb_email_sent: 0,
} satisfies Partial<StoredCampaign>

/** Folded names are cut here, so that an index entry stays small. */
const LONGEST = 128

const LIST = 'event_id_1_invitation_type_id_1_settled_1_sort_name_1__id_1'

const BY_CREATION = { created_at: 1, _id: 1 } as const

/** The partner campaigns collection. A partner stands once in an invitation type: a unique index keeps that. */
export class PartnerCampaignStore {
  readonly #campaigns: Collection<StoredCampaign>

  constructor(db: Db) {
    this.#campaigns = db.collection('partner_campaigns')
  }

  async prepare(): Promise<void> {
    await this.#campaigns.createIndexes([
      {
        key: { event_id: 1, invitation_type_id: 1, partner_id: 1 },
        unique: true,
        partialFilterExpression: { gone: false },
      },
      { key: { event_id: 1, invitation_type_id: 1, settled: 1, sort_name: 1, _id: 1 }, name: LIST },
      { key: { event_id: 1, partner_id: 1, created_at: 1, _id: 1 } },
      { key: { settled: 1, event_id: 1 }, partialFilterExpression: { settled: false } },
    ])
  }

  /** One page of an invitation type, by the partners' names. */
  async page(event_id: string, invitation_type_id: string, page: PageQuery): Promise<StoredCampaign[]> {
    const wanted = { event_id, invitation_type_id, settled: true }
    return pageThrough(this.#campaigns, wanted, { sort_name: 1, _id: 1 }, page, { index: LIST })
  }

  /** All that are seen of an event, oldest first. */
  async ofEvent(event_id: string): Promise<StoredCampaign[]> {
    return this.#campaigns.find({ event_id, settled: true }).sort(BY_CREATION).toArray()
  }

  /** All that are seen of a partner, oldest first. */
  async ofPartner(event_id: string, partner_id: string): Promise<StoredCampaign[]> {
    return this.#campaigns.find({ event_id, partner_id, settled: true }).sort(BY_CREATION).toArray()
  }

  /** A campaign that is seen. */
  async get(event_id: string, _id: string): Promise<StoredCampaign | null> {
    return this.#campaigns.findOne({ _id, event_id, settled: true })
  }

  /** A campaign in whatever state. */
  async whatever({ event_id, _id }: Pick<StoredCampaign, 'event_id' | '_id'>): Promise<StoredCampaign | null> {
    return this.#campaigns.findOne({ _id, event_id })
  }

  /** Whether an invitation type has campaigns, seen or about to be. */
  async hasType(event_id: string, invitation_type_id: string): Promise<boolean> {
    const some = await this.#campaigns.findOne(
      { event_id, invitation_type_id, gone: false },
      { projection: { _id: 1 } },
    )
    return some !== null
  }

  /**
   * Stores a new campaign, not yet seen. Gives what holds its place afterwards: itself, or what an earlier try stored under its `_id`,
   * or another's campaign. Null when that one went meanwhile.
   */
  async insert(campaign: StoredCampaign): Promise<StoredCampaign | null> {
    const { _id, event_id, invitation_type_id, partner_id } = campaign
    try {
      await untilDecided(() => this.#campaigns.insertOne(campaign))
      return campaign
    } catch (error) {
      if (!isDuplicate(error)) throw error
    }
    const own = await this.#campaigns.findOne({ _id, event_id })
    return own ?? this.#campaigns.findOne({ event_id, invitation_type_id, partner_id, gone: false })
  }

  /** Lets a campaign be seen. Null when it is not waiting for that any more. */
  async settle({ _id, event_id }: StoredCampaign, code: MadeCode | undefined): Promise<StoredCampaign | null> {
    return this.#campaigns.findOneAndUpdate(
      { _id, event_id, settled: false, gone: false },
      { $set: { ...code, settled: true } },
      { returnDocument: 'after' },
    )
  }

  /** Puts a partner's campaigns under the name that it has now, unless they know a newer one. */
  async sortUnder({ _id, event_id, name, name_version }: StoredPartner): Promise<void> {
    await this.#campaigns.updateMany(
      { event_id, partner_id: _id, name_version: { $lt: name_version } },
      { $set: { sort_name: sortName(name), name_version } },
    )
  }

  /** Takes a campaign out of sight, seen before or (`settled` false) never. False when it is not in that state any more. */
  async leave({ _id, event_id, settled }: StoredCampaign): Promise<boolean> {
    const { matchedCount } = await this.#campaigns.updateOne(
      { _id, event_id, settled, gone: false },
      { $set: { settled: false, gone: true, updated_at: new Date() } },
    )
    return matchedCount > 0
  }

  /** Takes a campaign of an invitation type out of sight; also gives one whose deletion was broken off. Null when there is none. */
  async markGone(event_id: string, invitation_type_id: string, _id: string): Promise<StoredCampaign | null> {
    const which = { _id, event_id, invitation_type_id }
    const seen = await this.#campaigns.findOneAndUpdate(
      { ...which, settled: true },
      { $set: { settled: false, gone: true, updated_at: new Date() } },
      { returnDocument: 'after' },
    )
    return seen ?? this.#campaigns.findOne({ ...which, gone: true })
  }

  /** Takes all campaigns of a partner out of sight, those that are about to be seen too. */
  async leaveOfPartner(event_id: string, partner_id: string): Promise<void> {
    await this.#campaigns.updateMany(
      { event_id, partner_id, gone: false },
      { $set: { settled: false, gone: true, updated_at: new Date() } },
    )
  }

  /** What is left of campaigns of a partner that went. */
  async goneOfPartner(event_id: string, partner_id: string): Promise<StoredCampaign[]> {
    return this.#campaigns.find({ event_id, partner_id, gone: true }).toArray()
  }

  /** Removes what is left of a campaign that went. */
  async remove({ _id, event_id }: StoredCampaign): Promise<void> {
    await this.#campaigns.deleteOne({ _id, event_id, gone: true })
  }

  /** Those of all events that are not settled, as far as nothing has happened to them since a time: what a process that died left to do. */
  async unsettledSince(time: Date): Promise<StoredCampaign[]> {
    return this.#campaigns.find({ settled: false, updated_at: { $lte: time } }).toArray()
  }
}

/**
 * What names are put in order by, without a collation: accents and case do not count, then they do. The character between the two
 * parts comes before the blank and every letter.
 */
export function sortName(name: string): string {
  return `${fold(name).slice(0, LONGEST)}\u0001${name}`
}
