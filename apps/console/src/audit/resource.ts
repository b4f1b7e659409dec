import { resource } from '../resources/resource.ts'

/** Who did what in the account. */
export const auditRecords = resource('/api/v1/audit_records.json', {
  columns: ['created_at', 'kind', 'action', 'outcome', 'event_id', 'token_name', 'address'],
  filters: ['token_id', 'action', 'event_id', 'since', 'before'],
})
