import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import type { FieldGetter, StoredList } from '@gatehouse/proto/formats/raw-documents.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { addedLater } from './presenter.ts'
import type { Guest, guests } from './resource.ts'
import { readSearch } from './search.ts'
import type { StoredGuest } from './stored-guest.ts'

type Read = typeof guests.actions.read
type Extras = Pick<Guest, 'badge_url' | 'qrcode_url' | 'badges' | 'files' | 'checked_in_at'>

/** Returns one page of an event's guests. */
export async function list(
  dependencies: Dependencies,
  { params: { event_id }, query }: Call<typeof guests.actions.list>,
): Promise<StoredList<Omit<StoredGuest, keyof Extras> & Extras>> {
  const { guests, lookups } = dependencies
  const { search, category, since, before, updated_since, updated_before } = query
  const { checked_in, mailed, has_email, rsvp_status, source, sort } = query
  const uid = query.uid === undefined ? undefined : await lookups.uidOf(event_id, query.uid)
  const filter = {
    ...{ uid, since, before, updated_since, updated_before, categories: category },
    ...{ checked_in, mailed, has_email, rsvp_status, source, sort },
  }
  const searched = { ...filter, ...(search && { search: readSearch(search) }) }
  const listed = await guests.page(event_id, searched, query, query.guest_metadata)
  const ids = query.badges || query.files ? listed.each('_id') : []
  return listed.with(await extrasOf(dependencies, event_id, ids, query))
}

/** Returns one guest. */
export async function read(
  dependencies: Dependencies,
  { params: { event_id, id }, query }: Call<Read>,
): Promise<Output<Read>> {
  const guest = found(await dependencies.guests.get(event_id, id))
  const extras = await extrasOf(dependencies, event_id, [id], query)
  return { ...dependencies.presenter.shown(guest, query), ...extras((name) => guest[name]) }
}

/** Reads the parts of guests that are not stored with them, as the query asks for them. */
async function extrasOf(
  { presenter, badgeClient, fileClient }: Dependencies,
  event_id: string,
  guest_ids: string[],
  query: Call<Read>['query'],
): Promise<(get: FieldGetter<StoredGuest>) => Extras> {
  const question = { body: { event_id, guest_ids } }
  const [allBadges, allFiles] = await Promise.all([
    query.badges && guest_ids.length > 0 ? badgeClient.of_guests(question) : [],
    query.files && guest_ids.length > 0 ? fileClient.of_guests(question) : [],
  ])
  const badgesOf = Map.groupBy(allBadges, ({ guest_id }) => guest_id)
  const filesOf = Map.groupBy(allFiles, ({ guest_id }) => guest_id)
  return (get) => ({
    // Present in each: stored or added.
    ...(addedLater(get) as Pick<Guest, 'checked_in_at'>),
    ...presenter.linksOf(get, query),
    ...(query.badges && { badges: get('badge_completed') ? (badgesOf.get(get('_id')) ?? []) : [] }),
    ...(query.files && { files: filesOf.get(get('_id')) ?? [] }),
  })
}
