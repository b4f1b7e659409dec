import { createHash } from 'node:crypto'
import { fieldOf, StoredList } from '@gatehouse/proto/formats/raw-documents.ts'
import {
  after,
  type FindOptions,
  findFarRaw,
  findRaw,
  type Order,
  type PageQuery,
} from '@gatehouse/proto/storage/paging.ts'
import { ScopedCache } from '@gatehouse/proto/storage/scoped-cache.ts'
import type { Collection, Document, Filter } from 'mongodb'
import { BY_CREATION, BY_NAME, BY_UID } from './indexes.ts'
import { type GuestFilter, type ListPlan, planOf } from './list-plan.ts'
import { PageBookmarks } from './page-bookmarks.ts'
import type { StoredGuest } from './stored-guest.ts'

/** Guests at the beginning of a list that are tried first; without a match among so few, the index of the filter is used. */
const FIRST_SAMPLE = 200
/** Guests that are read to estimate how frequent matches are. */
const SAMPLE = 1_000
/** The number of matches among them from which on it pays to read on. */
const FREQUENT = SAMPLE / 50

/**
 * Pages of the guests of an event. After a page that was read lately, the next one costs as much as the first; another page of the whole list
 * costs little more, by its bookmarks.
 */
export class GuestPages {
  readonly #guests: Collection<StoredGuest>
  /** Where the pages of an event's lists end. */
  readonly #ends = new ScopedCache()
  /** The same for lists that depend on what other services have done. */
  readonly #endsByOthers = new ScopedCache()
  readonly #byCreation: PageBookmarks<StoredGuest>
  readonly #byName: PageBookmarks<StoredGuest>

  constructor(guests: Collection<StoredGuest>) {
    this.#guests = guests
    this.#byCreation = new PageBookmarks(guests, BY_CREATION)
    this.#byName = new PageBookmarks(guests, BY_NAME, { by: 'sort_name' })
  }

  /** To be called after each change of an event; for `moved_from` see {@link GuestStore.invalidate}. */
  invalidate(event_id: string, moved_from: Date | null | undefined): void {
    this.#ends.invalidate(event_id)
    this.#endsByOthers.invalidate(event_id)
    if (moved_from !== null) this.#byCreation.invalidateFrom(event_id, moved_from?.getTime())
    this.#byName.invalidateFrom(event_id)
  }

  /** To be called after guests came in, entries are gone, or guests were written to. */
  invalidateEntries(event_id: string): void {
    this.#endsByOthers.invalidate(event_id)
  }

  invalidateAll(): void {
    this.#ends.invalidateAll()
    this.#endsByOthers.invalidateAll()
    this.#byCreation.invalidateAll()
    this.#byName.invalidateAll()
  }

