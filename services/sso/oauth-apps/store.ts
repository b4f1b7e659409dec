import { insertOnce } from '@gatehouse/proto/storage/mongo.ts'
import { LRUCache } from 'lru-cache'
import type { Collection, Db } from 'mongodb'
import { accountCache } from '../account-cache.ts'
import { coalescedFinder, type FindOne } from '../coalesced-reads.ts'
import { originsOf } from './redirect-uris.ts'

/** A secret of an app, as stored. */
export interface AppSecret {
  /** SHA-256 in hex: the secret itself is 256 random bits, so that a slow hash would add nothing. */
  hash: string
  /** When it ends; null for the newest, which ends only when another is made. */
  expires_at: Date | null
}

/** An app as stored. */
export interface StoredOauthApp {
  _id: string
  account_id: string
  /** How the app calls itself; unique in the whole system. */
  client_id: string
  name: string
  redirect_uris: string[]
  /** Of the redirect URIs, each once; the store keeps them. */
  origins?: string[]
  is_strict: boolean
  /** The newest first. */
  secrets: AppSecret[]
  /** Moves with each new secret, so that two made at once do not lose one of them. */
  revision: number
  created_at: Date
  updated_at: Date
}

/** The apps collection. Each sign-in asks for an app, so they are remembered by `client_id` until their account changes one. */
export class OauthAppStore {
  readonly #apps: Collection<StoredOauthApp>
  readonly #byClientId: FindOne<StoredOauthApp>
  readonly #cache = accountCache()
  /** An app never changes hands. */
  readonly #owners = new LRUCache<string, string>({ max: 10_000 })

  constructor(db: Db) {
    this.#apps = db.collection('oauth_apps')
    this.#byClientId = coalescedFinder(this.#apps, 'client_id', 'client_id_1')
  }

  async prepare(): Promise<void> {
    await this.#apps.createIndexes([
      { key: { client_id: 1 }, unique: true },
      { key: { account_id: 1, created_at: -1, _id: -1 } },
      { key: { origins: 1 } },
    ])
    // Apps of a version that did not keep them.
    for await (const { _id, redirect_uris } of this.#apps.find({ origins: { $exists: false } })) {
      await this.#apps.updateOne({ _id, redirect_uris }, { $set: { origins: originsOf(redirect_uris) } })
    }
  }

  /** Has to hear of each change of an account's apps before its caller is answered. */
  invalidate(account_id: string): void {
    this.#cache.invalidate(account_id)
  }

  /** Whatever may have changed has to be read anew. */
  invalidateAll(): void {
    this.#cache.invalidateAll()
  }

  /** The app of an account that calls itself so. Several are given the same object: nobody may change it. */
  async findByClientId(account_id: string, client_id: string): Promise<StoredOauthApp | null> {
    const entries = this.#cache.of(account_id)
    const known = entries.get(client_id) as StoredOauthApp | undefined
    if (known) return known
    const app = await this.#byClientId(account_id, client_id)
    if (app) entries.set(client_id, app)
    return app
  }

  /** The account of the app with this `client_id`; undefined where there is none. */
  async accountOf(client_id: string): Promise<string | undefined> {
    const known = this.#owners.get(client_id)
    if (known) return known
    const app = await this.#apps.findOne({ client_id }, { hint: 'client_id_1', projection: { account_id: 1 } })
    if (app) this.#owners.set(client_id, app.account_id)
    return app?.account_id
  }

  /** The accounts with an app that has a redirect URI of this origin. */
  async accountsAt(origin: string): Promise<string[]> {
    return this.#apps.distinct('account_id', { origins: origin })
  }

  /** Newest first. */
  async ofAccount(account_id: string): Promise<StoredOauthApp[]> {
    return this.#apps.find({ account_id }).sort({ created_at: -1, _id: -1 }).toArray()
  }

  async get(account_id: string, _id: string): Promise<StoredOauthApp | null> {
    return this.#apps.findOne({ _id, account_id })
  }

  /** Stores a new app, or gives the one that an earlier try stored. */
  async insert(app: StoredOauthApp): Promise<StoredOauthApp> {
    return insertOnce(this.#apps, { ...app, origins: originsOf(app.redirect_uris) })
  }

  /** The changed app; null when there is none. */
  async update(
    account_id: string,
    _id: string,
    changes: Partial<Pick<StoredOauthApp, 'name' | 'redirect_uris' | 'is_strict'>>,
  ): Promise<StoredOauthApp | null> {
    const { redirect_uris } = changes
    return this.#apps.findOneAndUpdate(
      { _id, account_id },
      { $set: { ...changes, ...(redirect_uris && { origins: originsOf(redirect_uris) }), updated_at: new Date() } },
      { returnDocument: 'after' },
    )
  }

  /** Puts other secrets in the place of those that were read. Null when there are others by now, or the app is gone. */
  async replaceSecrets(current: StoredOauthApp, secrets: AppSecret[]): Promise<StoredOauthApp | null> {
    const { _id, account_id, revision } = current
    return this.#apps.findOneAndUpdate(
      { _id, account_id, revision },
      { $set: { secrets, updated_at: new Date() }, $inc: { revision: 1 } },
      { returnDocument: 'after' },
    )
  }

  async delete(account_id: string, _id: string): Promise<StoredOauthApp | null> {
    return this.#apps.findOneAndDelete({ _id, account_id })
  }
}
