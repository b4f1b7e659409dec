import { conflict } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { expireAfterDays, isDuplicate } from '@gatehouse/proto/storage/mongo.ts'
import { type PageQuery, pageThrough } from '@gatehouse/proto/storage/paging.ts'
import { type Collection, type Db, type Filter, ObjectId } from 'mongodb'
import type { AuditQuery, AuditRecord } from './resource.ts'

/** An administrative act, as its service sends it. */
export type TakenAct = Omit<AuditRecord, 'kind' | 'contact_id' | 'client_id'>

/** An audit record before it is stored; missing fields become null. */
export type AuditEntry = Pick<AuditRecord, 'account_id' | 'kind'> &
  Partial<Pick<AuditRecord, 'contact_id' | 'client_id' | 'address'>>

/** Names of indexes, derived from their keys. */
const BY_TIME = 'account_id_1_created_at_-1__id_-1'

/** The fields that a list is filtered by, the most selective first; each has an index. */
const filtered = ['contact_id', 'resource_id', 'token_id', 'event_id', 'kind'] as const

/** The audit records collection. Records are written once and expire. */
export class AuditStore {
  readonly #db: Db
  readonly #records: Collection<AuditRecord>
  readonly #keptDays: number

  constructor(db: Db, keptDays: number) {
    this.#db = db
    this.#records = db.collection('audit_records')
    this.#keptDays = keptDays
  }

  async prepare(): Promise<void> {
    await this.#records.createIndexes([
      { key: { account_id: 1, created_at: -1, _id: -1 } },
      ...filtered.map((field) => ({ key: { account_id: 1, [field]: 1, created_at: -1, _id: -1 } as const })),
    ])
    await expireAfterDays(this.#db, 'audit_records', 'created_at', this.#keptDays)
  }

  /** Stores a record with the current time. */
  async record(entry: AuditEntry): Promise<void> {
    await this.#records.insertOne(recordOf(entry))
  }

  /** Stores records with the current time. */
  async recordEach(entries: AuditEntry[]): Promise<void> {
    if (entries.length > 0) await this.#records.insertMany(entries.map(recordOf))
  }

  /** Stores an act of this service that was no request of a token, as done now. */
  async recordAct({
    account_id,
    address = null,
    ...act
  }: Pick<AuditRecord, 'account_id' | 'action' | 'token_id'> &
    Partial<Pick<AuditRecord, 'resource_id' | 'token_name' | 'address'>>): Promise<void> {
    await this.#records.insertOne({ ...recordOf({ account_id, kind: 'act', address }), ...act })
  }

  /**
   * Stores acts, each once: one whose outcome was unknown becomes done, and never the reverse. Throws `conflict` for the id of another account's
   * record, which stays as it is, and for one that is being stored at the same moment.
   */
  async take(acts: TakenAct[]): Promise<void> {
    if (acts.length === 0) return
    const writes = acts.map(({ _id, account_id, ...rest }) => {
      const act = { kind: 'act' as const, contact_id: null, client_id: null, ...rest }
      const update = act.outcome === 'done' ? { $set: act } : { $setOnInsert: act }
      return { updateOne: { filter: { _id, account_id }, update, upsert: true } }
    })
    await this.#records.bulkWrite(writes, { ordered: false }).catch((error: unknown) => {
      throw isDuplicate(error) ? conflict(messageOf('taken')) : error
    })
  }

  /** One page, newest first. */
  async page(account_id: string, filter: Omit<AuditQuery, keyof PageQuery>, page: PageQuery): Promise<AuditRecord[]> {
    const { kind, action, since, before } = filter
    const created = { ...(since && { $gte: since }), ...(before && { $lt: before }) }
    // An action is always an act's.
    const wantedKind = action === undefined ? kind : (kind ?? 'act')
    const given = Object.fromEntries(
      filtered.flatMap((field) => {
        const value = field === 'kind' ? wantedKind : filter[field]
        return value === undefined ? [] : [[field, value]]
      }),
    )
    const wanted: Filter<AuditRecord> = {
      account_id,
      ...given,
      // A dot ends the name of a service or resource; the sign after it is a slash.
      ...(action !== undefined && { $or: [{ action }, { action: { $gte: `${action}.`, $lt: `${action}/` } }] }),
      ...((since || before) && { created_at: created }),
    }
    const by = filtered.find((field) => field in given)
    const index = by ? `account_id_1_${by}_1_created_at_-1__id_-1` : BY_TIME
    return pageThrough(this.#records, wanted, { created_at: -1, _id: -1 }, page, { index })
  }
}

/** What only acts have. */
const NO_ACT = {
  action: null,
  resource_id: null,
  event_id: null,
  token_id: null,
  token_name: null,
  changed_fields: [],
  items: null,
  outcome: 'done',
} as const satisfies Partial<AuditRecord>

function recordOf({ account_id, kind, contact_id = null, client_id = null, address = null }: AuditEntry): AuditRecord {
  const _id = new ObjectId().toHexString()
  return { _id, account_id, kind, contact_id, client_id, address, ...NO_ACT, created_at: new Date() }
}
