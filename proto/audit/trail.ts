import { setTimeout as sleep } from 'node:timers/promises'
import type { Collection, Db } from 'mongodb'
import type { Bus } from '../bus/bus.ts'
import { coalesced } from '../concurrency/coalescing.ts'
import { Poller } from '../concurrency/poller.ts'
import { Fault } from '../declaring/faults.ts'
import type { Log } from '../process/log.ts'
import { unlessTaken } from '../storage/mongo.ts'
import { observeOutbox } from '../telemetry/outboxes.ts'
import { type Act, TAKE } from './acts.ts'

const DELIVER_EVERY_MS = 2_000
const DELIVER_IDLE_MS = 16_000
/** The writer of a younger settled note is most likely delivering it. */
const MIN_AGE_MS = 1_000
/** Work goes on after its deadline for as long as the store may take. */
const GRACE_MS = 10_000
const BATCH_SIZE = 200
/** How long the end of a process waits for acts that are being delivered. */
const STOP_TIMEOUT_MS = 2_000

/** An act that sso has not stored yet. */
interface Note extends Act {
  /** From then on any process delivers the note. */
  due: Date
}

/**
 * Records the administrative acts of a service for the audit log, so that none that was done goes unrecorded when a process dies or sso is
 * away (docs/adr/0012): a note is stored in the service's own database before the act, completed before the answer, and delivered to sso
 * afterwards.
 */
export class AuditTrail {
  readonly #notes: Collection<Note>
  readonly #log: Log
  readonly #deliver: (note: Note) => Promise<unknown>
  readonly #working = new Set<Promise<unknown>>()
  readonly #delivering: Poller

  constructor(db: Db, bus: Bus, log: Log) {
    this.#notes = db.collection('audit_notes')
    this.#log = log
    this.#deliver = coalesced(async (notes: Note[]) => {
      const acts = notes.map(({ due: _, ...act }) => act)
      await bus.call(TAKE, {}, Buffer.from(JSON.stringify(acts)), true)
      // An act that was done meanwhile is delivered once more, as done.
      const delivered = notes.map(({ _id, outcome }) => ({ _id, outcome }))
      await this.#notes.deleteMany({ $or: delivered })
      return notes
    })
    this.#delivering = new Poller({
      everyMs: DELIVER_EVERY_MS,
      idleMs: DELIVER_IDLE_MS,
      look: (signal) => this.#deliverDue(signal),
      onError: (error) => log.warn({ err: error }, LATER),
    })
  }

  async prepare(): Promise<void> {
    await this.#notes.createIndex({ due: 1 })
  }

  /** Begins to deliver notes that were left behind, and to show how many wait. */
  start(): void {
    observeOutbox('audit', this.#notes, 'due')
    this.#delivering.wake()
  }

  /** Must end before bus and database are closed. Acts that are not delivered by then keep their notes. */
  async stop(): Promise<void> {
    const late = sleep(STOP_TIMEOUT_MS, undefined, { ref: false })
    await Promise.race([Promise.all([this.#delivering.stop(), ...this.#working]), late])
  }

  /**
   * Does an act of at most `budgetMs` and records it. A refusal did nothing and leaves no record; after any other error the outcome is unknown.
   * `done` completes the act by the result, or says by undefined that nothing was done.
   */
  async recording<T>(
    act: Act,
    budgetMs: number,
    work: () => Promise<T>,
    done: (result: T) => Act | undefined,
  ): Promise<T> {
    const note = { ...act, due: new Date(Date.now() + budgetMs + GRACE_MS) }
    const isFirst = (await unlessTaken(this.#notes.insertOne(note))) !== undefined
    let result: T
    try {
      result = await work()
    } catch (error) {
      // An earlier try under the same Idempotency-Key may have done it.
      if (isFirst && error instanceof Fault && error.code !== 'unavailable') this.#track(this.#forget(act))
      throw error
    }
    const complete = done(result)
    if (!complete) {
      if (isFirst) this.#track(this.#forget(act))
      return result
    }
    const completed = { ...complete, due: new Date(Date.now() + MIN_AGE_MS) }
    // It is done: whatever happens to its note, the answer must say so.
    const kept = await this.#complete(completed).catch((error) => this.#log.warn({ err: error }, INCOMPLETE))
    if (kept) this.#track(this.#deliver(completed))
    return result
  }

  async #complete(note: Note): Promise<true> {
    const { _id, ...rest } = note
    // The note of an earlier try may have been delivered meanwhile.
    await this.#notes.updateOne({ _id }, { $set: rest }, { upsert: true })
    return true
  }

  async #forget({ _id }: Act): Promise<void> {
    await this.#notes.deleteOne({ _id, outcome: 'unknown' })
  }

  #track(work: Promise<unknown>): void {
    const tracked: Promise<unknown> = work
      .catch((error) => {
        this.#log.warn({ err: error }, LATER)
        this.#delivering.wake(DELIVER_EVERY_MS)
      })
      .finally(() => this.#working.delete(tracked))
    this.#working.add(tracked)
  }

  /** Returns whether there was any. */
  async #deliverDue(signal: AbortSignal): Promise<boolean> {
    for (let found = 0; ; ) {
      const due = await this.#notes
        .find({ due: { $lte: new Date() } })
        .sort({ due: 1 })
        .limit(BATCH_SIZE)
        .toArray()
      await Promise.all(due.map((note) => this.#deliver(note)))
      found += due.length
      if (due.length < BATCH_SIZE || signal.aborted) return found > 0
    }
  }
}

const LATER = 'delivering an audit record failed; it will be retried'
const INCOMPLETE = 'an administrative act succeeded, but its audit record will say that the outcome is unknown'
