import { createHash } from 'node:crypto'
import { changeOne } from '@gatehouse/proto/storage/documents.ts'
import { upserted } from '@gatehouse/proto/storage/upserted.ts'
import type { Collection, Db } from 'mongodb'

/** A limit: `most` within `seconds`. */
interface Allowance {
  most: number
  seconds: number
}

/**
 * The limits. "contact" means the typed e-mail address, whether it exists or not, so the limit reveals nothing. The limit from one network
 * address is small, so a stranger locks no contact out; the one from all addresses is more than one stranger reaches. A browser that has
 * signed in the contact before has a limit of its own.
 */
export const allowances = {
  login_contact_address: { most: 10, seconds: 900 },
  login_contact: { most: 100, seconds: 900 },
  login_address: { most: 100, seconds: 900 },
  login_browser: { most: 10, seconds: 900 },
  code_contact_address: { most: 5, seconds: 3600 },
  code_contact: { most: 20, seconds: 3600 },
  code_address: { most: 30, seconds: 3600 },
  code_browser: { most: 5, seconds: 3600 },
  // Each request may leave an interaction in the store for an hour.
  authorize_address: { most: 1200, seconds: 60 },
  invitation_address: { most: 30, seconds: 900 },
  token_app: { most: 6000, seconds: 60 },
  token_address: { most: 6000, seconds: 60 },
} satisfies Record<string, Allowance>

/** The name of a limit. */
export type LimitName = keyof typeof allowances

interface StoredCount {
  /** SHA-256 of account, limit, subject and time span. */
  _id: string
  account_id: string
  count: number
  expires_at: Date
}

/** A limit is reached: retry after `seconds`. */
export class TooManyAttempts extends Error {
  readonly seconds: number

  constructor(seconds: number) {
    super('too many tries')
    this.name = 'TooManyAttempts'
    this.seconds = seconds
  }
}

/** Rate limits that all replicas count together, in the store. */
export class Throttle {
  readonly #counts: Collection<StoredCount>
  readonly #isOff: boolean

  constructor(db: Db, options: { off: boolean }) {
    this.#counts = db.collection('oidc_counts')
    this.#isOff = options.off
  }

  async prepare(): Promise<void> {
    await this.#counts.createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 })
  }

  /** Counts one more. Throws {@link TooManyAttempts} if the limit is reached; refused ones count too. */
  async count(account_id: string, counted: LimitName, whose: string, now = Date.now()): Promise<void> {
    if (this.#isOff) return
    const { most, seconds } = allowances[counted]
    const count = await this.#add(account_id, counted, whose, now, 1)
    if (count > most) throw new TooManyAttempts(seconds - (Math.floor(now / 1000) % seconds))
  }

  /** Takes one back: successes do not count. */
  async uncount(account_id: string, counted: LimitName, whose: string, now = Date.now()): Promise<void> {
    if (!this.#isOff) await this.#add(account_id, counted, whose, now, -1)
  }

  async #add(account_id: string, counted: LimitName, whose: string, now: number, by: 1 | -1): Promise<number> {
    const { seconds } = allowances[counted]
    const span = Math.floor(now / 1000 / seconds)
    const _id = createHash('sha256')
      .update(JSON.stringify([account_id, counted, whose, span]))
      .digest('base64url')
    const more = { $inc: { count: by }, $setOnInsert: { expires_at: new Date((span + 1) * seconds * 1000) } }
    const after = await upserted(() => changeOne(this.#counts, { _id, account_id }, more, { upsert: true }))
    return after?.count ?? 0
  }
}
