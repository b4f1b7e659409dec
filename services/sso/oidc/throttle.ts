import { createHash } from 'node:crypto'
import { isDuplicate } from '@gatehouse/proto/storage/mongo.ts'
import type { Collection, Db } from 'mongodb'

/** How much of a thing is allowed: `most` within `seconds`. */
interface Allowance {
  most: number
  seconds: number
}

/**
 * What is counted, and how much of it is allowed. By contact means by what was typed as an e-mail address, whether anybody has it or
 * not, so that the limit tells nothing. From one address it is little, so that a stranger keeps nobody out; from all together it is more
 * than one stranger reaches. A browser that the contact has signed in with before has tries of its own.
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
  // Each may leave an interaction in the store for an hour.
  authorize_address: { most: 1200, seconds: 60 },
  invitation_address: { most: 30, seconds: 900 },
  token_app: { most: 6000, seconds: 60 },
  token_address: { most: 6000, seconds: 60 },
} satisfies Record<string, Allowance>

/** What is counted. */
export type Counted = keyof typeof allowances

interface Count {
  /** SHA-256 of what is counted, whose it is, and in which span of time. */
  _id: string
  account_id: string
  count: number
  expires_at: Date
}

/** Too much of something: try again after `seconds`. */
export class TooMany extends Error {
  readonly seconds: number

  constructor(seconds: number) {
    super('too many tries')
    this.name = 'TooMany'
    this.seconds = seconds
  }
}

/** Counts in the store what must not happen too often, so that all replicas count together. */
export class Throttle {
  readonly #counts: Collection<Count>
  readonly #isOff: boolean

  constructor(db: Db, options: { off: boolean }) {
    this.#counts = db.collection('oidc_counts')
    this.#isOff = options.off
  }

  async prepare(): Promise<void> {
    await this.#counts.createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 })
  }

  /** Counts one more. Throws {@link TooMany} where there were enough already; what is refused counts too. */
  async count(account_id: string, counted: Counted, whose: string, now = Date.now()): Promise<void> {
    if (this.#isOff) return
    const { most, seconds } = allowances[counted]
    const count = await this.#add(account_id, counted, whose, now, 1)
    if (count > most) throw new TooMany(seconds - (Math.floor(now / 1000) % seconds))
  }

  /** Gives one back: what went well does not count. */
  async uncount(account_id: string, counted: Counted, whose: string, now = Date.now()): Promise<void> {
    if (!this.#isOff) await this.#add(account_id, counted, whose, now, -1)
  }

  async #add(account_id: string, counted: Counted, whose: string, now: number, by: 1 | -1): Promise<number> {
    const { seconds } = allowances[counted]
    const span = Math.floor(now / 1000 / seconds)
    const _id = createHash('sha256')
      .update(JSON.stringify([account_id, counted, whose, span]))
      .digest('base64url')
    const add = async (): Promise<number> => {
      const after = await this.#counts.findOneAndUpdate(
        { _id, account_id },
        { $inc: { count: by }, $setOnInsert: { expires_at: new Date((span + 1) * seconds * 1000) } },
        { upsert: true, returnDocument: 'after' },
      )
      return after?.count ?? 0
    }
    try {
      return await add()
    } catch (error) {
      // Two that counted first at the same moment: there is one to add to by now.
      if (!isDuplicate(error)) throw error
      return add()
    }
  }
}
