import { useEffect, useState } from 'preact/hooks'
import type { PageProps } from '../resources/resource.ts'
import { guests } from '../resources/resources.ts'
import { hrefOf } from '../route/route.ts'
import { client } from '../server/server.ts'
import { may } from '../session/session.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'
import { Problem } from '../view/problem.tsx'
import { ResourceList } from '../view/resource-list.tsx'
import { Skeleton } from '../view/skeleton.tsx'
import { ExportButton } from './export-button.tsx'

/** How long typing has to rest before it is searched for. */
const REST_MS = 200

/** The guests of an event: a list that is searched while someone types. */
export function GuestsPage({ params }: PageProps) {
  const { say, session } = useConsole()
  const event_id = params.event_id ?? ''
  const [typed, setTyped] = useState('')
  const [search, setSearch] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), REST_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const load = async () => (await client.GET('/api/v1/events/{event_id}.json', { params: { path: { event_id } } })).data
  const { value: event, error, reload } = useLoaded(load, [event_id])
  if (error) return <Problem error={error} retry={reload} />
  if (!event) return <Skeleton />
  const tools = (
    <>
      <input
        type="search"
        aria-label={say('search')}
        placeholder={say('guest_search')}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      {may(session, guests.creates) && <ExportButton event_id={event_id} />}
    </>
  )
  const making = (
    <a class="button second" href={hrefOf('events', event_id, 'guests', 'import')}>
      {say('import')}
    </a>
  )
  // The list is as long as the event has guests, so that its end can be reached at once.
  return (
    <ResourceList
      resource={guests}
      params={params}
      tools={tools}
      making={making}
      query={search === '' ? {} : { search }}
      expected={search === '' ? event.guest_count : 0}
    />
  )
}
