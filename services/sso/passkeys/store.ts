import { datetime, identifier, optionalDatetime, text } from '@gatehouse/proto/declaring/fields.ts'
import type { PersonalDocuments } from '@gatehouse/proto/declaring/personal-data.ts'
import { deleteOne } from '@gatehouse/proto/storage/documents.ts'
import { insertOnce } from '@gatehouse/proto/storage/mongo.ts'
import { hashOfToken, newToken } from '@gatehouse/proto/storage/tokens.ts'
import { upserted } from '@gatehouse/proto/storage/upserted.ts'
import type { Binary, Collection, Db } from 'mongodb'
import type { StoredContact } from '../api/contacts/store.ts'

/** A passkey of a contact, as stored. */
export interface StoredPasskey {
  /** Of account and credential: two accounts may have the same credential. */
  _id: string
  account_id: string
  contact_id: string
  /** Of the contact when it was made: another password or a block makes it void, as it ends sign-ins. */
  version: number
  credential_id: string
  /** What its holder calls it. */
  name: string
  public_key: Binary
  /** How often it was used, as it says itself; 0 for one that does not count. */
  counter: number
  transports: string[]
  created_at: Date
  last_used_at: Date | null
}

/** Passkeys as personal data. */
export const personalPasskeys: PersonalDocuments = {
  name: 'sso.passkeys',
  collection: 'passkeys',
  scope: ['account_id'],
  fields: {
    contact_id: identifier({ personal: 'contact_id' }),
    name: text(),
    created_at: datetime(),
    last_used_at: optionalDatetime(),
  },
  order: { contact_id: 1, created_at: 1, _id: 1 },
  outcome: 'deleted',
}

/** A challenge as stored, for one answer of one browser. */
interface Challenge {
  /** SHA-256 of what it is bound to: that has the newest alone. */
  _id: string
  /** SHA-256 of the challenge. */
  hash: string
  expires_at: Date
}

/** How long a challenge is good: as long as browsers wait for a person. */
export const CHALLENGE_SECONDS = 300

/** The passkeys of contacts, and the challenges that they sign. */
export class PasskeyStore {
  readonly #passkeys: Collection<StoredPasskey>
  readonly #challenges: Collection<Challenge>

  constructor(db: Db) {
    this.#passkeys = db.collection('passkeys')
    this.#challenges = db.collection('passkey_challenges')
  }

  async prepare(): Promise<void> {
    await Promise.all([
      this.#passkeys.createIndex({ account_id: 1, contact_id: 1, created_at: 1 }),
      this.#challenges.createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 }),
    ])
  }

  /** Those that are not void, in the order of their creation. */
  async ofContact({ account_id, _id: contact_id, version }: StoredContact): Promise<StoredPasskey[]> {
    return this.#passkeys.find({ account_id, contact_id, version }).sort({ created_at: 1 }).toArray()
  }

  /** Deletes those of a contact that are void. */
  async deleteVoid({ account_id, _id: contact_id, version }: StoredContact): Promise<void> {
    await this.#passkeys.deleteMany({ account_id, contact_id, version: { $lt: version } })
  }

  async get(account_id: string, credential_id: string): Promise<StoredPasskey | null> {
    return this.#passkeys.findOne({ _id: idOf(account_id, credential_id), account_id })
  }

  /** Stores a passkey. False if someone else has it. */
  async insert(passkey: Omit<StoredPasskey, '_id'>): Promise<boolean> {
    const _id = idOf(passkey.account_id, passkey.credential_id)
    const stored = await insertOnce(this.#passkeys, { _id, ...passkey })
    return stored.contact_id === passkey.contact_id
  }

  /** Notes a use. False if another use came first: a copy of the passkey may be at work. */
  async noteUse({ _id, account_id, counter }: StoredPasskey, newCounter: number): Promise<boolean> {
    const { matchedCount } = await this.#passkeys.updateOne(
      { _id, account_id, counter },
      { $set: { counter: newCounter, last_used_at: new Date() } },
    )
    return matchedCount === 1
  }

  /** False if the contact has no such passkey, or it is void. */
  async rename({ account_id, _id: contact_id, version }: StoredContact, id: string, name: string): Promise<boolean> {
    const own = { _id: idOf(account_id, id), account_id, contact_id, version }
    return (await this.#passkeys.updateOne(own, { $set: { name } })).matchedCount === 1
  }

  /** False if the contact has no such passkey. */
  async delete(account_id: string, contact_id: string, credential_id: string): Promise<boolean> {
    const _id = idOf(account_id, credential_id)
    return (await deleteOne(this.#passkeys, { _id, account_id, contact_id })) !== null
  }

  async deleteOfContact(account_id: string, contact_id: string): Promise<void> {
    await this.#passkeys.deleteMany({ account_id, contact_id })
  }

  /** A new challenge of 256 random bits, in the place of an earlier one, for what it is `boundTo`: a sign-in or session of one browser. */
  async newChallenge(boundTo: string): Promise<Uint8Array<ArrayBuffer>> {
    const challenge = newToken()
    const expires_at = new Date(Date.now() + CHALLENGE_SECONDS * 1_000)
    const set = { hash: hashOfToken(challenge), expires_at }
    await upserted(() => this.#challenges.updateOne({ _id: hashOfToken(boundTo) }, { $set: set }, { upsert: true }))
    return new Uint8Array(Buffer.from(challenge, 'base64url'))
  }

  /** Uses a challenge up. False if it was used, has expired, or is bound to something else. */
  async takeChallenge(challenge: string, boundTo: string): Promise<boolean> {
    const found = { _id: hashOfToken(boundTo), hash: hashOfToken(challenge), expires_at: { $gt: new Date() } }
    return (await this.#challenges.deleteOne(found)).deletedCount === 1
  }
}

function idOf(account_id: string, credential_id: string): string {
  return `${account_id}:${credential_id}`
}
