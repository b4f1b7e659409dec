import { setTimeout as sleep } from 'node:timers/promises'
import { onChange, onLeaving } from '@gatehouse/guests/changes'
import { guests } from '@gatehouse/guests/resources'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { type Client, clientOf } from '@gatehouse/proto/bus/client.ts'
import { LRUCache } from 'lru-cache'
import type { AccesspointStore } from '../accesspoints/store.ts'
import type { LinkStore } from '../links/store.ts'
import type { Guest, Rights } from './decision.ts'

/** Entries live a minute at most, should an announcement ever be lost. */
const TTL_MS = 60_000
/**
 * What was used since it was read is read anew from half its life on, in rounds that take a sixth of it: a second one still comes in time where
 * the first found nobody who answers, or what it looked at was used only afterwards.
 */
const REFRESH_FROM = 1 / 2
const REFRESH_ROUND = 1 / 6
/** More than ten rushes bring to one door in that time. Room for all of them is taken at once: 43 bytes each. */
const MAX_GUESTS = 50_000
const MAX_EVENTS = 1_000
/** Uids asked for in one request. */
const FETCH_SIZE = 500

const NO_PRIVILEGES: Guest['access_privileges'] = []

/** A fetch in flight: what was announced meanwhile must not be kept of it. */
interface Fetch {
  begunAt: number
  invalidated: Set<string>
  all: boolean
}

/** What is known of something. */
interface CacheEntry {
  /** When it was begun to be read. */
  readAt: number
  /** Whether a scan asked for it since then. */
  used: boolean
}

/**
 * Who may enter where, from memory. Whoever changes a guest, a category's link or a check-in point announces it before
 * answering, and one NATS server keeps that order for every subscriber, so a scan that was sent after the answer finds
 * the entry gone. Whoever takes a uid from a guest says so before, too: it may die before it can announce that it did. Unknown and doubtful
 * uids are not kept.
 *
 * In a rush all entries are learnt together, and would end together: so what scans go on asking for is read anew in the background before it
 * ends, in large groups spread over the time that is left. No scan waits for that; what nobody asks for ends.
 */
export class AccessCache {
  readonly #guestClient: Client<typeof guests>
  readonly #accesspoints: AccesspointStore
  readonly #links: LinkStore
  readonly #ttl: number
  readonly #guests: LRUCache<string, Guest & CacheEntry>
  readonly #rights: LRUCache<string, Rights & CacheEntry>
  /** Uids that were to be given up lately, and until when that makes them doubtful: whose they are is asked for each scan. */
  readonly #uncacheable = new Map<string, number>()
  readonly #fetches = new Set<Fetch>()
  /** Fetches that have not begun yet. */
  readonly #scheduledFetches = new Map<string, { uids: Set<string>; found: Promise<Map<string, Guest>> }>()
  readonly #scheduledRights = new Map<string, Promise<Rights>>()
  readonly #ended = new AbortController()
  readonly #refreshing: Promise<void>

