import { insertEachOnce, insertOnce, unlessTaken } from '@gatehouse/proto/storage/mongo.ts'
import { type PageQuery, pageThrough } from '@gatehouse/proto/storage/paging.ts'
import { ScopedCache } from '@gatehouse/proto/storage/scoped-cache.ts'
import { prefixFilter, queryWords, wordsOf } from '@gatehouse/proto/storage/search-words.ts'
import type { Collection, Db, Filter, UpdateFilter } from 'mongodb'
import { coalescedFinder, type FindOne } from '../coalesced-reads.ts'
import { foldEmail } from './email.ts'

/** A contact as stored. */
export interface StoredContact {
  _id: string
  account_id: string
  /** As it was given. */
  email: string
  /** What is unique, and looked up at sign-in (`foldEmail`). */
  email_key: string
  first_name: string | null
  last_name: string | null
  is_blocked: boolean
  /** As `hashPassword` gives it; null for a contact that has none. */
  password_hash: string | null
  /** What the account's own fields hold, by the id of the contact field. */
  values: Record<string, string>
  /**
   * Moves on whenever all that is signed in has to end: with a new password and a block. What was issued under another version of a
   * contact is void.
   */
  version: number
  /** An invitation to set a password: the SHA-256 of its token, and until when it holds. */
  invitation?: { hash: string; expires_at: Date; created_at: Date }
  /** Moves with each change, so that two changes at once do not lose one of them. */
  revision: number
  search_words: string[]
  created_at: Date
  updated_at: Date
}

/** A contact before what the store derives is added. */
export type NewContact = Omit<StoredContact, 'email_key' | 'version' | 'revision' | 'search_words' | 'invitation'>

/** What can be changed of a contact. */
export type ContactChanges = Partial<
  Pick<StoredContact, 'email' | 'first_name' | 'last_name' | 'is_blocked' | 'password_hash'>
> & {
  /** By contact field; null takes the value away. */
  values?: Record<string, string | null>
}

/** Which contacts are listed. */
export interface ContactFilter {
  email?: string | undefined
  search?: string | undefined
}

/** The names that indexes get from their keys. */
const BY_EMAIL = 'account_id_1_email_key_1'
const BY_CREATION = 'account_id_1_created_at_-1__id_-1'
const BY_WORD = 'account_id_1_search_words_1_created_at_-1__id_-1'

/** The contacts collection. An e-mail address stands once in an account: a unique index keeps that. */
export class ContactStore {
  readonly #contacts: Collection<StoredContact>
  /** By `_id`. */
  readonly get: FindOne<StoredContact>
  /** Where pages of lists end, by account. */
  readonly #cache = new ScopedCache()

