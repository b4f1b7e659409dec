import { type Adopted, type Adoption, adoptAll, storedWith } from '@gatehouse/proto/storage/adopting.ts'
import { changeOne, setFields } from '@gatehouse/proto/storage/documents.ts'
import { unlessTaken, untilDecided } from '@gatehouse/proto/storage/mongo.ts'
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

/** The fields of a campaign that are known once its discount code is made. */
export type MadeCode = Pick<PartnerCampaign, `platform_promo_code_${string}` & keyof PartnerCampaign>

/**
 * A partner campaign as stored. What it has used of its quota, and its `nb_email_sent`, are in its partner's document (partners/usage-store.ts).
 *
 * A campaign takes its partner's place in the invitation type first (`gone` is false), and becomes visible once its discount code is made
 * (`settled`). A deletion frees the place and hides the campaign (`gone`, not `settled`); the document stays until tokens and discount code
 * are dealt with. So whatever is interrupted leaves a document that is not settled, and reconciliation.ts completes it.
 */
export interface StoredCampaign extends PartnerCampaign {
  event_id: string
  /** What the list is sorted by: the partner's name folded, then as it is. */
  sort_name: string
  /** The version of the partner's name. */
  name_version: number
  wanted_code?: WantedCode
  settled: boolean
  gone: boolean
  /** Of the last pause, which was published under it. */
  pause_id?: string
  /** What had been sent and had come back when it was last resumed, and how often it was: it is judged by what came since. */
  judged_from?: { sent: number; bounced: number; complained: number }
  resumed?: number
  /** How often the links to its page were renewed; tokens of earlier generations are revoked. */
  link_generation?: number
  /** How another system gave it last; absent if it was made here. */
  adopted?: Adoption
}

/** What is taken over of a campaign of another system. */
export type AdoptedCampaign = Pick<
  StoredCampaign,
  | ('_id' | 'event_id' | 'partner_id' | 'invitation_type_id' | 'quota' | 'reply_to' | 'created_at' | 'updated_at')
  | Exclude<keyof MadeCode, 'platform_promo_code_id'>
>

/** The fields of a campaign before it has a discount code and has sent e-mails. */
export const nothingYet = {
  platform_promo_code_amount: null,
  platform_promo_code_percentage_of_total: null,
  platform_promo_code_text: null,
  platform_promo_code_max_usage: null,
  platform_promo_code_id: null,
  from_mailer: null,
  metadata: {},
  nb_email_sent: 0,
  paused_at: null,
  pause_reason: null,
} satisfies Partial<StoredCampaign>

/** Folded names are cut here, so that an index entry stays small. */
const LONGEST = 128

const LIST = 'event_id_1_invitation_type_id_1_settled_1_sort_name_1__id_1'

const BY_CREATION = { created_at: 1, _id: 1 } as const

/** What makes a campaign invisible and its place free. */
const HIDDEN = { settled: false, gone: true }
const hiding = () => ({ $set: { ...HIDDEN, updated_at: new Date() } })

/** The partner campaigns collection. A partner is unique in its invitation type, by an index. */
export class PartnerCampaignStore {
  readonly #campaigns: Collection<StoredCampaign>

  constructor(db: Db, collection = 'partner_campaigns') {
    this.#campaigns = db.collection(collection)
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

  /** The visible campaigns of an event, oldest first. */
  async ofEvent(event_id: string): Promise<StoredCampaign[]> {
    return this.#campaigns.find({ event_id, settled: true }).sort(BY_CREATION).toArray()
  }

  /** The `_id`s of the visible campaigns of an invitation type, in their order. */
  async idsOfType(event_id: string, invitation_type_id: string): Promise<string[]> {
    const all = this.#campaigns.find({ event_id, invitation_type_id, settled: true }, { hint: LIST })
    const found = await all.project<Pick<StoredCampaign, '_id'>>({ _id: 1 }).toArray()
    return found.map(({ _id }) => _id).sort()
  }

  /** The invitation types of campaigns of an event, by their `_id`s. */
  async typesOf(event_id: string, ids: string[]): Promise<Map<string, string>> {
    const some = this.#campaigns.find({ _id: { $in: [...new Set(ids)] }, event_id }, { hint: '_id_' })
    const found = await some
      .project<Pick<StoredCampaign, '_id' | 'invitation_type_id'>>({ invitation_type_id: 1 })
      .toArray()
    return new Map(found.map(({ _id, invitation_type_id }) => [_id, invitation_type_id]))
  }

  /** The visible campaigns of a partner, oldest first. */
  async ofPartner(event_id: string, partner_id: string): Promise<StoredCampaign[]> {
    return this.#campaigns.find({ event_id, partner_id, settled: true }).sort(BY_CREATION).toArray()
  }

  /** A visible campaign. */
  async get(event_id: string, _id: string): Promise<StoredCampaign | null> {
    return this.#campaigns.findOne({ _id, event_id, settled: true })
  }

  /** A campaign in any state. */
  async find({ event_id, _id }: Pick<StoredCampaign, 'event_id' | '_id'>): Promise<StoredCampaign | null> {
    return this.#campaigns.findOne({ _id, event_id })
  }

  /** Whether an invitation type has campaigns, visible or about to be. */
  async hasType(event_id: string, invitation_type_id: string): Promise<boolean> {
    const some = await this.#campaigns.findOne(
      { event_id, invitation_type_id, gone: false },
      { projection: { _id: 1 } },
    )
    return some !== null
  }

