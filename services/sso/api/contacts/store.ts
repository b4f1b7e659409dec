import { changeOne, deleteOne } from '@gatehouse/proto/storage/documents.ts'
import { insertEachOnce, insertOnce, unlessTaken } from '@gatehouse/proto/storage/mongo.ts'
import { type PageQuery, pageThrough } from '@gatehouse/proto/storage/paging.ts'
import { prefixFilter, queryWords, wordsOf } from '@gatehouse/proto/storage/search-words.ts'
import type { Collection, Db, Filter, UpdateFilter } from 'mongodb'
import { coalescedFinder, type FindOne } from '../../coalesced-reads.ts'
import { foldEmail } from './email.ts'

/** A contact as stored. */
export interface StoredContact {
  _id: string
  account_id: string
  /** As the client sent it. */
  email: string
  /** Folded by `foldEmail`: unique, and looked up at sign-in. */
  email_key: string
  first_name: string | null
  last_name: string | null
  is_blocked: boolean
  /** From `hashPassword`; null without a password. */
  password_hash: string | null
  /** Values by the id of the contact field. */
  values: Record<string, string>
  /**
   * Changes when all sign-ins have to end: with a new password and a block. What was issued under another version is void.
   */
  version: number
  /** An invitation to set a password: the SHA-256 of its token, and when it expires. */
  invitation?: { hash: string; expires_at: Date; created_at: Date }
  /** Incremented by each change, so concurrent changes do not lose one. */
  revision: number
  search_words: string[]
  created_at: Date
  updated_at: Date
}

/** A contact without the fields that the store derives. */
export type NewContact = Omit<StoredContact, 'email_key' | 'version' | 'revision' | 'search_words' | 'invitation'>

/** Changes of a contact. */
export type ContactChanges = Partial<
  Pick<StoredContact, 'email' | 'first_name' | 'last_name' | 'is_blocked' | 'password_hash'>
> & {
  /** By contact field; null removes the value. */
  values?: Record<string, string | null>
}

/** Names of indexes, derived from their keys. */
const BY_EMAIL = 'account_id_1_email_key_1'
const BY_CREATION = 'account_id_1_created_at_-1__id_-1'
const BY_WORD = 'account_id_1_search_words_1_created_at_-1__id_-1'

/** The contacts collection. A unique index keeps e-mail addresses unique in an account. */
export class ContactStore {
  readonly #contacts: Collection<StoredContact>
  /** By `_id`. */
  readonly get: FindOne<StoredContact>

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

  /** One page, newest creation first. */
  async page(
    account_id: string,
    { email, search }: { email?: string; search?: string | null },
    page: PageQuery,
  ): Promise<StoredContact[]> {
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
    })
  }

  async findByEmail(account_id: string, email: string): Promise<StoredContact | null> {
    return this.#contacts.findOne({ account_id, email_key: foldEmail(email) }, { hint: BY_EMAIL })
  }

  /** Stores a new contact, or gives the one that an earlier try stored. Undefined if its e-mail address is taken. */
  async insert(contact: NewContact): Promise<StoredContact | undefined> {
    return unlessTaken(insertOnce(this.#contacts, { ...contact, ...derived(contact), version: 0, revision: 0 }))
  }

  /** Stores new contacts together. Returns each as stored, or undefined if its e-mail address is taken. */
  async insertEach(contacts: NewContact[]): Promise<(StoredContact | undefined)[]> {
    const stored = contacts.map((contact) => ({ ...contact, ...derived(contact), version: 0, revision: 0 }))
    return insertEachOnce(this.#contacts, stored)
  }

  /** The `_id`s of the contacts with these addresses. */
  async withEmails(account_id: string, emails: string[]): Promise<string[]> {
    const wanted = { account_id, email_key: { $in: emails.map(foldEmail) } }
    const found = this.#contacts.find(wanted, { hint: BY_EMAIL, projection: { _id: 1 } })
    return (await found.toArray()).map(({ _id }) => _id)
  }

  /** Those of these folded e-mail addresses that contacts of the account have. */
  async known(account_id: string, emails: string[]): Promise<Set<string>> {
    const wanted = { account_id, email_key: { $in: emails.map(foldEmail) } }
    const found = this.#contacts.find(wanted, { hint: BY_EMAIL, projection: { _id: 0, email_key: 1 } })
    return new Set((await found.toArray()).map(({ email_key }) => email_key))
  }

  /**
   * Changes a contact that is still as it was read; `ends` its sign-ins. Null if it has changed since or is deleted, undefined if the new
   * e-mail address is taken.
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
    // A change of address or password makes an open invitation void.
    if (ends || changes.email !== undefined) unset.invitation = 1
    const update = { $set: set, $unset: unset, $inc: { revision: 1, version: ends ? 1 : 0 } }
    return unlessTaken(
      changeOne(
        this.#contacts,
        { _id: current._id, account_id: current.account_id, revision: current.revision },
        update as unknown as UpdateFilter<StoredContact>,
      ),
    )
  }

  /** Deletes a contact that is still as it was read. Null if it has changed since or is deleted. */
  async delete({ _id, account_id, revision }: StoredContact): Promise<StoredContact | null> {
    return deleteOne(this.#contacts, { _id, account_id, revision })
  }

  /**
   * Makes whoever changes or deletes a contact, and has read it before, read it again. False if the contact has another address than this one by
   * now, or is deleted.
   */
  async touch({ _id, account_id, email_key }: StoredContact): Promise<boolean> {
    const { matchedCount } = await this.#contacts.updateOne({ _id, account_id, email_key }, { $inc: { revision: 1 } })
    return matchedCount === 1
  }

  /** Deletes contacts' values of a deleted field. */
  async removeField(account_id: string, field_id: string): Promise<void> {
    const path = `values.${field_id}`
    await this.#contacts.updateMany({ account_id, [path]: { $exists: true } } as Filter<StoredContact>, {
      $unset: { [path]: 1 },
      $inc: { revision: 1 },
    })
  }

  /** Stores an invitation. It replaces an earlier one. Null if there is no such contact, or it is blocked. */
  async invite(
    account_id: string,
    _id: string,
    invitation: NonNullable<StoredContact['invitation']>,
  ): Promise<StoredContact | null> {
    const update = { $set: { invitation }, $inc: { revision: 1 } }
    return changeOne(this.#contacts, { _id, account_id, is_blocked: false }, update)
  }

  /** The contact with the valid invitation of this hash. */
  async invited(account_id: string, hash: string): Promise<StoredContact | null> {
    return this.#contacts.findOne(openInvitation(account_id, hash))
  }

  /** Uses up an invitation and sets the password, in one step, which ends sign-ins. Null if the invitation is not valid. */
  async acceptInvitation(account_id: string, hash: string, password_hash: string): Promise<StoredContact | null> {
    return changeOne(this.#contacts, openInvitation(account_id, hash), {
      $set: { password_hash, updated_at: new Date() },
      $unset: { invitation: 1 },
      $inc: { revision: 1, version: 1 },
    })
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
