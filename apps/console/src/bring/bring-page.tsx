import type { PageProps } from '../resources/resource.ts'
import { type AddressQuery, hrefOf, useQuery } from '../route/route.ts'
import { useConsole } from '../view/console.ts'
import { isArchived, useEvent } from '../view/event.ts'
import { useNames } from '../view/names.ts'
import { CopyButton } from '../view/once.tsx'
import { Options } from '../view/options.tsx'
import { BringArchive } from './bring-archive.tsx'
import { BringFiles } from './bring-files.tsx'
import { TakeAway } from './take-away.tsx'

/** What somebody may have, or want. */
const WAYS = ['guests', 'tickets', 'attendance', 'archive', 'account', 'away'] as const
/** Those that bring something into the event. */
const INTO: readonly string[] = ['guests', 'tickets', 'attendance']
type Way = (typeof WAYS)[number]

/** Brings data of other systems into an event, and says how to take it away again. On the page of an event it is about that one. */
export function BringPage({ params: { event_id } }: PageProps) {
  const { say } = useConsole()
  const [query, replace] = useQuery()
  const way = WAYS.find((each) => each === query.what)
  const chosen = event_id ?? query.event ?? ''
  const choose = (event: string): void => replace({ ...query, event })
  return (
    <>
      <div class="head">
        <h1>{say(way ? `bring_${way}` : 'bring_title')}</h1>
        <div class="tools">
          {way && (
            <a class="button second" href={hrefOf(...routeOf(event_id))}>
              {say('bring_back')}
            </a>
          )}
        </div>
      </div>
      {way ? (
        <Chosen way={way} event={chosen} choose={event_id === undefined ? choose : undefined} />
      ) : (
        <Choices event_id={event_id} query={query} />
      )}
    </>
  )
}

function routeOf(event_id: string | undefined): string[] {
  return event_id === undefined ? ['bring'] : ['events', event_id, 'bring']
}

function Choices({ event_id, query }: { event_id: string | undefined; query: AddressQuery }) {
  const { say } = useConsole()
  const { event } = useEvent()
  const ways = isArchived(event) ? WAYS.filter((way) => !INTO.includes(way)) : WAYS
  const hrefFor = (way: Way): string =>
    way === 'guests' && event_id !== undefined
      ? hrefOf('events', event_id, 'guests', 'import')
      : `${hrefOf(...routeOf(event_id))}?${new URLSearchParams({ ...query, what: way })}`
  return (
    <>
      <p>{say('bring_text')}</p>
      <ul class="rows ways">
        {ways.map((way) => (
          <li key={way}>
            <a href={hrefFor(way)}>{say(`bring_${way}`)}</a> <small class="quiet">{say(`bring_${way}_hint`)}</small>
          </li>
        ))}
      </ul>
    </>
  )
}

interface ChosenProps {
  way: Way
  /** Its id; empty as long as none is chosen. */
  event: string
  /** Chooses an event, where the page is not about one. */
  choose: ((event: string) => void) | undefined
}

function Chosen({ way, event, choose }: ChosenProps) {
  const { say, session } = useConsole()
  const { account } = session
  const choice = choose && <EventChoice event={event} choose={choose} isNew={way === 'tickets'} />
  if (way === 'tickets' || way === 'attendance')
    return <BringFiles key={way} kind={way} event={event} choose={choose} choice={choice} />
  if (way === 'guests')
    return (
      <div class="form">
        {choice}
        {event && (
          <div class="buttons">
            <a class="button" href={hrefOf('events', event, 'guests', 'import')}>
              {say('import_title')}
            </a>
          </div>
        )}
      </div>
    )
  if (way === 'archive')
    return (
      <>
        <BringArchive />
        <Command
          text={say('bring_archive_text')}
          command={`npx gatehouse import everything FILE --account ${account}`}
        />
      </>
    )
  if (way === 'account')
    return (
      <Command
        text={say('bring_account_text')}
        command={`npx gatehouse migrate --from URL --token-file FILE --account ${account} --plan`}
      />
    )
  return (
    <>
      {choice && <div class="form">{choice}</div>}
      {event && <TakeAway key={event} event={event} />}
    </>
  )
}

function EventChoice({ event, choose, isNew }: { event: string; choose: (event: string) => void; isNew: boolean }) {
  const { say } = useConsole()
  const names = useNames(['event_id'], {})
  const none = [['', say(isNew ? 'bring_event_new' : 'choose')]] as const
  return (
    <div class="field">
      <label for="event">{say('field_event_id')}</label>
      <select id="event" value={event} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        <Options choices={[...none, ...(names?.event_id ?? [])]} />
      </select>
    </div>
  )
}

/** A command for a terminal, to be copied. */
function Command({ text, command }: { text: string; command: string }) {
  const { say } = useConsole()
  return (
    <section class="notice" aria-label={say('bring_command')}>
      <p>{text}</p>
      <code class="secret">{command}</code>
      <div class="buttons">
        <CopyButton text={command} label={say('copy')} />
      </div>
    </section>
  )
}
