import { setTimeout as sleep } from 'node:timers/promises'
import type { Collection, Db } from 'mongodb'
import { Poller } from '../../concurrency/poller.ts'
import { timeSlicer } from '../../concurrency/time-slices.ts'
import type { Log } from '../../process/log.ts'
import type { Change, Migration } from './migration.ts'
import { MigrationProgress, type MigrationTimes, type StoredProgress } from './progress.ts'

interface MigrationsOptions extends Partial<MigrationTimes> {
  db: Db
  log: Log
  /** Those that the service declares. */
  migrations: readonly Migration[]
  /** Documents that are read and written together. */
  batchSize?: number
  /** The time between two looks at what there is to do, in ms. */
  lookMs?: number
}

const BATCH_SIZE = 200
const LOOK_MS = 15_000
/** Longer than a look and the longest write together. */
const AWAY_MS = 60_000
/** Longer than a batch and its rest. */
const LEASE_MS = 30_000
/** After a batch the work rests for this multiple of the time that it took: requests come first, and more so where the database is busy. */
const REST = 3
const MIN_REST_MS = 20
const MAX_REST_MS = 5_000
const REPORT_EVERY_MS = 10_000
/** How long the end of a process waits for a batch: the next process repeats it. */
const STOP_TIMEOUT_MS = 500

/** Does the migrations of a service in the background, one after another, wherever none of its other processes does. */
export class Migrations {
  readonly #db: Db
  readonly #log: Log
  readonly #migrations: readonly Migration[]
  readonly #progress: MigrationProgress
  readonly #batchSize: number
  readonly #poller: Poller
  #hasBegun = false

  constructor({ db, log, migrations, ...options }: MigrationsOptions) {
    const { batchSize = BATCH_SIZE, lookMs = LOOK_MS, awayMs = AWAY_MS, leaseMs = LEASE_MS } = options
    this.#db = db
    this.#log = log
    this.#migrations = migrations
    this.#progress = new MigrationProgress(db, { awayMs, leaseMs })
    this.#batchSize = batchSize
    this.#poller = new Poller({
      everyMs: lookMs,
      look: (signal) => this.#look(signal),
      onError: (error) => log.warn({ err: error }, 'migrating stored documents failed; retrying'),
    })
  }

  start(): void {
    this.#poller.wake()
  }

  /** Must end before the database is closed. */
  async stop(): Promise<void> {
    await Promise.race([this.#poller.stop(), sleep(STOP_TIMEOUT_MS, undefined, { ref: false })])
  }

  async #look(signal: AbortSignal): Promise<void> {
    await this.#progress.postponeOthers(this.#migrations)
    if (!this.#hasBegun) for (const migration of this.#migrations) await this.#progress.begin(migration)
    this.#hasBegun = true
    for (const migration of this.#migrations) await this.#continue(migration, signal)
  }

  /** Does what is due of a migration. */
  async #continue(migration: Migration, signal: AbortSignal): Promise<void> {
    await this.#progress.look(migration)
    const taken = await this.#progress.take(migration)
    if (taken) await this.#pass(migration, taken, signal)
  }

  /** Does the rest of a pass, until it is done or taken over. */
  async #pass(migration: Migration, taken: StoredProgress, signal: AbortSignal): Promise<void> {
    const collection: Collection<{ _id: string }> = this.#db.collection(migration.collection)
    const about = { migration: migration.name, pass: taken.passes + 1, of: await collection.estimatedDocumentCount() }
    const report = ({ read, changed }: StoredProgress, what: string): void =>
      this.#log.info({ ...about, read, changed }, what)
    report(taken, 'stored documents are being migrated')
    let reportedAt = performance.now()
    let progress = taken
    while (!signal.aborted) {
      const begun = performance.now()
      const documents = await this.#after(collection, migration, progress.last_id)
      const last = documents.at(-1)
      if (!last) {
        await this.#progress.complete(progress)
        return report(progress, 'stored documents are migrated')
      }
      const changed = await this.#change(collection, migration, documents)
      const noted = await this.#progress.note(progress, last._id, documents.length, changed)
      if (!noted) return report(progress, 'another process migrates stored documents')
      progress = noted
      const now = performance.now()
      if (now - reportedAt > REPORT_EVERY_MS) {
        report(progress, 'stored documents are being migrated')
        reportedAt = now
      }
      const rest = Math.min(Math.max(REST * (now - begun), MIN_REST_MS), MAX_REST_MS)
      await sleep(rest, undefined, { signal, ref: false }).catch(() => {})
    }
    await this.#progress.release(progress)
    report(progress, 'the migration of stored documents is interrupted')
  }

  async #after(
    collection: Collection<{ _id: string }>,
    { fields }: Migration,
    last_id: string,
  ): Promise<{ _id: string }[]> {
    return collection
      .find({ _id: { $gt: last_id } }, { hint: '_id_' })
      .sort({ _id: 1 })
      .limit(this.#batchSize)
      .project<{ _id: string }>(Object.fromEntries(fields.map((field) => [field, 1])))
      .toArray()
  }

  /** Writes what is not up to date, and returns how many documents were changed. */
  async #change(
    collection: Collection<{ _id: string }>,
    migration: Migration,
    documents: { _id: string }[],
  ): Promise<number> {
    const changes = await timeSlicer.map(documents, (document) => migration.change(document))
    const writes = changes
      .filter((change): change is Change => change !== undefined)
      .map((updateOne) => ({ updateOne }))
    if (writes.length === 0) return 0
    return (await collection.bulkWrite(writes, { ordered: false })).modifiedCount
  }
}
