import type { CheckIn, CheckInStore, TakenSlots } from '../check-ins/store.ts'
import {
  ACCESS_GRANTED,
  FIRST_SLOT,
  freeSlot,
  type Guest,
  NO_LIMIT,
  refusalOf,
  type Scan,
  TOO_MANY_CHECK_INS,
} from './decision.ts'
import type { Ledger } from './ledger.ts'

/** A scan with all that decides on it. It never changes: what goes into another flush is a copy. */
export interface AdmittedScan {
  readonly scan: Scan
  /** When it arrived. */
  readonly at: Date
  /** Undefined for an unknown guest. */
  readonly guest: Guest | undefined
  /** How often the guest may enter the point; undefined without a right. */
  readonly limit: number | undefined
  /** A granted check-in of the point was deleted once. */
  readonly hasGaps: boolean
  /** How often it has lost its slot. */
  readonly losses: number
  /** How often it has been in flight. */
  readonly waits: number
}

/** The stored check-in of a scan, and whether an earlier request stored it. */
export interface Decided {
  checkIn: CheckIn
  repeated: boolean
}

/**
 * Why a scan goes into another flush. `lost`: another scan has its slot. `in flight`: the ledger has seen the guest
 * and the store has not. `behind`: another scan of the guest in this flush comes first.
 */
type Again = 'lost' | 'in flight' | 'behind'

/** What a flush makes of a scan. `failed`: it may be stored or not. */
export type FlushResult = Decided | Again | 'failed'

/** A check-in which is to be stored, or the reason for another flush. */
type Decision = CheckIn | { _id: string; again: Again }

/** Scans which do not wait for the ledger. */
const DIRECT_FLUSH_SIZE = 4
/**
 * A guest whom the ledger has seen and the store has not is probably being stored, by this flush or another process: the scan
 * waits this often before the ledger counts as wrong.
 */
const MAX_WAITS = 3
const NOTHING_TAKEN: TakenSlots = { slots: new Set(), count: 0 }

/** Decides scans and stores them together (docs/adr/0003). */
export class Flusher {
  readonly #ledger: Ledger
  readonly #store: CheckInStore

  constructor(ledger: Ledger, store: CheckInStore) {
    this.#ledger = ledger
    this.#store = store
  }

  /** Gives a result for each scan, in order. Rejects if it is unknown for all whether they are stored. */
  async flush(scans: readonly AdmittedScan[]): Promise<FlushResult[]> {
    const firsts = new Map<string, AdmittedScan>()
    for (const admitted of scans) firsts.getOrInsert(admitted.scan._id, admitted)
    const decisions = await this.#decide([...firsts.values()])
    const { refused, failed } = await this.#store.insert(decisions.filter(isCheckIn))
    const known = await this.#findKnown(refused)
    const results = new Map<string, FlushResult>()
    for (const decision of decisions) {
      const { _id } = decision
      if (!isCheckIn(decision)) results.set(_id, decision.again)
      else if (refused.has(decision)) results.set(_id, repeatOf(decision, known.get(_id)) ?? 'lost')
      else if (failed.has(decision)) results.set(_id, 'failed')
      else {
        results.set(_id, { checkIn: decision, repeated: false })
        if (decision.slot === FIRST_SLOT) markEntered(firsts.get(_id) as AdmittedScan)
      }
    }
    return scans.map((admitted) => {
      const { _id } = admitted.scan
      const result = results.get(_id) as FlushResult
      const isRepeat = typeof result === 'object' && admitted !== firsts.get(_id)
      return isRepeat ? { checkIn: result.checkIn, repeated: true } : result
    })
  }

