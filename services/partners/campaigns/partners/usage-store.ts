import { unavailable } from '@gatehouse/proto/declaring/faults.ts'
import { changeOne } from '@gatehouse/proto/storage/documents.ts'
import { untilDecided } from '@gatehouse/proto/storage/mongo.ts'
import type { Collection, Db } from 'mongodb'
import type { StoredCampaign } from '../partner-campaigns/store.ts'
import { noneYet } from './resource.ts'
import type { StoredPartner } from './store.ts'
import type {
  AcceptanceNote,
  CounterChanges,
  FeedbackNote,
  LeaseNote,
  PartnerUsage,
  UnsubscriptionNote,
  Usage,
} from './usage.ts'

/** A partner's place in the database. */
export type PartnerKey = Pick<StoredPartner, '_id' | 'event_id'>

/** Of a campaign that has sent nothing. */
export const NO_USAGE: Usage = { reserved: 0, unknown_recipients: 0, ...noneYet }
const NOTES = 'notes.at_1'
/** Reservations that may come between, near the end of a quota, before something else must be wrong. */
const TRIES = 500

/** What a campaign has used. */
export function usageOf({ usage }: PartnerUsage, campaign_id: string): Usage {
  return { ...NO_USAGE, ...usage?.[campaign_id] }
}

/** A campaign with the count of its e-mails, which its partner has. */
export function counted(campaign: StoredCampaign, partner: PartnerUsage | undefined): StoredCampaign {
  return { ...campaign, nb_email_sent: partner ? usageOf(partner, campaign._id).nb_email_sent : 0 }
}

/** How many more recipients a campaign may have: by its own quota and by its partner's. */
export function leftOf(partner: StoredPartner, { _id, quota }: Pick<StoredCampaign, '_id' | 'quota'>): number {
  const { recipients_quota, reserved = 0 } = partner
  const left = (of: number, used: number) => (of < 0 ? Number.POSITIVE_INFINITY : of - used)
  return Math.max(0, Math.min(left(recipients_quota, reserved), left(quota, usageOf(partner, _id).reserved)))
}

/**
 * Quotas and counters. Those of a partner and of all its campaigns are in the partner's document: one update decides about both quotas, and one
 * counts what came of a change (docs/adr/0008).
 */
export class UsageStore {
  readonly #partners: Collection<StoredPartner>

  constructor(db: Db, collection = 'partners') {
    this.#partners = db.collection(collection)
  }

  async prepare(): Promise<void> {
    await this.#partners.createIndex({ 'notes.at': 1 }, { name: NOTES })
  }

  /** A partner who is not deleted. */
  async get({ _id, event_id }: PartnerKey): Promise<StoredPartner | null> {
    return this.#partners.findOne({ _id, event_id, deleted: false })
  }

  /** Reserves up to `wanted` recipients of a campaign under a note, and returns how many; 0 without a note if none is left. */
  async reserve(
    campaign: StoredCampaign,
    { id, at, wanted }: { id: string; at: Date; wanted: number },
  ): Promise<number> {
    const { _id: campaign_id, event_id, partner_id, quota } = campaign
    const key = { _id: partner_id, event_id, deleted: false }
    const used = `usage.${campaign_id}`
    for (let tries = 0; tries < TRIES; tries++) {
      const partner = await this.get(key)
      if (!partner) return 0
      if (!partner.usage?.[campaign_id]) {
        const begin = { $set: { [used]: NO_USAGE }, $inc: { reserved: 0 } }
        await untilDecided(() => this.#partners.updateOne({ ...key, [used]: { $exists: false } }, begin))
        continue
      }
      const granted = Math.min(wanted, leftOf(partner, campaign))
      if (granted === 0) return 0
      const { recipients_quota } = partner
      const note: AcceptanceNote = { kind: 'acceptance', id, campaign_id, granted, at }
      const { matchedCount } = await untilDecided(() =>
        this.#partners.updateOne(
          {
            ...key,
            recipients_quota,
            ...(recipients_quota >= 0 && { reserved: { $lte: recipients_quota - granted } }),
            ...(quota >= 0 && { [`${used}.reserved`]: { $lte: quota - granted } }),
          },
          { $inc: { reserved: granted, [`${used}.reserved`]: granted }, $push: { notes: note } },
        ),
      )
      if (matchedCount > 0) return granted
    }
    throw unavailable()
  }

