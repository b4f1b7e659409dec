import { deleteOne } from '@gatehouse/proto/storage/documents.ts'
import { insertOnce } from '@gatehouse/proto/storage/mongo.ts'
import type { Collection, Db } from 'mongodb'

/** A registered app as stored. */
export interface StoredApp {
  _id: string
  name: string
  /** Its signing secret, encrypted: signatures are made with it, to compare with given ones. */
  sealed_secret: string
  created_at: Date
}

/** The registered apps: a few, for all accounts. */
export class AppStore {
  readonly #apps: Collection<StoredApp>

  constructor(db: Db) {
    this.#apps = db.collection('apps')
  }

  /** Stores a new app. Returns it, or the one that an earlier try stored. */
  async insert(app: StoredApp): Promise<StoredApp> {
    return insertOnce(this.#apps, app)
  }

  /** Oldest first. */
  async all(): Promise<StoredApp[]> {
    return this.#apps.find().sort({ _id: 1 }).toArray()
  }

  async delete(_id: string): Promise<StoredApp | null> {
    return deleteOne(this.#apps, { _id })
  }
}