  /** The stored check-ins with the ids of refused ones. */
  async #findKnown(refused: Set<CheckIn>): Promise<Map<string, CheckIn>> {
    if (refused.size === 0) return new Map()
    return this.#store.findMany([...refused].map(({ _id }) => _id))
  }

  async #decide(scans: AdmittedScan[]): Promise<Decision[]> {
    const byEvent = Map.groupBy(scans, ({ scan }) => scan.event_id)
    const decisions = await Promise.all([...byEvent].map(([eventId, ofEvent]) => this.#decideEvent(eventId, ofEvent)))
    return decisions.flat()
  }

  async #decideEvent(eventId: string, scans: AdmittedScan[]): Promise<Decision[]> {
    const decisions: Decision[] = []
    const unseen: AdmittedScan[] = []
    const seen: AdmittedScan[] = []
    for (const admitted of scans) {
      const { scan, guest, limit, hasGaps, losses } = admitted
      const refusal = refusalOf(guest, limit)
      const entered = hasEntered(admitted)
      if (refusal !== undefined) decisions.push(checkInOf(admitted, refusal))
      else if (entered && limit === NO_LIMIT) decisions.push(checkInOf(admitted, ACCESS_GRANTED, scan._id))
      else if (entered || hasGaps || losses > 0) seen.push(admitted)
      else unseen.push(admitted)
    }
    const firsts = await this.#firstsOf(eventId, unseen)
    const claimed = new Set<AdmittedScan>()
    unseen.forEach((admitted, index) => {
      if (firsts?.[index]) {
        decisions.push(checkInOf(admitted, ACCESS_GRANTED, FIRST_SLOT))
        return
      }
      if (firsts) claimed.add(admitted)
      seen.push(admitted)
    })
    if (seen.length === 0) return decisions
    return decisions.concat(await this.#decideByStore(eventId, seen, claimed))
  }

  /** Whether each scan is its guest's first at its point; undefined while the ledger is away. */
  async #firstsOf(eventId: string, unseen: AdmittedScan[]): Promise<boolean[] | undefined> {
    if (unseen.length === 0) return []
    const scans = unseen.map(({ scan }) => scan)
    if (scans.length > DIRECT_FLUSH_SIZE) return this.#ledger.claim(eventId, scans)
    // For a few scans an attempt costs no more than the question. The ledger learns of them once the insert is on its way.
    setImmediate(() => void this.#ledger.claim(eventId, scans))
    return scans.map(() => true)
  }

  /** Decides by the stored check-ins. `claimed` are scans of guests whom the ledger has seen at the point. */
  async #decideByStore(eventId: string, scans: AdmittedScan[], claimed: Set<AdmittedScan>): Promise<Decision[]> {
    const byPoint = Map.groupBy(scans, ({ scan }) => scan.accesspoint_id)
    const decisions = await Promise.all(
      [...byPoint].map(async ([accesspointId, ofPoint]) => {
        const taken = await this.#takenAt(eventId, accesspointId, ofPoint)
        const grantedUids = new Set<string>()
        return ofPoint.map((admitted): Decision => {
          const { scan, limit = 0, waits } = admitted
          const { _id, guest_uid } = scan
          const { slots, count } = taken.get(guest_uid) ?? NOTHING_TAKEN
          if (slots.has(FIRST_SLOT)) {
            markEntered(admitted)
            if (limit === NO_LIMIT) return checkInOf(admitted, ACCESS_GRANTED, _id)
          }
          // The other grant may turn out to be a repetition, which takes no slot.
          if (grantedUids.has(guest_uid)) return { _id, again: 'behind' }
          const slot = limit === NO_LIMIT ? FIRST_SLOT : freeSlot(slots, count, limit)
          if (slot === undefined) return checkInOf(admitted, TOO_MANY_CHECK_INS)
          if (count === 0 && claimed.has(admitted) && waits < MAX_WAITS) return { _id, again: 'in flight' }
          grantedUids.add(guest_uid)
          return checkInOf(admitted, ACCESS_GRANTED, slot)
        })
      }),
    )
    return decisions.flat()
  }

  /** Two queries: of a guest without a limit only the first slot counts, however often the guest came. */
  async #takenAt(eventId: string, accesspointId: string, scans: AdmittedScan[]): Promise<Map<string, TakenSlots>> {
    const limited = new Set(scans.filter(({ limit }) => limit !== NO_LIMIT).map(({ scan }) => scan.guest_uid))
    const unlimited = new Set(scans.map(({ scan }) => scan.guest_uid)).difference(limited)
    const [taken, firsts] = await Promise.all([
      this.#store.taken(eventId, accesspointId, [...limited]),
      this.#store.taken(eventId, accesspointId, [...unlimited], FIRST_SLOT),
    ])
    for (const [uid, ofGuest] of firsts) taken.set(uid, ofGuest)
    return taken
  }
}

/** The result of a refused check-in whose id is stored. If this very request has stored it, the insert was tried twice. */
function repeatOf({ created_at }: CheckIn, known: CheckIn | undefined): Decided | undefined {
  return known && { checkIn: known, repeated: known.created_at.getTime() !== created_at.getTime() }
}

function isCheckIn(decision: Decision): decision is CheckIn {
  return 'access_status' in decision
}

/** Whether the guest's first slot at the point is known to be stored. */
function hasEntered({ guest, scan }: AdmittedScan): boolean {
  return guest?.entered?.includes(scan.accesspoint_id) ?? false
}

/** Only for guests without a limit: others are looked up anyway, and most guests come once. */
function markEntered(admitted: AdmittedScan): void {
  const { guest, limit, scan } = admitted
  if (!guest || limit !== NO_LIMIT || hasEntered(admitted)) return
  // A new array has no spare room. `push` reserves room for sixteen, which is 13 MiB for 100,000 guests.
  guest.entered = guest.entered?.concat(scan.accesspoint_id) ?? [scan.accesspoint_id]
}

function checkInOf({ scan, at }: AdmittedScan, access_status: number, slot?: CheckIn['slot']): CheckIn {
  const { _id, event_id, accesspoint_id, guest_uid, access_stamp } = scan
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
