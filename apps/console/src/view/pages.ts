import type { ComponentType } from 'preact'
import { declaredOf, type Role } from '../declared/declared.ts'
import { GuestsPage } from '../guests/guests-page.tsx'
import { ImportPage } from '../guests/import-page.tsx'
import { LivePage } from '../live/live-page.tsx'
import { PasskeysPage } from '../passkeys/passkeys-page.tsx'
import { type ConsoleResource, idPlaceOf, type PlaceProps } from '../resources/resource.ts'
import { guests, resources } from '../resources/resources.ts'
import { LINKS } from '../rights/limits.ts'
import { RightsPage } from '../rights/rights-page.tsx'
import type { Place } from '../route/route.ts'
import type { TextKey } from '../texts/words.ts'
import { ItemPage, NewItem } from './resource-item.tsx'
import { ResourceList } from './resource-list.tsx'

/** A page that is no list or form of a resource. */
export interface Page {
  /** Its place: `['events', '{event_id}', 'live']`. */
  segments: string[]
  title: TextKey
  sees: Role
  View: ComponentType<PlaceProps>
}

/** What a place shows. */
export interface FoundPage {
  title: TextKey
  sees: Role
  places: Record<string, string>
  resource?: ConsoleResource
  View: ComponentType<PlaceProps & { resource: ConsoleResource }> | ComponentType<PlaceProps>
}

const links = declaredOf(LINKS)

/** The pages that are made by hand; they come before those of a resource at the same place. */
export const pages: readonly Page[] = [
  { segments: ['events', '{event_id}', 'guests'], title: 'page_guests', sees: guests.sees, View: GuestsPage },
  {
    segments: ['events', '{event_id}', 'guests', 'import'],
    title: 'import_title',
    sees: guests.creates,
    View: ImportPage,
  },
  { segments: ['events', '{event_id}', 'live'], title: 'page_live', sees: 'viewer', View: LivePage },
  { segments: ['passkeys'], title: 'page_passkeys', sees: 'viewer', View: PasskeysPage },
  { segments: ['events', '{event_id}', 'rights'], title: 'page_rights', sees: links.sees, View: RightsPage },
]

/** The last segment of the place where an item is made. */
export const NEW = 'new'

/** What is at a place; undefined if nothing is. */
export function findPage(place: Place): FoundPage | undefined {
  for (const { segments, title, sees, View } of pages) {
    const places = placesOf(segments, place)
    if (places) return { title, sees, places, View }
  }
  for (const resource of resources) {
    const title: TextKey = `page_${resource.name}`
    const { path, segments, sees, creates } = resource
    const places = placesOf(segments, place)
    if (places) return { title, sees, places, resource, View: ResourceList }
    const within = placesOf(segments, place.slice(0, -1))
    const last = place.at(-1)
    if (!within || last === undefined) continue
    if (last === NEW) return { title, sees: creates, places: within, resource, View: NewItem }
    // The id of an event has another name in paths than that of other items.
    const ofItem = { ...within, id: last, [idPlaceOf(declaredOf(path).one)]: last }
    return { title, sees, places: ofItem, resource, View: ItemPage }
  }
  return undefined
}

/** The places of a pattern that a place in the console fills; undefined if it is another one. */
function placesOf(segments: readonly string[], place: Place): Record<string, string> | undefined {
  if (segments.length !== place.length) return undefined
  const places: Record<string, string> = {}
  for (const [index, segment] of segments.entries()) {
    const given = place[index] as string
    if (segment.startsWith('{')) places[segment.slice(1, -1)] = given
    else if (segment !== given) return undefined
  }
  return places
}
