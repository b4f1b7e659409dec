import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { coalesced } from '@gatehouse/proto/concurrency/coalescing.ts'
import { unavailable } from '@gatehouse/proto/declaring/faults.ts'
import type { StoredList } from '@gatehouse/proto/formats/raw-documents.ts'
import {
  type ChangeAsRead,
  changeEachAsRead,
  deleteOne,
  knownIds,
  laterThan,
} from '@gatehouse/proto/storage/documents.ts'
import { insertEachOnce, insertOnce, isConflict, isDuplicate } from '@gatehouse/proto/storage/mongo.ts'
import type { PageQuery } from '@gatehouse/proto/storage/paging.ts'
import type { Collection, Db } from 'mongodb'
import { type CategoryCounts, GuestCounts } from './guest-counts.ts'
import { BY_UID, guestIndexes } from './indexes.ts'
import type { GuestFilter } from './list-plan.ts'
import { GuestPages } from './pages.ts'
import { BY_PROMO_USE, PromoUses, type UsableCode } from './promo-uses.ts'
import type { GuestFields } from './resource.ts'
import {
  type AdoptionOfGuest,
  type BadgeState,
  complete,
  derived,
  type NewGuest,
  type StoredGuest,
} from './stored-guest.ts'

export type { StoredGuest } from './stored-guest.ts'

/** How often a use of a discount code is looked for whose last uses many guests want at once, and the time in between. */
const USE_TRIES = 200
const RETRY_MS = 10

/** The guests collection. A uid is unique in its event, by an index. */
export class GuestStore {
  readonly #guests: Collection<StoredGuest>
  readonly #pages: GuestPages
  readonly #guestCounts: GuestCounts
  readonly #promoUses: PromoUses
  readonly #insert: (guest: StoredGuest) => Promise<StoredGuest | undefined>
  readonly #change: (change: GuestChange) => Promise<StoredGuest | null | undefined>

