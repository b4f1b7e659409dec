import { coalesced } from '@gatehouse/proto/concurrency/coalescing.ts'
import { changeOne } from '@gatehouse/proto/storage/documents.ts'
import { unlessTaken } from '@gatehouse/proto/storage/mongo.ts'
import { type Collection, type Db, ObjectId } from 'mongodb'
import { accountCache } from '../../account-cache.ts'

/** An account as stored. */
export interface StoredAccount {
  _id: string
  /** In addresses (`/sso/<slug>`); unique. */
  slug: string
  /** On the sign-in pages; the slug where there is none. */
  name?: string | null
  /** `#1a2b3c` */
  color?: string | null
  locale?: string | null
  reply_to_email?: string | null
  /** A host of its own for single sign-on, in small letters; unique. */
  sso_host?: string | null
  answers_updates?: boolean
  /** Id and suffix of its logo. */
  logo?: string | null
  created_at: Date
}

/** The accounts collection. Requests to the root are identified by host, so hosts are cached until an account changes. */
export class AccountStore {
  readonly #accounts: Collection<StoredAccount>
  /** Concurrent lookups share queries. */
  readonly #find: (slug: string) => Promise<StoredAccount | null>
  readonly #hosts = accountCache()

  constructor(db: Db) {
    this.#accounts = db.collection('accounts')
    this.#find = coalesced(async (slugs) => {
      const found = await this.#accounts.find({ slug: { $in: [...new Set(slugs)] } }).toArray()
      return slugs.map((slug) => found.find((account) => account.slug === slug) ?? null)
    })
  }

  async prepare(): Promise<void> {
    await this.#accounts.createIndexes([
      { key: { slug: 1 }, unique: true },
      { key: { sso_host: 1 }, unique: true, partialFilterExpression: { sso_host: { $gt: '' } } },
    ])
  }

  async find(slug: string): Promise<StoredAccount | null> {
    return this.#find(slug)
  }

  /** Call it for each change of an account before the change is answered. */
  invalidate(): void {
    this.#hosts.invalidateAll()
  }

  /** Empties the cache, because announcements may have been missed. */
  invalidateAll(): void {
    this.#hosts.invalidateAll()
  }

  /** The account with this host, in small letters. */
  async findByHost(sso_host: string): Promise<StoredAccount | null> {
    const entries = this.#hosts.of('hosts')
    const known = entries.get(sso_host) as { account: StoredAccount | null } | undefined
    if (known) return known.account
    const account = await this.#accounts.findOne({ sso_host })
    entries.set(sso_host, { account })
    return account
  }

  async get(_id: string): Promise<StoredAccount | null> {
    return this.#accounts.findOne({ _id })
  }

  /** Those of the accounts whose answers to changes hold the object. */
  async answeringUpdates(ids: string[]): Promise<Set<string>> {
    const found = this.#accounts.find({ _id: { $in: ids }, answers_updates: true }).project<{ _id: string }>({ _id: 1 })
    return new Set((await found.toArray()).map(({ _id }) => _id))
  }

  /** The only account; null if there are several, or none. */
  async only(): Promise<StoredAccount | null> {
    const [first, ...others] = await this.#firstTwo()
    return first && others.length === 0 ? first : null
  }

  /** The slug of the only account, or this one if there is none; null if there are several. */
  async onlyOr(slug: string): Promise<string | null> {
    const [first, ...others] = await this.#firstTwo()
    if (others.length > 0) return null
    return first?.slug ?? slug
  }

  async #firstTwo(): Promise<StoredAccount[]> {
    return this.#accounts.find({}, { limit: 2 }).toArray()
  }

  /** The changed account; null if there is none, undefined if another account has the host. */
  async update(
    _id: string,
    changes: Partial<Omit<StoredAccount, '_id' | 'slug' | 'created_at'>>,
  ): Promise<StoredAccount | null | undefined> {
    // Set even without changes, because the store refuses an empty update.
    return unlessTaken(changeOne(this.#accounts, { _id }, { $set: { ...changes, _id } }))
  }

  /** The account of a slug; it is created if there is none. */
  async findOrCreate(slug: string): Promise<StoredAccount> {
    const known = await this.find(slug)
    if (known) return known
    const account = { _id: new ObjectId().toHexString(), slug, created_at: new Date() }
    const made = await unlessTaken(this.#accounts.insertOne(account))
    return made ? account : this.findOrCreate(slug)
  }
}
