import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { instruments } from '@gatehouse/proto/telemetry/metrics.ts'
import type { Db } from 'mongodb'
import { HourlyCounts } from '../../hourly-counts.ts'

/** Counts the test sends of accounts: an account must not write to strangers by them. */
export class TestSendStore {
  readonly #counts: HourlyCounts
  readonly #perHour: number

  constructor(db: Db, perHour: number) {
    this.#counts = new HourlyCounts(db, 'test_sends')
    this.#perHour = perHour
  }

  async prepare(): Promise<void> {
    await this.#counts.prepare()
  }

  /** Counts one more. Throws `too_many` (429) beyond the limit; refused ones count too. */
  async count(account_id: string): Promise<void> {
    const { count, secondsLeft } = await this.#counts.count(account_id)
    if (count <= this.#perHour) return
    instruments.quotaRefusals.add(1, { quota: 'test_sends' })
    const message = `An account may send ${this.#perHour} e-mails an hour as a test`
    throw new Fault('too_many', message, undefined, secondsLeft)
  }
}
