import { DUPLICATE_KEY, insertOnce, unlessTaken } from '@gatehouse/proto/storage/mongo.ts'
import { type Collection, type Db, MongoBulkWriteError } from 'mongodb'
import type { GuestField } from './resource.ts'

/** The guest fields collection. A key stands once in an event: a unique index keeps that. */
export class GuestFieldStore {
  readonly #fields: Collection<GuestField>

  constructor(db: Db) {
    this.#fields = db.collection('guest_fields')
  }

  async prepare(): Promise<void> {
    await this.#fields.createIndexes([
      { key: { event_id: 1, key: 1 }, unique: true },
      { key: { event_id: 1, created_at: 1, _id: 1 } },
    ])
  }

  /** In the order of their creation. */
  async ofEvent(event_id: string): Promise<GuestField[]> {
    return this.#fields.find({ event_id }).sort({ created_at: 1, _id: 1 }).toArray()
  }

  async get(event_id: string, _id: string): Promise<GuestField | null> {
    return this.#fields.findOne({ _id, event_id })
  }

  /** Stores a new field, or gives the one that an earlier try stored. Undefined when its key is taken. */
  async insert(field: GuestField): Promise<GuestField | undefined> {
    return unlessTaken(insertOnce(this.#fields, field))
  }

  /** Stores new fields of one event. Those that are missing in the answer, by `_id`, have a key that is taken. */
  async insertMany(event_id: string, fields: GuestField[]): Promise<Map<string, GuestField>> {
    const stored = new Map(fields.map((field) => [field._id, field]))
    if (fields.length === 0) return stored
    try {
      await this.#fields.insertMany(fields, { ordered: false })
      return stored
    } catch (error) {
      if (!(error instanceof MongoBulkWriteError)) throw error
      const refusals = [error.writeErrors].flat()
      if (!refusals.every(isDuplicateWrite)) throw error
      const refused = refusals.flatMap(({ index }) => fields[index]?._id ?? [])
      for (const _id of refused) stored.delete(_id)
      // An earlier try with the same Idempotency-Key may have stored them.
      const earlier = await this.#fields.find({ _id: { $in: refused }, event_id }).toArray()
      for (const field of earlier) stored.set(field._id, field)
      return stored
    }
  }

  /** The changed field; null when there is none, undefined when the new key is taken. */
  async update(event_id: string, _id: string, changes: Partial<GuestField>): Promise<GuestField | null | undefined> {
    return unlessTaken(
      this.#fields.findOneAndUpdate(
        { _id, event_id },
        { $set: { ...changes, updated_at: new Date() } },
        { returnDocument: 'after' },
      ),
    )
  }
}

function isDuplicateWrite({ code }: { code: number }): boolean {
  return code === DUPLICATE_KEY
}
