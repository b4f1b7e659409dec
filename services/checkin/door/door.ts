import { type FieldErrors, invalid, toFault, unavailable } from '@gatehouse/proto/faults.ts'
import type { Log } from '@gatehouse/proto/log.ts'
import { LRUCache } from 'lru-cache'
import type { CheckIn, CheckInStore, Taken } from '../check-ins/store.ts'
import {
  ACCESS_GRANTED,
  allowance,
  FIRST_SLOT,
  freeSlot,
  GUEST_UNKNOWN,
  NO_LIMIT,
  NOT_AUTHORIZED,
  TOO_MANY_CHECK_INS,
} from './decision.ts'
import type { Directory } from './directory.ts'
import type { Ledger } from './ledger.ts'

/** A guest at a door. The same `_id` is the same scan: it is decided and counted once. */
export interface Scan {
  _id: string
  event_id: string
  accesspoint_id: string
  guest_uid: string
  /** The device's time; the server's when the device has none. */
  access_stamp: Date | undefined
}

/** What a scan came to: the stored check-in, and whether it was stored before. Or why it can't be stored. */
export type Outcome = { checkIn: CheckIn; repeated: boolean } | { errors: FieldErrors }

/** A scan on its way through a flush. */
interface Entry {
  scan: Scan
  /** How often the guest may enter; undefined when the outcome does not hang on it. */
  limit: number | undefined
  /** A check-in of this point was deleted once, so slots may have gaps. */
  gaps: boolean
  /** The decision; undefined while there is none. */
  checkIn: CheckIn | undefined
  /** The ledger has seen the guest here. */
  claimed: boolean
  /** How often the ledger had seen the guest and the store had not. */
  doubts: number
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

const FLUSH_SIZE = 500
/**
 * A guest whom the ledger has seen and the store has not is most likely on the way there, in this flush or in another process:
 * the scan is looked at again in the next flush, then after a while, before the ledger counts as wrong.
 */
const MAX_DOUBTS = 3
const IN_FLIGHT_MS = 20
/** A slot can be lost to another process this often; each loss means that somebody else got in. */
const MAX_ROUNDS = 50
const MAX_SEEN = 50_000
/** Longer than every time-out below it. What hangs on regardless must not hold those who come after. */
const FLUSH_LIMIT_MS = 15_000

/**
 * Decides and stores scans. Each is looked up by itself, so that one whose guest can't be fetched holds up nobody; then, while
 * one flush is under way, the next gathers (group commit): one call of the ledger for each event, one query for each point where
 * somebody comes again, one insert. Single scans go before those of batches.
 *
 * What keeps it right is one rule: the first slot of a guest at a point is taken before any other (docs/adr/0003).
 */
export class Door {
  readonly #directory: Directory
  readonly #ledger: Ledger
  readonly #store: CheckInStore
  readonly #log: Log
  /** Guests at points whose first slot is known to be stored. */
  readonly #seen = new LRUCache<string, true>({ max: MAX_SEEN })
  readonly #flushLimitMs: number
  #urgent: Entry[] = []
  #bulk: Entry[] = []
  #flushing = false

  constructor(directory: Directory, ledger: Ledger, store: CheckInStore, log: Log, flushLimitMs = FLUSH_LIMIT_MS) {
    this.#directory = directory
    this.#ledger = ledger
    this.#store = store
    this.#log = log
    this.#flushLimitMs = flushLimitMs
  }

  /** Decides one scan. Rejects with `unavailable` when it can't be known whether it is stored. */
  async enter(scan: Scan, bulk = false): Promise<Outcome> {
    const { event_id, accesspoint_id, guest_uid } = scan
    const { accesspoints, links, gaps } = await this.#directory.rightsOf(event_id)
    if (!accesspoints.has(accesspoint_id)) {
      return { errors: { accesspoint_id: ['is not a check-in point of the event'] } }
    }
    const guest = await this.#directory.guestOf(event_id, guest_uid)
    const limit = guest && allowance(links, guest, accesspoint_id)
    return new Promise((resolve, reject) => {
      const fresh = { checkIn: undefined, claimed: false, doubts: 0 }
      const entry: Entry = { scan, limit, gaps: gaps.has(accesspoint_id), ...fresh, resolve, reject }
      if (!guest) refuse(entry, GUEST_UNKNOWN)
      else if (limit === undefined) refuse(entry, NOT_AUTHORIZED)
      else if (limit === 0) refuse(entry, TOO_MANY_CHECK_INS)
      this.#queue(entry, bulk)
    })
  }

