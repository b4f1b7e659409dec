import { setTimeout } from 'node:timers/promises'
import { coalesced } from '@gatehouse/proto/concurrency/coalescing.ts'
import { unavailable } from '@gatehouse/proto/declaring/faults.ts'
import { insertEachOnce, insertOnce, isConflict, isDuplicate, unlessTaken } from '@gatehouse/proto/storage/mongo.ts'
import { PageBookmarks } from '@gatehouse/proto/storage/page-bookmarks.ts'
import { type Order, type PageQuery, storedPage } from '@gatehouse/proto/storage/paging.ts'
import { decode, type StoredList } from '@gatehouse/proto/storage/raw-documents.ts'
import { findRaw } from '@gatehouse/proto/storage/raw-find.ts'
import type { ScopedCache } from '@gatehouse/proto/storage/scoped-cache.ts'
import { prefixFilter } from '@gatehouse/proto/storage/search-words.ts'
import type { Collection, Db, Filter } from 'mongodb'
import { type Disclosable, disclosable } from './disclosure.ts'
import { GuestCounts } from './guest-counts.ts'
import { BY_PROMO_USE, type PromoUse, PromoUses, promoUseIndex, type UsableCode } from './promo-uses.ts'
import type { Guest } from './resource.ts'
import { type Search, searchWords, sortName } from './search.ts'

/** What a client can set of a guest. */
export type GuestFields = Pick<
  Guest,
  | 'guest_category_id'
  | 'email'
  | 'first_name'
  | 'last_name'
  | 'company_name'
  | 'position'
  | 'phone_number'
  | 'uid'
  | 'message'
  | 'rsvp_status'
  | 'access_privileges'
> & { guest_metadata: { name: string; value: string | null }[] }

/** A guest as stored. */
export interface StoredGuest extends GuestFields, Partial<PromoUse> {
  _id: string
  event_id: string
  badge_completed: boolean
  /** Since when the guest waits for a badge; absent where it does not (badge-orders). */
  badge_due?: Date
  /** Counts the orders of badges; absent before the first. */
  badge_order?: number
  created_at: Date
  updated_at: Date
  /** Moves with each change, so that two changes at once do not lose one of them. */
  revision: number
  /** The category that a change in work is about to put the guest in. */
  moving_to?: string
  /** What `search` looks at (search.ts). */
  search_words: string[]
  sort_name: string
}

/** What is stored in a guest of its badge. */
export type BadgeState = Partial<Pick<StoredGuest, 'badge_completed' | 'badge_due' | 'badge_order'>>

/** A guest before what the store derives is added. */
export type NewGuest = Omit<StoredGuest, 'revision' | 'search_words' | 'sort_name'>

/** Which guests of an event are listed. */
export interface GuestFilter {
  uid?: string | undefined
  categories?: string[] | undefined
  since?: Date | undefined
  before?: Date | undefined
  updated_since?: Date | undefined
  updated_before?: Date | undefined
  search?: Search | undefined
}

/** What the door needs to know of a guest. */
export type Admission = Pick<StoredGuest, '_id' | 'uid' | 'guest_category_id' | 'access_privileges'>

/** A guest's uid and category. */
export type Categorized = Pick<StoredGuest, 'uid' | 'guest_category_id'>

/** Guests by category. */
export type CategoryCounts = Map<string, number>

/** Guests of all categories. */
export function totalOf(counts: CategoryCounts = new Map()): number {
  return counts.values().reduce((sum, count) => sum + count, 0)
}

/** Guests of one answer to who is in which category. */
const UID_PAGE = 5_000
/** Looks at a discount code whose last uses many guests want at once, and the time between them. */
const USE_TRIES = 200
const RETRY_MS = 10

/** The names that indexes get from their keys. */
const BY_UID = 'event_id_1_uid_1'
const BY_CREATION = 'event_id_1_created_at_-1__id_-1'
const BY_CATEGORY = 'event_id_1_guest_category_id_1_created_at_-1__id_-1'
const BY_UPDATE = 'event_id_1_updated_at_-1_created_at_-1__id_-1'
const BY_WORD = 'event_id_1_search_words_1_created_at_-1__id_-1'
const BY_NAME = 'event_id_1_sort_name_1__id_1'

