import { ERASED_PATTERN } from '@gatehouse/proto/privacy/blanking.ts'
import { changeOne, knownIds } from '@gatehouse/proto/storage/documents.ts'
import type { Collection, Db, Filter } from 'mongodb'
import type { CategoryKey, StoredCategory } from '../guest-categories/store.ts'
import { BY_LONG_NAME, BY_NAME } from '../guests/indexes.ts'
import { NOT_ENTERED, type StoredGuest } from '../guests/stored-guest.ts'
import type { BadgeOrder, Place } from './resource.ts'

/** Guests of a category for whom badges are ordered in one write. */
const CHUNK = 500
/** Orders of a category that have stood still for this long are continued by another process. */
const ABANDONED_MS = 30_000

/** Names among which the longest one is looked for where none is long: a preview must not cost more in a larger event. */
const SAMPLE = 10_000

/** Characters of a metadata value that a badge has room for. */
const MAX_VALUE = 500

/** The name that the index gets from its keys. */
const BY_DUE = 'badge_due_1__id_1'

/** Those guests of an event's categories whose badges are printed. */
export interface PrintSelection {
  event_id: string
  guest_category_ids: string[]
  /** Only those who have come in, or only those who have not. */
  checked_in: boolean | undefined
}

/** Orders of one write. */
export interface Ordered {
  event_id: string
  due: Date
  guests: Pick<StoredGuest, '_id' | 'uid'>[]
}

/** Orders of badges: they are stored in guests, and in a category if they are for all its guests. */
export class BadgeOrderStore {
  readonly #guests: Collection<StoredGuest>
  readonly #categories: Collection<StoredCategory>

  constructor(db: Db) {
    this.#guests = db.collection('guests')
    this.#categories = db.collection('guest_categories')
  }

