import { useState } from 'preact/hooks'
import { hrefOf } from '../route/route.ts'
import { asRefusal, change, type GatehouseError, type Item } from '../server/server.ts'
import { may } from '../session/session.ts'
import { useConsole } from '../view/console.ts'
import { isArchived, useEvent } from '../view/event.ts'
import { Problem } from '../view/problem.tsx'
import { useTimes } from '../view/times.ts'

const EVENT = '/api/v1/events/{event_id}.json'

/** What can be done to an event as a whole: copy it, archive it. */
export function EventActs({ event }: { event: Item }) {
  const { say, session } = useConsole()
  if (!may(session, 'organizer')) return null
  const event_id = String(event._id)
  return (
    <section class="event-acts">
      <div class="panel">
        <h2>{say('event_copy')}</h2>
        <p class="quiet">{say('event_copy_text')}</p>
        <a class="button second" href={hrefOf('events', event_id, 'settings', 'copy')}>
          {say('event_copy')}
        </a>
      </div>
      <Archiving event={event} />
    </section>
  )
}

/** Archives an event, or makes it an event like others again. Both can be undone. */
function Archiving({ event }: { event: Item }) {
  const { say } = useConsole()
  const times = useTimes()
  const { reload } = useEvent()
  const [error, setError] = useState<GatehouseError>()
  const [isSending, setSending] = useState(false)
  const archived = isArchived(event)
  const turn = async (): Promise<void> => {
    setSending(true)
    setError(undefined)
    try {
      await change(EVENT, { event_id: String(event._id) }, { archived: !archived })
      reload()
    } catch (problem) {
      setError(asRefusal(problem))
    }
    setSending(false)
  }
  return (
    <div class="panel">
      <h2>{say(archived ? 'event_unarchive' : 'event_archive')}</h2>
      {archived && (
        <p>
          {say('field_archived_at')} <time>{times.at(String(event.archived_at))}</time>
        </p>
      )}
      <p class="quiet">{say(archived ? 'event_unarchive_text' : 'event_archive_text')}</p>
      <button type="button" class="second" disabled={isSending} onClick={() => void turn()}>
        {say(archived ? 'event_unarchive' : 'event_archive')}
      </button>
      {error && <Problem error={error} />}
    </div>
  )
}
