import { identifier, optionalDatetime, optionalText } from '@gatehouse/proto/declaring/fields.ts'
import type { PersonalDocuments } from '@gatehouse/proto/declaring/personal-data.ts'
import { deleteOne } from '@gatehouse/proto/storage/documents.ts'
import type { Collection, Db } from 'mongodb'
import { type PartnerAccessToken, tokenFields } from './resource.ts'

/** A partner access token as stored, without the token itself. */
export interface StoredToken extends PartnerAccessToken {
  event_id: string
  /** SHA-256 of the token, in hex. Lookups are by the hash, so that their time does not depend on the token. */
  hash: string
  /** The generation of the campaign's links when it was made; absent for 0. Renewing the links begins the next one. */
  link_generation?: number
  /** The name of the token of an account, or of the staff member, by which it was made. */
  created_by?: string
  /** When it was sent as a link, and to which address, normalized. */
  sent_at?: Date
  sent_to?: string | null
  /** When the partner's page was last opened with it, to the minute. */
  opened_at?: Date
}

/** Links that were sent as personal data of the person to whom they went. */
export const personalTokens: PersonalDocuments = {
  name: 'partners.partner_access_tokens',
  collection: 'partner_access_tokens',
  scope: ['event_id'],
  fields: {
    ...tokenFields,
    event_id: identifier(),
    sent_at: optionalDatetime(),
    sent_to: optionalText({ personal: 'email' }),
    opened_at: optionalDatetime(),
  },
  order: { partner_campaign_id: 1, created_at: -1, _id: -1 },
  outcome: 'blanked',
  reason: 'so that the link goes on working',
}

/** How long an expired token stays in the list. */
const KEPT_SECONDS = 7 * 86_400

/** How exactly it is known when a page was last opened. */
const OPENED_MS = 60_000

/** The index of hashes, named in a query: without statistics the planner may choose the one of `expires_at`. */
const HASHES = 'hash_1'

/** The partner access tokens collection. */
export class PartnerAccessTokenStore {
  readonly #tokens: Collection<StoredToken>

  constructor(db: Db) {
    this.#tokens = db.collection('partner_access_tokens')
  }

  async prepare(): Promise<void> {
    await this.#tokens.createIndexes([
      { key: { hash: 1 }, name: HASHES, unique: true },
      { key: { event_id: 1, partner_campaign_id: 1, created_at: -1, _id: -1 } },
      { key: { expires_at: 1 }, expireAfterSeconds: KEPT_SECONDS },
    ])
  }

  /** Stores a token; a retry with the same id replaces it, since the first secret cannot be shown again. */
  async put({ _id, ...token }: StoredToken): Promise<void> {
    await this.#tokens.replaceOne({ _id, event_id: token.event_id }, token, { upsert: true })
  }

  /** Newest first. */
  async ofCampaign(event_id: string, partner_campaign_id: string): Promise<StoredToken[]> {
    return this.#tokens.find({ event_id, partner_campaign_id }).sort({ created_at: -1, _id: -1 }).toArray()
  }

  /** The token with a hash, unless it has expired. */
  async findByHash(hash: string): Promise<StoredToken | null> {
    const token = await this.#tokens.findOne({ hash })
    return token && token.expires_at > new Date() ? token : null
  }

  /** Those of the hashes whose tokens exist and have not expired. */
  async knownHashes(hashes: string[]): Promise<Set<string>> {
    const known = this.#tokens.find({ hash: { $in: hashes }, expires_at: { $gt: new Date() } }, { hint: HASHES })
    return new Set((await known.project<{ hash: string }>({ _id: 0, hash: 1 }).toArray()).map(({ hash }) => hash))
  }

  async delete(event_id: string, partner_campaign_id: string, _id: string): Promise<StoredToken | null> {
    return deleteOne(this.#tokens, { _id, event_id, partner_campaign_id })
  }

  /** Notes that a token was sent as a link. */
  async noteSent({ _id, event_id }: StoredToken, sent_to: string): Promise<void> {
    await this.#tokens.updateOne({ _id, event_id }, { $set: { sent_at: new Date(), sent_to } })
  }

  /** Notes that the page was opened with a token; at most once a minute, since the page reloads itself. */
  async noteOpened({ _id, event_id, opened_at }: StoredToken): Promise<void> {
    const now = new Date()
    if (opened_at && now.getTime() - opened_at.getTime() < OPENED_MS) return
    await this.#tokens.updateOne({ _id, event_id }, { $set: { opened_at: now } })
  }

  /** Deletes the tokens of a campaign that are older than a generation of its links. */
  async deleteBefore(event_id: string, partner_campaign_id: string, link_generation: number): Promise<void> {
    const isOlder = [{ link_generation: { $lt: link_generation } }, { link_generation: { $exists: false } }]
    await this.#tokens.deleteMany({ event_id, partner_campaign_id, $or: isOlder })
  }

  async deleteOfCampaign(event_id: string, partner_campaign_id: string): Promise<void> {
    await this.#tokens.deleteMany({ event_id, partner_campaign_id })
  }
}
