import { hrefOf } from '../route/route.ts'
import { may } from '../session/session.ts'
import { useConsole } from '../view/console.ts'
import { isArchived, useEvent } from '../view/event.ts'

/** Says above each page of an archived event that it is read-only, and where that ends. */
export function ArchivedNotice() {
  const { say, session } = useConsole()
  const { event } = useEvent()
  if (!event || !isArchived(event)) return null
  return (
    <p class="notice archived">
      {say('archived_notice')}{' '}
      {may(session, 'organizer') && (
        <a href={hrefOf('events', String(event._id), 'settings')}>{say('archived_settings')}</a>
      )}
    </p>
  )
}
