import { type Adopted, adoptAll } from '@gatehouse/proto/storage/adopting.ts'
import { changeOne, setFields } from '@gatehouse/proto/storage/documents.ts'
import { insertOnce } from '@gatehouse/proto/storage/mongo.ts'
import type { Collection, Db } from 'mongodb'
import { defaultLeadGuestFields, type Event } from './resource.ts'

/** An event as stored, without its counts. */
export type StoredEvent = Omit<Event, 'guest_count' | 'check_in_count' | 'signature_count'> & {
  /** Key and IV of its QR codes, encrypted (ciphering.ts); present once ciphering has been switched on. */
  ciphering?: string
  /** Of which event it is a copy, and since when; nobody sees it until that is complete (copying.ts). */
  copying?: { event_id: string; since: Date }
  /** It comes from an archive, and nobody sees it until all of that is stored (event-archives). */
  importing?: { since: Date }
  /** It is deleted, and nobody sees it; which services have dropped what they hold of it, in which pass, and when a process works on it next. */
  deleting?: Deletion
}

/** How far the deletion of an event is. */
interface Deletion {
  due: Date
  pass: 1 | 2
  dropped: string[]
}

/** Defaults for documents older than these fields. */
const ADDED_LATER = {
  lead_guest_fields: defaultLeadGuestFields,
  qr_code_ciphering_enabled: false,
  device_qr_code_key_enabled: false,
  platform_event_id: null,
  location: null,
  archived_at: null,
  day_starts_at: '00:00',
}

/** Of events that are complete, and not deleted. */
const SETTLED = {
  copying: { $exists: false },
  importing: { $exists: false },
  deleting: { $exists: false },
} as const

/** The list's index, named in its query: without statistics the planner may sort. */
const BY_ACCOUNT = 'account_id_1_created_at_-1__id_-1'

const DAY_MS = 86_400_000
const WITH_RETENTION = 'personal_data_days_1'

/** The events collection. */
export class EventStore {
  readonly #events: Collection<StoredEvent>

  constructor(db: Db) {
    this.#events = db.collection('events')
  }

  async prepare(): Promise<void> {
    await this.#events.createIndex({ account_id: 1, created_at: -1, _id: -1 }, { name: BY_ACCOUNT })
    const having = (field: string, name: string) =>
      this.#events.createIndex({ [field]: 1 }, { name, partialFilterExpression: { [field]: { $exists: true } } })
    await having('copying.since', 'copying')
    await having('deleting.due', 'deleting')
    await having('personal_data_days', WITH_RETENTION)
  }

  /** Newest creation first; with `_id`, that event only. */
  async ofAccount(account_id: string, _id?: string): Promise<StoredEvent[]> {
    return this.#events
      .find({ account_id, ...(_id && { _id }), ...SETTLED }, { hint: BY_ACCOUNT })
      .sort({ created_at: -1, _id: -1 })
      .map(whole)
      .toArray()
  }

  /** The events, of all accounts, whose personal data is to be erased by now. */
  async beyondRetention(): Promise<StoredEvent[]> {
    const found = await this.#events
      .find({ personal_data_days: { $exists: true }, ...SETTLED }, { hint: WITH_RETENTION })
      .toArray()
    return found.filter(({ personal_data_days: days, end_date }) => {
      return typeof days === 'number' && end_date && end_date.getTime() + days * DAY_MS <= Date.now()
    })
  }

  async get(_id: string): Promise<StoredEvent | null> {
    const event = await this.#events.findOne({ _id, ...SETTLED })
    return event && whole(event)
  }

