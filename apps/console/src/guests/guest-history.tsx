import { AuditList } from '../audit/audit-list.tsx'
import { auditRecords } from '../audit/resource.ts'
import type { PageProps } from '../resources/resource.ts'
import type { Item } from '../server/server.ts'
import { may } from '../session/session.ts'
import { useConsole } from '../view/console.ts'

/** What staff did with a guest, as the audit log has it. */
export function GuestHistory({ item }: PageProps & { item: Item }) {
  const { say, session } = useConsole()
  if (!may(session, auditRecords.sees)) return null
  return (
    <section>
      <h2>{say('guest_history')}</h2>
      <p class="quiet">{say('guest_history_text')}</p>
      <AuditList query={{ resource_id: String(item._id) }} none="guest_history_none" />
    </section>
  )
}
