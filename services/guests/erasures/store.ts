import type { FoundEntry } from '@gatehouse/proto/declaring/personal-data.ts'
import { changeOne } from '@gatehouse/proto/storage/documents.ts'
import { insertOnce } from '@gatehouse/proto/storage/mongo.ts'
import { type PageQuery, pageThrough } from '@gatehouse/proto/storage/paging.ts'
import { type Collection, type Db, ObjectId } from 'mongodb'
import type { Erasure } from './resource.ts'

/** What a pass over all services has found, by service, and where it is done. */
export interface Pass {
  found: Record<string, FoundEntry[]>
  erased: string[]
}

/** An erasure as stored. */
export interface StoredErasure extends Omit<Erasure, 'report' | 'unsearched'> {
  account_id: string
  /** Whether the report includes what the account has besides the event. */
  with_account: boolean
  /** Whom it is about, and the key of its pseudonyms, encrypted; deleted with the end of the last pass. */
  sealed?: string
  /** The first pass, and the second one, for what was on its way during the first. */
  passes: Pass[]
  /** When any process may work on it next; absent once nothing is left to do. */
  due?: Date
  /** Who works on it until then. */
  claim: string | null
  failures: number
}

const LIST = 'event_id_1_created_at_-1__id_-1'
const DUE = 'due_1'

/** The erasures collection. */
export class ErasureStore {
  readonly #erasures: Collection<StoredErasure>

  constructor(db: Db) {
    this.#erasures = db.collection('erasures')
  }

  async prepare(): Promise<void> {
    await this.#erasures.createIndexes([
      { key: { event_id: 1, created_at: -1, _id: -1 }, name: LIST },
      { key: { due: 1 }, name: DUE, partialFilterExpression: { due: { $exists: true } } },
    ])
  }

  /** Stores a new one. Returns it, or the one that an earlier try stored. */
  async insert(erasure: StoredErasure): Promise<StoredErasure> {
    return insertOnce(this.#erasures, erasure)
  }

  async get(event_id: string, _id: string): Promise<StoredErasure | null> {
    return this.#erasures.findOne({ _id, event_id })
  }

  /** Newest first. */
  async page(event_id: string, page: PageQuery): Promise<StoredErasure[]> {
    return pageThrough(this.#erasures, { event_id }, { created_at: -1, _id: -1 }, page, { index: LIST })
  }

  /** Erasures of all events that are due, the longest due first. */
  async due(limit: number): Promise<StoredErasure[]> {
    // With a bound for `due` in the filter the local stack would read all of the partial index.
    const found = await this.#erasures
      .find({ due: { $exists: true } }, { hint: DUE })
      .sort({ due: 1 })
      .limit(limit)
      .toArray()
    const now = new Date()
    return found.filter(({ due = now }) => due <= now)
  }

  /**
   * Claims an erasure until a time, if it is due. Null if another process works on it, or on an older one of the event: two that are about the
   * same person would give one guest two pseudonyms.
   */
  async claim({ _id, event_id, state }: StoredErasure, until: Date): Promise<StoredErasure | null> {
    if (state === 'running') {
      const [first] = await this.#erasures
        .find({ event_id, state }, { hint: LIST })
        .sort({ created_at: 1, _id: 1 })
        .limit(1)
        .toArray()
      if (first?._id !== _id) return null
    }
    const claim = new ObjectId().toHexString()
    return changeOne(this.#erasures, { _id, event_id, due: { $lte: new Date() } }, { $set: { claim, due: until } })
  }

  /** Changes a claimed erasure. Null if another process has taken it over. */
  async update(
    { _id, event_id, claim }: StoredErasure,
    changes: Partial<StoredErasure>,
    removed: ('sealed' | 'due')[] = [],
  ): Promise<StoredErasure | null> {
    return changeOne(
      this.#erasures,
      { _id, event_id, claim },
      {
        $set: changes,
        ...(removed.length > 0 && { $unset: Object.fromEntries(removed.map((name) => [name, ''])) }),
      },
    )
  }
}
