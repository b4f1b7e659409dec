import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { type Client, clientOf } from '@gatehouse/proto/bus/client.ts'
import { inChunks } from '@gatehouse/proto/concurrency/chunks.ts'
import { isErased } from '@gatehouse/proto/privacy/blanking.ts'
import type { AccesspointStore } from '../accesspoints/store.ts'
import type { AreaStore } from '../areas/store.ts'
import type { LinkStore } from '../links/store.ts'
import { events, guests } from '../permissions.ts'
import { rulesOf } from './access-rules.ts'
import type { CachedGuest, Rights } from './decision.ts'

/** Uids in one request. */
export const FETCH_SIZE = 500

const NO_PRIVILEGES: CachedGuest['access_privileges'] = []

/** Reads who may enter where: guests and the days of the event from the guests service, rights from the database. */
export class AccessSource {
  readonly #guests: Client<typeof guests>
  readonly #events: Client<typeof events>
  readonly #accesspoints: AccesspointStore
  readonly #areas: AreaStore
  readonly #links: LinkStore

  constructor(bus: Bus, accesspoints: AccesspointStore, areas: AreaStore, links: LinkStore) {
    this.#guests = clientOf(bus, guests)
    this.#events = clientOf(bus, events)
    this.#accesspoints = accesspoints
    this.#areas = areas
    this.#links = links
  }

  /** The guests of an event with these uids, by uid; unknown ones are missing. */
  async guests(event_id: string, uids: string[]): Promise<Map<string, CachedGuest>> {
    const answers = await inChunks(uids, (chunk) => this.#guests.resolve({ body: { event_id, uids: chunk } }), {
      size: () => FETCH_SIZE,
      concurrency: Math.ceil(uids.length / FETCH_SIZE),
    })
    const found = new Map<string, CachedGuest>()
    const categories = new Map<string, string>()
    for (const { uid, guest_category_id, access_privileges, party_size = 1 } of answers) {
      // What is left of a guest stays counted, and enters no more.
      if (isErased(uid)) continue
      // Equal values are kept once: there may be a hundred thousand guests.
      const category = categories.getOrInsert(guest_category_id, guest_category_id)
      const privileges = access_privileges.length > 0 ? access_privileges : NO_PRIVILEGES
      found.set(uid, { guest_category_id: category, access_privileges: privileges, party_size })
    }
    return found
  }

  /** The check-in points of an event and who may enter them. */
  async rights(event_id: string): Promise<Rights> {
    const [points, all] = await Promise.all([this.#accesspoints.ofEvent(event_id), this.#links.ofEvent(event_id)])
    // Most events have none.
    const areas = points.some(({ area_id }) => area_id !== null) ? await this.#areas.ofEvent(event_id) : []
    return {
      accesspoints: new Set(points.map(({ _id }) => _id)),
      ...(await rulesOf(event_id, points, all, this.#events)),
      gaps: new Set(points.filter(({ has_gaps }) => has_gaps).map(({ _id }) => _id)),
      capacities: new Map(areas.flatMap(({ _id, capacity }) => (capacity === null ? [] : [[_id, capacity] as const]))),
    }
  }
}
