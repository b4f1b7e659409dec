import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Collection, Db, FindCursor } from 'mongodb'
import type { TSchema } from 'typebox'
import { derivedId } from '../bus/client.ts'
import { coalesced } from '../concurrency/coalescing.ts'
import { Poller } from '../concurrency/poller.ts'
import { Fault } from '../declaring/faults.ts'
import type { Log } from '../process/log.ts'
import { instruments } from '../telemetry/metrics.ts'
import { observeOutbox } from '../telemetry/outboxes.ts'
import { tracedBy } from '../telemetry/tracing.ts'
import type { DomainEvent, DomainEvents, EventType, Traces } from './domain-events.ts'

interface Identified {
  _id: string
}

/** Says that something is about to happen to items of one event; it is stored before the write. */
export interface OutboxEntry<Item extends Identified = Identified> {
  _id: string
  type: EventType
  event_id: string
  /** The parts of the items that are known before the write. */
  items: readonly Item[]
  at: Date
  /** The end of a notification window, whose items are not known before. */
  until?: Date
  /** Failed attempts to recover or publish; undefined before the first. */
  failures?: number
  /** The time of the next attempt. */
  retry_at?: Date
  /** Of the request that made it, if it is traced; that of a notification window stands for many and has none. */
  traceparent?: string
}

interface OutboxOptions<Item extends Identified> {
  /** The database of the service. */
  db: Db
  domain: DomainEvents
  log: Log
  /** Finds the items of an entry to which it has happened, as the API shows them. */
  recover: (entry: OutboxEntry<Item>) => Promise<Identified[]>
  /**
   * The id under which it is published of an item that something has happened to it that happens only once, whichever of several entries says so, and
   * with whatever other items. `planned` is the item in the entry. Undefined for what may happen again, which is published under the entry's id.
   */
  onceAs?: (type: EventType, item: Identified, planned: Item) => string | undefined
  /** The schema of an item of an event, if items hold more than it declares. */
  schemaOf?: (type: EventType) => TSchema
  /** A younger entry is most likely being published by its writer, in ms; default 2,000. */
  minAgeMs?: number
  /** Entries that are recovered together; default 100. */
  batchSize?: number
}

type EntryContent<Item extends Identified> = Pick<OutboxEntry<Item>, 'type' | 'event_id' | 'items' | 'until'>

const RECOVERY_EVERY_MS = 5_000
const RECOVERY_IDLE_MS = 10_000
const MIN_AGE_MS = 2_000
/** No write takes as long: what has not happened by then never happens. */
const GIVEN_UP_MS = 10 * 60_000
/** Failed entries are retried after one interval, two, four, … up to this. */
const MAX_DELAY_MS = 3_600_000
/** The failures of an entry, in ten minutes, after which it is logged as an error. */
const STUCK_AFTER = 8
const BATCH_SIZE = 100
/** How long the end of a process waits for events that are being published. */
const STOP_TIMEOUT_MS = 2_000

/**
 * A transactional outbox (docs/adr/0006): no domain event is lost with the process or while JetStream is away. An entry is stored before the write,
 * and deleted when the stream has the event. Entries left behind are recovered: their events are published if they happened. Types without
 * subscribers need no entries.
 */
