import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { uidOf, visible } from '@gatehouse/proto/declaring/visible.ts'
import { growingCache } from '@gatehouse/proto/storage/growing-cache.ts'
import { countLookups } from '@gatehouse/proto/telemetry/metrics.ts'
import type { LRUCache } from 'lru-cache'
import type { AccesspointStore } from '../accesspoints/store.ts'
import type { AreaStore } from '../areas/store.ts'
import type { LinkStore } from '../links/store.ts'
import { AccessSource, FETCH_SIZE } from './access-source.ts'
import type { CachedGuest, Rights } from './decision.ts'
import type { GuestAtPoint, Ledger } from './ledger.ts'
import { type Refresh, Refresher } from './refresher.ts'
import { SharedFetches } from './shared-fetches.ts'

/** The longest life of an entry, in case its change was never added to the log: a process may die after it has stored a change. */
const TTL_MS = 60_000
/**
 * Entries in use are refreshed from half of their life on, in rounds of a sixth of it. So there is time for a second round if the
 * first gets no answer, or if an entry is used only after it.
 */
const REFRESH_FROM = 1 / 2
const REFRESH_ROUND = 1 / 6
const MAX_EVENTS = 1_000

/** A fetch in flight, and the keys whose result it must not cache. */
interface Fetch {
  eventId: string
  begunAt: number
  invalidated: Set<string>
  allInvalidated: boolean
}

/** What the cache notes of an entry. */
interface CacheEntry {
  /** When the fetch of it began. */
  readAt: number
  /** Whether a scan has used it since then. */
  used: boolean
}

/**
 * Who may enter where, from memory. Every change of a guest, a category's link or a check-in point is in the event's change log before it is
 * answered, and `claim` reads that log: what is then still here is as good as a fresh read (docs/adr/0003). A uid that a guest is about to give up
 * is in the log before that, too, since the process may die before it adds the change. Unknown and doubtful uids are not cached.
 *
 * In a rush all entries are fetched together, and would expire together. So entries in use are refreshed in the background, in large
 * groups spread over time; no scan waits for that. Others expire.
 */
export class AccessCache {
  readonly #source: AccessSource
  readonly #ledger: Ledger
  readonly #ttl: number
  readonly #guests: LRUCache<string, CachedGuest & CacheEntry>
  readonly #rights: LRUCache<string, Rights & CacheEntry>
  readonly #guestFetches = new SharedFetches<Map<string, CachedGuest>>()
  readonly #rightsFetches = new SharedFetches<Rights>()
  /** Uids that a guest was to give up lately, and until when that makes them doubtful. */
  readonly #doubtfulUntil = new Map<string, number>()
  readonly #fetches = new Set<Fetch>()
  readonly #refresher: Refresher

  /** `maxGuests`: how many guests are cached at most; `ttl`: the longest life of an entry, in ms. */
  constructor(
    bus: Bus,
    accesspoints: AccesspointStore,
    areas: AreaStore,
    links: LinkStore,
    ledger: Ledger,
    { maxGuests, ttl = TTL_MS }: { maxGuests: number; ttl?: number },
  ) {
    this.#source = new AccessSource(bus, accesspoints, areas, links)
    this.#ledger = ledger
    this.#ttl = ttl
    this.#guests = growingCache(maxGuests, { ttl })
    this.#rights = growingCache(MAX_EVENTS, { ttl })
    this.#refresher = new Refresher(() => this.#beginRefreshing(), ttl * REFRESH_ROUND)
  }

  /** Ends the refreshing. */
  async stop(): Promise<void> {
    await this.#refresher.stop()
  }

  /** The number of cached guests. */
  get guestCount(): number {
    return this.#guests.size
  }

