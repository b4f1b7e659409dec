import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Collection, Db, FindCursor } from 'mongodb'
import type { TSchema } from 'typebox'
import { derivedId } from '../bus/client.ts'
import { coalesced } from '../concurrency/coalescing.ts'
import { Fault } from '../declaring/faults.ts'
import type { Log } from '../process/log.ts'
import type { DomainEvent, DomainEvents, EventType } from './domain-events.ts'

interface Identified {
  _id: string
}

/** A note that something is about to happen to things of one event; it is stored before it happens. */
export interface OutboxEntry<Item extends Identified = Identified> {
  _id: string
  type: EventType
  event_id: string
  /** What is known of the things before. */
  items: readonly Item[]
  at: Date
  /** Of a stretch of time, to how many things it will happen is not known before: its end. */
  until?: Date
  /** How often it failed to find out or to tell what happened; undefined when it never did. */
  failures?: number
  /** When that is tried next. */
  retry_at?: Date
}

/** What an outbox works with. */
interface OutboxOptions<Item extends Identified> {
  /** The database of the service: the notes lie beside what they speak of. */
  db: Db
  domain: DomainEvents
  log: Log
  /** Those things of a note to which it has happened, as the API shows them. */
  recover: (entry: OutboxEntry<Item>) => Promise<Identified[]>
  /** The schema of an item, where items hold more than it declares. */
  schema?: TSchema
  /** What is younger is most likely just being told by whoever wrote it, in ms; 2,000 unless told. */
  minAgeMs?: number
  /** Notes that are looked at together; 100 unless told. */
  batchSize?: number
}

/** What a note is made of. */
type EntryContent<Item extends Identified> = Pick<OutboxEntry<Item>, 'type' | 'event_id' | 'items' | 'until'>

/** How often it is looked for notes that were left behind. */
const RECOVERY_EVERY_MS = 5_000
const MIN_AGE_MS = 2_000
/** Longer than any write can be on its way: what has not happened by then never will. */
const GIVEN_UP_MS = 10 * 60_000
/** A note that failed is tried again after a round, two, four, … and at last every so many ms. */
const MAX_DELAY_MS = 3_600_000
/** After so many failures, and ten minutes, it hardly goes by itself. */
const STUCK_AFTER = 8
const BATCH_SIZE = 100
/** How long the end of a process waits for what is being told. */
const STOP_TIMEOUT_MS = 2_000

/**
 * Tells what happened so that nothing is lost, neither with the process nor while JetStream is away (docs/adr/0020): a note is stored before the
 * write, and goes when the stream has taken what is told of it. What was left behind is told later, if it happened. Where nobody listens nothing is noted.
 */
export class Outbox<Item extends Identified> {
  readonly #options: OutboxOptions<Item>
  readonly #entries: Collection<OutboxEntry<Item>>
  readonly #add: (entry: OutboxEntry<Item>) => Promise<unknown>
  readonly #remove: (_id: string) => Promise<unknown>
  readonly #working = new Set<Promise<unknown>>()
  readonly #ended = new AbortController()
  #recovering: Promise<void> = Promise.resolve()

