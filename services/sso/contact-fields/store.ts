import { coalesced } from '@gatehouse/proto/concurrency/coalescing.ts'
import { insertOnce, unlessTaken } from '@gatehouse/proto/storage/mongo.ts'
import type { Collection, Db } from 'mongodb'
import { accountCache } from '../account-cache.ts'
import { ONE_READ_AT_A_TIME } from '../coalesced-reads.ts'
import type { ContactField } from './resource.ts'

/** What the list of an account's fields is remembered under. */
const ALL = 'all'

/**
 * The contact fields collection. A key stands once in an account: a unique index keeps that. Whoever asks for a contact asks for them,
 * so an account's are remembered until it changes one.
 */
export class ContactFieldStore {
  readonly #fields: Collection<ContactField>
  readonly #ofAccount: (account_id: string) => Promise<ContactField[]>
  readonly #cache = accountCache()

  constructor(db: Db) {
    this.#fields = db.collection('contact_fields')
    this.#ofAccount = coalesced(async (account_ids) => {
      const lists = [...new Set(account_ids)].map(
        async (account_id) =>
          [account_id, await this.#fields.find({ account_id }).sort({ created_at: 1, _id: 1 }).toArray()] as const,
      )
      const byAccount = new Map(await Promise.all(lists))
      return account_ids.map((account_id) => byAccount.get(account_id) ?? [])
    }, ONE_READ_AT_A_TIME)
  }

  async prepare(): Promise<void> {
    await this.#fields.createIndexes([
      { key: { account_id: 1, key: 1 }, unique: true },
      { key: { account_id: 1, created_at: 1, _id: 1 } },
    ])
  }

  /** Has to hear of each change of an account's fields before its caller is answered. */
  invalidate(account_id: string): void {
    this.#cache.invalidate(account_id)
  }

  /** Whatever may have changed has to be read anew. */
  invalidateAll(): void {
    this.#cache.invalidateAll()
  }

  /** In the order of their creation. Several are given the same list: nobody may change it. */
  async ofAccount(account_id: string): Promise<ContactField[]> {
    const entries = this.#cache.of(account_id)
    const known = entries.get(ALL) as ContactField[] | undefined
    if (known) return known
    const fields = await this.#ofAccount(account_id)
    entries.set(ALL, fields)
    return fields
  }

  async get(account_id: string, _id: string): Promise<ContactField | null> {
    return this.#fields.findOne({ _id, account_id })
  }

  /** Stores a new field, or gives the one that an earlier try stored. Undefined when its key is taken. */
  async insert(field: ContactField): Promise<ContactField | undefined> {
    return unlessTaken(insertOnce(this.#fields, field))
  }

  /** The changed field; null when there is none, undefined when the new key is taken. */
  async update(
    account_id: string,
    _id: string,
    changes: Partial<ContactField>,
  ): Promise<ContactField | null | undefined> {
    return unlessTaken(
      this.#fields.findOneAndUpdate(
        { _id, account_id },
        { $set: { ...changes, updated_at: new Date() } },
        { returnDocument: 'after' },
      ),
    )
  }

  async delete(account_id: string, _id: string): Promise<ContactField | null> {
    return this.#fields.findOneAndDelete({ _id, account_id })
  }
}
