import { grouped } from '@gatehouse/proto/grouping.ts'
import { isDuplicate } from '@gatehouse/proto/mongo.ts'
import { type Collection, type Db, ObjectId } from 'mongodb'

/** An account as stored. */
export interface Account {
  _id: string
  /** In addresses (`/sso/<slug>`); unique. */
  slug: string
  /** On the sign-in pages; the slug where there is none. */
  name?: string | null
  /** `#1a2b3c` */
  color?: string | null
  locale?: string | null
  created_at: Date
}

/** The accounts collection. */
export class AccountStore {
  readonly #accounts: Collection<Account>
  /** Those asked for at the same time are read together. */
  readonly #find: (slug: string) => Promise<Account | null>

  constructor(db: Db) {
    this.#accounts = db.collection('accounts')
    this.#find = grouped(async (slugs) => {
      const found = await this.#accounts.find({ slug: { $in: [...new Set(slugs)] } }).toArray()
      return slugs.map((slug) => found.find((account) => account.slug === slug) ?? null)
    })
  }

  async prepare(): Promise<void> {
    await this.#accounts.createIndex({ slug: 1 }, { unique: true })
  }

  async find(slug: string): Promise<Account | null> {
    return this.#find(slug)
  }

  async get(_id: string): Promise<Account | null> {
    return this.#accounts.findOne({ _id })
  }

  /** The changed account; null when there is none. */
  async update(_id: string, changes: Partial<Pick<Account, 'name' | 'color' | 'locale'>>): Promise<Account | null> {
    // Also where nothing changes: an update of nothing is refused.
    return this.#accounts.findOneAndUpdate({ _id }, { $set: { ...changes, _id } }, { returnDocument: 'after' })
  }

  /** The account of a slug, made when there is none. */
  async findOrCreate(slug: string): Promise<Account> {
    const known = await this.find(slug)
    if (known) return known
    try {
      const account = { _id: new ObjectId().toHexString(), slug, created_at: new Date() }
      await this.#accounts.insertOne(account)
      return account
    } catch (error) {
      if (!isDuplicate(error)) throw error
      return this.findOrCreate(slug)
    }
  }
}