  /** `ttl`: how many ms what is known lives at most. */
  constructor(bus: Bus, accesspoints: AccesspointStore, links: LinkStore, ttl = TTL_MS) {
    this.#ttl = ttl
    this.#guests = new LRUCache({ max: MAX_GUESTS, ttl })
    this.#rights = new LRUCache({ max: MAX_EVENTS, ttl })
    this.#guestClient = clientOf(bus, guests)
    this.#accesspoints = accesspoints
    this.#links = links
    onChange(bus, ({ event_id, uids }) => this.#invalidateGuests(event_id, uids))
    onLeaving(bus, ({ event_id, uids }) => this.#markUncacheable(event_id, uids))
    bus.listen('rights', (eventId) => this.#invalidateRights(eventId))
    bus.onReconnect(() => this.#invalidateAll())
    this.#refreshing = this.#refreshLoop()
  }

  /** Reads nothing anew any more. */
  async stop(): Promise<void> {
    this.#ended.abort()
    await this.#refreshing
  }

  /** How many guests it holds. */
  get guestCount(): number {
    return this.#guests.size
  }

  /** The guests of an event with these uids, undefined where there is none. What is asked for in one turn is fetched together. */
  async guestsOf(eventId: string, uids: string[]): Promise<(Guest | undefined)[]> {
    const guests = uids.map((uid) => use(this.#guests.get(guestKey(eventId, uid))))
    if (!guests.includes(undefined)) return guests
    return Promise.all(uids.map((uid, index) => guests[index] ?? this.#fetchedGuest(eventId, uid)))
  }

  async #fetchedGuest(eventId: string, uid: string): Promise<Guest | undefined> {
    // Never a fetch that is under way: it may have read before a change that this scan must see.
    const scheduled = this.#scheduledFetches.get(eventId) ?? this.#scheduleFetch(eventId)
    scheduled.uids.add(uid)
    return (await scheduled.found).get(uid)
  }

  #scheduleFetch(eventId: string): { uids: Set<string>; found: Promise<Map<string, Guest>> } {
    const uids = new Set<string>()
    const found = nextTurn().then(() => {
      this.#scheduledFetches.delete(eventId)
      return this.#fetchGuests(eventId, [...uids])
    })
    const scheduled = { uids, found }
    this.#scheduledFetches.set(eventId, scheduled)
    return scheduled
  }

  async #fetchGuests(eventId: string, uids: string[]): Promise<Map<string, Guest>> {
    const found = new Map<string, Guest>()
    const categories = new Map<string, string>()
    await this.#fetching(async (fetch) => {
      const answers = await Promise.all(
        inGroups(uids).map((group) => this.#guestClient.resolve({ body: { event_id: eventId, uids: group } })),
      )
      for (const { uid, guest_category_id, access_privileges } of answers.flat()) {
        // What most guests have alike is kept once: there may be a hundred thousand of them.
        const category = categories.getOrInsert(guest_category_id, guest_category_id)
        const privileges = access_privileges.length > 0 ? access_privileges : NO_PRIVILEGES
        found.set(uid, { guest_category_id: category, access_privileges: privileges })
      }
      for (const uid of uids) this.#cacheGuest(fetch, guestKey(eventId, uid), found.get(uid))
    })
    return found
  }

  #cacheGuest(fetch: Fetch, key: string, found: Guest | undefined): void {
    if (fetch.all || fetch.invalidated.has(key) || this.#isUncacheable(key)) return
    const known = this.#guests.peek(key)
    if (known && known.readAt > fetch.begunAt) return
    if (!found) {
      this.#guests.delete(key)
      return
    }
    // Where its first slots are stored is still true, and scans that are under way note more in the entry that they have.
    const entry = Object.assign(known ?? found, found, { readAt: fetch.begunAt, used: false })
    this.#guests.set(key, entry, { start: fetch.begunAt })
  }

  #isUncacheable(key: string): boolean {
    return (this.#uncacheable.get(key) ?? 0) > now()
  }

  /** The check-in points of an event and who may enter them. */
  async rightsOf(eventId: string): Promise<Rights> {
    const known = use(this.#rights.get(eventId))
    if (known) return known
    const scheduled = this.#scheduledRights.get(eventId)
    if (scheduled) return scheduled
    const found = nextTurn().then(() => {
      this.#scheduledRights.delete(eventId)
      return this.#fetchRights(eventId)
    })
    this.#scheduledRights.set(eventId, found)
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
      if (accesspoints.length > 0 && !fetch.all && !fetch.invalidated.has(eventId)) {
        this.#rights.set(eventId, { ...rights, readAt: fetch.begunAt, used: false }, { start: fetch.begunAt })
      }
      return rights
    })
  }

  async #fetching<T>(work: (fetch: Fetch) => Promise<T>): Promise<T> {
    const fetch: Fetch = { begunAt: now(), invalidated: new Set(), all: false }
    this.#fetches.add(fetch)
    try {
      return await work(fetch)
    } finally {
      this.#fetches.delete(fetch)
    }
  }

  async #refreshLoop(): Promise<void> {
    const { signal } = this.#ended
    while (!signal.aborted) {
      const due = this.#due()
      const rest = (this.#ttl * REFRESH_ROUND) / (due.length + 1)
      await untilStopped(rest, signal)
      for (const refresh of due) {
        if (signal.aborted) return
        // Where nobody answers, a later round asks again, or a scan does.
        await refresh().catch(() => {})
        await untilStopped(rest, signal)
      }
      // What has ended and is not asked for again would lie here until so many others came: of 100,000 guests 22 MiB.
      this.#guests.purgeStale()
      this.#rights.purgeStale()
    }
  }

  /** Reads anew, piece by piece, what scans went on asking for. */
  #due(): (() => Promise<unknown>)[] {
    const before = this.#dueBefore()
    const events: string[] = []
    this.#rights.forEach((known, eventId) => {
      if (isDue(known, before)) events.push(eventId)
    })
    const guests = new Map<string, string[]>()
    this.#guests.forEach((known, key) => {
      if (!isDue(known, before)) return
      const { eventId, uid } = partsOf(key)
      const uids = guests.get(eventId)
      if (uids) uids.push(uid)
      else guests.set(eventId, [uid])
    })
    return [
      ...events.map((eventId) => () => this.#fetchRights(eventId)),
      ...[...guests].flatMap(([eventId, all]) => inGroups(all).map((uids) => () => this.#refreshGuests(eventId, uids))),
    ]
  }

  #dueBefore(): number {
    return now() - this.#ttl * REFRESH_FROM
  }

  /** Those that a change or a scan had forgotten or read anew meanwhile are left out. */
  async #refreshGuests(eventId: string, uids: string[]): Promise<void> {
    const before = this.#dueBefore()
    const due = uids.filter((uid) => isDue(this.#guests.peek(guestKey(eventId, uid)), before))
    if (due.length > 0) await this.#fetchGuests(eventId, due)
  }

  #invalidateRights(eventId: string): void {
    this.#rights.delete(eventId)
    for (const fetch of this.#fetches) fetch.invalidated.add(eventId)
  }

  #markUncacheable(eventId: string, uids: string[]): void {
    for (const [key, until] of this.#uncacheable) {
      if (until > now()) break
      this.#uncacheable.delete(key)
    }
    for (const uid of uids) {
      const key = guestKey(eventId, uid)
      // Those that end first stay in front.
      this.#uncacheable.delete(key)
      this.#uncacheable.set(key, now() + this.#ttl)
    }
    this.#invalidateGuests(eventId, uids)
  }

  #invalidateGuests(eventId: string, uids: string[]): void {
    for (const uid of uids) {
      const key = guestKey(eventId, uid)
      this.#guests.delete(key)
      for (const fetch of this.#fetches) fetch.invalidated.add(key)
    }
  }

  #invalidateAll(): void {
    this.#guests.clear()
    this.#rights.clear()
    for (const fetch of this.#fetches) fetch.all = true
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Whether it was used since it was read, before a time. */
function isDue(known: CacheEntry | undefined, before: number): boolean {
  return known?.used === true && known.readAt < before
}

/** Notes that a scan asked for it. */
function use<T extends CacheEntry>(known: T | undefined): T | undefined {
  if (known) known.used = true
  return known
}

/** The time, in ms; whole, so that it takes no place of its own. */
function now(): number {
  return Math.floor(performance.now())
}

function untilStopped(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => {})
}

function inGroups(uids: string[]): string[][] {
  return Array.from({ length: Math.ceil(uids.length / FETCH_SIZE) }, (_, index) =>
    uids.slice(index * FETCH_SIZE, (index + 1) * FETCH_SIZE),
  )
}

function guestKey(eventId: string, uid: string): string {
  return `${eventId}\n${uid}`
}

function partsOf(key: string): { eventId: string; uid: string } {
  const at = key.indexOf('\n')
  return { eventId: key.slice(0, at), uid: key.slice(at + 1) }
}
