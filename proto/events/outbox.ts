import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Collection, Db, FindCursor } from 'mongodb'
import type { TSchema } from 'typebox'
import { derivedId } from '../bus/client.ts'
import { grouped } from '../concurrency/coalescing.ts'
import { Fault } from '../declaring/faults.ts'
import type { Log } from '../process/log.ts'
import type { DomainEvent, DomainEvents, EventType } from './domain-events.ts'

interface Thing {
  _id: string
}

/** A note that something is about to happen to things of one event; it is stored before it happens. */
export interface Note<Item extends Thing = Thing> {
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
interface OutboxOptions<Item extends Thing> {
  /** The database of the service: the notes lie beside what they speak of. */
  db: Db
  domain: DomainEvents
  log: Log
  /** Those things of a note to which it has happened, as the API shows them. */
  happened: (note: Note<Item>) => Promise<Thing[]>
  /** The schema of an item, where items hold more than it declares. */
  schema?: TSchema
  /** What is younger is most likely just being told by whoever wrote it, in ms; 2,000 unless told. */
  youngMs?: number
  /** Notes that are looked at together; 100 unless told. */
  together?: number
}

/** What a note is made of. */
type Event<Item extends Thing> = Pick<Note<Item>, 'type' | 'event_id' | 'items' | 'until'>

/** How often it is looked for notes that were left behind. */
const ROUND_MS = 5_000
const YOUNG_MS = 2_000
/** Longer than any write can be on its way: what has not happened by then never will. */
const GIVEN_UP_MS = 10 * 60_000
/** A note that failed is tried again after a round, two, four, … and at last every so many ms. */
const LONGEST_DELAY_MS = 3_600_000
/** After so many failures, and ten minutes, it hardly goes by itself. */
const STUCK_AFTER = 8
const TOGETHER = 100
/** How long the end of a process waits for what is being told. */
const PATIENCE_MS = 2_000

/**
 * Tells what happened so that nothing is lost, neither with the process nor while JetStream is away (docs/adr/0020): a note is stored before the
 * write, and goes when the stream has taken what is told of it. What was left behind is told later, if it happened. Where nobody listens nothing is noted.
 */
export class Outbox<Item extends Thing> {
  readonly #options: OutboxOptions<Item>
  readonly #notes: Collection<Note<Item>>
  readonly #add: (note: Note<Item>) => Promise<unknown>
  readonly #remove: (_id: string) => Promise<unknown>
  readonly #working = new Set<Promise<unknown>>()
  readonly #ended = new AbortController()
  #rounds: Promise<void> = Promise.resolve()

