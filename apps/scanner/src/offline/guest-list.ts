import type { Move } from '@gatehouse/door/decision.ts'
import { eventDay } from '@gatehouse/door/event-day.ts'
import { scannedUid } from '@gatehouse/door/scanned-uid.ts'
import {
  type DeviceDecision,
  decide,
  type KnownGuest,
  readSnapshot,
  type Snapshot,
  updated,
  usedOf,
} from '@gatehouse/door/snapshot.ts'
import { writeSnapshot } from '@gatehouse/door/snapshot-writing.ts'
import { hashUid } from '@gatehouse/door/uid-hash.ts'
import { visible } from '@gatehouse/proto/declaring/visible.ts'
import type {
  EarlierEntry,
  Explanation,
  FieldValue,
  GuestDetails,
  HashedGuest,
  Status,
  StoredScan,
} from '../scanning/scan.ts'
import type { Point, ServerClient } from '../server/server.ts'
import type { Database } from '../storage/database.ts'
import { personsOf, type ScanStore } from '../storage/scans.ts'
import { seal } from '../storage/sealed.ts'
import { loadSnapshot, replaceSnapshot, snapshotAskedAt } from '../storage/snapshots.ts'
import { tick } from '../storage/ticks.ts'
import { NameIndex } from './name-index.ts'
import { personsToCome } from './to-come.ts'

/** A decision made on this device, with the guest's details as far as known. */
export interface OfflineDecision extends Explanation, GuestDetails {
  status: Status
  /** How many came in or out, or were to. */
  moved: number
  direction?: 'out' | undefined
  name: string | null
  category: string | null
}

/** A party of whom more than one person may come in. */
export interface Party {
  name: string | null
  category: string | null
  party_size: number
  /** How many may come in; undefined without a limit. */
  persons_left: number | undefined
}

/** A guest of the list on this device, which has hashes in place of uids. */
export interface ListedGuest extends HashedGuest, GuestDetails {
  name: string
  category: string | null
  company: string | null
  position: string | null
  /** When this device let the guest in, as far as it still knows. */
  checked_in_at?: string | undefined
  /** Whether the guest was let in somewhere, as far as this device knows. */
  isIn: boolean
}

/** A category to which walk-ins may be added. */
export interface WalkInCategory {
  _id: string
  name: string
}

/** Whom this device knows without a network. */
export interface KnownGuests {
  count: number
  /** When the server was asked for it, by the clock of this device. */
  asked_at: number
}

interface GuestListOptions {
  event_id: string
  token: string
  database: Database
  store: ScanStore
  server: ServerClient
  /** Called when what this list says of itself has changed without an update. */
  changed?: () => void
}