  constructor(db: Db) {
    this.#guests = db.collection('guests')
    this.#pages = new GuestPages(this.#guests)
    this.#guestCounts = new GuestCounts(this.#guests, BY_UID)
    this.#promoUses = new PromoUses(this.#guests)
    this.#insert = coalesced((guests) => insertEachOnce(this.#guests, guests))
    this.#change = coalesced((changes) => {
      const now = Date.now()
      return changeEachAsRead(
        this.#guests,
        changes.map((each) => dated(each, now)),
      )
    })
  }

  async prepare(): Promise<void> {
    await this.#guests.createIndexes(guestIndexes)
  }

  /**
   * Invalidates what is cached of an event; to be called after each change, before its caller is answered. `moved_from` is the creation of
   * the oldest guest that came or went: null if none did, undefined if it is not known.
   */
  invalidate(event_id: string, uids: string[], moved_from?: Date | null): void {
    this.#guestCounts.invalidate(event_id, uids)
    this.#pages.invalidate(event_id, moved_from)
  }

  /** It is stored otherwise when guests of an event first came in. */
  invalidateEntries(event_id: string): void {
    this.#pages.invalidateEntries(event_id)
  }

  invalidateAll(): void {
    this.#guestCounts.invalidateAll()
    this.#pages.invalidateAll()
  }

  /** One page, newest creation first unless the search says otherwise. */
  async page(
    event_id: string,
    filter: GuestFilter,
    page: PageQuery,
    withMetadata: boolean,
  ): Promise<StoredList<StoredGuest>> {
    const hidden = withMetadata ? ['search_words'] : ['search_words', 'guest_metadata']
    return this.#pages.page(event_id, filter, page, hidden)
  }

  /** Stores with guests when an e-mail to them was handed over. That is no change of the guest: `updated_at` and `revision` stay. */
  async noteMailed(event_id: string, ids: string[], mailed_at: Date): Promise<void> {
    await this.#guests.updateMany({ _id: { $in: ids }, event_id }, { $max: { mailed_at } }, { hint: '_id_' })
  }

  async get(event_id: string, _id: string): Promise<StoredGuest | null> {
    return this.#guests.findOne({ _id, event_id })
  }

  /**
   * Stores a new guest, in one write with others that come at the same time. Returns the guest, or the one that an earlier try stored, or
   * undefined if the uid is taken.
   */
  async insert(guest: NewGuest): Promise<StoredGuest | undefined> {
    return this.#insert(complete(guest))
  }

  /** As {@link insert}, for many in one write. */
  async insertAll(guests: NewGuest[]): Promise<(StoredGuest | undefined)[]> {
    return guests.length === 0 ? [] : insertEachOnce(this.#guests, guests.map(complete))
  }

  /** As {@link insert}, for a guest that uses a discount code; null if the code is used up. */
  async insertUsing(guest: NewGuest, code: UsableCode): Promise<StoredGuest | null | undefined> {
    for (let attempt = 0; attempt < USE_TRIES; attempt++) {
      const promo_use = await this.#promoUses.free(code)
      if (promo_use === 'used up') return null
      if (promo_use === 'wait') {
        await setTimeout(RETRY_MS)
        continue
      }
      const use = { promo_code: code.text, promo_code_id: code._id, promo_use }
      try {
        return await insertOnce(this.#guests, { ...complete(guest), ...use })
      } catch (error) {
        // Another guest took this use first.
        if (isDuplicate(error, BY_PROMO_USE) || isConflict(error)) continue
        if (isDuplicate(error)) return undefined
        throw error
      }
    }
    throw unavailable()
  }

  /** Whether a discount code has no use left. */
  async isUsedUp(code: UsableCode): Promise<boolean> {
    return (await this.#promoUses.free(code)) === 'used up'
  }

  /** How many guests hold each of these discount codes; codes that no guest holds are missing. */
  async countPromoUses(promo_code_ids: string[]): Promise<Map<string, number>> {
    return this.#promoUses.count(promo_code_ids)
  }

  /** Changes a guest as it was read, in one write with changes that come at the same time. Null if it has changed since or is gone, undefined if the new uid is taken. */
  async update(
    current: StoredGuest,
    changes: Partial<GuestFields> & BadgeState & Partial<AdoptionOfGuest>,
  ): Promise<StoredGuest | null | undefined> {
    const hasOtherUid = changes.uid !== undefined && changes.uid !== current.uid
    const wanted = { ...changes, ...derived({ ...current, ...changes }) }
    const differing = Object.entries(wanted).filter(
      ([name, value]) => !isDeepStrictEqual(value, current[name as keyof StoredGuest]),
    )
    return this.#change({
      read: current,
      set: { ...Object.fromEntries(differing), ...(hasOtherUid && { entry_unread: true }) },
      unset: { moving_to: 1 },
      isAlone: hasOtherUid,
      isDated: changes.updated_at === undefined,
    })
  }

  /** Notes that category a guest is about to be put in, for the category's deletion to see. Null if the guest has changed since. */
  async noteMove(current: StoredGuest, moving_to: string): Promise<StoredGuest | null> {
    return (await this.#change({ read: current, set: { moving_to } })) ?? null
  }

  /** Deletes one, only `as` it was read if that is given. */
  async delete(event_id: string, _id: string, as: { revision?: number } = {}): Promise<StoredGuest | null> {
    return deleteOne(this.#guests, { _id, event_id, ...as })
  }

  /** Deletes guests of an event as they were read, in one write. Returns those who are gone then; the others have changed since. */
  async deleteAsRead(event_id: string, guests: StoredGuest[]): Promise<StoredGuest[]> {
    const byRevision = Map.groupBy(guests, ({ revision }) => revision)
    const deletions = Array.from(byRevision, ([revision, some]) => ({
      deleteMany: { filter: { _id: { $in: some.map(({ _id }) => _id) }, event_id, revision } },
    }))
    const { deletedCount } = await this.#guests.bulkWrite(deletions, { ordered: false })
    if (deletedCount === guests.length) return guests
    const ids = guests.map(({ _id }) => _id)
    const left = new Set(await knownIds(this.#guests, { event_id }, ids))
    return guests.filter(({ _id }) => !left.has(_id))
  }

  async deleteMany(event_id: string, ids: string[]): Promise<void> {
    await this.#guests.deleteMany({ _id: { $in: ids }, event_id })
  }

  /**
   * Whether a category has guests. It first makes changes fail that are about to put a guest there: they have to look again whether the
   * category exists.
   */
  async holdsCategory(event_id: string, guest_category_id: string): Promise<boolean> {
    await this.#guests.updateMany(
      { event_id, moving_to: guest_category_id },
      { $unset: { moving_to: 1 }, $inc: { revision: 1 } },
    )
    const guest = await this.#guests.findOne({ event_id, guest_category_id }, { projection: { _id: 1 } })
    return guest !== null
  }

  async uidsOfCategory(event_id: string, guest_category_id: string): Promise<string[]> {
    const guests = this.#guests.find({ event_id, guest_category_id }).project<{ uid: string }>({ uid: 1 })
    return (await guests.toArray()).map(({ uid }) => uid)
  }

  /** Deletes the guests of a deleted category. */
  async deleteOfCategory(event_id: string, guest_category_id: string): Promise<void> {
    await this.#guests.deleteMany({ event_id, guest_category_id })
  }

  /** How many guests each category of each event has. */
  async count(event_ids: string[]): Promise<Map<string, CategoryCounts>> {
    const counts = event_ids.map(async (event_id) => [event_id, await this.#guestCounts.counts(event_id)] as const)
    return new Map(await Promise.all(counts))
  }
}

/** A change of a guest; one that `isDated` gets the time at which it is stored. */
interface GuestChange extends ChangeAsRead<StoredGuest> {
  isDated?: boolean
}

function dated({ isDated, ...change }: GuestChange, now: number): ChangeAsRead<StoredGuest> {
  const { read, set } = change
  return isDated ? { ...change, set: { ...set, updated_at: laterThan(read.updated_at, now) } } : change
}
