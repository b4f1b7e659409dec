import { type Adopted, type Adoption, adoptAll, storedWith } from '@gatehouse/proto/storage/adopting.ts'
import { changeOne, setFields } from '@gatehouse/proto/storage/documents.ts'
import { unlessTaken } from '@gatehouse/proto/storage/mongo.ts'
import type { Collection, Db, Filter } from 'mongodb'
import type { Exhibitor } from './resource.ts'

/** An exhibitor as stored, without its token. */
export interface StoredExhibitor extends Exhibitor {
  /** SHA-256 of the access token, in hex. */
  token_hash: string
  /** Deleted to all clients; the document stays until its leads are deleted, so that an interrupted deletion can be finished. */
  deleted: boolean
  /** The phones of its stand, the oldest first; absent if there never was one. */
  phones?: StoredPhone[]
  /** How another system gave it last; absent if it was made here. */
  adopted?: Adoption
}

/** A phone of a stand: a code that waits, and once that is exchanged a token beside the exhibitor's own. */
interface StoredPhone {
  /** Keyed hash of its code. */
  code_hash: string
  code_expires_at: Date
  /** The exchange that has used the code. */
  exchange_id?: string
  /** SHA-256 of its token, in hex. */
  token_hash?: string
  enrolled_at?: Date
}

/** Most phones of a stand, codes that wait included: a further code ends the oldest. */
const MAX_PHONES = 100

/** Defaults for documents older than these fields. */
const ADDED_LATER = { meta_data: {} }

const HIDDEN = { projection: { token_hash: 0, deleted: 0, phones: 0 } } as const

/** The exhibitors collection. */
export class ExhibitorStore {
  readonly #exhibitors: Collection<StoredExhibitor>

  constructor(db: Db) {
    this.#exhibitors = db.collection('exhibitors')
  }

  async prepare(): Promise<void> {
    await this.#exhibitors.createIndexes([
      { key: { token_hash: 1 }, unique: true },
      { key: { 'phones.token_hash': 1 } },
      { key: { 'phones.code_hash': 1 } },
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

  /** The exhibitor whose token has this hash, or that of one of its phones. */
  async findByToken(token_hash: string): Promise<Exhibitor | null> {
    const own = await this.#one({ token_hash, deleted: false })
    return own ?? this.#one({ 'phones.token_hash': token_hash, deleted: false })
  }

  /** Those of the hashes that are of exhibitors' tokens. */
  async existingHashes(hashes: string[]): Promise<Set<string>> {
    const hashesOf = { projection: { token_hash: 1, 'phones.token_hash': 1 } }
    const [own, ofPhones] = await Promise.all([
      this.#exhibitors.find({ token_hash: { $in: hashes }, deleted: false }, hashesOf).toArray(),
      this.#exhibitors.find({ 'phones.token_hash': { $in: hashes }, deleted: false }, hashesOf).toArray(),
    ])
    const phones = ofPhones.flatMap((exhibitor) => exhibitor.phones ?? [])
    return new Set([...own, ...phones].flatMap(({ token_hash }) => token_hash ?? []))
  }

  /** Stores a new exhibitor. If an earlier try stored it, it gets the new token, since the first was never shown. */
  async insert(exhibitor: StoredExhibitor): Promise<Exhibitor | null> {
    if (await unlessTaken(this.#exhibitors.insertOne(exhibitor))) return exhibitor
    const { event_id, _id, token_hash } = exhibitor
    return this.update(event_id, _id, { token_hash })
  }

  /** Stores exhibitors of another system, or compares them; `hashes` are those of their tokens, by `_id`. */
  async adopt(exhibitors: Exhibitor[], hashes: ReadonlyMap<string, string>, compares: boolean): Promise<Adopted[]> {
    const aside = ({ _id }: Exhibitor) => ({ token_hash: hashes.get(_id), deleted: false })
    const collection = this.#exhibitors as unknown as Collection<Exhibitor>
    return adoptAll<Exhibitor>(collection, exhibitors, { compares, unique: 'access_token', aside })
  }

  /** Those with these ids, deleted ones too. */
  withIds(event_id: string, ids: string[]): Promise<StoredExhibitor[]> {
    return storedWith(this.#exhibitors, event_id, ids)
  }

  /** The changed exhibitor; null if there is none. */
  async update(event_id: string, _id: string, changes: Partial<StoredExhibitor>): Promise<Exhibitor | null> {
    const exhibitor = await setFields(this.#exhibitors, { _id, event_id, deleted: false }, changes, HIDDEN)
    return exhibitor && whole(exhibitor)
  }

  /** Gives the exhibitor another token. Those of its phones end too, and so do their codes. */
  async rollToken(event_id: string, _id: string, token_hash: string): Promise<Exhibitor | null> {
    const exhibitor = await changeOne(
      this.#exhibitors,
      { _id, event_id, deleted: false },
      { $set: { token_hash, updated_at: new Date() }, $unset: { phones: '' } },
      HIDDEN,
    )
    return exhibitor && whole(exhibitor)
  }

  /** Adds a phone that waits for its code to be exchanged. Codes that nobody exchanged in time are dropped. */
  async addPhone(event_id: string, _id: string, phone: StoredPhone): Promise<Exhibitor | null> {
    const which = { _id, event_id, deleted: false }
    const expired = { exchange_id: { $exists: false }, code_expires_at: { $lte: new Date() } }
    await this.#exhibitors.updateOne(which, { $pull: { phones: expired } })
    const added = { phones: { $each: [phone], $slice: -MAX_PHONES } }
    const exhibitor = await changeOne(this.#exhibitors, which, { $push: added }, HIDDEN)
    return exhibitor && whole(exhibitor)
  }

  /** Gives the phone of a code its token. Null if no such code waits; the exchange that has used it may come again. */
  async enrolPhone(code_hash: string, exchange_id: string, token_hash: string): Promise<Exhibitor | null> {
    const now = new Date()
    const usable = { code_hash, code_expires_at: { $gt: now } }
    for (const state of [{ exchange_id: { $exists: false } }, { exchange_id }]) {
      const exhibitor = await changeOne(
        this.#exhibitors,
        { deleted: false, phones: { $elemMatch: { ...usable, ...state } } } as Filter<StoredExhibitor>,
        {
          $set: { 'phones.$.exchange_id': exchange_id, 'phones.$.token_hash': token_hash, 'phones.$.enrolled_at': now },
        },
        HIDDEN,
      )
      if (exhibitor) return whole(exhibitor)
    }
    return null
  }

  /** Deletes an exhibitor to all clients, only `as` it was read if that is given. Returns it, also if its deletion was interrupted; null if there is none. */
  async markDeleted(event_id: string, _id: string, as: { updated_at?: Date } = {}): Promise<Exhibitor | null> {
    const which = { _id, event_id, ...as }
    const exhibitor = await this.#exhibitors.findOneAndUpdate(which, { $set: { deleted: true } }, HIDDEN)
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
