import { type FieldErrors, toFault, unavailable } from '@gatehouse/proto/declaring/faults.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import { NO_POINT } from '../accesspoints/store.ts'
import type { CheckIn, CheckInStore, Taken } from '../check-ins/store.ts'
import type { CheckInPublisher } from '../publishing/publisher.ts'
import type { AccessCache } from './access-cache.ts'
import {
  ACCESS_GRANTED,
  allowance,
  FIRST_SLOT,
  freeSlot,
  GUEST_UNKNOWN,
  type Guest,
  NO_LIMIT,
  NOT_AUTHORIZED,
  type Rights,
  TOO_MANY_CHECK_INS,
} from './decision.ts'
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

/** The stored check-in of a scan, and whether it was stored before. */
export interface Decided {
  checkIn: CheckIn
  repeated: boolean
}

/** What a scan came to, or why it can't be stored. */
export type Outcome = Decided | { errors: FieldErrors }

/** The scans of one call, on their way. */
interface EnterCall {
  /** When it came. */
  at: Date
  outcomes: Outcome[]
  /** How many have no outcome yet. */
  left: number
  resolve(outcomes: Outcome[]): void
  reject(error: unknown): void
}

/** Scans that wait for a flush, and how many flushes of such are under way. */
interface Lane {
  waiting: Entry[]
  flushes: number
}

/** A scan on its way through a flush. */
interface Entry {
  scan: Scan
  lane: Lane
  /** What the directory has of the guest; undefined when it knows none. */
  guest: Guest | undefined
  /** How often the guest may enter; undefined when the outcome does not hang on it. */
  limit: number | undefined
  /** A check-in of this point was deleted once, so slots may have gaps. */
  gaps: boolean
  /** The decision; undefined while there is none. */
  checkIn: CheckIn | undefined
  /** The ledger has seen the guest here. */
  claimed: boolean
  /** How often the ledger had seen the guest and the store had not. */
  retries: number
  /** It is not known whether it is stored. */
  failed: boolean
  call: EnterCall
  /** Its place among the scans of its party. */
  index: number
}

const FLUSH_SIZE = 500
/** A further flush starts only when it is full: small ones gain nothing by it. */
const MAX_FLUSHES = 2
/** Scans that do not wait for the ledger. */
const DIRECT_FLUSH_SIZE = 4
/**
 * A guest whom the ledger has seen and the store has not is most likely on the way there, in this flush or in another process:
 * the scan is looked at again in the next flush, then after a while, before the ledger counts as wrong.
 */
const MAX_RETRIES = 3
const IN_FLIGHT_MS = 20
/** A slot can be lost to another process this often; each loss means that somebody else got in. */
const MAX_ROUNDS = 50
/** Longer than every time-out below it. What hangs on regardless must not hold those who come after. */
const FLUSH_LIMIT_MS = 15_000

/**
 * Decides and stores scans. They are looked up before they queue, so that a guest who can't be fetched holds up nobody but its own
 * batch; then, while one flush is under way, the next gathers (group commit): one call of the ledger for each event, one query for each point where
 * somebody comes again, one insert. Single scans have flushes of their own: in one with hundreds of a batch they would wait for all of these.
 *
 * What keeps it right is one rule: the first slot of a guest at a point is taken before any other (docs/adr/0003).
 */
export class Door {
  readonly #cache: AccessCache
  readonly #ledger: Ledger
  readonly #store: CheckInStore
  readonly #publisher: Pick<CheckInPublisher, 'publishing'>
  readonly #log: Log
  readonly #flushLimitMs: number
  readonly #single: Lane = { waiting: [], flushes: 0 }
  readonly #bulk: Lane = { waiting: [], flushes: 0 }

