import { type Handlers, required } from '@gatehouse/proto/declaring/resource.ts'
import type { auditRecords } from './resource.ts'
import type { AuditStore } from './store.ts'

/** The handler of audit records. */
export function auditHandlers(store: AuditStore): Handlers<typeof auditRecords> {
  return {
    async list({ query, caller }) {
      return store.page(required(caller).account_id, query, query)
    },
  }
}
