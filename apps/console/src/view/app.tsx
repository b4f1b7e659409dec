import { useEffect, useRef, useState } from 'preact/hooks'
import { usePlace } from '../route/route.ts'
import { may } from '../session/session.ts'
import { useConsole } from './console.ts'
import { Header } from './header.tsx'
import { Navigation } from './navigation.tsx'
import { type FoundPage, findPage } from './pages.ts'

/** The console of someone who is signed in. */
export function App() {
  const { say, session } = useConsole()
  const place = usePlace()
  const [isOpen, setOpen] = useState(false)
  const main = useRef<HTMLElement>(null)
  const address = place.join('/')
  const found = findPage(place.length === 0 ? startOf(session.staff_member.event_id) : place)
  const title = found ? say(found.title) : say('not_found')
  useEffect(() => {
    document.title = `${title} – ${session.account_name ?? session.account}`
  }, [title])
  useEffect(() => {
    // Who navigates by the keyboard or listens is at the new page then.
    if (address !== '') main.current?.focus()
    setOpen(false)
  }, [address])
  return (
    <div class={`shell${isOpen ? ' open' : ''}`}>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        {say('skip')}
      </button>
      <button type="button" class="second menu" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {say('menu')}
      </button>
      <Header place={place} />
      <Navigation place={place} />
      <main ref={main} tabIndex={-1} data-place={address}>
        <PageOf key={address} found={found} />
      </main>
    </div>
  )
}

function PageOf({ found }: { found: FoundPage | undefined }) {
  const { say, session } = useConsole()
  if (!found) return <p class="notice">{say('not_found')}</p>
  if (!may(session, found.sees)) return <p class="notice">{say('forbidden')}</p>
  const { resource, places } = found
  const View = found.View as preact.ComponentType<{ places: typeof places; resource?: typeof resource }>
  return <View places={places} {...(resource && { resource })} />
}

/** Where people begin: at their event, if they are there for one. */
function startOf(event: string | null): string[] {
  return event === null ? ['events'] : ['events', event]
}
