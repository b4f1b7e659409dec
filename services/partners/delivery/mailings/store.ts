import { changeOne, deleteOne, setFields } from '@gatehouse/proto/storage/documents.ts'
import { insertOnce } from '@gatehouse/proto/storage/mongo.ts'
import { type PageQuery, pageThrough } from '@gatehouse/proto/storage/paging.ts'
import type { Collection, Db } from 'mongodb'
import { noneYet } from '../../campaigns/partners/resource.ts'
import type { PartnerUsage } from '../../campaigns/partners/usage.ts'
import type { Mailing } from './resource.ts'

/** The collection that has a document for each mailing and guest: an invitation whose partner and campaign are the mailing. */
export const DELIVERIES = 'mailing_deliveries'

/**
 * A mailing as stored: what sending needs of a partner and of its campaign too, in whose place it stands. `reserved` means nothing here.
 */
export interface StoredMailing extends Omit<Mailing, 'is_sent'>, PartnerUsage {
  partner_id: string
  deleted: false
  disable_emails: false
  settled: true
  /** When its audience is to be looked for; while a process does so, the time until which nobody else does. */
  audience_due?: Date
  /** How far that is. */
  looking?: AudienceLook
}

/** A guest in the order of creation, or an invitation in that of its campaign. */
export type AudiencePosition = Pick<Mailing, '_id' | 'created_at'> & { partner_campaign_id?: string }

interface AudienceLook {
  begun: Date
  after: AudiencePosition
}

/** Which mailing of which event. */
type MailingKey = Pick<StoredMailing, '_id' | 'event_id'>

/** What a client gives of a mailing. */
export type MailingFields = Omit<
  Mailing,
  keyof typeof NOTHING_YET | 'is_sent' | '_id' | 'event_id' | 'created_at' | 'updated_at'
>

const NOTHING_YET = { started_at: null, paused_at: null, pause_reason: null, unknown_recipients: 0, ...noneYet }

/** The name that the list's index gets from its keys. */
const BY_CREATION = 'event_id_1_created_at_-1__id_-1'
const DUE = 'audience_due_1'

/** The mailings collection. */
export class MailingStore {
  readonly #mailings: Collection<StoredMailing>

  constructor(db: Db) {
    this.#mailings = db.collection('mailings')
  }

  async prepare(): Promise<void> {
    await this.#mailings.createIndexes([
      { key: { event_id: 1, created_at: -1, _id: -1 } },
      { key: { audience_due: 1 }, name: DUE, partialFilterExpression: { audience_due: { $exists: true } } },
    ])
  }

  /** Newest creation first. */
  async page(event_id: string, page: PageQuery): Promise<StoredMailing[]> {
    return pageThrough(this.#mailings, { event_id }, { created_at: -1, _id: -1 }, page, { index: BY_CREATION })
  }

  async get(event_id: string, _id: string): Promise<StoredMailing | null> {
    return this.#mailings.findOne({ _id, event_id })
  }

  /** Stores a new mailing. Returns it, or the one that an earlier try stored. */
  async insert(
    mailing: MailingFields & Pick<Mailing, '_id' | 'event_id' | 'created_at' | 'updated_at'>,
  ): Promise<StoredMailing> {
    const inPlace = { partner_id: mailing._id, deleted: false, disable_emails: false, settled: true } as const
    return insertOnce(this.#mailings, { ...mailing, ...NOTHING_YET, ...inPlace })
  }

  async update(event_id: string, _id: string, changes: Partial<StoredMailing>): Promise<StoredMailing | null> {
    return setFields(this.#mailings, { _id, event_id }, changes)
  }

  /** Deletes a mailing that was not told to send. */
  async delete(event_id: string, _id: string): Promise<StoredMailing | null> {
    return deleteOne(this.#mailings, { _id, event_id, started_at: null })
  }

  /** Tells a mailing to send from a time on. Null if there is none, or it was told before. */
  async start({ _id, event_id }: MailingKey, audience_due: Date): Promise<StoredMailing | null> {
    return setFields(this.#mailings, { _id, event_id, started_at: null }, { started_at: new Date(), audience_due })
  }

  /** Lets the audience of a mailing that was told to send be looked for again, from its beginning. */
  async lookAgain({ _id, event_id }: MailingKey): Promise<void> {
    const again = { $set: { audience_due: new Date() }, $unset: { looking: 1 as const } }
    await this.#mailings.updateOne({ _id, event_id, started_at: { $ne: null } }, again)
  }

  /** Pauses a mailing. Null if there is none, or it is paused. */
  async pause({ _id, event_id }: MailingKey): Promise<StoredMailing | null> {
    return setFields(this.#mailings, { _id, event_id, paused_at: null }, { paused_at: new Date(), pause_reason: null })
  }

  /** Mailings of all events whose audience is to be looked for, the longest due first. */
  async due(limit: number): Promise<StoredMailing[]> {
    const waiting = this.#mailings.find({ audience_due: { $exists: true } }, { hint: DUE })
    const found = await waiting.sort({ audience_due: 1 }).limit(limit).toArray()
    return found.filter(({ audience_due }) => audience_due && audience_due <= new Date())
  }

  /** Lets nobody else look for an audience until a time. Null if another process does. */
  async lease({ _id, event_id, audience_due }: StoredMailing, until: Date): Promise<StoredMailing | null> {
    if (!audience_due) return null
    return changeOne(this.#mailings, { _id, event_id, audience_due }, { $set: { audience_due: until } })
  }

  /** Notes how far an audience is looked for: the next page is due, after those of other mailings. Does nothing if the lease has ended. */
  async goOn({ _id, event_id, audience_due }: StoredMailing, looking: AudienceLook): Promise<void> {
    if (!audience_due) return
    const next = { $set: { looking, audience_due: new Date() } }
    await this.#mailings.updateOne({ _id, event_id, audience_due }, next)
  }

  /** Notes how many guests are known, and when the audience is looked for again, if at all. Does nothing if the lease has ended. */
  async endLook(
    { _id, event_id, audience_due }: StoredMailing,
    nb_recipients: number,
    next: Date | undefined,
  ): Promise<void> {
    if (!audience_due) return
    const $unset = { looking: 1 as const, ...(!next && { audience_due: 1 as const }) }
    const $set = { nb_recipients, ...(next && { audience_due: next }) }
    await this.#mailings.updateOne({ _id, event_id, audience_due }, { $set, $unset })
  }
}
