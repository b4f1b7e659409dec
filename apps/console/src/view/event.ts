import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Role } from '../declared/declared.ts'
import type { Item } from '../server/server.ts'
import { may } from '../session/session.ts'
import { useConsole } from './console.ts'

/** The event whose page is shown. */
export interface ShownEvent {
  /** Undefined until it is there, and on pages of the account. */
  event: Item | undefined
  /** Whether it is being read. */
  isAwaited: boolean
  /** Reads it again. */
  reload: () => void
}

/** The event of a page, for all views within it. */
export const EventContext = createContext<ShownEvent>({ event: undefined, isAwaited: false, reload: () => undefined })

/** The event of a view. */
export function useEvent(): ShownEvent {
  return useContext(EventContext)
}

/** Whether an event is archived, and so read-only. */
export function isArchived(event: Item | undefined): boolean {
  return typeof event?.archived_at === 'string'
}

/** Returns whether who is signed in may change what is for a role and those above; in an archived event nobody may. */
export function useMayChange(): (least: Role) => boolean {
  const { session } = useConsole()
  const { event } = useEvent()
  return (least) => may(session, least) && !isArchived(event)
}