  async prepare(): Promise<void> {
    const partialFilterExpression = { badge_due: { $exists: true } }
    await this.#guests.createIndex({ badge_due: 1, _id: 1 }, { partialFilterExpression })
    await this.#categories.createIndex(
      { badges_due: 1 },
      { partialFilterExpression: { badges_due: { $exists: true } } },
    )
  }

  /** The guests with these ids; those that do not exist are missing. */
  async guests(event_id: string, ids: string[]): Promise<StoredGuest[]> {
    return this.#guests
      .find({ _id: { $in: ids }, event_id })
      .project<StoredGuest>({ guest_metadata: 0, search_words: 0 })
      .toArray()
  }

  /** A page of a selection by last name, then first name: the guests after a place. */
  async byName(selection: PrintSelection, after: Place | undefined, limit: number): Promise<StoredGuest[]> {
    const filter = filterOf(selection)
    const read = (place: Filter<StoredGuest>, most: number): Promise<StoredGuest[]> =>
      this.#guests
        .find({ ...filter, ...place }, { hint: BY_NAME })
        .sort({ sort_name: 1, _id: 1 })
        .limit(most)
        .project<StoredGuest>({ guest_metadata: 0, search_words: 0 })
        .toArray()
    if (!after) return read({}, limit)
    // Two queries that the index answers: for one with $or the planner reads the names before the place, too.
    const sameName = await read({ sort_name: after.sort_name, _id: { $gt: after.id } }, limit)
    if (sameName.length === limit) return sameName
    return [...sameName, ...(await read({ sort_name: { $gt: after.sort_name } }, limit - sameName.length))]
  }

  /** How many guests are in a selection. */
  async count(selection: PrintSelection): Promise<number> {
    return this.#guests.countDocuments(filterOf(selection))
  }

  /** The metadata of these names that guests have. */
  async metadata(
    event_id: string,
    ids: string[],
    names: string[],
  ): Promise<Pick<StoredGuest, '_id' | 'guest_metadata'>[]> {
    const wanted = new Set(names)
    const guests = await this.#guests
      .find({ _id: { $in: ids }, event_id })
      .project<Pick<StoredGuest, '_id' | 'guest_metadata'>>({ guest_metadata: 1 })
      .toArray()
    return guests.map(({ _id, guest_metadata }) => ({
      _id,
      guest_metadata: (guest_metadata ?? []).flatMap(({ name, value }) =>
        wanted.has(name) ? [{ name, value: value?.slice(0, MAX_VALUE) ?? null }] : [],
      ),
    }))
  }

  /** The guest with the longest name of an event, or where no name is long, of the first 10,000 by name; null if there is none. */
  async longestName(event_id: string): Promise<string | null> {
    const long = await this.#guests.findOne(
      { event_id, long_name: { $gt: 0 } },
      { projection: { _id: 1 }, sort: { long_name: -1, _id: 1 }, hint: BY_LONG_NAME },
    )
    if (long) return long._id
    const steps = [
      { $match: { event_id } },
      { $sort: { sort_name: 1, _id: 1 } },
      { $limit: SAMPLE },
      // The index by name has all of it: a database that can answers from there, without reading guests.
      { $project: { length: { $strLenCP: '$sort_name' } } },
      { $sort: { length: -1, _id: 1 } },
      { $limit: 1 },
    ]
    const [longest] = await this.#guests.aggregate<{ _id: string }>(steps, { hint: BY_NAME }).toArray()
    return longest?._id ?? null
  }

  /** Those of the ids that are guests of the event. */
  async known(event_id: string, ids: string[]): Promise<string[]> {
    return knownIds(this.#guests, { event_id }, ids)
  }

  /** Orders of all events after a given one, oldest first. */
  async due(after: BadgeOrder | undefined, limit: number): Promise<BadgeOrder[]> {
    // Two queries that the index answers: for one with $or the planner may read everything.
    const sameMoment = after ? await this.#dueGuests({ badge_due: after.due, _id: { $gt: after.guest_id } }, limit) : []
    const later =
      sameMoment.length < limit
        ? await this.#dueGuests({ badge_due: { $gt: after?.due ?? new Date(0) } }, limit - sameMoment.length)
        : []
    return [...sameMoment, ...later]
  }

  async #dueGuests(filter: object, limit: number): Promise<BadgeOrder[]> {
    const guests = await this.#guests
      .find(filter, { hint: BY_DUE })
      .sort({ badge_due: 1, _id: 1 })
      .limit(limit)
      .project<{ _id: string; event_id: string; badge_due: Date }>({ event_id: 1, badge_due: 1 })
      .toArray()
    return guests.map(({ _id, event_id, badge_due }) => ({ event_id, guest_id: _id, due: badge_due }))
  }

  /** Orders a badge for a guest without an order. Null if another request has ordered it, or the guest is gone. */
  async order({ event_id, _id }: Pick<StoredGuest, 'event_id' | '_id'>, due: Date): Promise<StoredGuest | null> {
    return changeOne(
      this.#guests,
      { _id, event_id, badge_due: { $exists: false } },
      { $set: { badge_due: due, badge_completed: false }, $inc: { badge_order: 1, revision: 1 } },
    )
  }

  /** Ends an order: the badge is made, or none is wanted. Null if there is a newer order, or the guest is gone. */
  async complete(event_id: string, _id: string, badge_order: number, made: boolean): Promise<StoredGuest | null> {
    const which = { _id, event_id, badge_order, badge_due: { $exists: true } }
    const ended = { $set: { badge_completed: made }, $unset: { badge_due: 1 as const }, $inc: { revision: 1 } }
    const loud = { ...which, quiet_badge_order: { $ne: badge_order } }
    const changed = await changeOne(this.#guests, loud, { ...ended, $max: { updated_at: new Date() } })
    // Quietly made, it leaves the guest's times as they were.
    return changed ?? changeOne(this.#guests, { ...which, quiet_badge_order: badge_order }, ended)
  }

  /** Marks the categories of an event whose badges have a QR code, and returns them. */
  markEvent(event_id: string): Promise<CategoryKey[]> {
    const hasCode = [{ badge_qr_code_enabled: true }, { badge_template_id: { $type: 'string' as const } }]
    return this.#mark({ event_id, deleted: false, badge_enabled: true, $or: hasCode })
  }

  /** Marks the categories of an event that have badges, and returns them. */
  markAll(event_id: string): Promise<CategoryKey[]> {
    return this.#mark({ event_id, deleted: false, badge_enabled: true })
  }

  async #mark(filter: Filter<StoredCategory>): Promise<CategoryKey[]> {
    await this.#categories.updateMany(filter, { $set: { badges_due: new Date() } })
    return this.#categories.find(filter).project<CategoryKey>({ event_id: 1 }).toArray()
  }

  /** Marks the categories that name a badge template, and returns them. Once it is deleted they name none. */
  async markTemplate(event_id: string, badge_template_id: string, isDeleted: boolean): Promise<CategoryKey[]> {
    const filter = { event_id, deleted: false, badge_template_id }
    const categories = await this.#categories.find(filter).project<CategoryKey>({ event_id: 1 }).toArray()
    const changes = { badges_due: new Date(), ...(isDeleted && { badge_template_id: null }) }
    await this.#categories.updateMany(filter, { $set: changes })
    return categories
  }

  /** Takes over a category whose orders were interrupted; null if there is none. */
  async takeAbandoned(): Promise<CategoryKey | null> {
    const abandoned = new Date(Date.now() - ABANDONED_MS)
    return this.#categories.findOneAndUpdate(
      { badges_due: { $lte: abandoned } },
      { $set: { badges_due: new Date() } },
      { projection: { event_id: 1 } },
    )
  }

  /**
   * Orders badges for all guests of a marked category, in several writes. Guests who come into the category meanwhile get their order
   * with the write which puts them there.
   */
  async *orderCategory({ event_id, _id }: CategoryKey): AsyncGenerator<Ordered> {
    const category = await this.#categories.findOne({ _id, event_id })
    if (!category?.badges_due) return
    if (category.badge_enabled && !category.deleted) yield* this.#orderGuests(event_id, _id)
    await this.#categories.updateOne({ _id, event_id, badges_due: category.badges_due }, { $unset: { badges_due: 1 } })
  }

  async *#orderGuests(event_id: string, guest_category_id: string): AsyncGenerator<Ordered> {
    const cursor = this.#guests
      .find({ event_id, guest_category_id }, { batchSize: CHUNK })
      .project<Pick<StoredGuest, '_id' | 'uid'>>({ uid: 1 })
    let guests: Pick<StoredGuest, '_id' | 'uid'>[] = []
    for await (const guest of cursor) {
      guests.push(guest)
      if (guests.length < CHUNK) continue
      yield await this.#orderThese(event_id, guest_category_id, guests)
      guests = []
    }
    if (guests.length > 0) yield await this.#orderThese(event_id, guest_category_id, guests)
  }

  async #orderThese(event_id: string, guest_category_id: string, guests: Ordered['guests']): Promise<Ordered> {
    const due = new Date()
    await this.#guests.updateMany(
      { _id: { $in: guests.map(({ _id }) => _id) }, event_id, guest_category_id },
      { $set: { badge_due: due, badge_completed: false }, $inc: { badge_order: 1, revision: 1 } },
    )
    return { event_id, due, guests }
  }
}

function filterOf({ event_id, guest_category_ids, checked_in }: PrintSelection): Filter<StoredGuest> {
  return {
    event_id,
    guest_category_id: { $in: guest_category_ids },
    uid: { $not: new RegExp(ERASED_PATTERN) },
    ...(checked_in !== undefined && { checked_in_at: checked_in ? { $gt: NOT_ENTERED } : NOT_ENTERED }),
  }
}
