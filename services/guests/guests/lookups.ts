import { normalized } from '@gatehouse/proto/declaring/addresses.ts'
import { uidOf, visible } from '@gatehouse/proto/declaring/visible.ts'
import { decode } from '@gatehouse/proto/formats/raw-documents.ts'
import { knownIds } from '@gatehouse/proto/storage/documents.ts'
import { after, type FindOptions, findRaw } from '@gatehouse/proto/storage/paging.ts'
import { wordsOf } from '@gatehouse/proto/storage/search-words.ts'
import type { Collection, Db, Filter } from 'mongodb'
import { BY_CREATION, BY_UID, BY_UPDATE, BY_WORD } from './indexes.ts'
import { type GuestFilter, planOf } from './list-plan.ts'
import { disclosedFields } from './resource.ts'
import type { StoredGuest } from './stored-guest.ts'

/** What the door needs to know of a guest. */
export type DoorGuest = Pick<StoredGuest, '_id' | 'uid' | 'guest_category_id' | 'access_privileges' | 'party_size'>

/** What devices at the door may be shown of a guest whose category allows that. */
const DEVICE_FIELDS = ['first_name', 'last_name', 'company_name', 'position', 'message'] as const

/** What a device at the door may know of a guest; personal data only if the guest's category allows that. */
export type DeviceGuest = Pick<StoredGuest, 'uid' | 'guest_category_id' | 'access_privileges'> &
  Partial<Pick<StoredGuest, (typeof DEVICE_FIELDS)[number] | 'party_size' | 'guest_metadata'>>

/** What is read of guests for devices: personal data at all, and which metadata, by their names. */
interface DeviceReading {
  personal: boolean
  metadata: readonly string[]
}

/** A guest as it is read for exhibitors. */
export type Disclosable = Pick<StoredGuest, '_id' | (typeof disclosedFields)[number]> &
  Partial<Pick<StoredGuest, 'guest_metadata'>>

/** A guest's uid, category and party. */
type Categorized = Pick<StoredGuest, 'uid' | 'guest_category_id'> & Partial<Pick<StoredGuest, 'party_size'>>

/** A guest of a mailing. */
type AudienceGuest = Pick<StoredGuest, '_id' | 'email' | 'created_at'>

/** Guests in one page of a mailing's. */
const AUDIENCE_PAGE = 1_000
/** Guests in one page of `byUid`. */
const UID_PAGE = 5_000
/** Guests in one page for devices, of whom more is read. */
const DEVICE_PAGE = 1_000

/** Looks guests up by ids and uids, mostly for other services. Guests that do not exist are missing in the answers. */
export class GuestLookups {
  readonly #guests: Collection<StoredGuest>

  constructor(db: Db) {
    this.#guests = db.collection('guests')
  }

  /** Whole guests, as they come from the database. */
  withUids(event_id: string, uids: string[]): AsyncIterable<StoredGuest> {
    return this.#guests.find({ event_id, uid: { $in: uids } }, { hint: BY_UID })
  }

  async withIds(event_id: string, ids: string[]): Promise<StoredGuest[]> {
    return this.#guests.find({ _id: { $in: ids }, event_id }).toArray()
  }

  /** The guests who were created here within a time. */
  createdWithin(event_id: string, since: Date, until: Date): AsyncIterable<Pick<StoredGuest, '_id' | 'created_at'>> {
    const own = { event_id, created_at: { $gte: since, $lt: until }, adopted: { $exists: false } }
    const found = this.#guests.find(own, { hint: BY_CREATION })
    return found.project<Pick<StoredGuest, '_id' | 'created_at'>>({ created_at: 1 })
  }

  /** A page of the guests that a filter lets through, in the order of their creation, and the last of them if there may be more. */
  async audience(
    event_id: string,
    filter: Pick<GuestFilter, 'categories' | 'rsvp_status' | 'checked_in' | 'mailed'>,
    last: Pick<StoredGuest, '_id' | 'created_at'> | undefined,
  ): Promise<{ guests: AudienceGuest[]; next: AudienceGuest | undefined }> {
    const { query } = planOf(event_id, filter)
    const order = { created_at: 1, _id: 1 } as const
    const wanted = last ? { $and: [query, after(order, last)] } : query
    const found = this.#guests.find(wanted as Filter<StoredGuest>, { hint: BY_CREATION }).sort(order)
    const guests = await found.limit(AUDIENCE_PAGE).project<AudienceGuest>({ email: 1, created_at: 1 }).toArray()
    return { guests, next: guests.length === AUDIENCE_PAGE ? guests.at(-1) : undefined }
  }

  /** The guests with an e-mail address, whatever its case. */
  async withEmail(event_id: string, email: string): Promise<StoredGuest[]> {
    const wanted = normalized(email)
    // The first word of an address is the whole of it, folded more than addresses are.
    const [word = ''] = wordsOf(email)
    const filter = { event_id, search_words: word }
    const found = await this.#guests.find(filter, { hint: BY_WORD }).toArray()
    return found.filter((guest) => guest.email === email || (guest.email && normalized(guest.email) === wanted))
  }

