import { randomUUID } from 'node:crypto'
import { unlessTaken, untilDecided } from '@gatehouse/proto/storage/mongo.ts'
import type { Collection, Db } from 'mongodb'

/** An event that is watched, as stored. */
interface Watch {
  /** The event. */
  _id: string
  until: Date
  /** The gap before this watch, for as long as live feeds may not have been told of it. */
  gap?: string
}

/** A watch that ends so soon counts as ended: it might while it is being extended. */
const ENDING_MS = 60_000

/** The watched events. */
export class WatchStore {
  readonly #watches: Collection<Watch>

  constructor(db: Db) {
    this.#watches = db.collection('watches')
  }

  async prepare(): Promise<void> {
    await this.#watches.createIndex({ until: 1 }, { expireAfterSeconds: 0 })
  }

  /** Has an event watched until then. The id of the gap before this watch, unless live feeds were told of it (`markPublished`). */
  async watch(event_id: string, until: Date): Promise<string | undefined> {
    await this.#watches.deleteOne({ _id: event_id, until: { $lte: new Date(Date.now() + ENDING_MS) } })
    const extend = () =>
      this.#watches.findOneAndUpdate({ _id: event_id }, { $max: { until } }, { returnDocument: 'after' })
    const running = await untilDecided(extend)
    if (running) return running.gap
    const gap = randomUUID()
    // Inserted, not upserted: of several that begin at once all go by the first.
    const begun = await unlessTaken(untilDecided(() => this.#watches.insertOne({ _id: event_id, until, gap })))
    return begun ? gap : this.watch(event_id, until)
  }

  /** Live feeds were told of a gap. */
  async markPublished(event_id: string, gap: string): Promise<void> {
    await this.#watches.updateOne({ _id: event_id, gap }, { $unset: { gap: true } })
  }

  /** Which of these events are watched. */
  async among(event_ids: string[]): Promise<Set<string>> {
    const found = await this.#watches.find({ _id: { $in: event_ids }, until: { $gt: new Date() } }).toArray()
    return new Set(found.map(({ _id }) => _id))
  }

  /** Whether any event is watched. */
  async any(): Promise<boolean> {
    return (await this.#watches.findOne({ until: { $gt: new Date() } })) !== null
  }
}
