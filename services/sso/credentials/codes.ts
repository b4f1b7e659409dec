import { isDuplicate } from '@gatehouse/proto/mongo.ts'
import type { Collection, Db } from 'mongodb'

/** A contact's one-time code as stored: the newest alone holds. */
interface OneTimeCode {
  /** The contact's. */
  _id: string
  account_id: string
  /** As `hashPassword` gives it: a fast hash of eight digits would be undone in a moment. Gone once the code is void. */
  hash?: string
  /** Which sign-in has used it up, as {@link CodeStore.use} was told. */
  used_by: string | null
  expires_at: Date
  /** How often a code was compared with it. */
  tries: number
  /** When codes were made, of the last few. */
  made: Date[]
  updated_at: Date
}

/** How long a code holds, in minutes. */
export const CODE_MINUTES = 10
/** Codes that may be compared with one that was sent. */
const MAX_TRIES = 5
/** Codes that a contact may be sent in an hour. */
const MAX_PER_HOUR = 5
const HOUR_MS = 3_600_000

/** The one-time codes collection. */
export class CodeStore {
  readonly #codes: Collection<OneTimeCode>

  constructor(db: Db) {
    this.#codes = db.collection('one_time_codes')
  }

  async prepare(): Promise<void> {
    // Nothing of a contact is worth remembering once its hour is over.
    await this.#codes.createIndex({ updated_at: 1 }, { expireAfterSeconds: HOUR_MS / 1000 })
  }

  /** Puts a code in the place of the one before. False when the contact was sent too many. */
  async put(account_id: string, contact_id: string, hash: string, now = new Date()): Promise<boolean> {
    const hourAgo = new Date(now.getTime() - HOUR_MS)
    const expires_at = new Date(now.getTime() + CODE_MINUTES * 60_000)
    const replace = (upsert: boolean) =>
      this.#codes.updateOne(
        {
          _id: contact_id,
          account_id,
          $or: [{ [`made.${MAX_PER_HOUR - 1}`]: { $exists: false } }, { 'made.0': { $lte: hourAgo } }],
        },
        {
          $set: { hash, used_by: null, expires_at, tries: 0, updated_at: now },
          $push: { made: { $each: [now], $slice: -MAX_PER_HOUR } },
        },
        { upsert },
      )
    try {
      const { matchedCount, upsertedCount } = await replace(true)
      return matchedCount + upsertedCount === 1
    } catch (error) {
      if (!isDuplicate(error)) throw error
      // There is one: either it has had its share, or it was made this very moment.
      return (await replace(false)).matchedCount === 1
    }
  }

  /**
   * Takes one of the tries of a contact's code, and gives what to compare with; null when there is no code, no try left, or another
   * sign-in than `by` has used it up.
   */
  async take(account_id: string, contact_id: string, by: string, now = new Date()): Promise<string | null> {
    const code = await this.#codes.findOneAndUpdate(
      {
        _id: contact_id,
        account_id,
        hash: { $exists: true },
        used_by: { $in: [null, by] },
        expires_at: { $gt: now },
        tries: { $lt: MAX_TRIES },
      },
      { $inc: { tries: 1 } },
    )
    return code?.hash ?? null
  }

  /**
   * Uses a code up for one sign-in, which may say so again: a process that was killed right after this takes no code along. False when
   * another one used it, or another code took its place.
   */
  async use(account_id: string, contact_id: string, hash: string, by: string): Promise<boolean> {
    const { matchedCount } = await this.#codes.updateOne(
      { _id: contact_id, account_id, hash, used_by: { $in: [null, by] } },
      { $set: { used_by: by } },
    )
    return matchedCount === 1
  }

  /** Makes a contact's code void. */
  async forget(account_id: string, contact_id: string): Promise<void> {
    await this.#codes.updateOne({ _id: contact_id, account_id }, { $unset: { hash: 1 } })
  }
}