  constructor(
    cache: AccessCache,
    ledger: Ledger,
    store: CheckInStore,
    publisher: Pick<CheckInPublisher, 'publishing'>,
    log: Log,
    flushLimitMs = FLUSH_LIMIT_MS,
  ) {
    this.#cache = cache
    this.#ledger = ledger
    this.#store = store
    this.#publisher = publisher
    this.#log = log
    this.#flushLimitMs = flushLimitMs
  }

  /**
   * Decides scans of an event, and gives their outcomes in the same order. Rejects with `unavailable` when it can't be known of
   * any whether it is stored.
   */
  async enter(eventId: string, scans: Scan[], bulk = false): Promise<Outcome[]> {
    if (scans.length === 0) return []
    const at = new Date()
    return this.#publisher.publishing(eventId, at, () => this.#enter(eventId, scans, bulk, at), newOf)
  }

  async #enter(eventId: string, scans: Scan[], bulk: boolean, at: Date): Promise<Outcome[]> {
    const rights = await this.#cache.rightsOf(eventId)
    const guests = await this.#cache.guestsOf(
      eventId,
      scans.map(({ guest_uid }) => guest_uid),
    )
    return new Promise((resolve, reject) => {
      const call: EnterCall = { at, outcomes: [], left: scans.length, resolve, reject }
      const lane = bulk ? this.#bulk : this.#single
      scans.forEach((scan, index) => {
        this.#admit(scan, guests[index], rights, call, index, lane)
      })
    })
  }

  #admit(scan: Scan, guest: Guest | undefined, rights: Rights, call: EnterCall, index: number, lane: Lane): void {
    const { accesspoint_id } = scan
    const { accesspoints, links } = rights
    const limit = guest && allowance(links, guest, accesspoint_id)
    const gaps = rights.gaps.has(accesspoint_id)
    const entry: Entry = {
      scan,
      lane,
      guest,
      limit,
      gaps,
      checkIn: undefined,
      claimed: false,
      retries: 0,
      failed: false,
      call,
      index,
    }
    if (!accesspoints.has(accesspoint_id)) {
      return settle(entry, { errors: NO_POINT })
    }
    if (!guest) refuse(entry, GUEST_UNKNOWN)
    else if (limit === undefined) refuse(entry, NOT_AUTHORIZED)
    else if (limit === 0) refuse(entry, TOO_MANY_CHECK_INS)
    this.#queue(entry)
  }

  #queue(entry: Entry): void {
    const { lane } = entry
    const waiting = lane.waiting.push(entry)
    if (lane.flushes > 0 && (lane.flushes === MAX_FLUSHES || waiting < FLUSH_SIZE)) return
    lane.flushes++
    // Whatever else arrived in this turn of the event loop comes along.
    setImmediate(() => void this.#flushAll(lane))
  }

  async #flushAll(lane: Lane): Promise<void> {
    while (lane.waiting.length > 0) {
      const batch = lane.waiting.splice(0, FLUSH_SIZE)
      try {
        await this.#inTime(this.#flush(batch))
      } catch (error) {
        this.#log.error({ err: error }, 'flush failed')
        for (const { call } of batch) call.reject(toFault(error))
      }
      if (lane.flushes > 1 && lane.waiting.length < FLUSH_SIZE) break
    }
    lane.flushes--
  }

  #inTime(flush: Promise<void>): Promise<void> {
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(() => late.reject(new Error('the flush hangs')), this.#flushLimitMs)
    return Promise.race([flush, late.promise]).finally(() => clearTimeout(timer))
  }

  async #flush(batch: Entry[]): Promise<void> {
    // The same scan twice in one flush is decided once.
    const byId = new Map<string, Entry>()
    const repeats: Entry[] = []
    for (const entry of batch) {
      if (byId.has(entry.scan._id)) repeats.push(entry)
      else byId.set(entry.scan._id, entry)
    }
    const firsts = [...byId.values()]
    const undecided = firsts.filter(({ checkIn }) => checkIn === undefined)
    const byEvent = Map.groupBy(undecided, ({ scan }) => scan.event_id)
    await Promise.all([...byEvent].map(([eventId, entries]) => this.#decide(eventId, entries)))
    const decided = firsts.filter(({ checkIn }) => checkIn !== undefined)
    await this.#insert(decided)
    for (const entry of firsts) if (!entry.checkIn) this.#postpone(entry)
    for (const entry of repeats) this.#settleRepeat(entry, byId.get(entry.scan._id) as Entry)
  }

  /** Gives the repetition of a scan its outcome, or postpones it with it. */
  #settleRepeat(entry: Entry, { checkIn, retries, failed }: Entry): void {
    if (failed) return fail(entry)
    if (checkIn) return settle(entry, { checkIn, repeated: true })
    entry.retries = retries
    this.#postpone(entry)
  }

  #postpone(entry: Entry): void {
    if (entry.retries <= 1) entry.lane.waiting.unshift(entry)
    else setTimeout(() => this.#queue(entry), IN_FLIGHT_MS)
  }

  /** Decides the scans of an event whose guests have a right to enter. Those that have to wait stay undecided. */
  async #decide(eventId: string, entries: Entry[]): Promise<void> {
    const asking: Entry[] = []
    const again: Entry[] = []
    for (const entry of entries) {
      const seen = hasEntered(entry)
      if (seen && entry.limit === NO_LIMIT) grant(entry, entry.scan._id)
      else if (seen || entry.gaps) again.push(entry)
      else asking.push(entry)
    }
    const firsts = await this.#firstsOf(
      eventId,
      asking.map(({ scan }) => scan),
    )
    asking.forEach((entry, index) => {
      if (firsts?.[index]) {
        grant(entry, FIRST_SLOT)
      } else {
        entry.claimed = firsts !== undefined
        again.push(entry)
      }
    })
    await this.#decideByStore(eventId, again)
  }

  /** Whether each scan is its guest's first at its point; undefined when that can't be known. */
  async #firstsOf(eventId: string, scans: Scan[]): Promise<boolean[] | undefined> {
    if (scans.length === 0) return []
    if (scans.length > DIRECT_FLUSH_SIZE) return this.#ledger.claim(eventId, scans)
    // Of a few it is supposed, and the index decides: to try costs no more than to ask. The ledger hears of it when that is on its way.
    setImmediate(() => void this.#ledger.claim(eventId, scans))
    return scans.map(() => true)
  }

  /** Decides by what is stored. Two queries for each check-in point: of who has no limit only the first slot counts, however often they came. */
  async #decideByStore(eventId: string, entries: Entry[]): Promise<void> {
    const byPoint = Map.groupBy(entries, ({ scan }) => scan.accesspoint_id)
    await Promise.all(
      [...byPoint].map(async ([accesspointId, ofPoint]) => {
        const limited = new Set(ofPoint.filter(({ limit }) => limit !== NO_LIMIT).map(({ scan }) => scan.guest_uid))
        const free = new Set(ofPoint.map(({ scan }) => scan.guest_uid)).difference(limited)
        const [places, firsts] = await Promise.all([
          this.#store.taken(eventId, accesspointId, [...limited]),
          this.#store.taken(eventId, accesspointId, [...free], FIRST_SLOT),
        ])
        for (const [uid, taken] of firsts) places.set(uid, taken)
        for (const entry of ofPoint) this.#decideByTaken(entry, places)
      }),
    )
  }

  #decideByTaken(entry: Entry, places: Map<string, Taken>): void {
    const { scan, limit = 0 } = entry
    entry.checkIn = undefined
    const taken = places.get(scan.guest_uid) ?? { slots: new Set(), count: 0, isPending: false }
    places.set(scan.guest_uid, taken)
    const entered = taken.slots.has(FIRST_SLOT)
    if (entered) markEntered(entry)
    if (entered && limit === NO_LIMIT) return grant(entry, scan._id)
    // What comes next hangs on a grant of this flush, which may yet turn out to be a repetition and take nothing: wait for it.
    if (taken.isPending) return
    const slot = limit === NO_LIMIT ? FIRST_SLOT : freeSlot(taken.slots, taken.count, limit)
    if (slot === undefined) return refuse(entry, TOO_MANY_CHECK_INS)
    if (entry.claimed && taken.count === 0 && entry.retries < MAX_RETRIES) {
      entry.retries++
      return
    }
    taken.isPending = true
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
        else if (failed.has(checkIn)) fail(entry)
        else stored(entry, checkIn)
      }
      pending = (await this.#decideAgain(lost)).filter(({ checkIn }) => checkIn !== undefined)
    }
  }

  async #decideAgain(lost: Entry[]): Promise<Entry[]> {
    if (lost.length === 0) return []
    const known = await this.#store.findMany(lost.map(({ scan }) => scan._id))
    const retried: Entry[] = []
    for (const entry of lost) {
      const stored = known.get(entry.scan._id)
      if (stored) {
        entry.checkIn = stored
        // By this very call, where its insert was tried twice.
        const repeated = stored.created_at.getTime() !== entry.call.at.getTime()
        settle(entry, { checkIn: stored, repeated })
      } else {
        entry.claimed = false
        retried.push(entry)
      }
    }
    const byEvent = Map.groupBy(retried, ({ scan }) => scan.event_id)
    await Promise.all([...byEvent].map(([eventId, entries]) => this.#decideByStore(eventId, entries)))
    return retried
  }
}

