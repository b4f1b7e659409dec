import { dotted } from '@gatehouse/proto/pages/direction.ts'
import { useState } from 'preact/hooks'
import { hrefOf, useQuery } from '../route/route.ts'
import { asRefusal, client, type GatehouseError } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'
import { Options } from '../view/options.tsx'
import { Problem } from '../view/problem.tsx'
import { saveFile } from '../view/save-file.ts'
import { documentsOf, type Subject } from './documents.ts'
import { EraseForm } from './erase-form.tsx'
import { Erasures } from './erasures.tsx'
import { type EventName, type FoundGuest, usePeople } from './search.ts'

const EVENTS = '/api/v1/events.json'
/** The parameter of the address that says who is looked for. */
const TEXT = 'q'

/** What is stored of a person, over all events: found, exported, erased; and what was erased. */
export function PersonalPage() {
  const { say } = useConsole()
  const [{ [TEXT]: text = '' }, setQuery] = useQuery()
  const [typed, setTyped] = useState(text)
  const [subject, setSubject] = useState<Subject>()
  const [chosen, setChosen] = useState('')
  const [round, setRound] = useState(0)
  const { value: events, error, reload } = useLoaded(allEvents, [])
  const search = usePeople(text, events)
  // Where the person was found, if anywhere.
  const event_id = chosen || (search.found[0]?.event_id ?? events?.[0]?.[0] ?? '')
  const event = events?.find(([id]) => id === event_id)?.[1] ?? ''
  const isOver = events !== undefined && search.done === events.length
  if (error && !events) return <Problem error={error} retry={reload} />
  return (
    <>
      <div class="head">
        <h1>{say('page_personal_data')}</h1>
      </div>
      <p class="quiet">{say('data_text')}</p>
      <form
        class="buttons person-search"
        onSubmit={(submitted) => {
          submitted.preventDefault()
          setSubject(undefined)
          setQuery(typed.trim() ? { [TEXT]: typed.trim() } : {})
        }}
      >
        <input
          type="search"
          aria-label={say('data_search')}
          placeholder={say('data_search')}
          value={typed}
          maxLength={255}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <button type="submit">{say('search')}</button>
      </form>
      {text !== '' && events && (
        <output class="quiet">
          {isOver && search.found.length === 0
            ? say('data_none')
            : say('data_searching', { done: search.done, count: events.length })}
        </output>
      )}
      {search.error && <Problem error={search.error} />}
      {subject && (
        <EraseForm
          key={`${subject.event_id} ${subject.by} ${subject.value}`}
          subject={subject}
          onEnd={(erasure) => {
            setSubject(undefined)
            if (!erasure) return
            setChosen(subject.event_id)
            setRound(round + 1)
          }}
        />
      )}
      <ul class="rows people">
        {search.found.map((each) => (
          <FoundPerson key={String(each.guest._id)} found={each} onErase={setSubject} />
        ))}
      </ul>
      {events && events.length > 0 && (
        <section class="part">
          <h2>{say('data_at_event')}</h2>
          <div class="buttons">
            <select
              aria-label={say('field_event_id')}
              value={event_id}
              onChange={({ currentTarget }) => setChosen(currentTarget.value)}
            >
              <Options choices={events} />
            </select>
          </div>
          <h3>{say('data_by_address')}</h3>
          {text.includes('@') ? (
            <div class="person-acts">
              <span>
                <strong>{event}</strong> · {say('data_erase_by_email', { email: text })}
              </span>
              <PersonActs subject={{ event_id, event, name: text, by: 'email', value: text }} onErase={setSubject} />
            </div>
          ) : (
            <p class="quiet">{say('data_by_address_how')}</p>
          )}
          <h3>{say('data_report')}</h3>
          <Erasures event_id={event_id} round={round} />
        </section>
      )}
    </>
  )
}

interface FoundProps {
  found: FoundGuest
  onErase: (subject: Subject) => void
}

function FoundPerson({ found: { event_id, event, guest, name }, onErase }: FoundProps) {
  const id = String(guest._id)
  return (
    <li class="person-acts">
      <span>
        <a href={hrefOf('events', event_id, 'guests', id)}>{name}</a>
        <span class="quiet"> · {dotted([event, guest.email as string, guest.company_name as string])}</span>
      </span>
      <PersonActs subject={{ event_id, event, name, by: 'guest_id', value: id }} onErase={onErase} />
    </li>
  )
}

/** What can be done with a person's data at an event. */
function PersonActs({ subject, onErase }: { subject: Subject; onErase: (subject: Subject) => void }) {
  const { say } = useConsole()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<GatehouseError>()
  const save = async (): Promise<void> => {
    setBusy(true)
    setError(undefined)
    try {
      const documents = Object.fromEntries(await documentsOf(subject))
      const { event, name } = subject
      const file = { exported_at: new Date().toISOString(), event, person: name, documents }
      saveFile(`${name}.json`, [JSON.stringify(file, undefined, 2)], 'application/json')
    } catch (problem) {
      setError(asRefusal(problem))
    }
    setBusy(false)
  }
  return (
    <span class="buttons">
      <button
        type="button"
        class="second"
        disabled={isBusy}
        aria-label={say('data_export_of', { name: subject.name })}
        onClick={() => void save()}
      >
        {say('data_export')}
      </button>
      <button type="button" class="second alarming" disabled={isBusy} onClick={() => onErase(subject)}>
        {say('data_erase')}
      </button>
      {error && <Problem error={error} />}
    </span>
  )
}

/** The events of the account, archived ones too. */
async function allEvents(signal: AbortSignal): Promise<EventName[]> {
  const archived = { params: { query: { archived: true } } }
  const [open, old] = await Promise.all([client.GET(EVENTS, { signal }), client.GET(EVENTS, { ...archived, signal })])
  const all = [...open.data, ...old.data].map(({ _id, title }): EventName => [_id, title])
  return [...new Map(all)]
}
