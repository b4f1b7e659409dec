import { changeOne } from '@gatehouse/proto/storage/documents.ts'
import type { Collection, Db, Filter } from 'mongodb'
import { NOT_ENTERED, type StoredGuest } from '../guests/stored-guest.ts'

const DUE = 'host_mail_due_1'
const POSTPONED_MS = 60_000

export type HostMailKey = Pick<StoredGuest, '_id' | 'event_id'>

/** The e-mails to hosts in the guests collection. They are no change of the guest: `updated_at` and `revision` stay. */
export class HostMailStore {
  readonly #guests: Collection<StoredGuest>

  constructor(db: Db) {
    this.#guests = db.collection('guests')
  }

  async prepare(): Promise<void> {
    const partialFilterExpression = { host_mail_due: { $exists: true } }
    await this.#guests.createIndex({ host_mail_due: 1 }, { name: DUE, partialFilterExpression })
  }

  /** Guests of all events whose hosts are to be written to, oldest first. */
  async due(limit: number): Promise<HostMailKey[]> {
    const waiting = this.#guests.find({ host_mail_due: { $lte: new Date() } }, { hint: DUE })
    return waiting.sort({ host_mail_due: 1 }).limit(limit).project<HostMailKey>({ event_id: 1 }).toArray()
  }

  /** Begins an e-mail under a claim. Returns the guest; null if it was begun under another one, or must not be sent. */
  async begin({ _id, event_id }: HostMailKey, claim: string): Promise<StoredGuest | null> {
    const now = new Date()
    const due = { _id, event_id, host_mail_due: { $lte: now } } as const
    const sendable: Filter<StoredGuest> = {
      host_mail: { $exists: false },
      host_email: { $nin: [null, ''] },
      checked_in_at: { $gt: NOT_ENTERED },
      host_mail_until: { $gt: now },
    }
    const update = { $set: { host_mail: claim }, $unset: { host_mail_due: 1 } } as const
    const begun = await changeOne(this.#guests, { ...due, ...sendable }, update)
    const guest = begun ?? (await this.#guests.findOne({ _id, event_id, host_mail: claim }))
    // Another entry makes it due again.
    if (!guest) await this.#guests.updateOne({ ...due, $nor: [sendable] }, { $unset: { host_mail_due: 1 } })
    return guest
  }

  /** Makes an e-mail due again that was begun under a claim. */
  async postpone({ _id, event_id }: HostMailKey, claim: string): Promise<void> {
    await this.#guests.updateOne(
      { _id, event_id, host_mail: claim },
      { $set: { host_mail_due: new Date(Date.now() + POSTPONED_MS) }, $unset: { host_mail: 1 } },
    )
  }
}
