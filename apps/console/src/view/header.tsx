import { tags } from '@gatehouse/proto/pages/languages.ts'
import { useState } from 'preact/hooks'
import { guideOf } from '../guides/guide-of.ts'
import { eventOf, goTo, hrefOf, type Route } from '../route/route.ts'
import { client, type Item } from '../server/server.ts'
import { homeOf, signOut } from '../session/session.ts'
import { languageNames } from '../texts/texts.ts'
import { useConsole } from './console.ts'
import { useLoaded } from './loaded.ts'
import { Opening } from './opening.tsx'
import { Options } from './options.tsx'
import { chosenTheme, showTheme, themes } from './theme.ts'

interface Props {
  route: Route
  event: Item | undefined
  /** Whether a narrow window shows the menu in place of the page. */
  isOpen: boolean
  setOpen: (isOpen: boolean) => void
}

/** Above all pages: the event, who is signed in, and how the console looks and speaks; in a narrow window the way to the menu as well. */
export function Header({ route, event, isOpen, setOpen }: Props) {
  const { say, session } = useConsole()
  const { account, account_name } = session
  return (
    <header>
      <a class="brand" href={hrefOf(...homeOf(session))}>
        {account_name ?? account}
      </a>
      <button type="button" class="second menu" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {say('menu')}
      </button>
      {session.staff_member.event_id === null ? (
        <EventChooser route={route} shown={event} />
      ) : (
        <span class="event">{event && String(event.title)}</span>
      )}
      {/* In a tab of its own, so that a form stays as it is. */}
      <a class="help" href={hrefOf('guides', guideOf(route))} target="_blank" rel="noopener">
        {say('help')}
      </a>
      <PersonCard route={route} />
    </header>
  )
}

/** Who is signed in, what is theirs, and the way out. */
function PersonCard({ route }: { route: Route }) {
  const { say, session } = useConsole()
  const { staff_member } = session
  return (
    <Opening
      name="person"
      label={say('signed_in_as', { name: staff_member.name ?? staff_member.email })}
      text={<span>{staff_member.name ?? staff_member.email}</span>}
      place={route.join('/')}
    >
      <p>
        {staff_member.email}
        <small>{say(`choice_${staff_member.role}`)}</small>
      </p>
      <a href={hrefOf('passkeys')}>{say('page_passkeys')}</a>
      <LanguageChooser />
      <ThemeChooser />
      <button type="button" class="second" onClick={() => void signOut()}>
        {say('sign_out')}
      </button>
    </Opening>
  )
}

/** Leads to another event. The list lacks archived events, unless one is shown. */
function EventChooser({ route, shown }: { route: Route; shown: Item | undefined }) {
  const { say } = useConsole()
  const event = eventOf(route)
  const { value: events = [] } = useLoaded(
    async () => (await client.GET('/api/v1/events.json')).data,
    [event, shown?.archived_at ?? null],
  )
  const titles = new Map(events.map(({ _id, title }) => [_id, title]))
  if (shown) titles.set(String(shown._id), String(shown.title))
  return (
    <select
      class="event"
      aria-label={say('event')}
      value={event ?? ''}
      onChange={({ currentTarget: { value } }) =>
        value === '' ? goTo('events') : goTo('events', value, ...route.slice(2, 3))
      }
    >
      <option value="">{say('all_events')}</option>
      <Options choices={titles} />
    </select>
  )
}

function LanguageChooser() {
  const { say, language, speak } = useConsole()
  return (
    <label>
      {say('language')}
      <select value={language} onChange={({ currentTarget }) => speak(currentTarget.value)}>
        {tags.map((tag) => (
          <option key={tag} value={tag} lang={tag}>
            {languageNames[tag]}
          </option>
        ))}
      </select>
    </label>
  )
}

function ThemeChooser() {
  const { say } = useConsole()
  const [theme, setTheme] = useState(chosenTheme)
  return (
    <label>
      {say('theme')}
      <select
        value={theme}
        onChange={({ currentTarget: { value } }) => {
          const chosen = themes.find((each) => each === value) ?? 'system'
          showTheme(chosen)
          setTheme(chosen)
        }}
      >
        <Options choices={themes.map((each) => [each, say(`theme_${each}`)] as const)} />
      </select>
    </label>
  )
}
