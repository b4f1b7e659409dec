import { type FieldErrors, invalid, toFault, unavailable } from '@gatehouse/proto/faults.ts'
import type { Log } from '@gatehouse/proto/log.ts'
import type { CheckIn, CheckInStore, Taken } from '../check-ins/store.ts'
import {
  ACCESS_GRANTED,
  allowance,
  freeSlot,
  GUEST_UNKNOWN,
  NO_LIMIT,
  NOT_AUTHORIZED,
  TOO_MANY_CHECK_INS,
} from './decision.ts'
import type { Directory } from './directory.ts'
import type { Ledger, Request } from './ledger.ts'

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
  checkIn: CheckIn | undefined
  /** The ledger says that the allowance is used up. */
  full: boolean
  /** How often the store knew of fewer check-ins than the ledger. */
  doubts: number
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

const FLUSH_SIZE = 500
/**
 * A slot that the ledger counts and the store does not know is most likely on its way there, in this flush or in another process:
 * the scan is looked at again in the next flush, then after a while, before the slot counts as lost in a crash.
 */
const MAX_DOUBTS = 3
const IN_FLIGHT_MS = 20
/** A slot can be lost to another process this often; each loss means that somebody else got in. */
const MAX_ROUNDS = 50

/**
 * Decides and stores scans. Each is looked up by itself, so that one whose guest can't be fetched holds up nobody; then, while
 * one flush is under way, the next gathers (group commit): one call of the ledger for each event, one insert. Single scans go
 * before those of batches.
 */
export class Door {
  readonly #directory: Directory
  readonly #ledger: Ledger
  readonly #store: CheckInStore
  readonly #log: Log
  #urgent: Entry[] = []
  #bulk: Entry[] = []
  #flushing = false

  constructor(directory: Directory, ledger: Ledger, store: CheckInStore, log: Log) {
    this.#directory = directory
    this.#ledger = ledger
    this.#store = store
    this.#log = log
  }

