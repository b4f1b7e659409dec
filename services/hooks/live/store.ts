import { randomUUID } from 'node:crypto'
import { changeOne } from '@gatehouse/proto/storage/documents.ts'
import { unlessTaken, untilDecided } from '@gatehouse/proto/storage/mongo.ts'
import type { Collection, Db } from 'mongodb'

/** A watched event, as stored. */
interface Watch {
  /** Id of the event. */
  _id: string
  until: Date
  /** The gap before this watch, until it was published to live feeds. */
  gap?: string
}

/** A watch that ends within this time counts as ended: it could end while it is being extended. */
const ENDING_MS = 60_000

/** The watches collection. */
export class WatchStore {
  readonly #watches: Collection<Watch>

  constructor(db: Db) {
    this.#watches = db.collection('watches')
  }

  async prepare(): Promise<void> {
    await this.#watches.createIndex({ until: 1 }, { expireAfterSeconds: 0 })
  }

  /** Extends the watch of an event. Returns the id of the gap before this watch, unless it was published (`markPublished`). */
  async watch(event_id: string, until: Date): Promise<string | undefined> {
    await this.#watches.deleteOne({ _id: event_id, until: { $lte: new Date(Date.now() + ENDING_MS) } })
    const extend = () => changeOne(this.#watches, { _id: event_id }, { $max: { until } })
    const running = await untilDecided(extend)
    if (running) return running.gap
    const gap = randomUUID()
    // An insert, not an upsert: all that begin concurrently use the gap of the first.
    const begun = await unlessTaken(untilDecided(() => this.#watches.insertOne({ _id: event_id, until, gap })))
    return begun ? gap : this.watch(event_id, until)
  }

  /** Notes that a gap was published to live feeds. */
  async markPublished(event_id: string, gap: string): Promise<void> {
    await this.#watches.updateOne({ _id: event_id, gap }, { $unset: { gap: true } })
  }

  /** The watched ones of these events. */
  async among(event_ids: string[]): Promise<Set<string>> {
    const found = await this.#watches.find({ _id: { $in: event_ids }, until: { $gt: new Date() } }).toArray()
    return new Set(found.map(({ _id }) => _id))
  }

  /** Whether any event is watched. */
  async any(): Promise<boolean> {
    return (await this.#watches.findOne({ until: { $gt: new Date() } })) !== null
  }
}
