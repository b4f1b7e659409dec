import { guests } from '@gatehouse/guests/resources'
import type { Bus } from '@gatehouse/proto/bus.ts'
import { type Client, clientOf } from '@gatehouse/proto/calls.ts'
import { LRUCache } from 'lru-cache'
import type { AccesspointStore } from '../accesspoints/store.ts'
import type { LinkStore } from '../links/store.ts'
import type { Guest, Rights } from './decision.ts'

/** Entries live a minute at most, should an announcement ever be lost. */
const TTL_MS = 60_000
const MAX_GUESTS = 100_000
const MAX_EVENTS = 1_000
/** Uids asked for in one request. */
const FETCH_SIZE = 500

/** A fetch in flight: what was announced meanwhile must not be kept of it. */
interface Fetch {
  spoiled: Set<string>
  all: boolean
}

/**
 * Who may enter where, from memory. Whoever changes a guest, a category's link or a check-in point announces it before
 * answering, and one NATS server keeps that order for every subscriber, so a scan that was sent after the answer finds
 * the entry gone. Unknown uids are not kept.
 */
export class Directory {
  readonly #guestClient: Client<typeof guests>
  readonly #accesspoints: AccesspointStore
  readonly #links: LinkStore
  readonly #guests = new LRUCache<string, Guest>({ max: MAX_GUESTS, ttl: TTL_MS })
  readonly #rights = new LRUCache<string, Rights>({ max: MAX_EVENTS, ttl: TTL_MS })
  readonly #fetches = new Set<Fetch>()
  /** Fetches that have not begun yet. */
  readonly #gathering = new Map<string, { uids: Set<string>; found: Promise<Map<string, Guest>> }>()
  readonly #gatheringRights = new Map<string, Promise<Rights>>()

  constructor(bus: Bus, accesspoints: AccesspointStore, links: LinkStore) {
    this.#guestClient = clientOf(bus, guests)
    this.#accesspoints = accesspoints
    this.#links = links
    bus.listen('guests', (text) => this.#forgetGuests(text))
    bus.listen('rights', (eventId) => this.#forgetRights(eventId))
    bus.onReconnect(() => this.#forgetAll())
  }

  /** The guests of an event with these uids, undefined where there is none. What is asked for in one turn is fetched together. */
  async guestsOf(eventId: string, uids: string[]): Promise<(Guest | undefined)[]> {
    const guests = uids.map((uid) => this.#guests.get(guestKey(eventId, uid)))
    if (!guests.includes(undefined)) return guests
    return Promise.all(uids.map((uid, index) => guests[index] ?? this.#fetchedGuest(eventId, uid)))
  }

  async #fetchedGuest(eventId: string, uid: string): Promise<Guest | undefined> {
    // Never a fetch that is under way: it may have read before a change that this scan must see.
    const gathering = this.#gathering.get(eventId) ?? this.#gather(eventId)
    gathering.uids.add(uid)
    return (await gathering.found).get(uid)
  }

  #gather(eventId: string): { uids: Set<string>; found: Promise<Map<string, Guest>> } {
    const uids = new Set<string>()
    const found = nextTurn().then(() => {
      this.#gathering.delete(eventId)
      return this.#fetchGuests(eventId, [...uids])
    })
    const gathering = { uids, found }
    this.#gathering.set(eventId, gathering)
    return gathering
  }

  async #fetchGuests(eventId: string, uids: string[]): Promise<Map<string, Guest>> {
    const chunks = Array.from({ length: Math.ceil(uids.length / FETCH_SIZE) }, (_, index) =>
      uids.slice(index * FETCH_SIZE, (index + 1) * FETCH_SIZE),
    )
    const found = new Map<string, Guest>()
    await this.#fetching(async (fetch) => {
      const answers = await Promise.all(
        chunks.map((chunk) => this.#guestClient.resolve({ body: { event_id: eventId, uids: chunk } })),
      )
      for (const { uid, guest_category_id, access_privileges } of answers.flat()) {
        const guest = { guest_category_id, access_privileges }
        found.set(uid, guest)
        const key = guestKey(eventId, uid)
        if (!fetch.all && !fetch.spoiled.has(key)) this.#guests.set(key, guest)
      }
    })
    return found
  }

  /** The check-in points of an event and who may enter them. */
  async rightsOf(eventId: string): Promise<Rights> {
    const known = this.#rights.get(eventId)
    if (known) return known
    const gathering = this.#gatheringRights.get(eventId)
    if (gathering) return gathering
    const found = nextTurn().then(() => {
      this.#gatheringRights.delete(eventId)
      return this.#fetchRights(eventId)
    })
    this.#gatheringRights.set(eventId, found)
    return found
  }

  #fetchRights(eventId: string): Promise<Rights> {
    return this.#fetching(async (fetch) => {
      const [accesspoints, links] = await Promise.all([
        this.#accesspoints.ofEvent(eventId),
        this.#links.ofEvent(eventId),
      ])
      const rights: Rights = {
        accesspoints: new Set(accesspoints.map(({ _id }) => _id)),
        links: new Map(),
        gaps: new Set(accesspoints.filter(({ has_gaps }) => has_gaps).map(({ _id }) => _id)),
      }
      for (const { accesspoint_id, guest_category_id, max_allowed_accesses } of links) {
        const ofPoint = rights.links.get(accesspoint_id) ?? new Map<string, number>()
        rights.links.set(accesspoint_id, ofPoint.set(guest_category_id, max_allowed_accesses))
      }
      // An event without points is asked for by mistake: not worth a place.
      if (accesspoints.length > 0 && !fetch.all && !fetch.spoiled.has(eventId)) this.#rights.set(eventId, rights)
      return rights
    })
  }

  async #fetching<T>(work: (fetch: Fetch) => Promise<T>): Promise<T> {
    const fetch: Fetch = { spoiled: new Set(), all: false }
    this.#fetches.add(fetch)
    try {
      return await work(fetch)
    } finally {
      this.#fetches.delete(fetch)
    }
  }

  #forgetRights(eventId: string): void {
    this.#rights.delete(eventId)
    for (const fetch of this.#fetches) fetch.spoiled.add(eventId)
  }

  #forgetGuests(text: string): void {
    const { event_id, uids } = JSON.parse(text) as { event_id: string; uids: string[] }
    for (const uid of uids) {
      const key = guestKey(event_id, uid)
      this.#guests.delete(key)
      for (const fetch of this.#fetches) fetch.spoiled.add(key)
    }
  }

  #forgetAll(): void {
    this.#guests.clear()
    this.#rights.clear()
    for (const fetch of this.#fetches) fetch.all = true
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function guestKey(eventId: string, uid: string): string {
  return `${eventId}\n${uid}`
}
