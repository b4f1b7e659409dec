import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import type { Client } from '@gatehouse/proto/bus/client.ts'
import { Poller } from '@gatehouse/proto/concurrency/poller.ts'
import { unavailable } from '@gatehouse/proto/declaring/faults.ts'
import { isErased } from '@gatehouse/proto/privacy/blanking.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import type { checkIns } from '../permissions.ts'
import * as topics from '../topics.ts'
import { type EntryChange, type EntryStore, type GuestEntry, tellsHost } from './entries.ts'
import { NOT_ENTERED } from './stored-guest.ts'

/** Guests in one question to checkin. */
const CHUNK = 500
/** Reads after which something must be wrong: each follows a write that another one crossed. */
const MAX_READS = 20
/** How long guests who were created or changed are collected, and how often a question about them is repeated. */
const COLLECT_MS = 200
const TRIES = 5
const RETRY_MS = 2_000
/** How often unread guests are looked for, and the longest pause while there are none. */
const LOOK_MS = 1_000
const IDLE_MS = 5_000

/**
 * Stores with guests when they first came in. It never adds anything up: checkin is asked for the first entry after each write, until what is stored
 * is what it says. So it doesn't matter in which order and how often changes are heard of, nor which process stores them.
 */
export class EntrySync {
  readonly #store: EntryStore
  readonly #checkIns: Client<typeof checkIns>
  readonly #bus: Bus
  readonly #log: Log
  /** Guests who may be new, by event and uid, with the entry that they were stored with if that is known. */
  readonly #noted = new Map<string, Map<string, Date | undefined>>()
  readonly #looking: Poller
  #following: Promise<void> | undefined

