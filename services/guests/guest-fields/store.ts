import { copiesOf } from '@gatehouse/proto/serving/copies.ts'
import { type Adopted, adoptAll } from '@gatehouse/proto/storage/adopting.ts'
import { setFields } from '@gatehouse/proto/storage/documents.ts'
import { insertEachOnce, insertOnce, unlessTaken } from '@gatehouse/proto/storage/mongo.ts'
import type { Collection, Db } from 'mongodb'
import type { GuestField } from './resource.ts'

/** Defaults for documents older than these fields. */
const ADDED_LATER = { use_in_registration: false, is_required: false, on_device: false }
/** The guest fields of an event that devices may show. */
const MAX_ON_DEVICE = 20

/** The guest fields collection. A key is unique in its event, by an index. */
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
    const fields = await this.#fields.find({ event_id }).sort({ created_at: 1, _id: 1 }).toArray()
    return fields.map((field) => ({ ...ADDED_LATER, ...field }))
  }

  /** The first fields whose values devices at the door show. */
  async onDevice(event_id: string): Promise<GuestField[]> {
    return (await this.ofEvent(event_id)).filter(({ on_device }) => on_device).slice(0, MAX_ON_DEVICE)
  }

  /** Copies the fields of an event into one that was created `at`; a further try changes nothing. */
  async copy({ from_event_id, event_id, at }: { from_event_id: string; event_id: string; at: Date }): Promise<void> {
    const fields = copiesOf(await this.ofEvent(from_event_id), event_id, at)
    await this.insertMany(fields.map((field) => ({ ...field, object_id: event_id })))
  }

  async get(event_id: string, _id: string): Promise<GuestField | null> {
    const field = await this.#fields.findOne({ _id, event_id })
    return field && { ...ADDED_LATER, ...field }
  }

  /** Stores a new field. Returns it, or the one that an earlier try stored, or undefined if the key is taken. */
  async insert(field: GuestField): Promise<GuestField | undefined> {
    return unlessTaken(insertOnce(this.#fields, field))
  }

  /** Stores new fields. Returns them by `_id`; those whose key is taken are missing. */
  async insertMany(fields: GuestField[]): Promise<Map<string, GuestField>> {
    const stored = fields.length > 0 ? await insertEachOnce(this.#fields, fields) : []
    return new Map(stored.flatMap((field) => (field ? [[field._id, field]] : [])))
  }

  /** Stores fields of another system. */
  async adopt(fields: GuestField[], compares: boolean): Promise<Adopted[]> {
    return adoptAll(this.#fields, fields, { compares, unique: 'key' })
  }

  /** The changed field; null if there is none, undefined if the new key is taken. */
  async update(event_id: string, _id: string, changes: Partial<GuestField>): Promise<GuestField | null | undefined> {
    const field = await unlessTaken(setFields(this.#fields, { _id, event_id }, changes))
    return field && { ...ADDED_LATER, ...field }
  }
}