  constructor(options: OutboxOptions<Item>) {
    this.#options = options
    this.#entries = options.db.collection('outbox')
    this.#add = coalesced(async (entries) => {
      await this.#entries.insertMany(entries, { ordered: false })
      return entries
    })
    this.#remove = coalesced(async (ids) => {
      await this.#entries.deleteMany({ _id: { $in: ids } })
      return ids
    }, 1)
  }

  async prepare(): Promise<void> {
    await this.#entries.createIndex({ at: 1 })
  }

  /** Begins to look for what was left behind. */
  start(): void {
    this.#recovering = this.#recoveryLoop()
  }

  /** Ends before the bus closes, and before the database does. What is not told by then lies in its note. */
  async stop(): Promise<void> {
    this.#ended.abort()
    const late = sleep(STOP_TIMEOUT_MS, undefined, { ref: false })
    await Promise.race([Promise.all([this.#recovering, ...this.#working]), late])
  }

  /**
   * Does a write that is told of: `itemsOf` what it gave are told, in the background. `items` says what is known before. A write that
   * throws a refusal has not happened; after any other error it is told if it turns out to have happened.
   */
  async publishing<T>(
    event: EntryContent<Item>,
    write: () => Promise<T>,
    itemsOf: (written: T) => Identified[],
  ): Promise<T> {
    const isStored = event.items.length > 0 && this.wants(event.type)
    const entry = isStored ? await this.add(event) : entryOf(event, new Date())
    try {
      const written = await write()
      // Showing what nobody wants to hear of can cost as much as the write.
      this.#track(this.#publishAndRemove(entry, this.wants(event.type) ? itemsOf(written) : [], isStored))
      return written
    } catch (error) {
      if (isStored && error instanceof Fault && error.code !== 'unavailable') this.#track(this.#remove(entry._id))
      throw error
    }
  }

  /** Whether somebody may want to hear of this. */
  wants(type: EventType): boolean {
    return this.#options.domain.wants(type)
  }

  /** Stores a note, of now unless told. Whoever can not tell what it says leaves it behind. */
  async add(event: EntryContent<Item>, at = new Date()): Promise<OutboxEntry<Item>> {
    const entry = entryOf(event, at)
    await this.#add(entry)
    return entry
  }

  /** Tells a part of what a note says, under an id of its own. Whether the stream has taken it. */
  publish({ _id, type, event_id }: OutboxEntry<Item>, part: number, items: Identified[]): Promise<boolean> {
    return this.#publishAs(`${_id}.${part}`, { type, event_id, items }, new Date())
  }

  /** Takes a note away of which everything is told, in the background. */
  remove({ _id }: OutboxEntry<Item>): void {
    this.#track(this.#remove(_id))
  }

  async #publishAndRemove({ _id, type, event_id }: OutboxEntry, items: Identified[], isStored: boolean): Promise<void> {
    if ((await this.#publishAs(_id, { type, event_id, items }, new Date())) && isStored) await this.#remove(_id)
  }

  #publishAs(id: string, event: DomainEvent, at: Date): Promise<boolean> {
    const { domain, schema } = this.#options
    return domain.publish({ ...event, ...(schema && { schema }) }, id, at)
  }

  #track(work: Promise<unknown>): void {
    const tracked: Promise<unknown> = work
      .catch((error) => this.#options.log.warn({ err: error }, 'a note stays behind; what it says is told later'))
      .finally(() => this.#working.delete(tracked))
    this.#working.add(tracked)
  }

  async #recoveryLoop(): Promise<void> {
    const { signal } = this.#ended
    while (!signal.aborted) {
      await this.#recoverAbandoned().catch((error) =>
        this.#options.log.warn({ err: error }, 'the outbox can not be read'),
      )
      await sleep(RECOVERY_EVERY_MS, undefined, { signal }).catch(() => {})
    }
  }

  /** Tells what was left behind, the oldest first, until the stream takes nothing. What failed lately is left out, and keeps nobody waiting. */
  async #recoverAbandoned(): Promise<void> {
    const { minAgeMs = MIN_AGE_MS, batchSize = BATCH_SIZE } = this.#options
    const now = Date.now()
    const due = { at: { $lte: new Date(now - minAgeMs) }, retry_at: { $not: { $gt: new Date(now) } } }
    const cursor = this.#entries.find(due, { batchSize: batchSize }).sort({ at: 1 })
    try {
      for (
        let entries = await nextBatch(cursor, batchSize);
        entries.length > 0;
        entries = await nextBatch(cursor, batchSize)
      ) {
        const results = await Promise.all(entries.map((entry) => this.#attempt(entry)))
        const isAway = results.includes(false) && !results.includes(true)
        if (this.#ended.signal.aborted || isAway) return
      }
    } finally {
      await cursor.close()
    }
  }

  /** Whether the stream has taken what happened of a note; undefined where that could not be found out or told: it is tried again later then. */
  async #attempt(entry: OutboxEntry<Item>): Promise<boolean | undefined> {
    try {
      return await this.#finish(entry)
    } catch (error) {
      if (!this.#ended.signal.aborted) await this.#postpone(entry, error)
      return undefined
    }
  }

  async #postpone({ _id, type, event_id, failures: before = 0 }: OutboxEntry, error: unknown): Promise<void> {
    const failures = before + 1
    const retry_at = new Date(Date.now() + Math.min(RECOVERY_EVERY_MS * 2 ** before, MAX_DELAY_MS))
    const { log } = this.#options
    const found = { err: error, note: _id, type, event_id, failures, retry_at }
    if (failures < STUCK_AFTER) log.warn(found, 'a note stays behind; what it says is told later')
    else log.error(found, 'a note can not be told: webhooks and live feeds do not hear what it says')
    await this.#entries.updateOne({ _id }, { $set: { failures, retry_at } })
  }

  /** Whether the stream has taken what happened of a note. It goes when that is all of it, or nothing more can happen. */
  async #finish(entry: OutboxEntry<Item>): Promise<boolean> {
    const { _id, type, event_id, at, until } = entry
    const items = await this.#options.recover(entry)
    // What several processes find of the same stretch is the same.
    const id = until ? derivedId(event_id, `${at.getTime()}`, ...items.map((item) => item._id)) : _id
    if (!(await this.#publishAs(id, { type, event_id, items }, at))) return false
    const age = Date.now() - at.getTime()
    const isAll = until === undefined && items.length === entry.items.length
    if (isAll || age > GIVEN_UP_MS) await this.#remove(_id)
    // More will hardly come, and to look for it is dear: not before it is twice as old.
    else if (until) await this.#entries.updateOne({ _id }, { $set: { retry_at: new Date(Date.now() + age) } })
    return true
  }
}

function entryOf<Item extends Identified>(event: EntryContent<Item>, at: Date): OutboxEntry<Item> {
  return { ...event, _id: randomUUID(), at }
}

async function nextBatch<T>(cursor: FindCursor<T>, max: number): Promise<T[]> {
  const entries: T[] = []
  while (entries.length < max && (await cursor.hasNext())) entries.push((await cursor.next()) as T)
  return entries
}