  constructor(store: EntryStore, checkInClient: Client<typeof checkIns>, bus: Bus, log: Log) {
    this.#store = store
    this.#checkIns = checkInClient
    this.#bus = bus
    this.#log = log
    this.#looking = new Poller({
      everyMs: LOOK_MS,
      idleMs: IDLE_MS,
      look: () => this.#readUnread(),
      onError: (error) => log.warn({ err: error }, 'entries of guests cannot be read'),
    })
  }

  /** Begins to look for guests whose entries were not read yet. */
  start(): void {
    this.#looking.wake()
  }

  async stop(): Promise<void> {
    await Promise.all([this.#looking.stop(), this.#following])
  }

  /**
   * Guests with these uids may be new: their entries are read in the background. `stored` has those that they were just stored with. An erased
   * one's are read when its check-ins are erased too.
   */
  note(event_id: string, uids: Iterable<string>, stored?: ReadonlyMap<string, Date>): void {
    const noted = this.#noted.getOrInsertComputed(event_id, () => new Map())
    for (const uid of uids) if (!isErased(uid)) noted.set(uid, noted.has(uid) ? undefined : stored?.get(uid))
    this.#following ??= this.#followNoted()
  }

  /** When guests first came in, by uid, as checkin says it; those who have not are missing. */
  async firstEntries(event_id: string, uids: string[]): Promise<Map<string, Date>> {
    const found = await this.#checkIns.first_entries({ body: { event_id, uids } })
    return new Map(found.map(({ uid, at }) => [uid, at]))
  }

  /**
   * Stores the first entries of guests with these uids. Whoever is stored to have come in no later than `at` is left alone: an entry more changes
   * nothing.
   */
  async sync(event_id: string, entries: { uid: string; at?: Date | undefined }[]): Promise<void> {
    const moments = new Map<string, Date | undefined>()
    for (const { uid, at } of entries) {
      const known = moments.get(uid)
      moments.set(uid, !moments.has(uid) || (known && at && at < known) || !at ? at : known)
    }
    const found = await this.#store.withUids(event_id, [...moments.keys()])
    const stale = found.filter(({ uid, checked_in_at, entry_unread }) => {
      const at = moments.get(uid)
      return entry_unread || !at || checked_in_at.getTime() === NOT_ENTERED.getTime() || checked_in_at > at
    })
    let guests = await this.#storeHeard(event_id, stale, moments)
    for (let reads = 0; guests.length > 0; reads++) {
      if (reads === MAX_READS) throw unavailable()
      const changed = await this.#readOnce(event_id, guests)
      if (changed.length === 0) return
      guests = await this.#store.withUids(event_id, changed)
    }
  }

  /**
   * Stores the moments that were heard of, which are almost always the first ones: one question to checkin then confirms them. Returns the guests as
   * they are stored now.
   */
  async #storeHeard(
    event_id: string,
    guests: GuestEntry[],
    moments: Map<string, Date | undefined>,
  ): Promise<GuestEntry[]> {
    const heard = guests.flatMap((guest) => {
      const at = moments.get(guest.uid)
      return at && !guest.entry_unread ? [{ guest, at }] : []
    })
    if (heard.length === 0) return guests
    const isStored = await this.#write(event_id, heard)
    if (!isStored) return this.#store.withUids(event_id, [...moments.keys()])
    return guests.map((guest) => {
      const at = guest.entry_unread ? undefined : moments.get(guest.uid)
      return at ? { ...guest, checked_in_at: at } : guest
    })
  }

  /** Asks once for the first entries of guests, and stores them. Returns the uids of those for whom others were stored. */
  async #readOnce(event_id: string, guests: GuestEntry[]): Promise<string[]> {
    const uids = guests.map(({ uid }) => uid)
    const entries = await this.#checkIns.first_entries({ body: { event_id, uids } })
    const first = new Map(entries.map(({ uid, at, adopted }) => [uid, { at, adopted }]))
    const changes = guests
      .map((guest) => ({ guest, ...(first.get(guest.uid) ?? { at: NOT_ENTERED }) }))
      .filter(({ guest, at }) => guest.entry_unread || at.getTime() !== guest.checked_in_at.getTime())
    if (changes.length > 0) await this.#write(event_id, changes)
    return changes.map(({ guest }) => guest.uid)
  }

  /** Stores entries and announces them; whether all guests were still as they were read. */
  async #write(event_id: string, changes: EntryChange[]): Promise<boolean> {
    try {
      return (await this.#store.write(event_id, changes)) === changes.length
    } finally {
      this.#bus.announce(topics.entered, { event_id })
      if (changes.some(tellsHost)) this.#bus.announce(topics.hostMails, '')
    }
  }

  async #followNoted(): Promise<void> {
    await sleep(COLLECT_MS, undefined, { ref: false })
    for (const [event_id, noted] of this.#noted) {
      this.#noted.delete(event_id)
      const guests = [...noted]
      for (let from = 0; from < guests.length; from += CHUNK)
        await this.#follow(event_id, new Map(guests.slice(from, from + CHUNK)))
    }
    this.#following = undefined
  }

  async #follow(event_id: string, noted: Map<string, Date | undefined>): Promise<void> {
    const known = [...noted].flatMap(([uid, at]) => (at ? uid : []))
    for (let tries = 1; ; tries++) {
      try {
        const first = known.length > 0 ? await this.firstEntries(event_id, known) : new Map<string, Date>()
        const stale = [...noted].filter(([uid, at]) => at?.getTime() !== (first.get(uid) ?? NOT_ENTERED).getTime())
        if (stale.length > 0)
          await this.sync(
            event_id,
            stale.map(([uid]) => ({ uid })),
          )
        return
      } catch (error) {
        if (tries === TRIES) {
          this.#log.warn({ err: error, event_id }, 'entries of new guests could not be read')
          return
        }
        await sleep(RETRY_MS, undefined, { ref: false })
      }
    }
  }

  /** Reads the entries of guests whose uid has changed, or who are older than the field; whether there were any. */
  async #readUnread(): Promise<boolean> {
    const unread = await this.#store.unread(CHUNK)
    for (const [event_id, guests] of Map.groupBy(unread, ({ event_id }) => event_id))
      await this.sync(
        event_id,
        guests.map(({ uid }) => ({ uid })),
      )
    return unread.length > 0
  }
}
