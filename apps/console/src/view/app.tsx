import { useEffect, useRef, useState } from 'preact/hooks'
import { ArchivedNotice } from '../events/archived-notice.tsx'
import type { NextStepProps } from '../overview/next-step.tsx'
import { eventOf, type Route, useRoute } from '../route/route.ts'
import { readEvent, takeFirstEvent } from '../session/first-requests.ts'
import { homeOf, may } from '../session/session.ts'
import { useConsole } from './console.ts'
import { EventContext, isArchived, type ShownEvent, useEvent } from './event.ts'
import { Header } from './header.tsx'
import { lazily } from './lazily.tsx'
import { LeavingDialog } from './leaving-dialog.tsx'
import { useLoaded } from './loaded.ts'
import { Navigation } from './navigation.tsx'
import { type FoundPage, findPage } from './pages.ts'
import { Toasts } from './toasts.tsx'
import { Trail } from './trail.tsx'

const NextStep = lazily<NextStepProps>(async () => (await import('../overview/next-step.tsx')).NextStep)

/** The console of someone who is signed in. */
export function App() {
  const { say, session } = useConsole()
  const route = useRoute()
  const [isOpen, setOpen] = useState(false)
  const main = useRef<HTMLElement>(null)
  const address = route.join('/')
  const place = route.length === 0 ? homeOf(session) : route
  const found = findPage(place)
  const shown = useEventOf(place)
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
      <Header route={place} event={shown.event} {...{ isOpen, setOpen }} />
      <Navigation route={place} />
      <main ref={main} tabIndex={-1} data-route={address}>
        <Trail route={place} />
        <EventContext.Provider value={shown}>
          <ArchivedNotice />
          <PageOf key={address} found={found} />
        </EventContext.Provider>
      </main>
      <div class="below">
        <EventContext.Provider value={shown}>
          <NextStep route={place} />
        </EventContext.Provider>
        <Toasts />
      </div>
      <LeavingDialog />
    </div>
  )
}

function PageOf({ found }: { found: FoundPage | undefined }) {
  const { say, session } = useConsole()
  const { event } = useEvent()
  if (!found) return <p class="notice">{say('not_found')}</p>
  if (!may(session, found.sees))
    return (
      <>
        <h1>{say(found.title)}</h1>
        <p class="notice">{say('forbidden')}</p>
      </>
    )
  if (found.makes && isArchived(event)) return <h1>{say(found.title)}</h1>
  const { resource, params } = found
  const View = found.View as preact.ComponentType<{ params: typeof params; resource?: typeof resource }>
  return <View params={params} {...(resource && { resource })} />
}

/** Reads the event of a place. */
function useEventOf(place: Route): ShownEvent {
  const event_id = eventOf(place)
  const { value, error, reload } = useLoaded(
    async (signal) => {
      if (event_id === undefined) return undefined
      return (await takeFirstEvent(event_id)) ?? readEvent(event_id, signal)
    },
    [event_id],
  )
  return { event: value, isAwaited: event_id !== undefined && !value && !error, reload }
}