  /** Stores a new event. Returns it, or the one that an earlier try stored. */
  async insert(event: StoredEvent): Promise<StoredEvent> {
    return insertOnce(this.#events, event)
  }

  /** Stores events of another system. */
  async adopt(events: StoredEvent[], compares: boolean): Promise<Adopted[]> {
    return adoptAll(this.#events, events, { compares })
  }

  async update(_id: string, changes: Partial<StoredEvent>): Promise<StoredEvent | null> {
    const event = await setFields(this.#events, { _id, ...SETTLED }, changes)
    return event && whole(event)
  }

  /** Copies that were begun before a time and are not complete. */
  async unsettledSince(before: Date): Promise<StoredEvent[]> {
    return this.#events
      .find({ 'copying.since': { $lt: before }, deleting: { $exists: false } })
      .map(whole)
      .toArray()
  }

  /** Shows a copy that is complete. Returns it; null if there is none. */
  async settle(_id: string): Promise<StoredEvent | null> {
    const event = await changeOne(this.#events, { _id, deleting: { $exists: false } }, { $unset: { copying: 1 } })
    return event && whole(event)
  }

  /** Stores an event of an archive. Returns it, or the event that has its `_id`, in whatever state. */
  async beginImport(event: StoredEvent): Promise<StoredEvent> {
    return insertOnce(this.#events, { ...event, importing: { since: new Date() } })
  }

  /** Events of an account whose archives were not imported to their end, the newest creation first; with `_id`, that one only. */
  async imports(account_id: string, _id?: string): Promise<StoredEvent[]> {
    const begun = { importing: { $exists: true }, deleting: { $exists: false } }
    return this.#events
      .find({ account_id, ...(_id && { _id }), ...begun }, { hint: BY_ACCOUNT })
      .sort({ created_at: -1, _id: -1 })
      .map(whole)
      .toArray()
  }

  /** Shows an event of an archive that is complete. Returns it; null if there is none. */
  async finishImport(account_id: string, _id: string): Promise<StoredEvent | null> {
    const event = await changeOne(
      this.#events,
      { _id, account_id, copying: { $exists: false }, deleting: { $exists: false } },
      { $unset: { importing: 1 } },
    )
    return event && whole(event)
  }

  /** Gives up an event of an archive that is not complete. False if there is none. */
  async withdrawImport(account_id: string, _id: string): Promise<boolean> {
    const deleting: Deletion = { due: new Date(), pass: 1, dropped: [] }
    const there = { _id, account_id, importing: { $exists: true }, deleting: { $exists: false } }
    return (await changeOne(this.#events, there, { $set: { deleting } })) !== null
  }

  /** Deletes an event with this title to all clients, or a copy that will never be complete. False if it has another title, or is gone. */
  async beginDeletion(_id: string, title?: string): Promise<boolean> {
    const deleting: Deletion = { due: new Date(), pass: 1, dropped: [] }
    const there = title === undefined ? { _id, deleting: { $exists: false } } : { _id, title, ...SETTLED }
    return (await changeOne(this.#events, there, { $set: { deleting } })) !== null
  }

  /** Takes a deleted event whose data is to be deleted by now, for one process until a time. */
  async leaseDeleted(until: Date): Promise<StoredEvent | null> {
    return changeOne(this.#events, { 'deleting.due': { $lte: new Date() } }, { $set: { 'deleting.due': until } })
  }

  /** Notes how far the deletion of an event is. */
  async updateDeletion(_id: string, changes: Partial<Deletion>): Promise<void> {
    const set = Object.fromEntries(Object.entries(changes).map(([name, value]) => [`deleting.${name}`, value]))
    await this.#events.updateOne({ _id, deleting: { $exists: true } }, { $set: set })
  }

  /** Removes what was left of a deleted event, and its mention by others of the account. */
  async removeDeleted({ _id, account_id }: Pick<StoredEvent, '_id' | 'account_id'>): Promise<void> {
    await this.#events.updateMany({ account_id, platform_event_id: _id }, { $set: { platform_event_id: null } })
    await this.#events.deleteOne({ _id, deleting: { $exists: true } })
  }

  /** Returns an event an encrypted key and IV unless it has them: printed QR codes must stay readable. */
  async provideCiphering(_id: string, ciphering: string): Promise<void> {
    await this.#events.updateOne({ _id, ciphering: { $exists: false } }, { $set: { ciphering } })
  }
}

function whole(event: StoredEvent): StoredEvent {
  return { ...ADDED_LATER, ...event }
}