  /** Those of the ids that guests of the event have. */
  async knownIds(event_id: string, ids: string[]): Promise<string[]> {
    return knownIds(this.#guests, { event_id }, ids)
  }

  /** Those of the uids that guests of the event have. */
  async knownUids(event_id: string, uids: string[]): Promise<string[]> {
    const guests = this.#guests.find({ event_id, uid: { $in: uids } }, { hint: BY_UID })
    return (await guests.project<{ uid: string }>({ _id: 0, uid: 1 }).toArray()).map(({ uid }) => uid)
  }

  /** The uid for which a scanned text stands. */
  async uidOf(event_id: string, scanned: string): Promise<string> {
    if (visible(scanned) === scanned) return scanned
    const known = await this.knownUids(event_id, [scanned])
    return uidOf(scanned, (uid) => known.includes(uid))
  }

  async doorGuests(event_id: string, uids: string[]): Promise<DoorGuest[]> {
    return this.#guests
      .find({ event_id, uid: { $in: uids } }, { hint: BY_UID })
      .project<DoorGuest>({ uid: 1, guest_category_id: 1, access_privileges: 1, party_size: 1 })
      .toArray()
  }

  /** The guests with these uids or ids, with the fields that exhibitors may be shown. */
  async disclosable(
    event_id: string,
    by: 'uid' | '_id',
    keys: string[],
    withMetadata: boolean,
  ): Promise<Disclosable[]> {
    const shown = [...disclosedFields, ...(withMetadata ? ['guest_metadata'] : [])]
    return this.#guests
      .find({ event_id, [by]: { $in: keys } }, { hint: by === 'uid' ? BY_UID : '_id_' })
      .project<Disclosable>(Object.fromEntries(shown.map((name) => [name, 1])))
      .toArray()
  }

  /** The first guests after a uid, in the order of uids; `last` is the last one's uid if there may be more. */
  async byUid(event_id: string, uid: string | undefined): Promise<{ guests: Categorized[]; last?: string }> {
    // Hundreds of thousands are read in a row, and a cursor's garbage takes longer than the database.
    const found = await findRaw(
      this.#guests,
      { event_id, ...(uid !== undefined && { uid: { $gt: uid } }) },
      {
        hint: BY_UID,
        sort: { uid: 1 },
        limit: UID_PAGE,
        projection: { _id: 0, uid: 1, guest_category_id: 1, party_size: 1 },
      },
    )
    const guests = found.map((document) => decode(document) as Categorized)
    const last = guests[UID_PAGE - 1]?.uid
    return { guests, ...(last !== undefined && { last }) }
  }

  /** The guests of an event with these uids, as devices know them. */
  async ofDevices(event_id: string, uids: string[], read: DeviceReading): Promise<DeviceGuest[]> {
    return this.#deviceGuests({ event_id, uid: { $in: uids } }, { hint: BY_UID, limit: uids.length }, read)
  }

  /** A page of guests as devices know them, in the order of uids. */
  async ofDevicesAfter(
    event_id: string,
    uid: string | undefined,
    read: DeviceReading,
  ): Promise<{ guests: DeviceGuest[]; last?: string }> {
    const filter = { event_id, ...(uid !== undefined && { uid: { $gt: uid } }) }
    const guests = await this.#deviceGuests(filter, { hint: BY_UID, sort: { uid: 1 }, limit: DEVICE_PAGE }, read)
    const last = guests[DEVICE_PAGE - 1]?.uid
    return { guests, ...(last !== undefined && { last }) }
  }

  /** The guests changed at or after a time, as devices know them; undefined if they are more than a page. */
  async ofDevicesSince(event_id: string, time: Date, read: DeviceReading): Promise<DeviceGuest[] | undefined> {
    const filter = { event_id, updated_at: { $gte: time } }
    const guests = await this.#deviceGuests(filter, { hint: BY_UPDATE, limit: DEVICE_PAGE + 1 }, read)
    return guests.length > DEVICE_PAGE ? undefined : guests
  }

  async #deviceGuests(
    filter: Filter<StoredGuest>,
    options: Pick<FindOptions, 'hint' | 'sort' | 'limit'>,
    { personal, metadata }: DeviceReading,
  ): Promise<DeviceGuest[]> {
    if (options.limit === 0) return []
    const shown = personal ? DEVICE_FIELDS : []
    const projection = {
      _id: 0,
      uid: 1,
      guest_category_id: 1,
      access_privileges: 1,
      party_size: 1,
      ...Object.fromEntries(shown.map((name) => [name, 1])),
      ...(metadata.length > 0 && { guest_metadata: metadataNamed(metadata) }),
    } as const
    const found = await findRaw(this.#guests, filter, { ...options, projection })
    return found.map((document) => decode(document) as DeviceGuest)
  }
}

/** Projects a guest's metadata to those with these names: all of it is up to 64 KiB. */
function metadataNamed(names: readonly string[]) {
  return { $filter: { input: '$guest_metadata', cond: { $in: ['$$this.name', { $literal: names }] } } }
}