  #queue(entry: Entry, bulk: boolean): void {
    const queue = bulk ? this.#bulk : this.#urgent
    queue.push(entry)
    if (this.#flushing) return
    this.#flushing = true
    // Whatever else arrived in this turn of the event loop comes along.
    setImmediate(() => void this.#flushAll())
  }

  async #flushAll(): Promise<void> {
    while (this.#urgent.length + this.#bulk.length > 0) {
      const batch = this.#urgent.splice(0, FLUSH_SIZE)
      batch.push(...this.#bulk.splice(0, FLUSH_SIZE - batch.length))
      try {
        await this.#inTime(this.#flush(batch))
      } catch (error) {
        this.#log.error({ err: error }, 'flush failed')
        for (const entry of batch) entry.reject(toFault(error))
      }
    }
    this.#flushing = false
  }

  #inTime(flush: Promise<void>): Promise<void> {
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(() => late.reject(new Error('the flush hangs')), this.#flushLimitMs)
    return Promise.race([flush, late.promise]).finally(() => clearTimeout(timer))
  }

  async #flush(batch: Entry[]): Promise<void> {
    const byId = Map.groupBy(batch, ({ scan }) => scan._id)
    // The same scan twice in one flush is decided once.
    const firsts = [...byId.values()].map((same) => same[0] as Entry)
    const undecided = firsts.filter(({ checkIn }) => checkIn === undefined)
    const byEvent = Map.groupBy(undecided, ({ scan }) => scan.event_id)
    await Promise.all([...byEvent].map(([eventId, entries]) => this.#decide(eventId, entries)))
    await this.#insert(firsts.filter(({ checkIn }) => checkIn !== undefined))
    for (const same of byId.values()) this.#settleRepeats(same)
  }

  /** Gives the repetitions of a scan its outcome, or postpones them with it. */
  #settleRepeats(same: Entry[]): void {
    const [first, ...others] = same as [Entry, ...Entry[]]
    if (first.checkIn) {
      for (const other of others) other.resolve({ checkIn: first.checkIn, repeated: true })
    } else if (first.doubts <= 1) {
      this.#urgent.unshift(...same)
    } else {
      setTimeout(() => {
        for (const entry of same) this.#queue(entry, false)
      }, IN_FLIGHT_MS)
    }
  }

  /** Decides the scans of an event whose guests have a right to enter. Those that have to wait stay undecided. */
  async #decide(eventId: string, entries: Entry[]): Promise<void> {
    const asking: Entry[] = []
    const again: Entry[] = []
    for (const entry of entries) {
      const seen = this.#seen.has(placeKey(entry.scan))
      if (seen && entry.limit === NO_LIMIT) grant(entry, entry.scan._id)
      else if (seen || entry.gaps) again.push(entry)
      else asking.push(entry)
    }
    const firsts =
      asking.length > 0
        ? await this.#ledger.claim(
            eventId,
            asking.map(({ scan }) => scan),
          )
        : []
    for (const [index, entry] of asking.entries()) {
      if (firsts?.[index]) {
        grant(entry, FIRST_SLOT)
      } else {
        entry.claimed = firsts !== undefined
        again.push(entry)
      }
    }
    await this.#decideByStore(eventId, again)
  }

