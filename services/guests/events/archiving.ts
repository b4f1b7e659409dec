import { conflict } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { StoredEvent } from './store.ts'

type Archivable = Pick<StoredEvent, 'archived_at'>

/** Whether an event is archived. */
export function isArchived(event: Archivable | null): boolean {
  return event !== null && event.archived_at !== null
}

/**
 * Returns the change of a request that says whether an event is archived. Throws `conflict` if an archived event is to stay so and be changed
 * otherwise.
 */
export function archivingOf(
  event: Archivable,
  { archived, ...others }: { archived?: boolean },
): { archived_at?: Date | null } {
  if (!isArchived(event)) return archived ? { archived_at: new Date() } : {}
  if (archived === false) return { archived_at: null }
  if (Object.keys(others).length > 0) throw conflict(messageOf('event_archived'))
  return {}
}
