import type { Collection, Db } from 'mongodb'

/** A registered app as stored. */
export interface App {
  _id: string
  name: string
  /** Its signing secret, sealed: it has to be read again to make a signature to compare with. */
  sealed_secret: string
  created_at: Date
}

/** The registered apps: few, and of the service as a whole. */
export class AppStore {
  readonly #apps: Collection<App>

  constructor(db: Db) {
    this.#apps = db.collection('apps')
  }

  async insert(app: App): Promise<void> {
    await this.#apps.insertOne(app)
  }

  /** Oldest first. */
  async all(): Promise<App[]> {
    return this.#apps.find().sort({ _id: 1 }).toArray()
  }

  async delete(_id: string): Promise<App | null> {
    return this.#apps.findOneAndDelete({ _id })
  }
}