  /** The guests of an event with these uids, in order; undefined for unknown ones. */
  async guestsOf(eventId: string, uids: string[]): Promise<(CachedGuest | undefined)[]> {
    const guests = uids.map((uid) => markUsed(this.#guests.get(guestKey(eventId, uid))))
    const missing = uids.filter((_, index) => !guests[index])
    countLookups('guests', uids.length - missing.length, missing.length)
    if (missing.length === 0) return guests
    const found = await this.#fetchTogether(eventId, missing)
    return uids.map((uid, index) => guests[index] ?? found.get(uid))
  }

  /** The uids for which scanned texts stand, in order. */
  async uidsOf(eventId: string, scanned: string[]): Promise<string[]> {
    const doubtful = scanned.filter((text) => visible(text) !== text)
    if (doubtful.length === 0) return scanned
    await this.catchUp(eventId)
    const guests = await this.guestsOf(eventId, doubtful)
    const known = new Set(doubtful.filter((_, index) => guests[index]))
    return scanned.map((text) => uidOf(text, (uid) => known.has(uid)))
  }

  /** The check-in points of an event and who may enter them. */
  async rightsOf(eventId: string): Promise<Rights> {
    const known = markUsed(this.#rights.get(eventId))
    countLookups('rights', known ? 1 : 0, known ? 0 : 1)
    return known ?? this.#rightsFetches.join(eventId, [], () => this.#fetchRights(eventId))
  }

  /** The same from their sources, as they are after this call. */
  async anew(eventId: string, uid: string): Promise<{ rights: Rights; guest: CachedGuest | undefined }> {
    const [rights, guests] = await Promise.all([
      this.#rightsFetches.join(eventId, [], () => this.#fetchRights(eventId)),
      this.#fetchTogether(eventId, [uid]),
    ])
    return { rights, guest: guests.get(uid) }
  }

  /**
   * Adds scans to the ledger and forgets what it says has changed. Returns whether each guest is new at its point; undefined while the ledger is
   * away, when nothing here may be believed.
   */
  async claim(eventId: string, scans: GuestAtPoint[]): Promise<boolean[] | undefined> {
    const claimed = await this.#ledger.claim(eventId, scans)
    if (!claimed) return undefined
    if (!claimed.isComplete) this.#invalidateEvent(eventId)
    for (const change of claimed.changes) {
      if ('rights' in change) this.#invalidateRights(eventId)
      else if (change.leaving) this.#markDoubtful(eventId, change.uids)
      else this.#invalidateGuests(eventId, change.uids)
    }
    return claimed.isNew
  }

  /** Forgets what has changed of an event, or all of it while the ledger is away: reads from now on see each change that was answered. */
  async catchUp(eventId: string): Promise<void> {
    if (!(await this.claim(eventId, []))) this.#invalidateEvent(eventId)
  }

  /** Whether a guest and the rights of its event, which were read here, are still here. */
  holds(eventId: string, uid: string, rights: Rights, guest: CachedGuest | undefined): boolean {
    return this.#rights.peek(eventId) === rights && this.#guests.peek(guestKey(eventId, uid)) === guest
  }

  /** Fetches guests together with all others who are missing at the moment. */
  #fetchTogether(eventId: string, missing: string[]): Promise<Map<string, CachedGuest>> {
    return this.#guestFetches.join(eventId, missing, (uids) => this.#fetchGuests(eventId, uids))
  }

  async #fetchGuests(eventId: string, uids: string[]): Promise<Map<string, CachedGuest>> {
    return this.#fetching(eventId, async (fetch) => {
      const found = await this.#source.guests(eventId, uids)
      for (const uid of uids) {
        const cached = this.#cacheGuest(fetch, guestKey(eventId, uid), found.get(uid))
        if (cached) found.set(uid, cached)
      }
      return found
    })
  }

  /** Returns the entry; undefined if there is none. */
  #cacheGuest(fetch: Fetch, key: string, found: CachedGuest | undefined): CachedGuest | undefined {
    if (fetch.allInvalidated || fetch.invalidated.has(key) || (this.#doubtfulUntil.get(key) ?? 0) > now())
      return undefined
    const known = this.#guests.peek(key)
    if (known && known.readAt > fetch.begunAt) return known
    if (!found) {
      this.#guests.delete(key)
      return undefined
    }
    // The same object stays: its first slots are still stored, and scans under way note more of them in it.
    const entry = Object.assign(known ?? found, found, { readAt: fetch.begunAt, used: false })
    this.#guests.set(key, entry, { start: fetch.begunAt })
    return entry
  }

  #fetchRights(eventId: string): Promise<Rights> {
    return this.#fetching(eventId, async (fetch) => {
      const rights = { ...(await this.#source.rights(eventId)), readAt: fetch.begunAt, used: false }
      // An event without points is asked for by mistake.
      if (rights.accesspoints.size > 0 && !fetch.allInvalidated && !fetch.invalidated.has(eventId)) {
        this.#rights.set(eventId, rights, { start: fetch.begunAt })
      }
      return rights
    })
  }

  async #fetching<T>(eventId: string, work: (fetch: Fetch) => Promise<T>): Promise<T> {
    const fetch: Fetch = { eventId, begunAt: now(), invalidated: new Set(), allInvalidated: false }
    this.#fetches.add(fetch)
    try {
      return await work(fetch)
    } finally {
      this.#fetches.delete(fetch)
    }
  }

  /** One refresh for the rights of each event, and one for each group of its guests. */
  #beginRefreshing(): Refresh[] {
    // Expired entries would stay until others need their place: 22 MiB for 100,000 guests.
    this.#guests.purgeStale()
    this.#rights.purgeStale()
    const before = this.#dueBefore()
    const refreshes: Refresh[] = []
    for (const [eventId, known] of this.#rights.entries()) {
      if (isDue(known, before)) refreshes.push(() => this.#fetchRights(eventId))
    }
    const groups = new Map<string, string[]>()
    for (const [key, known] of this.#guests.entries()) {
      if (!isDue(known, before)) continue
      const { eventId, uid } = partsOf(key)
      const uids = groups.getOrInsertComputed(eventId, () => [])
      if (uids.push(uid) === 1) refreshes.push(() => this.#refreshGuests(eventId, uids))
      if (uids.length === FETCH_SIZE) groups.delete(eventId)
    }
    return refreshes
  }

  #dueBefore(): number {
    return now() - this.#ttl * REFRESH_FROM
  }

  /** Guests who were invalidated or fetched meanwhile are left out. */
  async #refreshGuests(eventId: string, uids: string[]): Promise<void> {
    const before = this.#dueBefore()
    const due = uids.filter((uid) => isDue(this.#guests.peek(guestKey(eventId, uid)), before))
    if (due.length > 0) await this.#fetchGuests(eventId, due)
  }

  #invalidateRights(eventId: string): void {
    this.#rights.delete(eventId)
    for (const fetch of this.#fetches) fetch.invalidated.add(eventId)
  }

  #markDoubtful(eventId: string, uids: string[]): void {
    for (const [key, until] of this.#doubtfulUntil) {
      if (until > now()) break
      this.#doubtfulUntil.delete(key)
    }
    for (const uid of uids) {
      const key = guestKey(eventId, uid)
      // The map stays in the order in which they end.
      this.#doubtfulUntil.delete(key)
      this.#doubtfulUntil.set(key, now() + this.#ttl)
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

  #invalidateEvent(eventId: string): void {
    this.#rights.delete(eventId)
    for (const key of [...this.#guests.keys()]) if (partsOf(key).eventId === eventId) this.#guests.delete(key)
    for (const fetch of this.#fetches) if (fetch.eventId === eventId) fetch.allInvalidated = true
  }
}

/** Whether a scan has used an entry that was fetched before a time. */
function isDue(known: CacheEntry | undefined, before: number): boolean {
  return known?.used === true && known.readAt < before
}

/** Notes that a scan uses an entry. */
function markUsed<T extends CacheEntry>(known: T | undefined): T | undefined {
  if (known) known.used = true
  return known
}

/** The time, in whole ms: a fraction would take a heap number of its own. */
function now(): number {
  return Math.floor(performance.now())
}

function guestKey(eventId: string, uid: string): string {
  return `${eventId}\n${uid}`
}

function partsOf(key: string): { eventId: string; uid: string } {
  const at = key.indexOf('\n')
  return { eventId: key.slice(0, at), uid: key.slice(at + 1) }
}
