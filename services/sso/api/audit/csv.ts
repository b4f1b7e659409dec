import type { Download } from '@gatehouse/proto/declaring/resource.ts'
import { plainOf } from '@gatehouse/proto/formats/json-writer.ts'
import { stringify } from 'csv-stringify/sync'
import { type AuditRecord, auditRecord } from './resource.ts'

const columns = [
  '_id',
  'created_at',
  'kind',
  'action',
  'resource_id',
  'event_id',
  'token_id',
  'token_name',
  'contact_id',
  'client_id',
  'address',
  'changed_fields',
  'items',
  'outcome',
] as const

const plain = plainOf(auditRecord)

/** Audit records as CSV below a header. Cells that a spreadsheet would run as a formula begin with `'`. */
export function recordsAsCsv(records: AuditRecord[]): Download {
  const rows = records.map((stored) => {
    const record = plain(stored)
    return columns.map((name) => {
      const value = record[name]
      return Array.isArray(value) ? value.join(' ') : value
    })
  })
  const csv = stringify([[...columns], ...rows], { escape_formulas: true })
  return { bytes: Buffer.from(csv), filename: 'audit-records.csv' }
}
