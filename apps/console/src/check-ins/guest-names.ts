import { asRefusal, client } from '../server/server.ts'
import { nameOf } from '../view/names.ts'

/** A guest as lists of check-ins and leads name it. */
export interface NamedGuest {
  _id: string
  name: string
}

/** Guests that are kept. */
const KEPT = 2_000
const guests = new Map<string, Promise<NamedGuest | undefined>>()

/** The guest with a uid, asked for once; undefined if there is none any more. */
export function guestWithUid(event_id: string, uid: string): Promise<NamedGuest | undefined> {
  return kept(`${event_id} uid ${uid}`, () => findGuest(event_id, uid))
}

/** The guest with an `_id`, asked for once; undefined if there is none any more. */
export function guestWithId(event_id: string, id: string): Promise<NamedGuest | undefined> {
  return kept(`${event_id} id ${id}`, () => readGuest(event_id, id))
}

function kept(key: string, load: () => Promise<NamedGuest | undefined>): Promise<NamedGuest | undefined> {
  const known = guests.get(key)
  if (known) return known
  const found = load()
  guests.set(key, found)
  if (guests.size > KEPT) guests.delete(guests.keys().next().value as string)
  found.catch(() => guests.delete(key))
  return found
}

async function findGuest(event_id: string, uid: string): Promise<NamedGuest | undefined> {
  const params = { path: { event_id }, query: { uid, per_page: 1 } }
  const { data } = await client.GET('/api/v1/events/{event_id}/guests.json', { params })
  const [guest] = data
  return guest && { _id: guest._id, name: nameOf(guest) }
}

async function readGuest(event_id: string, id: string): Promise<NamedGuest | undefined> {
  try {
    const { data } = await client.GET('/api/v1/events/{event_id}/guests/{id}.json', {
      params: { path: { event_id, id } },
    })
    return { _id: data._id, name: nameOf(data) }
  } catch (problem) {
    if (asRefusal(problem).status === 404) return undefined
    throw problem
  }
}
