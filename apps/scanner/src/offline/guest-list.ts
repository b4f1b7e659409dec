import { scannedUid } from '@gatehouse/door/scanned-uid.ts'
import { decide, type KnownGuest, readSnapshot, type Snapshot, updated } from '@gatehouse/door/snapshot.ts'
import { writeSnapshot } from '@gatehouse/door/snapshot-writing.ts'
import { hashUid } from '@gatehouse/door/uid-hash.ts'
import { visible } from '@gatehouse/proto/declaring/visible.ts'
import type { Explanation, GuestDetails, HashedGuest, Status } from '../scanning/scan.ts'
import type { ServerClient } from '../server/server.ts'
import type { Database } from '../storage/database.ts'
import type { ScanStore } from '../storage/scans.ts'
import { seal } from '../storage/sealed.ts'
import { loadSnapshot, replaceSnapshot, snapshotAskedAt } from '../storage/snapshots.ts'
import { tick } from '../storage/ticks.ts'
import { NameIndex } from './name-index.ts'

/** A decision made on this device, with the guest's details as far as known. */
export interface OfflineDecision extends Explanation, GuestDetails {
  status: Status
  name: string | null
  category: string | null
}

/** A guest of the list on this device, which has hashes in place of uids. */
export interface ListedGuest extends HashedGuest {
  name: string
  category: string | null
  company: string | null
  /** Whether the guest was let in somewhere, as far as this device knows. */
  isIn: boolean
}

/** A category to which walk-ins may be added. */
export interface WalkInCategory {
  _id: string
  name: string
}

interface GuestListOptions {
  event_id: string
  token: string
  database: Database
  store: ScanStore
  server: ServerClient
}

/** Writing a large snapshot takes a while; after a restart the difference since then is asked for. */
const SAVE_EVERY_MS = 60_000
const TOO_MANY = 3

/** The guest list on this device, by which it decides scans while the server does not answer. */
export class GuestList {
  readonly #options: GuestListOptions
  #snapshot: Snapshot | undefined
  #askedAt = 0
  #savedAt = Number.NEGATIVE_INFINITY
  /** How often the list was deleted. */
  #life = 0
  /** Resolves when the stored list is loaded, which takes a while if it is large (docs/snapshot.md). */
  #loading: Promise<void> = Promise.resolve()
  #updating: Promise<void> | undefined
  readonly #names = new NameIndex()
  /** Ends the request that is under way. */
  #asking = new AbortController()

  constructor(options: GuestListOptions) {
    this.#options = options
  }

  /** Loads the stored list. Decisions and updates wait for it. */
  load(): Promise<void> {
    this.#loading = this.#load()
    return this.#loading
  }

