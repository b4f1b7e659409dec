import { coalesced } from '@gatehouse/proto/concurrency/coalescing.ts'
import { type Adopted, type Adoption, adoptAll } from '@gatehouse/proto/storage/adopting.ts'
import { changeOne, knownIds, setFields } from '@gatehouse/proto/storage/documents.ts'
import { insertOnce } from '@gatehouse/proto/storage/mongo.ts'
import { type Collection, type Db, ObjectId } from 'mongodb'
import { categoryDefaults, type GuestCategory } from './resource.ts'

/** A guest category as stored. The checkin service stores its links. */
export interface StoredCategory extends Omit<GuestCategory, 'guest_category_accesspoints'> {
  /** Set by a deletion while it looks for guests (`markForDeletion`). */
  deletion_mark?: string
  /** Deleted to all clients; the document stays until its links are deleted, so that an interrupted deletion can be finished. */
  deleted: boolean
  /** Links that are to replace the current ones, and since when; absent once they have (links.ts). */
  links_due?: { since: Date; links: LinkTerms[] }
  /** Since when badges are to be ordered for all its guests; absent once they are (badge-orders). */
  badges_due?: Date
  /** How another system gave it last; absent if it was made here. */
  adopted?: Adoption
}

/** A link as a client gives it. */
export type LinkTerms = Omit<GuestCategory['guest_category_accesspoints'][number], 'guest_category_id'>

/** Which category of which event. */
export type CategoryKey = Pick<StoredCategory, 'event_id' | '_id'>

const HIDDEN = { projection: { deletion_mark: 0, deleted: 0 } } as const

/** The fields whose change makes the badges of the category's guests anew. */
const PRINTED: readonly string[] = [
  'name',
  'badge_enabled',
  'badge_qr_code_enabled',
  'badge_ecard_in_qr_code_enabled',
  'badge_template_id',
] satisfies (keyof GuestCategory)[]

/** Defaults for documents older than these fields. */
const ADDED_TO_LINKS = { valid_from: null, valid_until: null, period: 'event', reentry: false } as const

/**
 * The guest categories collection.
 *
 * A category is deleted only while it is empty, without a transaction over guests and categories. A deletion (1) marks the category, (2)
 * looks for guests, (3) deletes the category only if its own mark is still there. A request that puts a guest in a category (a) stores the
 * guest, (b) confirms the category: it removes any mark, or finds the category gone and deletes the guest. If (b) finds no mark, (a) came
 * before (1) and so before (2), which finds the guest. If (b) removes a mark, (3) fails. If (b) finds the category gone, the guest was not
 * answered yet. So no answered guest is without its category.
 */