  constructor(db: Db) {
    this.#contacts = db.collection('contacts')
    this.get = coalescedFinder(this.#contacts, '_id')
  }

  async prepare(): Promise<void> {
    await this.#contacts.createIndexes([
      { key: { account_id: 1, email_key: 1 }, unique: true },
      { key: { account_id: 1, created_at: -1, _id: -1 } },
      { key: { account_id: 1, search_words: 1, created_at: -1, _id: -1 } },
      {
        key: { account_id: 1, 'invitation.hash': 1 },
        partialFilterExpression: { 'invitation.hash': { $exists: true } },
      },
    ])
  }

  /** Has to hear of each contact that came, went or is found by other words before its caller is answered. */
  invalidate(account_id: string): void {
    this.#cache.invalidate(account_id)
  }

  /** Whatever may have changed has to be read anew. */
  invalidateAll(): void {
    this.#cache.invalidateAll()
  }

  /** One page, newest creation first. */
  async page(account_id: string, { email, search }: ContactFilter, page: PageQuery): Promise<StoredContact[]> {
    const prefixes = queryWords(search ?? '')
    const filter: Filter<StoredContact> = {
      account_id,
      ...(email !== undefined && { email_key: foldEmail(email) }),
      ...prefixFilter('search_words', prefixes),
    }
    const index = email !== undefined ? BY_EMAIL : prefixes.length > 0 ? BY_WORD : BY_CREATION
    return pageThrough(this.#contacts, filter, { created_at: -1, _id: -1 }, page, {
      hidden: ['search_words'],
      index,
      cacheEntries: this.#cache.of(account_id),
    })
  }

  async findByEmail(account_id: string, email: string): Promise<StoredContact | null> {
    return this.#contacts.findOne({ account_id, email_key: foldEmail(email) }, { hint: BY_EMAIL })
  }

  /** Stores a new contact, or gives the one that an earlier try stored. Undefined when its e-mail address is taken. */
  async insert(contact: NewContact): Promise<StoredContact | undefined> {
    return unlessTaken(insertOnce(this.#contacts, { ...contact, ...derived(contact), version: 0, revision: 0 }))
  }

  /** Stores new contacts in one go: each as stored, or undefined where its e-mail address is taken. */
  async insertEach(contacts: NewContact[]): Promise<(StoredContact | undefined)[]> {
    const stored = contacts.map((contact) => ({ ...contact, ...derived(contact), version: 0, revision: 0 }))
    return insertEachOnce(this.#contacts, stored)
  }

  /** Those of some e-mail addresses that a contact of the account has, folded. */
  async known(account_id: string, emails: string[]): Promise<Set<string>> {
    const wanted = { account_id, email_key: { $in: emails.map(foldEmail) } }
    const found = this.#contacts.find(wanted, { hint: BY_EMAIL, projection: { _id: 0, email_key: 1 } })
    return new Set((await found.toArray()).map(({ email_key }) => email_key))
  }

  /**
   * Changes a contact that is still as it was read; `ends` what is signed in. Null when it has changed since or is gone, undefined when
   * the new e-mail address is taken.
   */
  async update(
    current: StoredContact,
    { values = {}, ...changes }: ContactChanges,
    ends: boolean,
  ): Promise<StoredContact | null | undefined> {
    const set: Record<string, unknown> = { ...changes, ...derived({ ...current, ...changes }), updated_at: new Date() }
    const unset: Record<string, 1> = {}
    for (const [field_id, value] of Object.entries(values)) {
      if (value === null) unset[`values.${field_id}`] = 1
      else set[`values.${field_id}`] = value
    }
    // A link that somebody may hold of an address or a password that were changed has to open nothing.
    if (ends || changes.email !== undefined) unset.invitation = 1
    const update = { $set: set, $unset: unset, $inc: { revision: 1, version: ends ? 1 : 0 } }
    return unlessTaken(
      this.#contacts.findOneAndUpdate(
        { _id: current._id, account_id: current.account_id, revision: current.revision },
        update as unknown as UpdateFilter<StoredContact>,
        { returnDocument: 'after' },
      ),
    )
  }

  async delete(account_id: string, _id: string): Promise<StoredContact | null> {
    return this.#contacts.findOneAndDelete({ _id, account_id })
  }

  /** Takes away what contacts have in a field that is no more. */
  async removeField(account_id: string, field_id: string): Promise<void> {
    const path = `values.${field_id}`
    await this.#contacts.updateMany({ account_id, [path]: { $exists: true } } as Filter<StoredContact>, {
      $unset: { [path]: 1 },
      $inc: { revision: 1 },
    })
  }

  /** Puts an invitation in the place of an earlier one. Null when there is no such contact, or it is blocked. */
  async invite(
    account_id: string,
    _id: string,
    invitation: NonNullable<StoredContact['invitation']>,
  ): Promise<StoredContact | null> {
    return this.#contacts.findOneAndUpdate(
      { _id, account_id, is_blocked: false },
      { $set: { invitation }, $inc: { revision: 1 } },
      { returnDocument: 'after' },
    )
  }

  /** Whose invitation has this hash and still holds. */
  async invited(account_id: string, hash: string): Promise<StoredContact | null> {
    return this.#contacts.findOne(openInvitation(account_id, hash))
  }

  /** Uses up an invitation and sets the password, in one step; what was signed in ends. Null when it holds no more. */
  async acceptInvitation(account_id: string, hash: string, password_hash: string): Promise<StoredContact | null> {
    return this.#contacts.findOneAndUpdate(
      openInvitation(account_id, hash),
      {
        $set: { password_hash, updated_at: new Date() },
        $unset: { invitation: 1 },
        $inc: { revision: 1, version: 1 },
      },
      { returnDocument: 'after' },
    )
  }
}

function openInvitation(account_id: string, hash: string): Filter<StoredContact> {
  return {
    account_id,
    'invitation.hash': hash,
    'invitation.expires_at': { $gt: new Date() },
    is_blocked: false,
  } as Filter<StoredContact>
}

function derived(
  contact: Pick<StoredContact, 'email' | 'first_name' | 'last_name'>,
): Pick<StoredContact, 'email_key' | 'search_words'> {
  const { email, first_name, last_name } = contact
  const words = [first_name, last_name, email].flatMap((text) => wordsOf(text ?? ''))
  return { email_key: foldEmail(email), search_words: [...new Set(words)] }
}
