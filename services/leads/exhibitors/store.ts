import { setFields } from '@gatehouse/proto/storage/documents.ts'
import { unlessTaken } from '@gatehouse/proto/storage/mongo.ts'
import type { Collection, Db, Filter } from 'mongodb'
import type { Exhibitor } from './resource.ts'

/** An exhibitor as stored, without its token. */
export interface StoredExhibitor extends Exhibitor {
  /** SHA-256 of the access token, in hex. */
  token_hash: string
  /** Deleted to all clients; the document stays until its leads are deleted, so that an interrupted deletion can be finished. */
  deleted: boolean
}

/** Defaults for documents older than these fields. */
const ADDED_LATER = { meta_data: {} }

const HIDDEN = { projection: { token_hash: 0, deleted: 0 } } as const

/** The exhibitors collection. */
export class ExhibitorStore {
  readonly #exhibitors: Collection<StoredExhibitor>

  constructor(db: Db) {
    this.#exhibitors = db.collection('exhibitors')
  }

  async prepare(): Promise<void> {
    await this.#exhibitors.createIndexes([
      { key: { token_hash: 1 }, unique: true },
      { key: { event_id: 1, created_at: 1, _id: 1 } },
      { key: { deleted: 1 }, partialFilterExpression: { deleted: true } },
    ])
  }

  /** In the order of their creation. */
  async ofEvent(event_id: string): Promise<Exhibitor[]> {
    const all = { event_id, deleted: false }
    return this.#exhibitors.find(all, HIDDEN).sort({ created_at: 1, _id: 1 }).map(whole).toArray()
  }

  async get(event_id: string, _id: string): Promise<Exhibitor | null> {
    return this.#one({ _id, event_id, deleted: false })
  }

  /** The exhibitor whose token has this hash. */
  async findByToken(token_hash: string): Promise<Exhibitor | null> {
    return this.#one({ token_hash, deleted: false })
  }

  /** Those of the hashes that are of exhibitors' tokens. */
  async existingHashes(hashes: string[]): Promise<Set<string>> {
    const found = this.#exhibitors.find(
      { token_hash: { $in: hashes }, deleted: false },
      { projection: { token_hash: 1 } },
    )
    return new Set((await found.toArray()).map(({ token_hash }) => token_hash))
  }

  /** Stores a new exhibitor. If an earlier try stored it, it gets the new token, since the first was never shown. */
  async insert(exhibitor: StoredExhibitor): Promise<Exhibitor | null> {
    if (await unlessTaken(this.#exhibitors.insertOne(exhibitor))) return exhibitor
    const { event_id, _id, token_hash } = exhibitor
    return this.update(event_id, _id, { token_hash })
  }

  /** The changed exhibitor; null if there is none. */
  async update(event_id: string, _id: string, changes: Partial<StoredExhibitor>): Promise<Exhibitor | null> {
    const exhibitor = await setFields(this.#exhibitors, { _id, event_id, deleted: false }, changes, HIDDEN)
    return exhibitor && whole(exhibitor)
  }

  /** Deletes an exhibitor to all clients. Returns it, also if its deletion was interrupted; null if there is none. */
  async markDeleted(event_id: string, _id: string): Promise<Exhibitor | null> {
    const exhibitor = await this.#exhibitors.findOneAndUpdate({ _id, event_id }, { $set: { deleted: true } }, HIDDEN)
    return exhibitor && whole(exhibitor)
  }

  async #one(which: Filter<StoredExhibitor>): Promise<Exhibitor | null> {
    const exhibitor = await this.#exhibitors.findOne(which, HIDDEN)
    return exhibitor && whole(exhibitor)
  }

  /** Exhibitors of all events whose deletion was interrupted. */
  async halfDeleted(): Promise<Exhibitor[]> {
    return this.#exhibitors.find({ deleted: true }, HIDDEN).toArray()
  }

  /** Removes the document of a deleted exhibitor. */
  async remove({ event_id, _id }: Exhibitor): Promise<void> {
    await this.#exhibitors.deleteOne({ _id, event_id, deleted: true })
  }
}

function whole(exhibitor: Exhibitor): Exhibitor {
  return { ...ADDED_LATER, ...exhibitor }
}
