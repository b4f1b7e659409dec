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
   * Claims an erasure until a time, if it is due. Null if another process works on it, or another erasure of the event goes first: two that
   * are about the same person would count what they find twice, and give one guest two pseudonyms.
   */
  async claim(erasure: StoredErasure, until: Date): Promise<StoredErasure | null> {
    const { _id, event_id } = erasure
    if (await this.#isBehind(erasure)) return null
    const claim = new ObjectId().toHexString()
    const claimed = await changeOne(
      this.#erasures,
      { _id, event_id, due: { $lte: new Date() } },
      { $set: { claim, due: until } },
    )
    // Another erasure may have been stored or claimed since that check. Since each looks again after its own claim, at least one of two sees the
    // other and withdraws.
    if (!claimed || !(await this.#isBehind(claimed))) return claimed
    await this.update(claimed, { claim: null, due: new Date() })
    return null
  }

  /** Whether another erasure goes first: one that is claimed, or else the oldest. */
  async #isBehind({ _id, event_id, state }: StoredErasure): Promise<boolean> {
    if (state !== 'running') return false
    const running = await this.#erasures
      .find({ event_id, state }, { hint: LIST })
      .sort({ created_at: 1, _id: 1 })
      .toArray()
    const claimed = running.filter(({ claim }) => claim !== null)
    return claimed.length > 0 ? claimed.some((each) => each._id !== _id) : running[0]?._id !== _id
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