/** Writing a large snapshot takes a while; after a restart the difference since then is asked for. */
const SAVE_EVERY_MS = 60_000
/** Rights end at a minute, at best. */
const MINUTE_MS = 60_000
const GRANTED = 0
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
  /** The persons still to come at the check-in point that was asked for last, of a version of the list and a minute. */
  #toCome: { key: string; accesspoint_id: string; persons: number | undefined } | undefined
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

  /** How many guests this device knows, and since when; undefined if it has no list. */
  async known(): Promise<KnownGuests | undefined> {
    await this.#loaded()
    return this.#snapshot && { count: this.#snapshot.guests.size, asked_at: this.#askedAt }
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
    const entries = await this.#entriesByHash(snapshot.salt)
    return this.#names.find(snapshot.guests, words, most).map(([hash, guest]) => ({
      hash,
      salt: snapshot.salt,
      // The server finds the guest by this later.
      name: nameOf(guest) ?? guest.company_name ?? guest.position ?? '',
      category: snapshot.categories.get(guest.guest_category_id)?.name ?? null,
      company: guest.company_name ?? null,
      position: guest.position ?? null,
      ...detailsOf(snapshot, guest),
      checked_in_at: entries.get(hash),
      isIn: entries.has(hash) || hasUses(snapshot, hash),
    }))
  }

  /** Whether guests who are let in at a check-in point are asked to sign. */
  asksToSign(accesspoint_id: string): boolean {
    return this.#snapshot?.accesspoints.get(accesspoint_id)?.signature === true
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

  /** When this device let guests in first, by their hashes, as far as it still has those scans. */
  async #entriesByHash(salt: string): Promise<Map<string, string>> {
    const stamps = new Map<string, string>()
    for (const { guest_uid, guest_hash, access_stamp } of await this.#options.store.entries()) {
      const hash = guest_uid === null ? guest_hash?.hash : await hashUid(salt, guest_uid)
      if (hash !== undefined && !stamps.has(hash)) stamps.set(hash, access_stamp)
    }
    return stamps
  }

  /** The area of a check-in point; undefined if it belongs to the event as a whole, or is not known. */
  areaOf(accesspoint_id: string): string | undefined {
    return this.#snapshot?.areaOf.get(accesspoint_id)
  }

  /** How many persons are still to come at a check-in point, as last counted; undefined where this device does not know. Counts anew if it has to. */
  personsToCome(accesspoint_id: string, at: number): number | undefined {
    const snapshot = this.#snapshot
    if (!snapshot) return undefined
    const key = `${accesspoint_id} ${snapshot.cursor} ${Math.floor(at / MINUTE_MS)}`
    // All guests are counted, so this is not done each time something is drawn.
    if (this.#toCome?.key !== key) {
      const persons = this.#toCome?.accesspoint_id === accesspoint_id ? this.#toCome.persons : undefined
      const counting = { key, accesspoint_id, persons }
      this.#toCome = counting
      void personsToCome(snapshot, accesspoint_id, at).then((counted) => {
        counting.persons = counted
        if (this.#toCome === counting) this.#options.changed?.()
      })
    }
    return this.#toCome.persons
  }

  /** The check-in points through which guests go the other way, into or out of the same area. */
  oppositesOf(accesspoint_id: string): Point[] {
    const snapshot = this.#snapshot
    if (!snapshot) return []
    const { exits, areaOf, accesspoints } = snapshot
    return Array.from(accesspoints, ([_id, { name }]) => ({ _id, name })).filter(
      ({ _id }) => areaOf.get(_id) === areaOf.get(accesspoint_id) && exits.has(_id) !== exits.has(accesspoint_id),
    )
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
   * @param persons how many come in, if the steward has said so
   */
  async decide(
    accesspoint_id: string,
    given: string | HashedGuest,
    at: number,
    persons?: number,
  ): Promise<OfflineDecision | undefined> {
    const found = await this.#decision(accesspoint_id, given, at, persons)
    if (!found) return undefined
    const { last, decision } = found
    const { access_status, guest, category, reason, opens_at, persons_left } = decision
    return {
      status: access_status as Status,
      moved: decision.persons,
      ...(this.#snapshot?.exits.has(accesspoint_id) && { direction: 'out' as const }),
      name: (guest && nameOf(guest)) ?? null,
      first_name: guest?.first_name,
      category: category || null,
      ...(guest && this.#snapshot && detailsOf(this.#snapshot, guest)),
      reason,
      opens_at: opens_at === undefined ? undefined : new Date(opens_at).toISOString(),
      persons_left,
      granted_before: access_status === TOO_MANY ? last : undefined,
    }
  }

  /**
   * The party of a guest of whom more than one person may come in at a check-in point now; undefined for others, at exits, and while the list is
   * not loaded: no scan waits for it.
   */
  async partyAt(accesspoint_id: string, given: string | HashedGuest, at: number): Promise<Party | undefined> {
    const snapshot = this.#snapshot
    if (!snapshot || snapshot.exits.has(accesspoint_id)) return undefined
    const hash = typeof given === 'string' ? await hashUid(snapshot.salt, given) : given.hash
    if ((snapshot.guests.get(hash)?.party_size ?? 1) === 1) return undefined
    const found = await this.#decision(accesspoint_id, given, at, 1)
    const { access_status, guest, category, persons_left } = found?.decision ?? {}
    const { party_size = 1 } = guest ?? {}
    if (access_status !== GRANTED || party_size === 1) return undefined
    // One of those who may come in is in already by that decision.
    const left = persons_left === undefined ? undefined : persons_left + 1
    if (left === 1) return undefined
    return { name: (guest && nameOf(guest)) ?? null, category: category || null, party_size, persons_left: left }
  }

  /** What this device decides, and the last entry that it has granted. */
  async #decision(
    accesspoint_id: string,
    given: string | HashedGuest,
    at: number,
    persons: number | undefined,
  ): Promise<{ decision: DeviceDecision; last: EarlierEntry | undefined } | undefined> {
    await this.#loaded()
    const snapshot = this.#snapshot
    if (!snapshot) return undefined
    const askedAt = this.#askedAt
    const hash = typeof given === 'string' ? await hashUid(snapshot.salt, given) : given.hash
    const isGuest = (uid: string) => hashUid(snapshot.salt, uid).then((each) => each === hash)
    const area = snapshot.areaOf.get(accesspoint_id)
    const others = [...snapshot.accesspoints.keys()].filter(
      (id) => id !== accesspoint_id && snapshot.areaOf.get(id) === area,
    )
    const guest = { given, hash, isGuest }
    const { granted, undone, last } = await this.#options.store.grantsSince([accesspoint_id, ...others], guest, askedAt)
    // Another window has kept a later one, and may have forgotten the scans that the later one knows of.
    if ((await snapshotAskedAt(this.#options.database)) > askedAt) await this.load()
    if (this.#askedAt !== askedAt) return this.#decision(accesspoint_id, given, at, persons)
    const undoneHere = undone.filter((scan) => scan.accesspoint_id === accesspoint_id)
    const own = [...granted.map((scan) => moveOf(snapshot, scan)), ...undoneMoves(snapshot, hash, undoneHere)]
    const scan = { accesspoint_id, hash, at, ...(persons !== undefined && { persons }) }
    const decision = decide(snapshot, scan, own)
    return decision && { decision, last }
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

function detailsOf({ fields }: Snapshot, { party_size, message, guest_metadata = [] }: KnownGuest): GuestDetails {
  const values = guest_metadata.map(
    ({ name, value }): FieldValue => ({ label: fields.get(name)?.label ?? name, value }),
  )
  return { party_size, message, fields: values }
}

/** Whether the guest was let in somewhere, as far as a snapshot knows. */
function hasUses({ uses, dailyUses }: Snapshot, hash: string): boolean {
  return (
    uses.values().some((counts) => (counts.get(hash) ?? 0) > 0) || dailyUses.values().some((days) => days.has(hash))
  )
}

function nameOf({ first_name, last_name }: KnownGuest): string | undefined {
  return [first_name, last_name].filter(Boolean).join(' ') || undefined
}

function moveOf({ exits }: Snapshot, scan: StoredScan): Move {
  const { accesspoint_id, access_stamp } = scan
  return {
    accesspoint_id,
    at: Date.parse(access_stamp),
    persons: personsOf(scan),
    isExit: exits.has(accesspoint_id),
  }
}

/** What takes undone entries back, as far as the snapshot still counts them: where an allowance is one for each day, those of each day. */
function undoneMoves(snapshot: Snapshot, hash: string, undone: readonly StoredScan[]): Move[] {
  const stampOf = (scan: StoredScan): number => Date.parse(scan.access_stamp)
  const [first] = undone
  if (!first) return []
  const inAll = usedOf(snapshot, first.accesspoint_id, hash)
  const groups = inAll > 0 ? [undone] : Map.groupBy(undone, (scan) => eventDay(stampOf(scan), snapshot.day)).values()
  return [...groups].map((scans) => {
    const { accesspoint_id } = first
    const at = stampOf(scans[0] ?? first)
    return { accesspoint_id, at, persons: -Math.min(sumOf(scans), inAll || usedOf(snapshot, accesspoint_id, hash, at)) }
  })
}

function sumOf(scans: readonly StoredScan[]): number {
  return scans.reduce((sum, scan) => sum + personsOf(scan), 0)
}
