import { useEffect, useState } from 'preact/hooks'
import { asRefusal, client, type GatehouseError, type Item } from '../server/server.ts'
import { nameOf } from '../view/names.ts'

/** Guests that are shown of one event. */
const MOST = 20
/** Events that are searched at the same time. */
const AT_ONCE = 4

/** An event, by its title. */
export type EventName = readonly [id: string, title: string]

/** A guest that was found. */
export interface FoundGuest {
  event_id: string
  event: string
  guest: Item
  name: string
}

/** The state of a search over events. */
export interface Search {
  found: readonly FoundGuest[]
  /** Events that were searched. */
  done: number
  error?: GatehouseError
}

/** Looks for people among the guests of all events. Another text gives up what is looked for. */
export function usePeople(text: string, events: readonly EventName[] | undefined): Search {
  const [state, setState] = useState<Search>({ found: [], done: 0 })
  useEffect(() => {
    setState({ found: [], done: 0 })
    if (text === '' || !events) return undefined
    const stop = new AbortController()
    const left = [...events]
    const work = async (): Promise<void> => {
      for (let next = left.shift(); next && !stop.signal.aborted; next = left.shift()) {
        const own = await guestsOf(next, text, stop.signal)
        if (!stop.signal.aborted) setState(({ found, done }) => ({ found: [...found, ...own], done: done + 1 }))
      }
    }
    Promise.all(Array.from({ length: AT_ONCE }, work)).catch((error) => {
      if (!stop.signal.aborted) setState((before) => ({ ...before, error: asRefusal(error) }))
      stop.abort()
    })
    return () => stop.abort()
  }, [text, events])
  return state
}

async function guestsOf([event_id, event]: EventName, search: string, signal: AbortSignal): Promise<FoundGuest[]> {
  const params = { path: { event_id }, query: { search, per_page: MOST } }
  const { data } = await client.GET('/api/v1/events/{event_id}/guests.json', { params, signal })
  return data.map((guest) => ({ event_id, event, guest, name: nameOf(guest) }))
}
