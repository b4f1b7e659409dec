import type { Collection, Db } from 'mongodb'

/** An event that is watched, as stored. */
interface Watch {
  /** The event. */
  _id: string
  until: Date
}

/** The watched events. */
export class WatchStore {
  readonly #watches: Collection<Watch>

  constructor(db: Db) {
    this.#watches = db.collection('watches')
  }

  async prepare(): Promise<void> {
    await this.#watches.createIndex({ until: 1 }, { expireAfterSeconds: 0 })
  }

  async watch(event_id: string, until: Date): Promise<void> {
    await this.#watches.updateOne({ _id: event_id }, { $max: { until } }, { upsert: true })
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
