import { tags } from '@gatehouse/proto/pages/languages.ts'
import { useEffect, useRef, useState } from 'preact/hooks'
import { goTo, hrefOf, type Place } from '../route/route.ts'
import { client } from '../server/server.ts'
import { signOut } from '../session/session.ts'
import { languageNames } from '../texts/texts.ts'
import { useConsole } from './console.ts'
import { useLoaded } from './loaded.ts'
import { eventOf } from './navigation.tsx'
import { chosenTheme, showTheme, themes } from './theme.ts'

/** Above all pages: the event, who is signed in, and how the console looks and speaks. */
export function Header({ place }: { place: Place }) {
  const { account, account_name } = useConsole().session
  return (
    <header>
      <a class="brand" href={hrefOf('events')}>
        {account_name ?? account}
      </a>
      <EventChooser place={place} />
      <PersonCard place={place} />
    </header>
  )
}

/** Who is signed in, what is theirs, and the way out. It covers the page as long as it is used. */
function PersonCard({ place }: { place: Place }) {
  const { say, session } = useConsole()
  const { staff_member } = session
  const details = useRef<HTMLDetailsElement>(null)
  const close = (): void => details.current?.removeAttribute('open')
  useEffect(close, [place.join('/')])
  const closeByKey = ({ key }: KeyboardEvent): void => {
    if (key !== 'Escape') return
    close()
    details.current?.querySelector('summary')?.focus()
  }
  const closeBehind = ({ relatedTarget }: FocusEvent): void => {
    if (!details.current?.contains(relatedTarget as Node | null)) close()
  }
  return (
    <details class="person" ref={details} onKeyDown={closeByKey} onFocusOut={closeBehind}>
      <summary aria-label={say('signed_in_as', { name: staff_member.name ?? staff_member.email })}>
        <span>{staff_member.name ?? staff_member.email}</span>
      </summary>
      {/* What is clicked in it takes the focus, so that the card stays. */}
      <div class="card" tabIndex={-1}>
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
      </div>
    </details>
  )
}

function EventChooser({ place }: { place: Place }) {
  const { say } = useConsole()
  const event = eventOf(place)
  const { value: events = [] } = useLoaded(async () => (await client.GET('/api/v1/events.json')).data, [event])
  return (
    <select
      class="event"
      aria-label={say('event')}
      value={event ?? ''}
      onChange={({ currentTarget: { value } }) =>
        value === '' ? goTo('events') : goTo('events', value, ...place.slice(2, 3))
      }
    >
      <option value="">{say('all_events')}</option>
      {events.map(({ _id, title }) => (
        <option key={_id} value={_id}>
          {title}
        </option>
      ))}
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
        {themes.map((each) => (
          <option key={each} value={each}>
            {say(`theme_${each}`)}
          </option>
        ))}
      </select>
    </label>
  )
}
