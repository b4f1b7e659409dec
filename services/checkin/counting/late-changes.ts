import { setTimeout as sleep } from 'node:timers/promises'
import { type Collection, type Db, ObjectId } from 'mongodb'

/** Check-ins that arrived from `from` to `to` may come or go until `until`: what was read of them before may be wrong. */
export interface LateChange {
  from: Date
  to: Date
  until: Date
}

interface StoredLateChange extends LateChange {
  _id: string
  event_id: string
}

/** How long an insert or a deletion may take before it is recorded as late. */
export const PROMPT_MS = 10_000
/** How far the clocks of two processes may be apart. */
export const SKEW_MS = 5_000
/** Longer than an announced change may take. */
const LEASE_MS = 2 * PROMPT_MS
const TRIES = 120
const RETRY_MS = 1_000

/** Changes to old check-ins: deletions, and inserts that took long. They are kept for good. */
export class LateChanges {
  readonly #lateChanges: Collection<StoredLateChange>

  constructor(db: Db) {
    this.#lateChanges = db.collection('late_changes')
  }

  async prepare(): Promise<void> {
    await this.#lateChanges.createIndex({ event_id: 1, until: 1 })
  }

  /** Changes check-ins that arrived from `from` to `to`. That is recorded before the change can be seen. */
  async during<T>(event_id: string, from: Date, to: Date, change: () => Promise<T>): Promise<T> {
    const until = await this.#record(event_id, from, to)
    try {
      return await change()
    } finally {
      if (Date.now() > until - SKEW_MS) await this.#record(event_id, from, to)
    }
  }

  /** Records a change that has happened or may still happen, as soon as the store takes it. */
  async record(event_id: string, from: Date, to: Date): Promise<void> {
    for (let tries = 0; tries < TRIES; tries++) {
      const until = await this.#record(event_id, from, to).catch(() => undefined)
      if (until !== undefined) return
      await sleep(RETRY_MS, undefined, { ref: false })
    }
  }

  /** Returns until when the record holds, in ms. It tries again if the process or the store stood still for most of that time. */
  async #record(event_id: string, from: Date, to: Date): Promise<number> {
    let until = 0
    while (until - Date.now() < PROMPT_MS) {
      until = Date.now() + LEASE_MS
      const _id = new ObjectId().toHexString()
      await this.#lateChanges.insertOne({ _id, event_id, from, to, until: new Date(until) })
    }
    return until
  }

  /** The late changes that last beyond `after`. */
  async lasting(event_id: string, after: Date): Promise<LateChange[]> {
    return this.#lateChanges
      .find({ event_id, until: { $gt: after } }, { hint: 'event_id_1_until_1' })
      .project<LateChange>({ _id: 0, from: 1, to: 1, until: 1 })
      .toArray()
  }
}