  /** Deletes the list: the next update asks for all of it. An update in progress is dropped. */
  async forget(): Promise<void> {
    this.#snapshot = undefined
    this.#askedAt = 0
    this.#life++
    this.stop()
    await replaceSnapshot(this.#options.database, this.#options.token, undefined)
  }

  /** Stops asking the server, which may take minutes: whoever asks next would wait for it. */
  stop(): void {
    this.#asking.abort()
    this.#asking = new AbortController()
  }

  /** Asks the server what is new, unless that is going on. */
  update(): Promise<void> {
    // One window after the other: so what is kept later was asked for later.
    this.#updating ??= navigator.locks
      .request('snapshot', () => this.#update())
      .finally(() => {
        this.#updating = undefined
      })
    return this.#updating
  }

  /** The uid for which a scanned text stands; the text itself where this device knows no guests, and the server finds out. */
  async uidOf(scanned: string): Promise<string> {
    if (visible(scanned) === scanned) return scanned
    await this.#loaded()
    return this.#snapshot ? scannedUid(this.#snapshot, scanned) : scanned
  }

  /** The first of these texts that is the uid of a guest; undefined if none is, or this device knows no guests. */
  async firstKnown(texts: readonly string[]): Promise<string | undefined> {
    await this.#loaded()
    const snapshot = this.#snapshot
    if (!snapshot) return undefined
    for (const text of texts) {
      const hash = await hashUid(snapshot.salt, await scannedUid(snapshot, text))
      if (snapshot.guests.has(hash)) return text
    }
    return undefined
  }

  /** The first guests whose names begin with these words, of those whose names this device may know. */
  async search(words: string, most: number): Promise<ListedGuest[]> {
    await this.#loaded()
    const snapshot = this.#snapshot
    if (!snapshot) return []
    return this.#names.find(snapshot.guests, words, most).map(([hash, guest]) => ({
      hash,
      salt: snapshot.salt,
      name: nameOf(guest) ?? '',
      category: snapshot.categories.get(guest.guest_category_id)?.name ?? null,
      company: (guest as { company_name?: string | null }).company_name ?? null,
      isIn: snapshot.uses.values().some((uses) => (uses.get(hash) ?? 0) > 0),
    }))
  }

  /** The categories to which walk-ins may be added at a check-in point; none at an exit. */
  walkInCategories(accesspoint_id: string): WalkInCategory[] {
    const snapshot = this.#snapshot
    if (!snapshot || snapshot.exits.has(accesspoint_id)) return []
    const links = snapshot.links.get(accesspoint_id)
    return [...snapshot.categories]
      .filter(([_id, { walk_in }]) => walk_in && links?.has(_id))
      .map(([_id, { name }]) => ({ _id, name }))
  }

  /** The name of a check-in point, if this device knows it. */
  pointName(accesspoint_id: string): string | undefined {
    return this.#snapshot?.accesspoints.get(accesspoint_id)?.name
  }

  /**
   * Decides a scan as the door would that knows no more than this device; undefined if the device knows too little.
   *
   * @param given the guest's uid, or its hash
   * @param at when the guest was scanned, in ms by the server's clock
   */
  async decide(accesspoint_id: string, given: string | HashedGuest, at: number): Promise<OfflineDecision | undefined> {
    await this.#loaded()
    const snapshot = this.#snapshot
    if (!snapshot) return undefined
    const askedAt = this.#askedAt
    const hash = typeof given === 'string' ? await hashUid(snapshot.salt, given) : given.hash
    const isGuest = (uid: string) => hashUid(snapshot.salt, uid).then((each) => each === hash)
    const own = await this.#options.store.grantsSince(accesspoint_id, { given, hash, isGuest }, askedAt)
    // Another window has kept a later one, and may have forgotten the scans that the later one knows of.
    if ((await snapshotAskedAt(this.#options.database)) > askedAt) await this.load()
    if (this.#askedAt !== askedAt) return this.decide(accesspoint_id, given, at)
    // What was undone counts less only where the snapshot still has it.
    const known = snapshot.uses.get(accesspoint_id)?.get(hash) ?? 0
    const alsoUsed = own.granted - Math.min(own.undone, known)
    const ownMoves = alsoUsed === 0 ? [] : [{ accesspoint_id, at, persons: alsoUsed }]
    const decision = decide(snapshot, { accesspoint_id, hash, at }, ownMoves)
    if (!decision) return undefined
    const { access_status, guest, category, reason, opens_at, persons_left } = decision
    return {
      status: access_status as Status,
      name: (guest && nameOf(guest)) ?? null,
      category: category || null,
      party_size: guest?.party_size,
      message: (guest as GuestDetails | undefined)?.message,
      reason,
      opens_at: opens_at === undefined ? undefined : new Date(opens_at).toISOString(),
      persons_left,
      granted_before: access_status === TOO_MANY ? own.last : undefined,
    }
  }

  async #load(): Promise<void> {
    const { database, event_id } = this.#options
    const life = this.#life
    const kept = await loadSnapshot(database, event_id)
    if (!kept || kept.asked_at <= this.#askedAt || life !== this.#life) return
    this.#snapshot = readSnapshot(kept.text)
    this.#askedAt = kept.asked_at
  }

  /** Waits until the list is loaded. If that fails, the device has none. */
  async #loaded(): Promise<void> {
    await this.#loading.catch(() => {})
  }

  async #update(): Promise<void> {
    const { database, event_id, token, store, server } = this.#options
    const life = this.#life
    const { signal } = this.#asking
    // Otherwise the server would be asked for all that the device is about to know.
    await this.#loaded()
    const askedAt = tick()
    const before = this.#snapshot?.cursor
    const text = await server.snapshot(before, signal)
    if (life !== this.#life) return
    this.#snapshot = updated(this.#snapshot, text)
    this.#askedAt = askedAt
    const isNews = this.#snapshot.cursor !== before
    const now = performance.now()
    if (before !== undefined && !(isNews && now - this.#savedAt > SAVE_EVERY_MS)) return
    const sealed = await seal(writeSnapshot(this.#snapshot))
    if (life !== this.#life || !(await replaceSnapshot(database, token, { event_id, asked_at: askedAt, sealed })))
      return
    this.#savedAt = now
    // What ended before is in it. Until it is kept, a restart needs the scans.
    await store.prune(askedAt)
  }
}

function nameOf({ first_name, last_name }: KnownGuest): string | undefined {
  return [first_name, last_name].filter(Boolean).join(' ') || undefined
}
