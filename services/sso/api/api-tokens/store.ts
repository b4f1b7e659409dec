import type { Scope } from '@gatehouse/proto/declaring/resource.ts'
import { deleteOne } from '@gatehouse/proto/storage/documents.ts'
import { insertOnce } from '@gatehouse/proto/storage/mongo.ts'
import { insertWithinQuota, QUOTA_INDEX } from '@gatehouse/proto/storage/quota.ts'
import type { Collection, Db } from 'mongodb'

/** An API token as stored, without the token itself. */
export interface ApiToken {
  _id: string
  account_id: string
  name: string
  scope: Scope
  event_id: string | null
  /** SHA-256 of the token, in hex. The lookup compares hashes, so its timing reveals nothing about the token. */
  hash: string
  created_at: Date
  /** Issued by the command line's `bootstrap`, which keeps only its newest. It does not count for the cap. */
  bootstrap?: true
  /** Number of a token that counts (proto/storage/quota.ts). */
  place?: number
}

/** The API tokens collection. */
export class ApiTokenStore {
  readonly #tokens: Collection<ApiToken>
  /** Most tokens of an account, besides those of `bootstrap`. */
  readonly cap: number

  constructor(db: Db, cap: number) {
    this.#tokens = db.collection('api_tokens')
    this.cap = cap
  }

  async prepare(): Promise<void> {
    await this.#tokens.createIndexes([
      { key: { hash: 1 }, unique: true },
      { key: { account_id: 1, created_at: -1, _id: -1 } },
      QUOTA_INDEX,
    ])
  }

  /**
   * Stores a token. A retry with the same id gets a new secret, since the first one is not stored. False if the account has the maximum.
   */
  async put(token: ApiToken): Promise<boolean> {
    const stored = await (token.bootstrap
      ? insertOnce(this.#tokens, token)
      : insertWithinQuota(this.#tokens, token, this.cap, { bootstrap: { $exists: false } }))
    if (stored && stored.hash !== token.hash) {
      const { _id, account_id } = token
      await this.#tokens.updateOne({ _id, account_id }, { $set: token })
    }
    return stored !== null
  }

  /** Newest first. */
  async ofAccount(account_id: string): Promise<ApiToken[]> {
    return this.#tokens.find({ account_id }).sort({ created_at: -1, _id: -1 }).toArray()
  }

  async get(account_id: string, _id: string): Promise<ApiToken | null> {
    return this.#tokens.findOne({ _id, account_id })
  }

  async findByHashes(hashes: string[]): Promise<ApiToken[]> {
    return this.#tokens.find({ hash: { $in: hashes } }).toArray()
  }

  async delete(account_id: string, _id: string): Promise<ApiToken | null> {
    return deleteOne(this.#tokens, { _id, account_id })
  }

  async deleteMany(account_id: string, ids: string[]): Promise<void> {
    await this.#tokens.deleteMany({ account_id, _id: { $in: ids } })
  }
}