/** Those check-ins that are there by these outcomes, and were not before; each once. */
function newOf(outcomes: Outcome[]): CheckIn[] {
  const found = new Map<string, CheckIn>()
  for (const outcome of outcomes) {
    if ('checkIn' in outcome && !outcome.repeated) found.set(outcome.checkIn._id, outcome.checkIn)
  }
  return [...found.values()]
}

/** Gives a scan its outcome; the last of its party answers for all. */
function settle({ call, index }: Entry, outcome: Outcome): void {
  call.outcomes[index] = outcome
  call.left--
  if (call.left === 0) call.resolve(call.outcomes)
}

/** Nothing is known of this scan, so nothing can be said of its party. */
function fail(entry: Entry): void {
  entry.failed = true
  entry.call.reject(unavailable())
}

function stored(entry: Entry, checkIn: CheckIn): void {
  if (checkIn.slot === FIRST_SLOT) markEntered(entry)
  settle(entry, { checkIn, repeated: false })
}

/** Whether the guest's first slot at the point is known to be stored. */
function hasEntered({ guest, scan }: Entry): boolean {
  return guest?.entered?.includes(scan.accesspoint_id) ?? false
}

/** Only where there is no limit: under a limit the store is asked anyway, and most guests come once. */
function markEntered(entry: Entry): void {
  const { guest, limit, scan } = entry
  if (!guest || limit !== NO_LIMIT || hasEntered(entry)) return
  // A list of just its length: one that is pushed to has room for sixteen, which is 13 MiB where 100,000 guests are known.
  guest.entered = guest.entered?.concat(scan.accesspoint_id) ?? [scan.accesspoint_id]
}

function grant(entry: Entry, slot: number | string): void {
  entry.checkIn = checkInOf(entry, ACCESS_GRANTED, slot)
}

function refuse(entry: Entry, status: number): void {
  entry.checkIn = checkInOf(entry, status, undefined)
}

function checkInOf({ scan, call }: Entry, access_status: number, slot: CheckIn['slot']): CheckIn {
  const { _id, event_id, accesspoint_id, guest_uid, access_stamp } = scan
  const { at } = call
  return {
    _id,
    event_id,
    accesspoint_id,
    guest_uid,
    access_status,
    access_stamp: access_stamp ?? at,
    created_at: at,
    updated_at: at,
    slot,
  }
}
