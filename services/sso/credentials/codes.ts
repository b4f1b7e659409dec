import { upserted } from '@gatehouse/proto/storage/upserted.ts'
import type { Collection, Db } from 'mongodb'

/** A one-time code as stored: the newest of a contact in a sign-in, which is valid only there. */
interface OneTimeCode {
  /** Of contact and sign-in. */
  _id: string
  account_id: string
  contact_id: string
  /** From `hashPassword`: a fast hash of eight digits could be reversed at once. */
  hash: string
  expires_at: Date
  /** Codes that were compared with it. */
  tries: number
}

/** How long a code is valid, in minutes. */
export const CODE_MINUTES = 10
/** Most tries for a code. */
const MAX_TRIES = 5

/**
 * The one-time codes collection. A code belongs to the sign-in that requested it (`by`): tries and requests in other sign-ins, as by
 * strangers, do not affect it.
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

  /** Stores a contact's code of a sign-in. It replaces the previous one. */
  async put(account_id: string, contact_id: string, by: string, hash: string, now = new Date()): Promise<void> {
    const expires_at = new Date(now.getTime() + CODE_MINUTES * 60_000)
    await upserted(() =>
      this.#codes.updateOne(
        { _id: idOf(contact_id, by), account_id },
        { $set: { contact_id, hash, expires_at, tries: 0 } },
        { upsert: true },
      ),
    )
  }

  /** Uses one try of a contact's code in a sign-in, and returns its hash; null if there is no code or no try left. */
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
