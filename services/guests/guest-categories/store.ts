import { coalesced } from '@gatehouse/proto/concurrency/coalescing.ts'
import { insertOnce } from '@gatehouse/proto/storage/mongo.ts'
import { type Collection, type Db, ObjectId } from 'mongodb'
import type { GuestCategory } from './resource.ts'

/** A guest category as stored. Its links are the checkin service's. */
export interface StoredCategory extends Omit<GuestCategory, 'guest_category_accesspoints'> {
  /** Set by a deletion that looks whether the category is empty; see `markForDeletion`. */
  deletion_mark?: string
  /** Deleted for everybody; the document stays until its links are gone too, so that a deletion can be taken up again. */
  deleted: boolean
  /** Links that replace those it has, since a time, as long as that is not done (links.ts). */
  links_due?: { since: Date; links: LinkTerms[] }
  /** Since when all its guests are to be ordered a badge, as long as that is not done (badge-orders). */
  badges_due?: Date
}

/** A link as a category is given it. */
export type LinkTerms = Pick<
  GuestCategory['guest_category_accesspoints'][number],
  'accesspoint_id' | 'max_allowed_accesses'
>

/** Which category of which event. */
type Key = Pick<StoredCategory, 'event_id' | '_id'>

const HIDDEN = { projection: { deletion_mark: 0, deleted: 0 } } as const

/**
 * The guest categories collection.
 *
 * A category is deleted only while it is empty, without a transaction over guests and categories. The deletion (1) marks
 * the category, (2) looks for guests, (3) deletes it only if its own mark is still there. Whoever puts a guest in a category
 * (a) stores the guest, (b) confirms the category: takes any mark off, or learns that it is gone and takes the guest back.
 * If (b) finds no mark, then (a) came before (1) and so before (2), which sees the guest. If it takes a mark off, (3) fails.
 * If it finds the category gone, the guest was never answered for. So no answered guest is left without its category.
 */
export class GuestCategoryStore {
  readonly #categories: Collection<StoredCategory>
  /** As they are at some time after they were asked for; those asked for at the same time are read together. */
  readonly #read: (key: Key) => Promise<StoredCategory | undefined>

  constructor(db: Db) {
    this.#categories = db.collection('guest_categories')
    this.#read = coalesced(async (keys) => {
      const ids = [...new Set(keys.map(({ _id }) => _id))]
      const found = await this.#categories.find({ _id: { $in: ids }, deleted: false }).toArray()
      return keys.map(({ event_id, _id }) => found.find((each) => each._id === _id && each.event_id === event_id))
    })
  }

  async prepare(): Promise<void> {
    await this.#categories.createIndex({ event_id: 1, created_at: 1, _id: 1 })
  }

  /** In the order of their creation. */
  async ofEvent(event_id: string): Promise<StoredCategory[]> {
    return this.#categories.find({ event_id, deleted: false }, HIDDEN).sort({ created_at: 1, _id: 1 }).toArray()
  }

  /** Whether it is there. */
  async has(event_id: string, _id: string): Promise<boolean> {
    return (await this.#read({ event_id, _id })) !== undefined
  }

  /** Whether its guests get badges. */
  async wantsBadges(event_id: string, _id: string): Promise<boolean> {
    return (await this.#read({ event_id, _id }))?.badge_enabled ?? false
  }

  /** Those with these ids. */
  async ofIds(event_id: string, ids: string[]): Promise<StoredCategory[]> {
    return this.#categories.find({ _id: { $in: ids }, event_id, deleted: false }, HIDDEN).toArray()
  }

  async get(event_id: string, _id: string): Promise<StoredCategory | null> {
    return this.#categories.findOne({ _id, event_id, deleted: false }, HIDDEN)
  }

  /** Those of the ids that are categories of the event. */
  async known(event_id: string, ids: string[]): Promise<string[]> {
    const found = await this.#categories
      .find({ _id: { $in: ids }, event_id, deleted: false })
      .project<{ _id: string }>({ _id: 1 })
      .toArray()
    return found.map(({ _id }) => _id)
  }

  /** Stores a new category, or gives the one that an earlier try stored. */
  async insert(category: StoredCategory): Promise<StoredCategory> {
    return insertOnce(this.#categories, category)
  }

  async update(event_id: string, _id: string, changes: Partial<StoredCategory>): Promise<StoredCategory | null> {
    return this.#categories.findOneAndUpdate(
      { _id, event_id, deleted: false },
      { $set: { ...changes, updated_at: new Date() } },
      { returnDocument: 'after', ...HIDDEN },
    )
  }

  /** As {@link update}, of a category that is given links; null where others are still on their way to it, too. */
  async updateLinked(
    { event_id, _id }: Key,
    changes: Partial<StoredCategory>,
    links: LinkTerms[],
  ): Promise<StoredCategory | null> {
    const now = new Date()
    return this.#categories.findOneAndUpdate(
      { _id, event_id, deleted: false, links_due: { $exists: false } },
      { $set: { ...changes, links_due: { since: now, links }, updated_at: now } },
      { returnDocument: 'after', ...HIDDEN },
    )
  }

  /** Notes that the links that were due are there. */
  async markLinked({ event_id, _id, links_due }: StoredCategory): Promise<void> {
    if (!links_due) return
    await this.#categories.updateOne(
      { _id, event_id, 'links_due.since': links_due.since },
      { $unset: { links_due: 1 } },
    )
  }

  /** Step (b): whether a guest just put in the category may stay there. */
  async confirm(event_id: string, _id: string): Promise<boolean> {
    const category = await this.#read({ event_id, _id })
    if (!category?.deletion_mark) return category !== undefined
    const { matchedCount } = await this.#categories.updateOne(
      { _id, event_id, deleted: false },
      { $unset: { deletion_mark: 1 } },
    )
    return matchedCount > 0
  }

  /** Step (1): the category with a mark of its own, or, from an earlier try, already deleted. Null when there is none. */
  async markForDeletion(event_id: string, _id: string): Promise<StoredCategory | null> {
    const deletion_mark = new ObjectId().toHexString()
    const marked = await this.#categories.findOneAndUpdate(
      { _id, event_id, deleted: false },
      { $set: { deletion_mark } },
      { returnDocument: 'after' },
    )
    return marked ?? this.#categories.findOne({ _id, event_id, deleted: true })
  }

  /** Step (3): deletes the category for everybody, unless a guest came after the mark. */
  async deleteMarked({ _id, event_id, deletion_mark }: StoredCategory): Promise<boolean> {
    if (!deletion_mark) return false
    const { matchedCount } = await this.#categories.updateOne(
      { _id, event_id, deleted: false, deletion_mark },
      { $set: { deleted: true } },
    )
    return matchedCount > 0
  }

  /** Removes what is left of a deleted category. */
  async remove({ _id, event_id }: StoredCategory): Promise<void> {
    await this.#categories.deleteOne({ _id, event_id, deleted: true })
  }
}
