import { changeOne } from '@gatehouse/proto/storage/documents.ts'
import { upserted } from '@gatehouse/proto/storage/upserted.ts'
import type { Collection, Db } from 'mongodb'

const HOUR_MS = 3_600_000

interface Count {
  /** Of what is counted and the hour. */
  _id: string
  count: number
  expires_at: Date
}

/** Counts by the hour, for all processes together. */
export class HourlyCounts {
  readonly #counts: Collection<Count>

  constructor(db: Db, collection: string) {
    this.#counts = db.collection(collection)
  }

  async prepare(): Promise<void> {
    await this.#counts.createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 })
  }

  /** Counts one more of something. Returns the count, and the seconds until the next hour begins. */
  async count(what: string): Promise<{ count: number; secondsLeft: number }> {
    const now = Date.now()
    const hour = Math.floor(now / HOUR_MS)
    const end = (hour + 1) * HOUR_MS
    const more = { $inc: { count: 1 }, $setOnInsert: { expires_at: new Date(end) } }
    const after = await upserted(() => changeOne(this.#counts, { _id: `${what}:${hour}` }, more, { upsert: true }))
    return { count: after?.count ?? 0, secondsLeft: Math.ceil((end - now) / 1_000) }
  }
}
