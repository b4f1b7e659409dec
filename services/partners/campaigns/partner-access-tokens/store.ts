import { deleteOne } from '@gatehouse/proto/storage/documents.ts'
import type { Collection, Db } from 'mongodb'
import type { PartnerAccessToken } from './resource.ts'

/** A partner access token as stored, without the token itself. */
export interface StoredToken extends PartnerAccessToken {
  event_id: string
  /** SHA-256 of the token, in hex. Lookups are by the hash, so that their time does not depend on the token. */
  hash: string
}

/** How long an expired token stays in the list. */
const KEPT_SECONDS = 7 * 86_400

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

  async deleteOfCampaign(event_id: string, partner_campaign_id: string): Promise<void> {
    await this.#tokens.deleteMany({ event_id, partner_campaign_id })
  }
}
