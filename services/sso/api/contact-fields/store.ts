import { coalesced } from '@gatehouse/proto/concurrency/coalescing.ts'
import { deleteOne, setFields } from '@gatehouse/proto/storage/documents.ts'
import { insertOnce, unlessTaken } from '@gatehouse/proto/storage/mongo.ts'
import type { Collection, Db } from 'mongodb'
import { accountCache } from '../../account-cache.ts'
import { ONE_READ_AT_A_TIME } from '../../coalesced-reads.ts'
import type { ContactField } from './resource.ts'

/** The cache's key for the list of an account's fields. */
const ALL = 'all'

/**
 * The contact fields collection. A unique index keeps keys unique in an account. Each read of a contact needs the fields, so they are
 * cached until the account changes one.
 */
export class ContactFieldStore {
  readonly #fields: Collection<ContactField>
  readonly #ofAccount: (account_id: string) => Promise<ContactField[]>
  /** By account. Invalidate it for each change of an account's fields before the change is answered. */
  readonly cache = accountCache()

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

  /** In the order of their creation. Callers share the list and must not change it. */
  async ofAccount(account_id: string): Promise<ContactField[]> {
    const entries = this.cache.of(account_id)
    const known = entries.get(ALL) as ContactField[] | undefined
    if (known) return known
    const fields = await this.#ofAccount(account_id)
    entries.set(ALL, fields)
    return fields
  }

  async get(account_id: string, _id: string): Promise<ContactField | null> {
    return this.#fields.findOne({ _id, account_id })
  }

  /** Stores a new field, or gives the one that an earlier try stored. Undefined if its key is taken. */
  async insert(field: ContactField): Promise<ContactField | undefined> {
    return unlessTaken(insertOnce(this.#fields, field))
  }

  /** The changed field; null if there is none, undefined if the new key is taken. */
  async update(
    account_id: string,
    _id: string,
    changes: Partial<ContactField>,
  ): Promise<ContactField | null | undefined> {
    return unlessTaken(setFields(this.#fields, { _id, account_id }, changes))
  }

  async delete(account_id: string, _id: string): Promise<ContactField | null> {
    return deleteOne(this.#fields, { _id, account_id })
  }
}