  /** Decides by what is stored. One query for each check-in point. */
  async #decideByStore(eventId: string, entries: Entry[]): Promise<void> {
    const byPoint = Map.groupBy(entries, ({ scan }) => scan.accesspoint_id)
    await Promise.all(
      [...byPoint].map(async ([accesspointId, ofPoint]) => {
        const uids = [...new Set(ofPoint.map(({ scan }) => scan.guest_uid))]
        const places = await this.#store.taken(eventId, accesspointId, uids)
        for (const entry of ofPoint) this.#decideByTaken(entry, places)
      }),
    )
  }

  #decideByTaken(entry: Entry, places: Map<string, Taken>): void {
    const { scan, limit = 0 } = entry
    entry.checkIn = undefined
    const taken = places.get(scan.guest_uid) ?? { slots: new Set(), count: 0, coming: false }
    places.set(scan.guest_uid, taken)
    const entered = taken.slots.has(FIRST_SLOT)
    if (entered) this.#seen.set(placeKey(scan), true)
    if (entered && limit === NO_LIMIT) return grant(entry, scan._id)
    // What comes next hangs on a grant of this flush, which may yet turn out to be a repetition and take nothing: wait for it.
    if (taken.coming) return
    const slot = limit === NO_LIMIT ? FIRST_SLOT : freeSlot(taken.slots, taken.count, limit)
    if (slot === undefined) return refuse(entry, TOO_MANY_CHECK_INS)
    if (entry.claimed && taken.count === 0 && entry.doubts < MAX_DOUBTS) {
      entry.doubts++
      return
    }
    taken.coming = true
    grant(entry, slot)
  }

  /** Stores what was decided. Where the store refuses, the scan is known already, or its slot went to another: decide again. */
  async #insert(entries: Entry[]): Promise<void> {
    let pending = entries
    for (let round = 0; pending.length > 0; round++) {
      if (round === MAX_ROUNDS) throw new Error('a slot was lost too often')
      const { refused, failed } = await this.#store.insert(pending.map(({ checkIn }) => checkIn as CheckIn))
      const lost: Entry[] = []
      for (const entry of pending) {
        const checkIn = entry.checkIn as CheckIn
        if (refused.has(checkIn)) lost.push(entry)
        else if (failed.has(checkIn)) entry.reject(unavailable())
        else this.#stored(entry, checkIn)
      }
      pending = (await this.#decideAgain(lost)).filter(({ checkIn }) => checkIn !== undefined)
    }
  }

  #stored(entry: Entry, checkIn: CheckIn): void {
    if (checkIn.slot === FIRST_SLOT) this.#seen.set(placeKey(checkIn), true)
    entry.resolve({ checkIn, repeated: false })
  }

  async #decideAgain(lost: Entry[]): Promise<Entry[]> {
    if (lost.length === 0) return []
    const known = await this.#store.findMany(lost.map(({ scan }) => scan._id))
    const unlucky: Entry[] = []
    for (const entry of lost) {
      const stored = known.get(entry.scan._id)
      if (stored) {
        entry.checkIn = stored
        entry.resolve({ checkIn: stored, repeated: true })
      } else {
        entry.claimed = false
        unlucky.push(entry)
      }
    }
    const byEvent = Map.groupBy(unlucky, ({ scan }) => scan.event_id)
    await Promise.all([...byEvent].map(([eventId, entries]) => this.#decideByStore(eventId, entries)))
    return unlucky
  }
}

/** Checks that a scan's outcome is a check-in. Throws its errors (422). */
export function accepted(outcome: Outcome): { checkIn: CheckIn; repeated: boolean } {
  if ('errors' in outcome) throw invalid(outcome.errors)
  return outcome
}

function placeKey({ event_id, accesspoint_id, guest_uid }: Scan | CheckIn): string {
  return `${event_id}\n${accesspoint_id}\n${guest_uid}`
}

function grant(entry: Entry, slot: number | string): void {
  entry.checkIn = { ...checkInOf(entry.scan, ACCESS_GRANTED), slot }
}

function refuse(entry: Entry, status: number): void {
  entry.checkIn = checkInOf(entry.scan, status)
}

function checkInOf(scan: Scan, access_status: number): CheckIn {
  const now = new Date()
  return { ...scan, access_stamp: scan.access_stamp ?? now, access_status, created_at: now, updated_at: now }
}
