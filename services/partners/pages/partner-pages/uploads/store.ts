import type { Binary, Collection, Db } from 'mongodb'

/** What came of sending an upload: numbers of its rows. */
export interface UploadReport {
  invited: number
  already: number
  duplicates: number
  bad: number
  /** Beyond a quota. */
  beyond: number
}

/**
 * What a partner pasted or uploaded, until it is sent. It belongs to its token alone. The content stays as it came, and is read again at each
 * step: so its size is bounded, however long the names of its columns are, and each step shows the campaign as it is then.
 */
export interface StoredUpload {
  _id: string
  event_id: string
  partner_campaign_id: string
  token_hash: string
  /** Pasted text, which a form can show again; otherwise a file. */
  is_pasted: boolean
  /** Absent once it was sent. */
  bytes?: Binary
  created_at: Date
  /** When its sending began. */
  sending_at?: Date
  report?: UploadReport
}

/** Whose an upload is: it is stored for one token of a campaign. */
export type UploadOwner = Pick<StoredUpload, 'event_id' | 'partner_campaign_id' | 'token_hash'>

/** How long an upload is kept. */
const KEPT_SECONDS = 3_600
/** Uploads of a token that are kept; a new one replaces the oldest. */
const MOST = 5
const OF_TOKEN = 'token_hash_1_created_at_-1__id_-1'

/** The uploads collection. */
export class UploadStore {
  readonly #uploads: Collection<StoredUpload>

  constructor(db: Db) {
    this.#uploads = db.collection('partner_uploads')
  }

  async prepare(): Promise<void> {
    await this.#uploads.createIndexes([
      { key: { token_hash: 1, created_at: -1, _id: -1 }, name: OF_TOKEN },
      { key: { created_at: 1 }, expireAfterSeconds: KEPT_SECONDS },
    ])
  }

  /** Stores an upload, and deletes the oldest ones of its token beyond the limit. */
  async add(upload: StoredUpload): Promise<void> {
    await this.#uploads.insertOne(upload)
    const { token_hash, event_id } = upload
    const beyond = await this.#uploads
      .find({ token_hash, event_id }, { hint: OF_TOKEN })
      .sort({ created_at: -1, _id: -1 })
      .skip(MOST)
      .project<{ _id: string }>({ _id: 1 })
      .toArray()
    if (beyond.length === 0) return
    await this.#uploads.deleteMany({ _id: { $in: beyond.map(({ _id }) => _id) }, event_id })
  }

  /** An upload of a token; null if it is too old, or another's. */
  async get({ event_id, partner_campaign_id, token_hash }: UploadOwner, _id: string): Promise<StoredUpload | null> {
    const upload = await this.#uploads.findOne({ _id, event_id, partner_campaign_id, token_hash })
    return upload && upload.created_at > new Date(Date.now() - KEPT_SECONDS * 1_000) ? upload : null
  }

  /** Notes that an upload is being sent. Returns when that began, at the first of several tries. */
  async begin({ _id, event_id }: StoredUpload): Promise<Date> {
    const now = new Date()
    await this.#uploads.updateOne({ _id, event_id, sending_at: { $exists: false } }, { $set: { sending_at: now } })
    const upload = await this.#uploads.findOne({ _id, event_id }, { projection: { sending_at: 1 } })
    return upload?.sending_at ?? now
  }

  /** Stores what came of sending an upload, and forgets its content. */
  async end({ _id, event_id }: StoredUpload, report: UploadReport): Promise<void> {
    await this.#uploads.updateOne({ _id, event_id }, { $set: { report }, $unset: { bytes: 1 } })
  }
}