  /** Decides one scan. Rejects with `unavailable` when it can't be known whether it is stored. */
  async enter(scan: Scan, bulk = false): Promise<Outcome> {
    const { event_id, accesspoint_id, guest_uid } = scan
    const rights = await this.#directory.rightsOf(event_id)
    if (!rights.accesspoints.has(accesspoint_id)) {
      return { errors: { accesspoint_id: ['is not a check-in point of the event'] } }
    }
    const guest = await this.#directory.guestOf(event_id, guest_uid)
    const limit = guest && allowance(rights, guest, accesspoint_id)
    return new Promise((resolve, reject) => {
      const entry: Entry = { scan, limit, checkIn: undefined, full: false, doubts: 0, resolve, reject }
      if (!guest) refuse(entry, GUEST_UNKNOWN)
      else if (limit === undefined) refuse(entry, NOT_AUTHORIZED)
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
        await this.#flush(batch)
      } catch (error) {
        this.#log.error({ err: error }, 'flush failed')
        for (const entry of batch) entry.reject(toFault(error))
      }
    }
    this.#flushing = false
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

  /** Decides the scans of an event whose guests have a right to enter. */
  async #decide(eventId: string, entries: Entry[]): Promise<void> {
    const verdicts = await this.#ledger.decide(eventId, entries.map(requestOf))
    if (!verdicts) {
      // Redis is away or knows nothing of the event yet.
      this.#ledger
        .rebuild(eventId, () => this.#store.granted(eventId))
        .catch((error: Error) => this.#log.warn({ reason: error.message }, 'rebuild failed'))
    }
    const unsure: Entry[] = []
    for (const [index, entry] of entries.entries()) {
      const verdict = verdicts?.[index] ?? 'unsure'
      if (verdict === 'free') grant(entry, entry.scan._id)
      else if (typeof verdict === 'number') grant(entry, verdict)
      else unsure.push(entry)
      entry.full = verdict === 'full'
    }
    await this.#decideByStore(eventId, unsure)
  }

  /**
   * Decides by what is stored: the way when Redis is away, and the check of every refusal for too many check-ins. One
   * query for each check-in point; scans of one guest in the same flush see each other.
   */
  async #decideByStore(eventId: string, entries: Entry[]): Promise<void> {
    const byPoint = Map.groupBy(entries, ({ scan }) => scan.accesspoint_id)
    await Promise.all(
      [...byPoint].map(async ([accesspointId, ofPoint]) => {
        const uids = [...new Set(ofPoint.map(({ scan }) => scan.guest_uid))]
        const taken = await this.#store.taken(eventId, accesspointId, uids)
        for (const entry of ofPoint) this.#decideByTaken(entry, taken)
      }),
    )
  }

  #decideByTaken(entry: Entry, places: Map<string, Taken>): void {
    const { scan, limit = 0 } = entry
    const { event_id, accesspoint_id, guest_uid } = scan
    if (limit === NO_LIMIT) {
      grant(entry, scan._id)
      void this.#ledger.noteFree(event_id, accesspoint_id, guest_uid)
      return
    }
    const taken = places.get(guest_uid) ?? { slots: new Set(), count: 0, coming: 0 }
    const slot = freeSlot(taken.slots, taken.count, limit)
    if (slot === undefined) {
      // A grant of this flush may turn out to be a repetition of an earlier scan, and then it takes nothing: wait for it.
      if (taken.count - taken.coming < limit) entry.checkIn = undefined
      else refuse(entry, TOO_MANY_CHECK_INS)
      return
    }
    if (entry.full && entry.doubts < MAX_DOUBTS) {
      entry.doubts++
      return
    }
    taken.slots.add(slot)
    taken.count++
    taken.coming++
    places.set(guest_uid, taken)
    grant(entry, slot)
    void this.#ledger.correct(event_id, requestOf(entry), taken.slots)
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
        else entry.resolve({ checkIn, repeated: false })
      }
      pending = (await this.#decideAgain(lost)).filter(({ checkIn }) => checkIn !== undefined)
    }
  }

  async #decideAgain(lost: Entry[]): Promise<Entry[]> {
    if (lost.length === 0) return []
    const known = await this.#store.findMany(lost.map(({ scan }) => scan._id))
    const [repeated, unlucky] = partition(lost, ({ scan }) => known.has(scan._id))
    for (const entry of repeated) {
      const stored = known.get(entry.scan._id) as CheckIn
      // What was counted for a repetition is free.
      if (entry.checkIn && entry.checkIn.slot !== stored.slot) await this.release(entry.checkIn)
      entry.checkIn = stored
      entry.resolve({ checkIn: entry.checkIn, repeated: true })
    }
    for (const entry of unlucky) entry.full = false
    const byEvent = Map.groupBy(unlucky, ({ scan }) => scan.event_id)
    await Promise.all([...byEvent].map(([eventId, entries]) => this.#decideByStore(eventId, entries)))
    return unlucky
  }

  /** Forgets a deleted check-in, so that its access is free again. */
  async release({ event_id, accesspoint_id, guest_uid, slot }: CheckIn): Promise<void> {
    if (typeof slot === 'number') await this.#ledger.giveBack(event_id, accesspoint_id, guest_uid, slot)
  }
}

/** Checks that a scan's outcome is a check-in. Throws its errors (422). */
export function accepted(outcome: Outcome): { checkIn: CheckIn; repeated: boolean } {
  if ('errors' in outcome) throw invalid(outcome.errors)
  return outcome
}

function requestOf({ scan, limit }: Entry): Request {
  return { accesspoint_id: scan.accesspoint_id, guest_uid: scan.guest_uid, limit: limit ?? 0 }
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

function partition<T>(items: T[], test: (item: T) => boolean): [T[], T[]] {
  const yes: T[] = []
  const no: T[] = []
  for (const item of items) (test(item) ? yes : no).push(item)
  return [yes, no]
}
