import { changeOne, knownIds, setFields } from '@gatehouse/proto/storage/documents.ts'
import { insertEachOnce, insertOnce } from '@gatehouse/proto/storage/mongo.ts'
import type { Collection, Db } from 'mongodb'
import { logoIdsOf } from './logos/store.ts'
import type { BadgeTemplate } from './resource.ts'

/** A badge template as stored. */
export interface StoredTemplate extends BadgeTemplate {
  /** Deleted to all clients; the document stays until badges are ordered for the guests of its categories. */
  deleted: boolean
  /** Since when badges are to be made anew for it; absent once they are ordered. */
  orders_due?: Date
}

/** Templates are few: a page of them at a time. */
const PAGE_SIZE = 100

const HIDDEN = { projection: { deleted: 0 } } as const

/** The badge templates collection. */
export class BadgeTemplateStore {
  readonly #templates: Collection<StoredTemplate>

  constructor(db: Db) {
    this.#templates = db.collection('badge_templates')
  }

  async prepare(): Promise<void> {
    await this.#templates.createIndexes([
      { key: { event_id: 1, created_at: 1, _id: 1 } },
      { key: { orders_due: 1 }, partialFilterExpression: { orders_due: { $exists: true } } },
    ])
  }

  /** Stores a new template. Returns it, or the one that an earlier try stored. */
  async insert(template: StoredTemplate): Promise<StoredTemplate> {
    return insertOnce(this.#templates, template)
  }

  /** Stores new ones, of which an earlier try may have stored some. */
  async insertMany(templates: StoredTemplate[]): Promise<void> {
    if (templates.length > 0) await insertEachOnce(this.#templates, templates)
  }

  /** Oldest first. */
  async ofEvent(event_id: string): Promise<StoredTemplate[]> {
    return this.#templates.find({ event_id, deleted: false }, HIDDEN).sort({ created_at: 1, _id: 1 }).toArray()
  }

  async ofIds(event_id: string, ids: string[]): Promise<StoredTemplate[]> {
    if (ids.length === 0) return []
    return this.#templates.find({ _id: { $in: ids }, event_id, deleted: false }, HIDDEN).toArray()
  }

  async get(event_id: string, _id: string): Promise<StoredTemplate | null> {
    return this.#templates.findOne({ _id, event_id, deleted: false }, HIDDEN)
  }

  /** The logos that templates of an event name. */
  async logoIds(event_id: string): Promise<string[]> {
    return logoIdsOf(await this.ofEvent(event_id))
  }

  /** Those of the ids that are templates of the event. */
  async known(event_id: string, ids: string[]): Promise<string[]> {
    return knownIds(this.#templates, { event_id, deleted: false }, ids)
  }

  /** Changes a template, and notes that its badges are to be made anew. */
  async update(event_id: string, _id: string, changes: Partial<BadgeTemplate>): Promise<StoredTemplate | null> {
    return setFields(this.#templates, { _id, event_id, deleted: false }, { ...changes, orders_due: new Date() })
  }

  /** Deletes a template to all clients. Returns also one of which an earlier try did not order the badges. */
  async markDeleted(event_id: string, _id: string): Promise<StoredTemplate | null> {
    return changeOne(this.#templates, { _id, event_id }, { $set: { deleted: true, orders_due: new Date() } })
  }

  /** Templates whose badges should have been ordered before a moment. */
  async dueBefore(moment: Date): Promise<StoredTemplate[]> {
    return this.#templates
      .find({ orders_due: { $lt: moment } })
      .sort({ orders_due: 1 })
      .limit(PAGE_SIZE)
      .toArray()
  }

  /** Notes that badges are ordered for a template as it was read; a deleted one is removed. */
  async markOrdered({ _id, event_id, orders_due, deleted }: StoredTemplate): Promise<void> {
    if (!orders_due) return
    if (deleted) await this.#templates.deleteOne({ _id, event_id, deleted })
    else await this.#templates.updateOne({ _id, event_id, orders_due }, { $unset: { orders_due: 1 } })
  }
}