  /**
   * Stores a new campaign, not yet visible. Returns the campaign that has the place afterwards: this one, or the one that an earlier try
   * stored under its `_id`, or another one; null if that was deleted meanwhile.
   */
  async insert(campaign: StoredCampaign): Promise<StoredCampaign | null> {
    const { _id, event_id, invitation_type_id, partner_id } = campaign
    if (await unlessTaken(untilDecided(() => this.#campaigns.insertOne(campaign)))) return campaign
    const own = await this.#campaigns.findOne({ _id, event_id })
    return own ?? this.#campaigns.findOne({ event_id, invitation_type_id, partner_id, gone: false })
  }

  /** Stores campaigns of another system, or compares them. `names` are those of their partners, by `_id`. */
  async adopt(campaigns: AdoptedCampaign[], names: ReadonlyMap<string, string>, compares: boolean): Promise<Adopted[]> {
    const aside = ({ partner_id }: AdoptedCampaign) => {
      const { platform_promo_code_id, from_mailer, metadata, nb_email_sent, paused_at, pause_reason } = nothingYet
      const nothing = { platform_promo_code_id, from_mailer, metadata, nb_email_sent, paused_at, pause_reason }
      return {
        ...nothing,
        sort_name: sortName(names.get(partner_id) ?? ''),
        name_version: 0,
        settled: true,
        gone: false,
      }
    }
    const collection = this.#campaigns as unknown as Collection<AdoptedCampaign>
    return adoptAll<AdoptedCampaign>(collection, campaigns, { compares, unique: 'partner_id', aside })
  }

  /** Makes a campaign visible. Null if it is visible or deleted already. */
  async show({ _id, event_id }: StoredCampaign, code: MadeCode | undefined): Promise<StoredCampaign | null> {
    return changeOne(
      this.#campaigns,
      { _id, event_id, settled: false, gone: false },
      { $set: { ...code, settled: true } },
    )
  }

  /** Begins the next generation of the links to a campaign's page, which revokes the earlier ones. Null if it is not visible. */
  async renewLinks({ _id, event_id }: StoredCampaign): Promise<StoredCampaign | null> {
    return changeOne(this.#campaigns, { _id, event_id, settled: true }, { $inc: { link_generation: 1 } })
  }

  /** Sorts a partner's campaigns by its name, unless they have a newer version of it. */
  async sortUnder({ _id, event_id, name, name_version }: StoredPartner): Promise<void> {
    await this.#campaigns.updateMany(
      { event_id, partner_id: _id, name_version: { $lt: name_version } },
      { $set: { sort_name: sortName(name), name_version } },
    )
  }

  /** Those with these ids that are not deleted. */
  async withIds(event_id: string, ids: string[]): Promise<StoredCampaign[]> {
    return (await storedWith(this.#campaigns, event_id, ids)).filter(({ gone }) => !gone)
  }

  /** Hides a campaign, visible or not (`settled`). False if it is not in that state any more. */
  async hide({ _id, event_id, settled }: StoredCampaign): Promise<boolean> {
    const { matchedCount } = await this.#campaigns.updateOne({ _id, event_id, settled, gone: false }, hiding())
    return matchedCount > 0
  }

  /** Hides a visible campaign of an invitation type. Returns it, also if its deletion was interrupted; null if there is none. */
  async markDeleted(event_id: string, invitation_type_id: string, _id: string): Promise<StoredCampaign | null> {
    const which = { _id, event_id, invitation_type_id }
    const hidden = await setFields(this.#campaigns, { ...which, settled: true }, HIDDEN)
    return hidden ?? this.#campaigns.findOne({ ...which, gone: true })
  }

  /** Hides all campaigns of a partner, also those that are about to become visible. */
  async hideOfPartner(event_id: string, partner_id: string): Promise<void> {
    await this.#campaigns.updateMany({ event_id, partner_id, gone: false }, hiding())
  }

  /** The hidden campaigns of a deleted partner. */
  async hiddenOfPartner(event_id: string, partner_id: string): Promise<StoredCampaign[]> {
    return this.#campaigns.find({ event_id, partner_id, gone: true }).toArray()
  }

  /** Removes a hidden campaign. */
  async remove({ _id, event_id }: StoredCampaign): Promise<void> {
    await this.#campaigns.deleteOne({ _id, event_id, gone: true })
  }

  /** Campaigns of all events that are not settled and have not changed since a time: they were interrupted. */
  async unsettledSince(time: Date): Promise<StoredCampaign[]> {
    return this.#campaigns.find({ settled: false, updated_at: { $lte: time } }).toArray()
  }
}

/**
 * What names are sorted by, without a collation: first without accents and case, then with them. The character between the two parts comes
 * before the blank and all letters.
 */
export function sortName(name: string): string {
  return `${fold(name).slice(0, LONGEST)}\u0001${name}`
}
