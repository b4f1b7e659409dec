import { isDuplicate } from '@gatehouse/proto/storage/mongo.ts'
import type { Collection, Db } from 'mongodb'

/** A client who has not asked for the next part for so long is gone, or too slow to keep others waiting. */
const LEASE_MS = 60_000

interface Turn {
  /** The account. */
  _id: string
  file: string
  expires_at: Date
}

/** Which file of badges an account's turn is: one at a time. */
export class PrintTurns {
  readonly #turns: Collection<Turn>

  constructor(db: Db) {
    this.#turns = db.collection('print_turns')
  }

  async prepare(): Promise<void> {
    await this.#turns.createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 })
  }

  /** Takes or keeps the turn of an account for a file. Returns whether it is this file's. */
  async take(account_id: string, file: string): Promise<boolean> {
    const isFree = { _id: account_id, $or: [{ file }, { expires_at: { $lte: new Date() } }] }
    const change = { $set: { file, expires_at: new Date(Date.now() + LEASE_MS) } }
    try {
      await this.#turns.updateOne(isFree, change, { upsert: true })
      return true
    } catch (error) {
      if (!isDuplicate(error)) throw error
      return false
    }
  }

  /** Ends the turn of a file. */
  async end(account_id: string, file: string): Promise<void> {
    await this.#turns.deleteOne({ _id: account_id, file })
  }
}