  /** Notes a lease. Returns null if the partner is deleted or may send no e-mails. */
  async noteLease({ _id, event_id }: PartnerKey, note: LeaseNote): Promise<StoredPartner | null> {
    return untilDecided(() =>
      this.#partners.findOneAndUpdate(
        { _id, event_id, deleted: false, disable_emails: false },
        { $push: { notes: note } },
      ),
    )
  }

  /**
   * Notes that invitations of a lease begin to be sent. Returns the partner, and those that had not begun before; null if the lease ends,
   * or it may send no e-mails any more.
   */
  async noteBegun(
    { _id, event_id }: PartnerKey,
    lease: string,
    ids: string[],
  ): Promise<{ partner: StoredPartner; fresh: string[] } | null> {
    const mayBegin = { notes: { $elemMatch: { id: lease, closed: { $ne: true } } } } as const
    const partner = await untilDecided(() =>
      this.#partners.findOneAndUpdate(
        { _id, event_id, deleted: false, disable_emails: false, ...mayBegin },
        { $addToSet: { 'notes.$.begun': { $each: ids } } },
        { returnDocument: 'before' },
      ),
    )
    const note = partner?.notes?.find(({ id }) => id === lease)
    if (!partner || note?.kind !== 'claim') return null
    const before = new Set(note.begun)
    return { partner, fresh: ids.filter((id) => !before.has(id)) }
  }

  /** Lets nothing of a lease begin any more. Returns what has begun; nothing if the lease has ended. */
  async closeLease({ _id, event_id }: PartnerKey, lease: string): Promise<string[]> {
    const partner = await untilDecided(() =>
      changeOne(
        this.#partners,
        { _id, event_id, notes: { $elemMatch: { id: lease } } },
        { $set: { 'notes.$.closed': true } },
      ),
    )
    const note = partner?.notes?.find(({ id }) => id === lease)
    return note?.kind === 'claim' ? note.begun : []
  }

  /** Notes that a recipient unsubscribes, or that events of e-mails are recorded. */
  async note({ _id, event_id }: PartnerKey, note: UnsubscriptionNote | FeedbackNote): Promise<void> {
    await untilDecided(() => this.#partners.updateOne({ _id, event_id }, { $push: { notes: note } }))
  }

  /** Counts what came of a change, by campaign, and removes its note. Does nothing if the note is gone: then it is counted already. */
  async commit(
    { _id, event_id }: PartnerKey,
    id: string,
    changes: Iterable<readonly [campaign_id: string, CounterChanges]>,
  ): Promise<void> {
    const added: Record<string, number> = {}
    for (const [campaign_id, change] of changes) {
      for (const [name, by] of Object.entries(change)) {
        if (by === 0) continue
        const ofCampaign = `usage.${campaign_id}.${name}`
        added[ofCampaign] = (added[ofCampaign] ?? 0) + by
        if (name !== 'unknown_recipients') added[name] = (added[name] ?? 0) + by
      }
    }
    const increments = Object.keys(added).length > 0 ? { $inc: added } : {}
    await untilDecided(() =>
      this.#partners.updateOne({ _id, event_id, 'notes.id': id }, { ...increments, $pull: { notes: { id } } }),
    )
  }

  /** Partners of all events with notes from before a time. */
  async notedBefore(time: Date): Promise<StoredPartner[]> {
    return this.#partners.find({ 'notes.at': { $lte: time } }, { hint: NOTES }).toArray()
  }
}
