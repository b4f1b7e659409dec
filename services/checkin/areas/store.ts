import { deleteOne, setFields } from '@gatehouse/proto/storage/documents.ts'
import { insertEachOnce, insertOnce } from '@gatehouse/proto/storage/mongo.ts'
import type { Collection, Db } from 'mongodb'

/** An area as stored. */
export interface StoredArea {
  _id: string
  event_id: string
  name: string
  /** How many persons it has room for; null: not limited. */
  capacity: number | null
  created_at: Date
  updated_at: Date
}

/** The areas collection. */
export class AreaStore {
  readonly #areas: Collection<StoredArea>

  constructor(db: Db) {
    this.#areas = db.collection('areas')
  }

  async prepare(): Promise<void> {
    await this.#areas.createIndex({ event_id: 1, created_at: 1, _id: 1 })
  }

  async insert(area: StoredArea): Promise<StoredArea> {
    return insertOnce(this.#areas, area)
  }

  /** Stores new ones, of which an earlier try may have stored some. */
  async insertMany(areas: StoredArea[]): Promise<void> {
    if (areas.length > 0) await insertEachOnce(this.#areas, areas)
  }

  /** Oldest first. */
  async ofEvent(event_id: string): Promise<StoredArea[]> {
    return this.#areas.find({ event_id }).sort({ created_at: 1, _id: 1 }).toArray()
  }

  async get(event_id: string, _id: string): Promise<StoredArea | null> {
    return this.#areas.findOne({ _id, event_id })
  }

  async update(event_id: string, _id: string, changes: Partial<StoredArea>): Promise<StoredArea | null> {
    return setFields(this.#areas, { _id, event_id }, changes)
  }

  async delete(event_id: string, _id: string): Promise<StoredArea | null> {
    return deleteOne(this.#areas, { _id, event_id })
  }
}
