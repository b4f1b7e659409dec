import { derivedId } from '@gatehouse/proto/bus/client.ts'
import { storedWith } from '@gatehouse/proto/storage/adopting.ts'
import { deleteOne } from '@gatehouse/proto/storage/documents.ts'
import { unlessTaken, untilDecided } from '@gatehouse/proto/storage/mongo.ts'
import { upserted } from '@gatehouse/proto/storage/upserted.ts'
import { Binary, type Collection, type Db } from 'mongodb'
import type { Owner } from '../owners.ts'

/** A file as stored. */
export interface StoredFile extends Owner {
  _id: string
  key: string
  filename: string
  content_type: string
  size: number
  bytes: Binary
  /** It is as another system gave it: whoever uploads one removes this. */
  adopted?: true
  created_at: Date
}

/** A file without its bytes. */
export type StoredFileHead = Omit<StoredFile, 'bytes'>

const HEAD = { bytes: 0 } as const

/** The files collection: one file for each guest and key. A document holds the bytes too, so a file is stored as a whole or not at all. */
export class FileStore {
  readonly #files: Collection<StoredFile>

  constructor(db: Db) {
    this.#files = db.collection('files')
  }

  async prepare(): Promise<void> {
    await this.#files.createIndex({ event_id: 1, guest_id: 1, key: 1 }, { unique: true })
  }

  async head(event_id: string, guest_id: string, key: string): Promise<StoredFileHead | null> {
    return this.#files.findOne<StoredFileHead>({ event_id, guest_id, key }, { projection: HEAD })
  }

  async get(event_id: string, guest_id: string, key: string): Promise<StoredFile | null> {
    return this.#files.findOne({ event_id, guest_id, key })
  }

  /** Sorted by guest and key. */
  async ofGuests(event_id: string, guest_ids: string[]): Promise<StoredFileHead[]> {
    return this.#files
      .find({ event_id, guest_id: { $in: guest_ids } })
      .sort({ event_id: 1, guest_id: 1, key: 1 })
      .project<StoredFileHead>(HEAD)
      .toArray()
  }

  /** Stores a file. It replaces the previous one. */
  async put({
    event_id,
    guest_id,
    key,
    ...file
  }: Omit<StoredFile, '_id' | 'bytes'> & { bytes: Buffer }): Promise<void> {
    const _id = derivedId('file', event_id, guest_id, key)
    const change = { $set: { ...file, bytes: new Binary(file.bytes) }, $unset: { adopted: 1 as const } }
    const write = () => this.#files.updateOne({ _id, event_id, guest_id, key }, change, { upsert: true })
    await upserted(() => untilDecided(write))
  }

  /** Stores a file of another system in place of the one that was read, or of none. False if there is another one by now. */
  async putAdopted(
    { bytes, ...file }: Omit<StoredFile, '_id' | 'bytes' | 'adopted'> & { bytes: Buffer },
    before: StoredFile | null,
  ): Promise<boolean> {
    const { event_id, guest_id, key } = file
    const _id = derivedId('file', event_id, guest_id, key)
    const content = { ...file, bytes: new Binary(bytes), adopted: true as const }
    if (!before)
      return (await unlessTaken(untilDecided(() => this.#files.insertOne({ _id, ...content })))) !== undefined
    const asRead = { _id, event_id, adopted: true as const, bytes: before.bytes }
    const { matchedCount } = await untilDecided(() => this.#files.updateOne(asRead, { $set: content }))
    return matchedCount > 0
  }

  async delete(event_id: string, guest_id: string, key: string): Promise<StoredFileHead | null> {
    return deleteOne(this.#files, { event_id, guest_id, key }, { projection: HEAD }) as Promise<StoredFileHead | null>
  }

  /** Those with these ids. */
  withIds(event_id: string, ids: string[]): Promise<StoredFile[]> {
    return storedWith(this.#files, event_id, ids)
  }

  /** Deletes one of another system, unless another one has taken its place. */
  async deleteAdopted({ _id, event_id, created_at }: StoredFile): Promise<boolean> {
    return (await deleteOne(this.#files, { _id, event_id, created_at, adopted: true })) !== null
  }

  async deleteOfGuests(event_id: string, guest_ids: string[]): Promise<void> {
    await this.#files.deleteMany({ event_id, guest_id: { $in: guest_ids } })
  }
}