export class Outbox<Item extends Identified> {
  readonly #options: OutboxOptions<Item>
  readonly #entries: Collection<OutboxEntry<Item>>
  readonly #add: (entry: OutboxEntry<Item>) => Promise<unknown>
  readonly #remove: (_id: string) => Promise<unknown>
  readonly #working = new Set<Promise<unknown>>()
  readonly #recovering: Poller

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
    this.#recovering = new Poller({
      everyMs: RECOVERY_EVERY_MS,
      idleMs: RECOVERY_IDLE_MS,
      look: (signal) => this.#recoverAbandoned(signal),
      onError: (error) => options.log.warn({ err: error }, 'the outbox cannot be read'),
    })
  }

  async prepare(): Promise<void> {
    await this.#entries.createIndex({ at: 1 })
  }

  /** Begins to recover entries that were left behind, and to show how many wait. */
  start(): void {
    observeOutbox('events', this.#entries, 'at')
    this.#recovering.wake()
  }

  /** Must end before bus and database are closed. Events that are not published by then keep their entries. */
  async stop(): Promise<void> {
    const late = sleep(STOP_TIMEOUT_MS, undefined, { ref: false })
    await Promise.race([Promise.all([this.#recovering.stop(), ...this.#working]), late])
  }

  /**
   * Does a write, and publishes the event with `itemsOf` its result in the background. `items` of the event are those known before. A write that
   * throws a refusal has not happened; after any other error the event is published if the write turns out to have happened.
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
      // Without subscribers `itemsOf` is not worth its cost.
      this.#track(this.#publishAndRemove(entry, this.wants(event.type) ? itemsOf(written) : [], isStored))
      return written
    } catch (error) {
      if (isStored && error instanceof Fault && error.code !== 'unavailable') this.#track(this.#remove(entry._id))
      throw error
    }
  }

  /** Whether a type may have subscribers. */
  wants(type: EventType): boolean {
    return this.#options.domain.wants(type)
  }

  /** Stores an entry; its writer leaves it behind if it cannot publish the event. */
  async add(event: EntryContent<Item>, at = new Date()): Promise<OutboxEntry<Item>> {
    const entry = entryOf(event, at)
    await this.#add(entry)
    return entry
  }

  /** Publishes a part of an entry's event, under an id of its own. Returns whether the stream has it. */
  publish(
    { _id, type, event_id }: OutboxEntry<Item>,
    part: number,
    items: Identified[],
    traces?: Traces,
  ): Promise<boolean> {
    return this.#publishAs(`${_id}.${part}`, { type, event_id, items, traces }, new Date())
  }

  /** Deletes an entry whose event is published, in the background. */
  remove({ _id }: OutboxEntry<Item>): void {
    this.#track(this.#remove(_id))
  }

  async #publishAndRemove(entry: OutboxEntry<Item>, items: Identified[], isStored: boolean): Promise<void> {
    const isPublished = await this.#publishItems(entry, entry._id, items, new Date())
    if (!isStored) return
    if (isPublished) await this.#remove(entry._id)
    else this.#recovering.wake(RECOVERY_EVERY_MS)
  }

  /** Publishes the event of an entry, those of its items that happen once under their own ids. Returns whether the stream has all. */
  async #publishItems(
    { type, event_id, items: planned, ...entry }: OutboxEntry<Item>,
    id: string,
    items: Identified[],
    at: Date,
  ): Promise<boolean> {
    const { onceAs } = this.#options
    const byId = new Map(planned.map((item) => [item._id, item]))
    const parts = Map.groupBy(items, (item) => {
      const own = byId.get(item._id)
      return (own && onceAs?.(type, item, own)) ?? id
    })
    const published = [...parts].map(([id, items]) =>
      this.#publishAs(id, { type, event_id, items, traces: tracesOf(entry, items) }, at),
    )
    return (await Promise.all(published)).every((isTaken) => isTaken)
  }

  #publishAs(id: string, event: DomainEvent, at: Date): Promise<boolean> {
    const { domain, schemaOf } = this.#options
    return domain.publish({ ...event, ...(schemaOf && { schema: schemaOf(event.type) }) }, id, at)
  }

  #track(work: Promise<unknown>): void {
    const tracked: Promise<unknown> = work
      .catch((error) => {
        this.#options.log.warn({ err: error }, 'an outbox entry stays behind; its event is published later')
        this.#recovering.wake(RECOVERY_EVERY_MS)
      })
      .finally(() => this.#working.delete(tracked))
    this.#working.add(tracked)
  }

  /**
   * Recovers entries, the oldest first, until the stream is away. Entries that failed lately are skipped until their `retry_at`. Returns whether there
   * were any.
   */
  async #recoverAbandoned(signal: AbortSignal): Promise<boolean> {
    const { minAgeMs = MIN_AGE_MS, batchSize = BATCH_SIZE } = this.#options
    const now = Date.now()
    const due = { at: { $lte: new Date(now - minAgeMs) }, retry_at: { $not: { $gt: new Date(now) } } }
    let hasFound = false
    const cursor = this.#entries.find(due, { batchSize: batchSize }).sort({ at: 1 })
    try {
      for (
        let entries = await nextBatch(cursor, batchSize);
        entries.length > 0;
        entries = await nextBatch(cursor, batchSize)
      ) {
        hasFound = true
        const results = await Promise.all(entries.map((entry) => this.#attempt(entry, signal)))
        const isAway = results.includes(false) && !results.includes(true)
        if (signal.aborted || isAway) break
      }
    } finally {
      await cursor.close()
    }
    return hasFound
  }

  /** Recovers an entry: whether the stream has its event; undefined after an error, which postpones it. */
  async #attempt(entry: OutboxEntry<Item>, signal: AbortSignal): Promise<boolean | undefined> {
    try {
      return await this.#finish(entry)
    } catch (error) {
      if (!signal.aborted) await this.#postpone(entry, error)
      return undefined
    }
  }

  async #postpone({ _id, type, event_id, failures: before = 0 }: OutboxEntry, error: unknown): Promise<void> {
    instruments.retries.add(1, { kind: 'outbox' })
    const failures = before + 1
    const retry_at = new Date(Date.now() + Math.min(RECOVERY_EVERY_MS * 2 ** before, MAX_DELAY_MS))
    const { log } = this.#options
    const found = { err: error, entry: _id, type, event_id, failures, retry_at }
    if (failures < STUCK_AFTER) log.warn(found, 'an outbox entry stays behind; its event is published later')
    else log.error(found, 'an outbox entry cannot be published: webhooks and live feeds miss its event')
    await this.#entries.updateOne({ _id }, { $set: { failures, retry_at } })
  }

  /** Publishes an entry's event: whether the stream has it. Deletes the entry if its event is complete, or nothing more can happen. */
  async #finish(entry: OutboxEntry<Item>): Promise<boolean> {
    const { _id, event_id, at, until } = entry
    const items = await this.#options.recover(entry)
    // All processes derive the same id for the same items of a window.
    const id = until ? derivedId(event_id, `${at.getTime()}`, ...items.map((item) => item._id)) : _id
    if (!(await this.#publishItems(entry, id, items, at))) return false
    const age = Date.now() - at.getTime()
    const isAll = until === undefined && items.length === entry.items.length
    if (isAll || age > GIVEN_UP_MS) await this.#remove(_id)
    // More items are unlikely, and looking for them is expensive: not before the entry is twice as old.
    else if (until) await this.#entries.updateOne({ _id }, { $set: { retry_at: new Date(Date.now() + age) } })
    return true
  }
}

function entryOf<Item extends Identified>(event: EntryContent<Item>, at: Date): OutboxEntry<Item> {
  const traceparent = event.until ? undefined : tracedBy()
  return { ...event, _id: randomUUID(), at, ...(traceparent !== undefined && { traceparent }) }
}

/** All items of an entry are from the request that made it. */
function tracesOf({ traceparent }: Pick<OutboxEntry, 'traceparent'>, items: Identified[]): Traces | undefined {
  return traceparent === undefined ? undefined : new Map(items.map(({ _id }) => [_id, traceparent]))
}

async function nextBatch<T>(cursor: FindCursor<T>, max: number): Promise<T[]> {
  const entries: T[] = []
  while (entries.length < max && (await cursor.hasNext())) entries.push((await cursor.next()) as T)
  return entries
}
