import type { Migration } from '@gatehouse/proto/storage/migrations/migration.ts'
import type { Collection, Db } from 'mongodb'
import { BY_UID, UNREAD } from './indexes.ts'
import { NOT_ENTERED, type StoredGuest } from './stored-guest.ts'

/** What is stored of a guest's first entry. */
export type GuestEntry = Pick<StoredGuest, '_id' | 'event_id' | 'uid' | 'checked_in_at' | 'entry_unread'> &
  Partial<Pick<StoredGuest, 'host_email' | 'host_mail'>>

const ENTRY = { event_id: 1, uid: 1, checked_in_at: 1, entry_unread: 1, host_email: 1, host_mail: 1 } as const
/** How long the e-mail to a host may have to wait, for a mail server. */
const HOST_MAIL_MS = 24 * 60 * 60 * 1000

/** An entry to be stored with a guest. */
export interface EntryChange {
  guest: GuestEntry
  at: Date
  /** It was in another system. */
  adopted?: boolean
}

/** Whether the guest's host is to be written to: at the first entry, unless that was begun before, or is history of another system. */
export function tellsHost({ guest: { checked_in_at, host_email, host_mail }, at, adopted }: EntryChange): boolean {
  const isFirst = checked_in_at.getTime() === NOT_ENTERED.getTime() && at > NOT_ENTERED
  return Boolean(host_email) && !host_mail && isFirst && !adopted
}

/** The first entries that are stored with guests. A change of them is none of the guest: `updated_at` and `revision` stay. */
export class EntryStore {
  readonly #guests: Collection<StoredGuest>

  constructor(db: Db) {
    this.#guests = db.collection('guests')
  }

  async withUids(event_id: string, uids: string[]): Promise<GuestEntry[]> {
    const found = this.#guests.find({ event_id, uid: { $in: uids } }, { hint: BY_UID, batchSize: uids.length + 1 })
    const guests = await found.project<GuestEntry>(ENTRY).toArray()
    // Guests who are not migrated yet lack it.
    return guests.map((guest) => ({ ...guest, checked_in_at: guest.checked_in_at ?? NOT_ENTERED }))
  }

  /** Guests of any event whose entries have to be read. */
  async unread(limit: number): Promise<GuestEntry[]> {
    return this.#guests.find({ entry_unread: true }, { hint: UNREAD, limit }).project<GuestEntry>(ENTRY).toArray()
  }

  /** Stores first entries of guests whose uid, host and stored entry are still as they were read. Returns how many these were. */
  async write(event_id: string, changes: EntryChange[]): Promise<number> {
    const now = Date.now()
    const due = { host_mail_due: new Date(now), host_mail_until: new Date(now + HOST_MAIL_MS) }
    const updates = changes.map((change) => {
      const { guest, at } = change
      const { _id, uid, checked_in_at, host_email = null } = guest
      const isNone = checked_in_at.getTime() === NOT_ENTERED.getTime()
      // A guest who is not migrated yet lacks it.
      const stored = isNone ? { $in: [NOT_ENTERED, null] as Date[] } : checked_in_at
      const filter = { _id, event_id, uid, checked_in_at: stored, host_email } as const
      const set = { checked_in_at: at, ...(tellsHost(change) && due) }
      return { updateOne: { filter, update: { $set: set, $unset: { entry_unread: 1 as const } } } }
    })
    return (await this.#guests.bulkWrite(updates, { ordered: false })).matchedCount
  }
}

/** Has the entries of guests read who are older than the field. */
export const entryMigration: Migration<StoredGuest> = {
  name: 'guests.checked_in_at',
  collection: 'guests',
  rule: 'first',
  fields: ['event_id', 'checked_in_at'],
  change: ({ _id, event_id, checked_in_at }) => {
    if ((checked_in_at as Date | undefined) !== undefined) return undefined
    const filter = { _id, event_id, checked_in_at: { $exists: false } }
    return { filter, update: { $set: { checked_in_at: NOT_ENTERED, entry_unread: true } } }
  },
}
