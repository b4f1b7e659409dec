import { expireAfterDays } from '@gatehouse/proto/storage/mongo.ts'
import { type PageQuery, pageThrough } from '@gatehouse/proto/storage/paging.ts'
import { type Collection, type Db, type Filter, ObjectId } from 'mongodb'
import type { AuditRecord } from './resource.ts'

/** An audit record before it is stored; missing fields become null. */
export type AuditEntry = Pick<AuditRecord, 'account_id' | 'kind'> &
  Partial<Pick<AuditRecord, 'contact_id' | 'client_id' | 'address'>>

/** The filter of a list. */
export interface AuditFilter {
  kind?: AuditRecord['kind'] | undefined
  contact_id?: string | undefined
  since?: Date | undefined
  before?: Date | undefined
}

/** How many days records are kept where nothing else is set. */
export const KEPT_DAYS = 90

/** Names of indexes, derived from their keys. */
const BY_TIME = 'account_id_1_created_at_-1__id_-1'
const BY_KIND = 'account_id_1_kind_1_created_at_-1__id_-1'
const BY_CONTACT = 'account_id_1_contact_id_1_created_at_-1__id_-1'

/** The audit records collection. Records are written once and expire. */
export class AuditStore {
  readonly #db: Db
  readonly #records: Collection<AuditRecord>
  readonly #keptDays: number

  constructor(db: Db, keptDays = KEPT_DAYS) {
    this.#db = db
    this.#records = db.collection('audit_records')
    this.#keptDays = keptDays
  }

  async prepare(): Promise<void> {
    await this.#records.createIndexes([
      { key: { account_id: 1, created_at: -1, _id: -1 } },
      { key: { account_id: 1, kind: 1, created_at: -1, _id: -1 } },
      { key: { account_id: 1, contact_id: 1, created_at: -1, _id: -1 } },
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

  /** One page, newest first. */
  async page(account_id: string, filter: AuditFilter, page: PageQuery): Promise<AuditRecord[]> {
    const { kind, contact_id, since, before } = filter
    const created = { ...(since && { $gte: since }), ...(before && { $lt: before }) }
    const wanted: Filter<AuditRecord> = {
      account_id,
      ...(kind && { kind }),
      ...(contact_id !== undefined && { contact_id }),
      ...((since || before) && { created_at: created }),
    }
    const index = contact_id !== undefined ? BY_CONTACT : kind ? BY_KIND : BY_TIME
    return pageThrough(this.#records, wanted, { created_at: -1, _id: -1 }, page, { index })
  }
}

function recordOf({ account_id, kind, contact_id = null, client_id = null, address = null }: AuditEntry): AuditRecord {
  const _id = new ObjectId().toHexString()
  return { _id, account_id, kind, contact_id, client_id, address, created_at: new Date() }
}
