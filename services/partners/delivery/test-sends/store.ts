import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { changeOne } from '@gatehouse/proto/storage/documents.ts'
import { upserted } from '@gatehouse/proto/storage/upserted.ts'
import { instruments } from '@gatehouse/proto/telemetry/metrics.ts'
import type { Collection, Db } from 'mongodb'

const HOUR_MS = 3_600_000

interface Count {
  /** Of account and hour. */
  _id: string
  account_id: string
  count: number
  expires_at: Date
}

/** Counts the test sends of accounts, for all processes together: an account must not write to strangers by them. */
export class TestSendStore {
  readonly #counts: Collection<Count>
  readonly #perHour: number

  constructor(db: Db, perHour: number) {
    this.#counts = db.collection('test_sends')
    this.#perHour = perHour
  }

  async prepare(): Promise<void> {
    await this.#counts.createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 })
  }

  /** Counts one more. Throws `too_many` (429) beyond the limit; refused ones count too. */
  async count(account_id: string): Promise<void> {
    const now = Date.now()
    const hour = Math.floor(now / HOUR_MS)
    const end = (hour + 1) * HOUR_MS
    const counted = { _id: `${account_id}:${hour}`, account_id }
    const more = { $inc: { count: 1 }, $setOnInsert: { expires_at: new Date(end) } }
    const after = await upserted(() => changeOne(this.#counts, counted, more, { upsert: true }))
    if ((after?.count ?? 0) <= this.#perHour) return
    instruments.quotaRefusals.add(1, { quota: 'test_sends' })
    const message = `An account may send ${this.#perHour} e-mails an hour as a test`
    throw new Fault('too_many', message, undefined, Math.ceil((end - now) / 1_000))
  }
}