/** The guests collection. A uid stands once in an event: a unique index keeps that. */
export class GuestStore {
  readonly #guests: Collection<StoredGuest>
  readonly #cache: ScopedCache
  readonly #bookmarks: PageBookmarks<StoredGuest>
  readonly #guestCounts: GuestCounts
  readonly #promoUses: PromoUses
  readonly #insert: (guest: StoredGuest) => Promise<StoredGuest | undefined>

  constructor(db: Db, cache: ScopedCache) {
    this.#guests = db.collection('guests')
    this.#cache = cache
    this.#bookmarks = new PageBookmarks(this.#guests, BY_CREATION)
    this.#guestCounts = new GuestCounts(this.#guests, BY_UID)
    this.#promoUses = new PromoUses(this.#guests)
    this.#insert = coalesced((guests) => insertEachOnce(this.#guests, guests))
  }

  async prepare(): Promise<void> {
    await this.#guests.createIndexes([
      { key: { event_id: 1, uid: 1 }, unique: true },
      { key: { event_id: 1, created_at: -1, _id: -1 } },
      { key: { event_id: 1, guest_category_id: 1, created_at: -1, _id: -1 } },
      { key: { event_id: 1, updated_at: -1, created_at: -1, _id: -1 } },
      { key: { event_id: 1, search_words: 1, created_at: -1, _id: -1 } },
      { key: { event_id: 1, sort_name: 1, _id: 1 } },
      promoUseIndex,
      { key: { event_id: 1, moving_to: 1 }, partialFilterExpression: { moving_to: { $exists: true } } },
    ])
  }

  /**
   * Has to hear of each change of an event's guests before its caller is answered: what is remembered is forgotten. `moved_from` is the
   * creation of the oldest guest that came or went, null where none did, undefined where it is not known.
   */
  invalidate(event_id: string, uids: string[], moved_from?: Date | null): void {
    this.#cache.invalidate(event_id)
    this.#guestCounts.invalidate(event_id, uids)
    if (moved_from !== null) this.#bookmarks.invalidateFrom(event_id, moved_from?.getTime())
  }

  /** Whatever may have changed has to be read anew. */
  invalidateAll(): void {
    this.#cache.invalidateAll()
    this.#bookmarks.invalidateAll()
    this.#guestCounts.invalidateAll()
  }

  /** One page, newest creation first unless the search says otherwise. */
  async page(
    event_id: string,
    filter: GuestFilter,
    page: PageQuery,
    withMetadata: boolean,
  ): Promise<StoredList<StoredGuest>> {
    const wanted = listFilter(event_id, filter)
    const inOrder = filter.search?.sort ? BY_NAME : BY_CREATION
    const index = indexFor(filter) ?? inOrder
    const isOneCategory = index === BY_CATEGORY && inOrder === BY_CREATION && filter.categories?.length === 1
    const isOrdered = index === inOrder || index === BY_UID || isOneCategory
    const isAll = Object.keys(wanted).length === 1 && inOrder === BY_CREATION
    return storedPage(this.#guests, wanted, listOrder(filter), page, {
      hidden: withMetadata ? ['search_words'] : ['search_words', 'guest_metadata'],
      cacheEntries: this.#cache.of(event_id),
      index,
      ...(!isOrdered && { whole: { filter: { event_id }, index: inOrder } }),
      ...(isAll && { start: (skip) => this.#bookmarks.before(event_id, skip) }),
    })
  }

  async get(event_id: string, _id: string): Promise<StoredGuest | null> {
    return this.#guests.findOne({ _id, event_id })
  }

  /** The guests with these uids, whole and as they come from the database; those that do not exist are missing. */
  withUids(event_id: string, uids: string[]): AsyncIterable<StoredGuest> {
    return this.#guests.find({ event_id, uid: { $in: uids } }, { hint: BY_UID })
  }

  /** The guests with these ids; those that do not exist are missing. */
  async ofIds(event_id: string, ids: string[]): Promise<StoredGuest[]> {
    return this.#guests.find({ _id: { $in: ids }, event_id }).toArray()
  }

  /** Those of the ids that are guests of the event. */
  async knownIds(event_id: string, ids: string[]): Promise<string[]> {
    const found = await this.#guests
      .find({ _id: { $in: ids }, event_id }, { hint: '_id_' })
      .project<Pick<StoredGuest, '_id'>>({ _id: 1 })
      .toArray()
    return found.map(({ _id }) => _id)
  }

  /** Those of the uids that guests of the event have. */
  async knownUids(event_id: string, uids: string[]): Promise<string[]> {
    const found = await this.#guests
      .find({ event_id, uid: { $in: uids } }, { hint: BY_UID })
      .project<Pick<StoredGuest, 'uid'>>({ _id: 0, uid: 1 })
      .toArray()
    return found.map(({ uid }) => uid)
  }

  /** What the door needs to know of the guests with these uids; those that do not exist are missing. */
  async resolve(event_id: string, uids: string[]): Promise<Admission[]> {
    return this.#guests
      .find({ event_id, uid: { $in: uids } }, { hint: BY_UID })
      .project<Admission>({ uid: 1, guest_category_id: 1, access_privileges: 1 })
      .toArray()
  }

  /** The guests with these uids or ids, as exhibitors may be shown them; those that do not exist are missing. */
  async disclosable(
    event_id: string,
    by: 'uid' | '_id',
    keys: string[],
    withMetadata: boolean,
  ): Promise<Disclosable[]> {
    const shown = Object.fromEntries(
      [...disclosable, ...(withMetadata ? ['guest_metadata'] : [])].map((name) => [name, 1]),
    )
    return this.#guests
      .find({ event_id, [by]: { $in: keys } }, { hint: by === 'uid' ? BY_UID : '_id_' })
      .project<Disclosable>(shown)
      .toArray()
  }

  /**
   * Stores a new guest, together with those that come at the same time, or gives the one that an earlier try stored. Undefined when
   * its uid is taken.
   */
  async insert(guest: NewGuest): Promise<StoredGuest | undefined> {
    return this.#insert(complete(guest))
  }

  /** As {@link insert}, for many in one write. */
  async insertAll(guests: NewGuest[]): Promise<(StoredGuest | undefined)[]> {
    return guests.length === 0 ? [] : insertEachOnce(this.#guests, guests.map(complete))
  }

  /** As {@link insert}, of a guest that uses a discount code; null when the code is used up. */
  async insertUsing(guest: NewGuest, code: UsableCode): Promise<StoredGuest | null | undefined> {
    for (let attempt = 0; attempt < USE_TRIES; attempt++) {
      const promo_use = await this.#promoUses.free(guest.event_id, code)
      if (promo_use === 'used up') return null
      if (promo_use === 'wait') {
        await setTimeout(RETRY_MS)
        continue
      }
      const use: PromoUse = { promo_code: code.text, promo_code_id: code._id, promo_use }
      try {
        return await insertOnce(this.#guests, { ...complete(guest), ...use })
      } catch (error) {
        // Another guest was faster: look again.
        if (isDuplicate(error, BY_PROMO_USE) || isConflict(error)) continue
        if (isDuplicate(error)) return undefined
        throw error
      }
    }
    throw unavailable()
  }

  /** Whether a discount code has no use left. */
  async isUsedUp(event_id: string, code: UsableCode): Promise<boolean> {
    return (await this.#promoUses.free(event_id, code)) === 'used up'
  }

  /** How many guests hold each of these discount codes; those that nobody holds are missing. */
  async countPromoUses(event_id: string, promo_code_ids: string[]): Promise<Map<string, number>> {
    return this.#promoUses.count(event_id, promo_code_ids)
  }

  /**
   * Changes a guest that is still as it was read. False when it has changed since or is gone, undefined when the new uid
   * is taken.
   */
  async update(
    current: StoredGuest,
    changes: Partial<GuestFields> & BadgeState,
  ): Promise<StoredGuest | null | undefined> {
    const next = { ...current, ...changes }
    // Moves on even within a millisecond or on another machine's clock, so that nobody who asks for what was updated misses it.
    const updated_at = new Date(Math.max(Date.now(), current.updated_at.getTime() + 1))
    return unlessTaken(
      this.#guests.findOneAndUpdate(
        { _id: current._id, event_id: current.event_id, revision: current.revision },
        { $set: { ...changes, ...derived(next), updated_at }, $unset: { moving_to: 1 }, $inc: { revision: 1 } },
        { returnDocument: 'after' },
      ),
    )
  }

  /** Notes which category a guest is about to be put in, so that its deletion sees it. Null when the guest has changed since. */
  async claimCategory({ _id, event_id, revision }: StoredGuest, moving_to: string): Promise<StoredGuest | null> {
    return this.#guests.findOneAndUpdate(
      { _id, event_id, revision },
      { $set: { moving_to }, $inc: { revision: 1 } },
      { returnDocument: 'after' },
    )
  }

  async delete(event_id: string, _id: string): Promise<StoredGuest | null> {
    return this.#guests.findOneAndDelete({ _id, event_id })
  }

  /** Deletes guests of which nobody has heard yet. */
  async takeBack(event_id: string, ids: string[]): Promise<void> {
    await this.#guests.deleteMany({ _id: { $in: ids }, event_id })
  }

  /**
   * Whether a category has guests. A change that is about to put one there, and has not yet, is thrown back first: it has
   * to look again whether the category is there.
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
    const found = await this.#guests
      .find({ event_id, guest_category_id })
      .project<{ uid: string }>({ uid: 1 })
      .toArray()
    return found.map(({ uid }) => uid)
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

  /** The first guests with a uid after this one, in the order of the uids; `last` where there are more. */
  async byUid(event_id: string, uid: string | undefined): Promise<{ guests: Categorized[]; last?: string }> {
    // Hundreds of thousands are read in a row, and a cursor's garbage takes longer than the database.
    const found = await findRaw(
      this.#guests,
      { event_id, ...(uid !== undefined && { uid: { $gt: uid } }) },
      { hint: BY_UID, sort: { uid: 1 }, limit: UID_PAGE, projection: { _id: 0, uid: 1, guest_category_id: 1 } },
    )
    const guests = found.map((document) => decode(document) as Categorized)
    const last = guests[UID_PAGE - 1]?.uid
    return { guests, ...(last !== undefined && { last }) }
  }
}

function complete(guest: NewGuest): StoredGuest {
  return { ...guest, revision: 0, ...derived(guest) }
}

function derived(guest: GuestFields): Pick<StoredGuest, 'search_words' | 'sort_name'> {
  return { search_words: searchWords(guest), sort_name: sortName(guest) }
}

function listFilter(event_id: string, filter: GuestFilter): Filter<StoredGuest> {
  const { uid, categories, since, before, updated_since, updated_before, search } = filter
  const created = { ...(since && { $gte: since }), ...(before && { $lt: before }) }
  const updated = { ...(updated_since && { $gte: updated_since }), ...(updated_before && { $lt: updated_before }) }
  return {
    event_id,
    ...(uid !== undefined && { uid }),
    ...(categories && { guest_category_id: { $in: categories } }),
    ...((since || before) && { created_at: created }),
    ...((updated_since || updated_before) && { updated_at: updated }),
    ...(search?.statuses && { rsvp_status: { $in: search.statuses as StoredGuest['rsvp_status'][] } }),
    ...prefixFilter('search_words', search?.prefixes ?? []),
  }
}

/**
 * The index that finds what a filter lets through; undefined where the one that gives the order will do. Said rather than left to the
 * planner: without fresh statistics it reads a whole event for one uid.
 */
function indexFor({ uid, search, updated_since, updated_before, categories }: GuestFilter): string | undefined {
  if (uid !== undefined) return BY_UID
  if (search && search.prefixes.length > 0) return BY_WORD
  if (updated_since || updated_before) return BY_UPDATE
  return categories && BY_CATEGORY
}

function listOrder({ search }: GuestFilter): Order {
  if (search?.sort === 'asc') return { sort_name: 1, _id: 1 }
  if (search?.sort === 'desc') return { sort_name: -1, _id: -1 }
  return { created_at: -1, _id: -1 }
}
