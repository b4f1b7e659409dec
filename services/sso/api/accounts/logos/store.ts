import { derivedId } from '@gatehouse/proto/bus/client.ts'
import { untilDecided } from '@gatehouse/proto/storage/mongo.ts'
import { upserted } from '@gatehouse/proto/storage/upserted.ts'
import { Binary, type Collection, type Db } from 'mongodb'

interface StoredLogo {
  /** Follows from account and bytes, so that its address never shows anything else. */
  _id: string
  account_id: string
  bytes: Binary
  stored_at: Date
}

/** An upload that is under way may not be the account's logo yet. */
const SPARED_MS = 60_000

/** The logos collection. The account names its logo; others are left over from replaced ones. */
export class LogoStore {
  readonly #logos: Collection<StoredLogo>

  constructor(db: Db) {
    this.#logos = db.collection('logos')
  }

  async prepare(): Promise<void> {
    await this.#logos.createIndex({ account_id: 1 })
  }

  async get(_id: string): Promise<Buffer | null> {
    const logo = await this.#logos.findOne({ _id })
    return logo && Buffer.from(logo.bytes.buffer)
  }

  /** Stores a logo, and returns its id. */
  async put(account_id: string, bytes: Buffer): Promise<string> {
    const _id = derivedId('logo', account_id, bytes.toString('base64'))
    const change = { $set: { account_id, bytes: new Binary(bytes), stored_at: new Date() } }
    await upserted(() => untilDecided(() => this.#logos.updateOne({ _id }, change, { upsert: true })))
    return _id
  }

  /** Deletes what a logo has replaced. */
  async deleteOthers(account_id: string, _id: string): Promise<void> {
    const stored_at = { $lt: new Date(Date.now() - SPARED_MS) }
    await this.#logos.deleteMany({ account_id, _id: { $ne: _id }, stored_at })
  }

  async deleteAll(account_id: string): Promise<void> {
    await this.#logos.deleteMany({ account_id })
  }
}
