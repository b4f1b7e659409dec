import { changeOne, deleteOne, setFields } from '@gatehouse/proto/storage/documents.ts'
import { growingCache } from '@gatehouse/proto/storage/growing-cache.ts'
import { distinctValues, insertOnce } from '@gatehouse/proto/storage/mongo.ts'
import type { Collection, Db } from 'mongodb'
import { accountCache } from '../../account-cache.ts'
import { coalescedFinder, type FindOne } from '../../coalesced-reads.ts'
import { originsOf } from './redirect-uris.ts'

/** A secret of an app, as stored. */
export interface AppSecret {
  /** SHA-256 in hex. A slow hash would add nothing for a secret of 256 random bits. */
  hash: string
  /** When it expires; null for the newest, which stays until the next roll. */
  expires_at: Date | null
}

/** An app as stored. */
export interface StoredOauthApp {
  _id: string
  account_id: string
  /** Unique in the whole system. */
  client_id: string
  name: string
  redirect_uris: string[]
  /** Origins of the redirect URIs, set by the store. */
  origins?: string[]
  is_strict: boolean
  /** The newest first. */
  secrets: AppSecret[]
  /** Incremented by each roll, so concurrent rolls do not lose a secret. */
  revision: number
  created_at: Date
  updated_at: Date
}

/** The apps collection. Each sign-in needs an app, so they are cached by `client_id` until their account changes one. */
export class OauthAppStore {
  readonly #apps: Collection<StoredOauthApp>
  readonly #byClientId: FindOne<StoredOauthApp>
  /** By account. Invalidate it for each change of an account's apps before the change is answered. */
  readonly cache = accountCache()
  /** Accounts of apps; an app never changes its account. */
  readonly #owners = growingCache<string>(10_000)

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
    // Apps that an earlier version stored without origins.
    for await (const { _id, redirect_uris } of this.#apps.find({ origins: { $exists: false } })) {
      await this.#apps.updateOne({ _id, redirect_uris }, { $set: { origins: originsOf(redirect_uris) } })
    }
  }

  /** The app of an account with this `client_id`. Callers share the object and must not change it. */
  async findByClientId(account_id: string, client_id: string): Promise<StoredOauthApp | null> {
    const entries = this.cache.of(account_id)
    const known = entries.get(client_id) as StoredOauthApp | undefined
    if (known) return known
    const app = await this.#byClientId(account_id, client_id)
    if (app) entries.set(client_id, app)
    return app
  }

  /** The account of the app with this `client_id`; undefined if there is none. */
  async accountOf(client_id: string): Promise<string | undefined> {
    const known = this.#owners.get(client_id)
    if (known) return known
    const app = await this.#apps.findOne({ client_id }, { hint: 'client_id_1', projection: { account_id: 1 } })
    if (app) this.#owners.set(client_id, app.account_id)
    return app?.account_id
  }

  /** The accounts with an app that has a redirect URI of this origin. */
  async accountsAt(origin: string): Promise<string[]> {
    return distinctValues(this.#apps, 'account_id', { origins: origin })
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

  /** The changed app; null if there is none. */
  async update(
    account_id: string,
    _id: string,
    changes: Partial<Pick<StoredOauthApp, 'name' | 'redirect_uris' | 'is_strict'>>,
  ): Promise<StoredOauthApp | null> {
    const { redirect_uris } = changes
    const origins = redirect_uris && { origins: originsOf(redirect_uris) }
    return setFields(this.#apps, { _id, account_id }, { ...changes, ...origins })
  }

  /** Replaces an app's secrets. Null if they have changed since they were read, or the app is deleted. */
  async replaceSecrets(current: StoredOauthApp, secrets: AppSecret[]): Promise<StoredOauthApp | null> {
    const { _id, account_id, revision } = current
    return changeOne(
      this.#apps,
      { _id, account_id, revision },
      { $set: { secrets, updated_at: new Date() }, $inc: { revision: 1 } },
    )
  }

  async delete(account_id: string, _id: string): Promise<StoredOauthApp | null> {
    return deleteOne(this.#apps, { _id, account_id })
  }
}
