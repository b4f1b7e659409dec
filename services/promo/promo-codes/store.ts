import { type Adopted, type Adoption, adoptAll, storedWith } from '@gatehouse/proto/storage/adopting.ts'
import { changeOne, deleteOne, laterThan } from '@gatehouse/proto/storage/documents.ts'
import { insertOnce, unlessTaken } from '@gatehouse/proto/storage/mongo.ts'
import { type PageQuery, pageThrough } from '@gatehouse/proto/storage/paging.ts'
import type { Collection, Db } from 'mongodb'
import type { PromoCode } from './resource.ts'
import { textKey } from './text.ts'

/** A discount code as stored. Its uses are stored in guests, by the guests service. */
export interface StoredPromoCode extends Omit<PromoCode, 'times_used'> {
  /** Unique in the event (text.ts). */
  text_key: string
  /** How often it was used in the system that it comes from: those guests do not hold it here. */
  uses_elsewhere?: number
  /** How another system gave it last; absent if it was made here. */
  adopted?: Adoption
  /** Counts changes, so that a change applies only to the code as it was validated. */
  revision: number
}

/** A discount code without the fields that are derived from the others. */
export type NewPromoCode = Omit<StoredPromoCode, 'text_key' | 'searchable_keywords' | 'revision'>

/** The name that the list's index gets from its keys. */
const BY_CREATION = 'event_id_1_created_at_-1__id_-1'

const HIDDEN = ['text_key', 'revision'] as const

/** The discount codes collection. A text is unique in its event whatever its case, by an index. */
export class PromoCodeStore {
  readonly #codes: Collection<StoredPromoCode>

  constructor(db: Db) {
    this.#codes = db.collection('promo_codes')
  }

  async prepare(): Promise<void> {
    await this.#codes.createIndexes([
      { key: { event_id: 1, text_key: 1 }, unique: true },
      { key: { event_id: 1, created_at: -1, _id: -1 } },
    ])
  }

  /** Newest creation first. */
  async page(event_id: string, page: PageQuery): Promise<StoredPromoCode[]> {
    return pageThrough(this.#codes, { event_id }, { created_at: -1, _id: -1 }, page, {
      hidden: HIDDEN,
      index: BY_CREATION,
    })
  }

  async get(event_id: string, _id: string): Promise<StoredPromoCode | null> {
    return this.#codes.findOne({ _id, event_id })
  }

  async findByText(event_id: string, text: string): Promise<StoredPromoCode | null> {
    return this.#codes.findOne({ event_id, text_key: textKey(text) })
  }

  /** Stores a new code. Returns it, or the one that an earlier try stored, or undefined if the text is taken. */
  async insert(code: NewPromoCode): Promise<StoredPromoCode | undefined> {
    return unlessTaken(insertOnce(this.#codes, { ...code, revision: 0, ...derived(code) }))
  }

  /** Stores codes of another system, or compares them. */
  async adopt(codes: NewPromoCode[], compares: boolean): Promise<Adopted[]> {
    const aside = (code: NewPromoCode) => ({ revision: 0, ...derived(code) })
    return adoptAll<NewPromoCode>(this.#codes as unknown as Collection<NewPromoCode>, codes, {
      compares,
      unique: 'text',
      aside,
      beside: (code, _, { revision }) => ({ ...derived(code), revision: revision + 1 }),
    })
  }

  /** Changes a code as it was read. Null if it has changed since or is gone, undefined if the new text is taken. */
  async update(current: StoredPromoCode, changes: Partial<NewPromoCode>): Promise<StoredPromoCode | null | undefined> {
    const { _id, event_id, revision } = current
    const fields = { ...changes, ...derived({ ...current, ...changes }), updated_at: laterThan(current.updated_at) }
    const update = { $set: fields, $inc: { revision: 1 } }
    return unlessTaken(changeOne(this.#codes, { _id, event_id, revision }, update))
  }

  /** Those with these ids. */
  withIds(event_id: string, ids: string[]): Promise<StoredPromoCode[]> {
    return storedWith(this.#codes, event_id, ids)
  }

  /** Deletes one, only `as` it was read if that is given. */
  async delete(event_id: string, _id: string, as: { revision?: number } = {}): Promise<StoredPromoCode | null> {
    return deleteOne(this.#codes, { _id, event_id, ...as })
  }
}

function derived({ text, amount }: NewPromoCode): Pick<StoredPromoCode, 'text_key' | 'searchable_keywords'> {
  return { text_key: textKey(text), searchable_keywords: [text.toLowerCase(), String(amount)] }
}
