import { eventOf, routeOf } from '../route/route.ts'
import { client, type Item } from '../server/server.ts'
import { chosenLanguage, loadTexts } from '../texts/texts.ts'
import { readSession } from './session.ts'

// The network takes as long as a slow device needs for the rest of the code: what each page needs is asked for before that runs.

/** The session at the start. */
export const firstSession = readSession()

/** The texts at the start. */
export const firstTexts = loadTexts(chosenLanguage())

const first_id = eventOf(routeOf(location.hash))
let firstEvent = first_id === undefined ? undefined : readEvent(first_id)

for (const request of [firstSession, firstTexts, firstEvent]) request?.catch(() => {})

/** Reads an event. */
export async function readEvent(event_id: string, signal?: AbortSignal): Promise<Item> {
  const params = { path: { event_id } }
  return (await client.GET('/api/v1/events/{event_id}.json', { params, ...(signal && { signal }) })).data
}

/** The event at the start, once, if it is this one. */
export async function takeFirstEvent(event_id: string): Promise<Item | undefined> {
  const taken = firstEvent
  firstEvent = undefined
  return event_id === first_id ? taken : undefined
}
