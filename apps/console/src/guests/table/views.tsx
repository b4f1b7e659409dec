import { useState } from 'preact/hooks'
import { hrefOf } from '../../route/route.ts'
import { useConsole } from '../../view/console.ts'
import { CopyButton } from '../../view/once.tsx'
import { Opening } from '../../view/opening.tsx'
import { readStored, store } from '../../view/stored.ts'

/** A named view of a table: what its address says besides the route. */
interface View {
  name: string
  query: Record<string, string>
}

interface Props {
  event_id: string
  /** What the table shows now. */
  query: Record<string, string>
}

/** The views of the guests of an event that this browser keeps, and the link to what is shown. */
export function Views({ event_id, query }: Props) {
  const { say } = useConsole()
  const key = `views ${event_id}`
  const [views, setViews] = useState(() => readStored(key, [], isViews))
  const [name, setName] = useState('')
  const keep = (next: View[]): void => {
    store(key, next)
    setViews(next)
  }
  const save = (event: SubmitEvent): void => {
    event.preventDefault()
    const others = views.filter((view) => view.name !== name.trim())
    keep([...others, { name: name.trim(), query }])
    setName('')
  }
  return (
    <Opening name="opening" button="button second" text={say('views')} place={JSON.stringify(query)}>
      {views.length === 0 && <p class="quiet">{say('views_none')}</p>}
      {views.map((view) => (
        <div key={view.name} class="buttons">
          <a href={addressOf(event_id, view.query)}>{view.name}</a>
          <button
            type="button"
            class="second"
            aria-label={say('view_delete', { name: view.name })}
            onClick={() => keep(views.filter((each) => each !== view))}
          >
            ×
          </button>
        </div>
      ))}
      <form class="buttons" onSubmit={save}>
        <label class="filter" for="view-name">
          {say('view_name')}
          <input
            id="view-name"
            required
            pattern=".*\S.*"
            maxLength={80}
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <button type="submit" class="second">
          {say('view_save')}
        </button>
      </form>
      <CopyButton text={new URL(addressOf(event_id, query), location.href).href} label={say('view_copy')} />
    </Opening>
  )
}

function addressOf(event_id: string, query: Record<string, string>): string {
  return `${hrefOf('events', event_id, 'guests')}?${new URLSearchParams(query)}`
}

function isViews(value: unknown): value is View[] {
  return (
    Array.isArray(value) &&
    value.every((each) => typeof each?.name === 'string' && typeof each.query === 'object' && each.query !== null)
  )
}
