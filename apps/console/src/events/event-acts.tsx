import { useState } from 'preact/hooks'
import { goTo, hrefOf } from '../route/route.ts'
import { asRefusal, change, type GatehouseError, type Item, remove } from '../server/server.ts'
import { may } from '../session/session.ts'
import { useConsole } from '../view/console.ts'
import { isArchived, useEvent } from '../view/event.ts'
import { Problem } from '../view/problem.tsx'
import { useTimes } from '../view/times.ts'

const EVENT = '/api/v1/events/{event_id}.json'

/** What can be done to an event as a whole: copy it, archive it, delete it. */
export function EventActs({ event }: { event: Item }) {
  const { say, session } = useConsole()
  if (!may(session, 'organizer')) return null
  const event_id = String(event._id)
  const bring = hrefOf('events', event_id, 'bring')
  return (
    <section class="event-acts">
      <div class="panel">
        <h2>{say('event_copy')}</h2>
        <p class="quiet">{say('event_copy_text')}</p>
        <a class="button second" href={hrefOf('events', event_id, 'settings', 'copy')}>
          {say('event_copy')}
        </a>
      </div>
      <div class="panel">
        <h2>{say('bring_title')}</h2>
        <p class="quiet">{say('bring_text')}</p>
        <a class="button second" href={bring}>
          {say('bring_title')}
        </a>
      </div>
      <TakingAway href={bring} />
      <Archiving event={event} />
      {may(session, 'owner') && <Deleting event={event} />}
    </section>
  )
}

/** Leads to what saves everything of an event, or of one that is chosen there. */
export function TakingAway({ href }: { href: string }) {
  const { say } = useConsole()
  return (
    <div class="panel">
      <h2>{say('bring_away')}</h2>
      <p class="quiet">{say('bring_away_hint')}</p>
      <a class="button second" href={`${href}?what=away`}>
        {say('bring_away')}
      </a>
    </div>
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

/** Deletes an event for good, once its title is typed. */
function Deleting({ event }: { event: Item }) {
  const { say, language } = useConsole()
  const [title, setTitle] = useState('')
  const [error, setError] = useState<GatehouseError>()
  const [isSending, setSending] = useState(false)
  const count = (field: string): string => Number(event[field]).toLocaleString(language)
  const deleteIt = async (submitted: SubmitEvent): Promise<void> => {
    submitted.preventDefault()
    setSending(true)
    setError(undefined)
    try {
      await remove(EVENT, { event_id: String(event._id) }, { title })
      goTo('events')
    } catch (problem) {
      setError(asRefusal(problem))
      setSending(false)
    }
  }
  return (
    <form class="panel" onSubmit={(submitted) => void deleteIt(submitted)}>
      <h2>{say('event_delete')}</h2>
      <p class="quiet">
        {say('event_delete_text', { guests: count('guest_count'), check_ins: count('check_in_count') })}
      </p>
      <label class="field">
        <span>{say('event_delete_title', { title: String(event.title) })}</span>
        <input value={title} onInput={({ currentTarget }) => setTitle(currentTarget.value)} />
      </label>
      <button type="submit" class="second alarming" disabled={isSending || title !== event.title}>
        {say('event_delete')}
      </button>
      {error && <Problem error={error} />}
    </form>
  )
}