  constructor(options: OutboxOptions<Item>) {
    this.#options = options
    this.#notes = options.db.collection('outbox')
    this.#add = grouped(async (notes) => {
      await this.#notes.insertMany(notes, { ordered: false })
      return notes
    })
    this.#remove = grouped(async (ids) => {
      await this.#notes.deleteMany({ _id: { $in: ids } })
      return ids
    }, 1)
  }

  async prepare(): Promise<void> {
    await this.#notes.createIndex({ at: 1 })
  }

  /** Begins to look for what was left behind. */
  start(): void {
    this.#rounds = this.#goRounds()
  }

  /** Ends before the bus closes, and before the database does. What is not told by then lies in its note. */
  async stop(): Promise<void> {
    this.#ended.abort()
    const late = sleep(PATIENCE_MS, undefined, { ref: false })
    await Promise.race([Promise.all([this.#rounds, ...this.#working]), late])
  }

  /**
   * Does a write that is told of: `itemsOf` what it gave are told, in the background. `items` says what is known before. A write that
   * throws a refusal has not happened; after any other error it is told if it turns out to have happened.
   */
  async telling<T>(event: Event<Item>, write: () => Promise<T>, itemsOf: (written: T) => Thing[]): Promise<T> {
    const isNoted = event.items.length > 0 && this.wants(event.type)
    const note = isNoted ? await this.note(event) : noteOf(event, new Date())
    try {
      const written = await write()
      // Showing what nobody wants to hear of can cost as much as the write.
      this.#hold(this.#tell(note, this.wants(event.type) ? itemsOf(written) : [], isNoted))
      return written
    } catch (error) {
      if (isNoted && error instanceof Fault && error.code !== 'unavailable') this.#hold(this.#remove(note._id))
      throw error
    }
  }

  /** Whether somebody may want to hear of this. */
  wants(type: EventType): boolean {
    return this.#options.domain.wants(type)
  }

  /** Stores a note, of now unless told. Whoever can not tell what it says leaves it behind. */
  async note(event: Event<Item>, at = new Date()): Promise<Note<Item>> {
    const note = noteOf(event, at)
    await this.#add(note)
    return note
  }

  /** Tells a part of what a note says, under an id of its own. Whether the stream has taken it. */
  tell({ _id, type, event_id }: Note<Item>, part: number, items: Thing[]): Promise<boolean> {
    return this.#offer(`${_id}.${part}`, { type, event_id, items }, new Date())
  }

  /** Takes a note away of which everything is told, in the background. */
  forget({ _id }: Note<Item>): void {
    this.#hold(this.#remove(_id))
  }

  async #tell({ _id, type, event_id }: Note, items: Thing[], isNoted: boolean): Promise<void> {
    if ((await this.#offer(_id, { type, event_id, items }, new Date())) && isNoted) await this.#remove(_id)
  }

  #offer(id: string, event: DomainEvent, at: Date): Promise<boolean> {
    const { domain, schema } = this.#options
    return domain.offer({ ...event, ...(schema && { schema }) }, id, at)
  }

  #hold(work: Promise<unknown>): void {
    const held: Promise<unknown> = work
      .catch((error) => this.#options.log.warn({ err: error }, 'a note stays behind; what it says is told later'))
      .finally(() => this.#working.delete(held))
    this.#working.add(held)
  }

  async #goRounds(): Promise<void> {
    const { signal } = this.#ended
    while (!signal.aborted) {
      await this.#goRound().catch((error) => this.#options.log.warn({ err: error }, 'the outbox can not be read'))
      await sleep(ROUND_MS, undefined, { signal }).catch(() => {})
    }
  }

  /** Tells what was left behind, the oldest first, until the stream takes nothing. What failed lately is left out, and keeps nobody waiting. */
  async #goRound(): Promise<void> {
    const { youngMs = YOUNG_MS, together = TOGETHER } = this.#options
    const now = Date.now()
    const due = { at: { $lte: new Date(now - youngMs) }, retry_at: { $not: { $gt: new Date(now) } } }
    const cursor = this.#notes.find(due, { batchSize: together }).sort({ at: 1 })
    try {
      for (let notes = await next(cursor, together); notes.length > 0; notes = await next(cursor, together)) {
        const taken = await Promise.all(notes.map((note) => this.#attempt(note)))
        const isAway = taken.includes(false) && !taken.includes(true)
        if (this.#ended.signal.aborted || isAway) return
      }
    } finally {
      await cursor.close()
    }
  }

  /** Whether the stream has taken what happened of a note; undefined where that could not be found out or told: it is tried again later then. */
  async #attempt(note: Note<Item>): Promise<boolean | undefined> {
    try {
      return await this.#finish(note)
    } catch (error) {
      if (!this.#ended.signal.aborted) await this.#putOff(note, error)
      return undefined
    }
  }

  async #putOff({ _id, type, event_id, failures: before = 0 }: Note, error: unknown): Promise<void> {
    const failures = before + 1
    const retry_at = new Date(Date.now() + Math.min(ROUND_MS * 2 ** before, LONGEST_DELAY_MS))
    const { log } = this.#options
    const found = { err: error, note: _id, type, event_id, failures, retry_at }
    if (failures < STUCK_AFTER) log.warn(found, 'a note stays behind; what it says is told later')
    else log.error(found, 'a note can not be told: webhooks and live feeds do not hear what it says')
    await this.#notes.updateOne({ _id }, { $set: { failures, retry_at } })
  }

  /** Whether the stream has taken what happened of a note. It goes when that is all of it, or nothing more can happen. */
  async #finish(note: Note<Item>): Promise<boolean> {
    const { _id, type, event_id, at, until } = note
    const items = await this.#options.happened(note)
    // What several processes find of the same stretch is the same.
    const id = until ? derivedId(event_id, `${at.getTime()}`, ...items.map((item) => item._id)) : _id
    if (!(await this.#offer(id, { type, event_id, items }, at))) return false
    const age = Date.now() - at.getTime()
    const isAll = until === undefined && items.length === note.items.length
    if (isAll || age > GIVEN_UP_MS) await this.#remove(_id)
    // More will hardly come, and to look for it is dear: not before it is twice as old.
    else if (until) await this.#notes.updateOne({ _id }, { $set: { retry_at: new Date(Date.now() + age) } })
    return true
  }
}

function noteOf<Item extends Thing>(event: Event<Item>, at: Date): Note<Item> {
  return { ...event, _id: randomUUID(), at }
}

async function next<T>(cursor: FindCursor<T>, most: number): Promise<T[]> {
  const notes: T[] = []
  while (notes.length < most && (await cursor.hasNext())) notes.push((await cursor.next()) as T)
  return notes
}