export class GuestCategoryStore {
  readonly #categories: Collection<StoredCategory>
  /** Reads a category; calls at the same time share a query. */
  readonly #read: (key: CategoryKey) => Promise<StoredCategory | undefined>

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
    const found = this.#categories.find({ event_id, deleted: false }, HIDDEN).sort({ created_at: 1, _id: 1 })
    return found.map(whole).toArray()
  }

  /** Whether it is there. */
  async has(event_id: string, _id: string): Promise<boolean> {
    return (await this.#read({ event_id, _id })) !== undefined
  }

  /** Whether its guests get badges. */
  async wantsBadges(event_id: string, _id: string): Promise<boolean> {
    return (await this.#read({ event_id, _id }))?.badge_enabled ?? false
  }

  /** Whether badges of its guests are made by a template. */
  async hasBadgeTemplate(event_id: string, _id: string): Promise<boolean> {
    return typeof (await this.#read({ event_id, _id }))?.badge_template_id === 'string'
  }

  /** Those with these ids. */
  async ofIds(event_id: string, ids: string[]): Promise<StoredCategory[]> {
    return this.#categories
      .find({ _id: { $in: ids }, event_id, deleted: false }, HIDDEN)
      .map(whole)
      .toArray()
  }

  async get(event_id: string, _id: string): Promise<StoredCategory | null> {
    return whole(await this.#categories.findOne({ _id, event_id, deleted: false }, HIDDEN))
  }

  /** Those of the ids that are categories of the event. */
  async known(event_id: string, ids: string[]): Promise<string[]> {
    return knownIds(this.#categories, { event_id, deleted: false }, ids)
  }

  /** Stores a new category. Returns it, or the one that an earlier try stored. */
  async insert(category: StoredCategory): Promise<StoredCategory> {
    return insertOnce(this.#categories, category)
  }

  /** Stores categories of another system. */
  async adopt(categories: StoredCategory[], compares: boolean): Promise<Adopted[]> {
    const beside = ({ badge_enabled }: StoredCategory, fields: string[]) =>
      badge_enabled && reprints(fields) ? { badges_due: new Date() } : {}
    return adoptAll(this.#categories, categories, { compares, beside })
  }

  async update(event_id: string, _id: string, changes: Partial<StoredCategory>): Promise<StoredCategory | null> {
    return whole(await setFields(this.#categories, { _id, event_id, deleted: false }, changes, HIDDEN))
  }

  /** As {@link update}, for a category that gets links; null also if earlier ones are still due. */
  async updateLinked(
    { event_id, _id }: CategoryKey,
    changes: Partial<StoredCategory>,
    links: LinkTerms[],
  ): Promise<StoredCategory | null> {
    const which = { _id, event_id, deleted: false, links_due: { $exists: false } }
    const due = { ...changes, links_due: { since: new Date(), links } }
    return whole(await setFields(this.#categories, which, due, HIDDEN))
  }

  /** Notes that the due links are written. */
  async markLinked({ event_id, _id, links_due }: StoredCategory): Promise<void> {
    if (!links_due) return
    await this.#categories.updateOne(
      { _id, event_id, 'links_due.since': links_due.since },
      { $unset: { links_due: 1 } },
    )
  }

  /** Step (b): whether a guest who was just put in the category may stay there. */
  async confirm(event_id: string, _id: string): Promise<boolean> {
    const category = await this.#read({ event_id, _id })
    if (!category?.deletion_mark) return category !== undefined
    const { matchedCount } = await this.#categories.updateOne(
      { _id, event_id, deleted: false },
      { $unset: { deletion_mark: 1 } },
    )
    return matchedCount > 0
  }

  /** Step (1): the category with a mark of this deletion, or already deleted by an earlier try; null if there is no such category. */
  async markForDeletion(event_id: string, _id: string): Promise<StoredCategory | null> {
    const deletion_mark = new ObjectId().toHexString()
    const marked = await changeOne(this.#categories, { _id, event_id, deleted: false }, { $set: { deletion_mark } })
    return whole(marked ?? (await this.#categories.findOne({ _id, event_id, deleted: true })))
  }

  /** Step (3): deletes the category to all clients unless a guest came after the mark. */
  async deleteMarked({ _id, event_id, deletion_mark }: StoredCategory): Promise<boolean> {
    if (!deletion_mark) return false
    const { matchedCount } = await this.#categories.updateOne(
      { _id, event_id, deleted: false, deletion_mark },
      { $set: { deleted: true } },
    )
    return matchedCount > 0
  }

  /** Removes the document of a deleted category. */
  async remove({ _id, event_id }: StoredCategory): Promise<void> {
    await this.#categories.deleteOne({ _id, event_id, deleted: true })
  }
}

/** Whether a change of these fields makes the badges of a category's guests anew. */
export function reprints(fields: readonly string[]): boolean {
  return fields.some((field) => PRINTED.includes(field))
}

function whole<T extends StoredCategory | null>(category: T): T {
  if (!category) return category
  const { links_due } = category
  const due = links_due && { ...links_due, links: links_due.links.map((link) => ({ ...ADDED_TO_LINKS, ...link })) }
  return { ...categoryDefaults, ...category, ...(due && { links_due: due }) }
}
