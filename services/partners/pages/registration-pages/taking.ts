import type { Document, Filter } from 'mongodb'
import {
  guestIdOf,
  type PageKey,
  type PageRegistration,
  type StoredInvitation,
} from '../../delivery/invitations/store.ts'
import type { Dependencies } from '../../dependencies.ts'
import { categoryOf } from '../registrations/terms.ts'

/** Guests that one request looks up. */
const LOOKED_UP_AT_ONCE = 1_000

/**
 * Changes a registration that is to count from now on, with places for all its persons. `full` if there are not enough, `stale` if it is not as
 * it has to be. Before it says `full` it looks for guests who were deleted without a word.
 */
export async function takePlaces(
  dependencies: Dependencies,
  registration: PageRegistration,
  { only, change }: { only: Filter<StoredInvitation>; change: Document[] },
): Promise<StoredInvitation | 'full' | 'stale'> {
  const { places } = dependencies
  const { event_id, guest_category_id, party_size: persons = 1 } = registration
  const category = await categoryOf(dependencies, event_id, guest_category_id)
  if (!category) return 'full'
  const wanted = { persons, limit: category.registration_limit, only, change }
  const taken = await places.take(registration, wanted)
  if (taken !== 'full' || !(await removeGone(dependencies, registration))) return taken
  return places.take(registration, wanted)
}

/** Deletes registrations of a page whose guests were deleted, and so gives their places back. Returns whether there were any. */
export async function removeGone(
  dependencies: Dependencies,
  { event_id, guest_category_id }: PageKey,
): Promise<boolean> {
  const { places, registrations } = dependencies
  const made = await places.withGuests({ event_id, guest_category_id })
  let isAny = false
  for (let from = 0; from < made.length; from += LOOKED_UP_AT_ONCE) {
    const gone = await withoutGuests(dependencies, event_id, made.slice(from, from + LOOKED_UP_AT_ONCE).map(guestIdOf))
    if (gone.length === 0) continue
    await registrations.removeOfGuests(event_id, gone)
    isAny = true
  }
  return isAny
}

/** Deletes the registrations of guests that are deleted, if there are any. */
export async function guestsAreGone(
  dependencies: Dependencies,
  { event_id, guest_ids }: { event_id: string; guest_ids: string[] },
): Promise<void> {
  const { registrations } = dependencies
  const registered = await registrations.ofGuests(event_id, guest_ids)
  if (registered.length === 0) return
  // Someone may have registered again under the same id meanwhile.
  const gone = await withoutGuests(dependencies, event_id, registered)
  if (gone.length > 0) await registrations.removeOfGuests(event_id, gone)
}

async function withoutGuests({ guestClient }: Dependencies, event_id: string, ids: string[]): Promise<string[]> {
  const known = new Set((await guestClient.known({ body: { event_id, ids, uids: [] } })).ids)
  return ids.filter((id) => !known.has(id))
}