  /** One page, newest creation first unless the search says otherwise. */
  async page(
    event_id: string,
    filter: GuestFilter,
    { page, per_page }: PageQuery,
    hidden: readonly string[],
  ): Promise<StoredList<StoredGuest>> {
    const projection = Object.fromEntries(hidden.map((field) => [field, 0 as const]))
    const whole = planOf(event_id, filter)
    const first = await this.#withCode(event_id, filter, projection)
    const ahead = first ? [first] : []
    const plan = { ...whole, query: without(whole.query, ahead) }
    const { query, order } = plan
    const list = createHash('sha256')
      .update(JSON.stringify([query, order, per_page]))
      .digest('base64')
    const ends = (plan.isByOthers ? this.#endsByOthers : this.#ends).of(event_id)
    const limit = page === 1 ? per_page - ahead.length : per_page
    const options = { projection, sort: order, limit, hint: plan.index }
    const skip = Math.max(0, (page - 1) * per_page - ahead.length)
    const end = ends.get(`page ${page - 1} of ${list}`)
    const documents = limit === 0 ? [] : await this.#read(event_id, plan, skip, options, end)
    const last = documents.at(-1)
    if (last) ends.set(`page ${page} of ${list}`, positionOf(last, order))
    return new StoredList<StoredGuest>(page === 1 ? [...ahead, ...documents] : documents)
  }

  /** The guest whose code a search is, if the filter lets that guest through: whoever types a whole code means that one. */
  async #withCode(
    event_id: string,
    filter: GuestFilter,
    projection: FindOptions['projection'],
  ): Promise<Uint8Array | undefined> {
    const codes = filter.search?.codes ?? []
    if (codes.length === 0 || filter.uid !== undefined) return undefined
    const guests = this.#guests.find({ event_id, uid: { $in: codes } }, { hint: BY_UID })
    const known = (await guests.project<{ uid: string }>({ _id: 0, uid: 1 }).toArray()).map(({ uid }) => uid)
    const uid = codes.find((code) => known.includes(code))
    if (uid === undefined) return undefined
    const { query } = planOf(event_id, { ...filter, uid })
    return (await findRaw(this.#guests, query, { projection, limit: 1, hint: BY_UID }))[0]
  }

  async #read(
    event_id: string,
    plan: ListPlan,
    skip: number,
    options: FindOptions,
    end: Document | undefined,
  ): Promise<Uint8Array[]> {
    const { query, order, isAll } = plan
    if (skip === 0 || end) {
      const found = await this.#findFrequent(event_id, plan, options, end)
      return found ?? findRaw(this.#guests, behind(query, order, end), options)
    }
    const start = isAll ? await this.#bookmarkBefore(event_id, order, skip) : undefined
    if (!start) return findFarRaw(this.#guests, query, { ...options, skip })
    return findRaw(this.#guests, behind(query, order, start.position), { ...options, skip: start.skip })
  }

  /** A bookmark near a page of the whole list in an order; undefined if there is none. */
  async #bookmarkBefore(event_id: string, { created_at, sort_name }: Order, skip: number) {
    if (created_at) return this.#byCreation.before(event_id, skip, created_at)
    return sort_name && this.#byName.before(event_id, skip, sort_name)
  }

  /**
   * The first matches of a filter whose index does not give the order, found by reading the whole list from its beginning if matches are
   * frequent: the index of the filter would have to sort all of them. Undefined if they are not frequent, or the index gives the order.
   */
  async #findFrequent(
    event_id: string,
    { query, order, orderIndex }: ListPlan,
    { projection, limit }: FindOptions,
    end: Document | undefined,
  ): Promise<Uint8Array[] | undefined> {
    if (orderIndex === undefined) return undefined
    const among = (count: number): Promise<Uint8Array[]> => {
      const steps = [
        { $match: behind({ event_id }, order, end) },
        { $sort: order },
        { $limit: count },
        { $match: query },
        { $limit: limit },
        { $project: projection },
      ]
      const options = { raw: true, batchSize: limit + 1, hint: orderIndex }
      return this.#guests.aggregate<Uint8Array>(steps, options).toArray()
    }
    const first = await among(FIRST_SAMPLE)
    if (first.length === limit) return first
    if (first.length === 0) return undefined
    const sample = await among(SAMPLE)
    if (sample.length === limit) return sample
    if (sample.length < FREQUENT) return undefined
    // Twice the estimate.
    const more = await among(Math.ceil((2 * SAMPLE * limit) / sample.length))
    return more.length === limit ? more : undefined
  }
}

/** The filter without these documents. */
function without(filter: Filter<StoredGuest>, documents: readonly Uint8Array[]): Filter<StoredGuest> {
  if (documents.length === 0) return filter
  return { $and: [filter, { _id: { $nin: documents.map((each) => String(fieldOf(each, '_id'))) } }] }
}

/** The position of a document in an order. */
function positionOf(document: Uint8Array, order: Order): Document {
  return Object.fromEntries(Object.keys(order).map((name) => [name, fieldOf(document, name)]))
}

/** The filter of those guests who follow a position; of all of them without one. */
function behind(filter: Filter<StoredGuest>, order: Order, position: Document | undefined): Filter<StoredGuest> {
  return position ? { $and: [filter, after(order, position)] } : filter
}
