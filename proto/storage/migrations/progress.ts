import type { Collection, Db } from 'mongodb'
import { changeOne } from '../documents.ts'
import { insertOnce } from '../mongo.ts'
import type { Migration } from './migration.ts'

/** How far a migration is. */
export interface StoredProgress {
  /** The name of the migration. */
  _id: string
  rule: string
  begun_at: Date
  /** When a process with this rule last looked. */
  seen_at: Date
  /** The completed passes over all documents. */
  passes: number
  /** The last document of the current pass that is done; empty before the first. */
  last_id: string
  /** The documents that the current pass has read and changed. */
  read: number
  changed: number
  /** The earliest begin of the current pass. */
  due_at: Date
  /** The process that is at work, or was, and until when no other may be. */
  holder: string
  held_until: Date
}

/** The times of migrations, in ms. */
export interface MigrationTimes {
  /** How long after the last look of a process of another version the last pass begins, and after which a rule has no processes any more. */
  awayMs: number
  /** How long a process that notes nothing keeps the others waiting. */
  leaseMs: number
}

/** The second pass is for documents that processes of another version have stored meanwhile. */
export const PASSES = 2
/** No upgrade takes longer: the last pass of an older migration is not postponed any more. */
const UPGRADE_MS = 7 * 86_400_000
const FREE = { holder: '', held_until: new Date(0) }
const FIRST = { last_id: '', read: 0, changed: 0, ...FREE }

/** The progress of all migrations of a database, for one of the processes that work at it. */
export class MigrationProgress {
  readonly #all: Collection<StoredProgress>
  readonly #db: Db
  readonly #times: MigrationTimes
  readonly #holder = crypto.randomUUID()

  constructor(db: Db, times: MigrationTimes) {
    this.#db = db
    this.#all = db.collection('migrations')
    this.#times = times
  }

  /** At the start of a process its rule applies: whoever starts last is of the version that shall be. A new installation has nothing to do. */
  async begin({ name, rule, collection }: Migration): Promise<void> {
    const known = await this.#all.findOne({ _id: name })
    if (!known) {
      const first = await this.#db.collection(collection).findOne({}, { projection: { _id: 1 } })
      await insertOnce(this.#all, { _id: name, ...newProgress(rule), passes: first ? 0 : PASSES })
    }
    await this.#all.updateOne({ _id: name, rule: { $ne: rule } }, { $set: newProgress(rule) })
  }

  /** Shows that a process with this rule runs. Its rule applies again when none with the applying one runs any more. */
  async look({ name: _id, rule }: Migration): Promise<void> {
    const now = new Date()
    const { matchedCount } = await this.#all.updateOne({ _id, rule }, { $set: { seen_at: now } })
    if (matchedCount > 0) return
    const abandoned = { $lte: before(now, this.#times.awayMs) }
    await this.#all.updateOne({ _id, rule: { $ne: rule }, seen_at: abandoned }, { $set: newProgress(rule) })
  }

  /** Takes what is due of a migration, for as long as batches are noted; null if nothing is, or another process has it. */
  async take({ name: _id, rule }: Migration): Promise<StoredProgress | null> {
    const now = new Date()
    const free = { passes: { $lt: PASSES }, due_at: { $lte: now }, held_until: { $lte: now } }
    return changeOne(this.#all, { _id, rule, ...free }, { $set: this.#held(now) })
  }

  /** Notes that documents up to this one are done; null if another process or version has taken over. */
  async note(
    { _id, rule }: StoredProgress,
    last_id: string,
    read: number,
    changed: number,
  ): Promise<StoredProgress | null> {
    const now = new Date()
    return changeOne(
      this.#all,
      { _id, rule, holder: this.#holder },
      { $set: { last_id, seen_at: now, ...this.#held(now) }, $inc: { read, changed } },
    )
  }

  /** Notes that all documents are done. */
  async complete({ _id, rule, passes }: StoredProgress): Promise<void> {
    const due_at = new Date(Date.now() + this.#times.awayMs)
    await this.#all.updateOne({ _id, rule, holder: this.#holder }, { $set: { ...FIRST, passes: passes + 1, due_at } })
  }

  /** Lets other processes go on at once. */
  async release({ _id, rule }: StoredProgress): Promise<void> {
    await this.#all.updateOne({ _id, rule, holder: this.#holder }, { $set: FREE })
  }

  /**
   * Postpones the last passes of other versions' migrations, since this process still stores what they are for. Those at work, or done, begin
   * again.
   */
  async postponeOthers(own: readonly Migration[]): Promise<void> {
    const now = new Date()
    const mine = own.map(({ name, rule }) => ({ _id: name, rule }))
    await this.#all.updateMany(
      { passes: { $gte: 1 }, begun_at: { $gt: before(now, UPGRADE_MS) }, ...(mine.length > 0 && { $nor: mine }) },
      { $set: { ...FIRST, passes: PASSES - 1, due_at: new Date(now.getTime() + this.#times.awayMs) } },
    )
  }

  #held(now: Date): Pick<StoredProgress, 'holder' | 'held_until'> {
    return { holder: this.#holder, held_until: new Date(now.getTime() + this.#times.leaseMs) }
  }
}

function newProgress(rule: string): Omit<StoredProgress, '_id'> {
  const now = new Date()
  return { ...FIRST, rule, begun_at: now, seen_at: now, passes: 0, due_at: now }
}

function before(now: Date, ms: number): Date {
  return new Date(now.getTime() - ms)
}
