import { isDuplicate } from '@gatehouse/proto/storage/mongo.ts'
import type { Collection, Db } from 'mongodb'

/** A one-time code as stored: the newest of a contact in a sign-in alone holds, and in that sign-in alone. */
interface OneTimeCode {
  /** The contact's, and the sign-in's. */
  _id: string
  account_id: string
  contact_id: string
  /** As `hashPassword` gives it: a fast hash of eight digits would be undone in a moment. */
  hash: string
  expires_at: Date
  /** How often a code was compared with it. */
  tries: number
}

/** How long a code holds, in minutes. */
export const CODE_MINUTES = 10
/** Codes that may be compared with one that was sent. */
const MAX_TRIES = 5

/**
 * The one-time codes collection. A code belongs to the sign-in that asked for it (`by`): what a stranger tries, or asks for, in another
 * one leaves it as it is.
 */
export class CodeStore {
  readonly #codes: Collection<OneTimeCode>

  constructor(db: Db) {
    this.#codes = db.collection('one_time_codes')
  }

  async prepare(): Promise<void> {
    await this.#codes.createIndexes([
      { key: { expires_at: 1 }, expireAfterSeconds: 0 },
      { key: { account_id: 1, contact_id: 1 } },
    ])
  }

  /** Puts a contact's code of a sign-in in the place of the one before. */
  async put(account_id: string, contact_id: string, by: string, hash: string, now = new Date()): Promise<void> {
    const expires_at = new Date(now.getTime() + CODE_MINUTES * 60_000)
    const put = () =>
      this.#codes.updateOne(
        { _id: idOf(contact_id, by), account_id },
        { $set: { contact_id, hash, expires_at, tries: 0 } },
        { upsert: true },
      )
    try {
      await put()
    } catch (error) {
      if (!isDuplicate(error)) throw error
      // Two at the same moment: there is one to replace by now.
      await put()
    }
  }

  /** Takes one of the tries of a contact's code in a sign-in, and gives what to compare with; null when there is no code or no try left. */
  async take(account_id: string, contact_id: string, by: string, now = new Date()): Promise<string | null> {
    const code = await this.#codes.findOneAndUpdate(
      { _id: idOf(contact_id, by), account_id, expires_at: { $gt: now }, tries: { $lt: MAX_TRIES } },
      { $inc: { tries: 1 } },
    )
    return code?.hash ?? null
  }

  /** Makes a contact's codes void. */
  async delete(account_id: string, contact_id: string): Promise<void> {
    await this.#codes.deleteMany({ account_id, contact_id })
  }
}

function idOf(contact_id: string, by: string): string {
  return `${contact_id}:${by}`
}
