import { type Handlers, handlersOf, required } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import { recordsAsCsv } from './csv.ts'
import type { auditRecords } from './resource.ts'

/** Returns the handlers of audit records. */
export function auditHandlers(dependencies: Dependencies): Handlers<typeof auditRecords> {
  return handlersOf<typeof auditRecords, Dependencies>(
    {
      async list({ audit }, { query, caller, format }) {
        const records = await audit.page(required(caller).account_id, query, query)
        return format === 'csv' ? recordsAsCsv(records) : records
      },
      take: ({ audit }, { body }) => audit.take(body) as Promise<undefined>,
    },
    dependencies,
  )
}
