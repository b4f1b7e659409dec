import { type Handlers, required } from '@gatehouse/proto/declaring/resource.ts'
import { recordsAsCsv } from './csv.ts'
import type { auditRecords } from './resource.ts'
import type { AuditStore } from './store.ts'

/** The handlers of audit records. */
export function auditHandlers(store: AuditStore): Handlers<typeof auditRecords> {
  return {
    async list({ query, caller, format }) {
      const records = await store.page(required(caller).account_id, query, query)
      return format === 'csv' ? recordsAsCsv(records) : records
    },

    async take({ body }) {
      await store.take(body)
      return undefined
    },
  }
}
