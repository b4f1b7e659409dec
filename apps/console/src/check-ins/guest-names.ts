import { client } from '../server/server.ts'
import { nameOf } from '../view/names.ts'

/** A guest as a list of check-ins names it. */
export interface NamedGuest {
  _id: string
  name: string
}

/** Guests that are kept. */
const KEPT = 2_000
const guests = new Map<string, Promise<NamedGuest | undefined>>()

/** The guest with a uid, asked for once; undefined if there is none any more. */
export function guestWithUid(event_id: string, uid: string): Promise<NamedGuest | undefined> {
  const key = `${event_id} ${uid}`
  const known = guests.get(key)
  if (known) return known
  const found = readGuest(event_id, uid)
  guests.set(key, found)
  if (guests.size > KEPT) guests.delete(guests.keys().next().value as string)
  found.catch(() => guests.delete(key))
  return found
}

async function readGuest(event_id: string, uid: string): Promise<NamedGuest | undefined> {
  const params = { path: { event_id }, query: { uid, per_page: 1 } }
  const { data } = await client.GET('/api/v1/events/{event_id}/guests.json', { params })
  const [guest] = data
  return guest && { _id: guest._id, name: nameOf(guest) }
}
