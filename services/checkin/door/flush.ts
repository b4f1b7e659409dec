import {
  ACCESS_GRANTED,
  countsFor,
  covers,
  type Entitlement,
  type Move,
  NO_LIMIT,
  personsLeft,
  type Refusal,
  TOO_MANY_CHECK_INS,
  useWith,
} from '@gatehouse/door/decision.ts'
import { eventDay } from '@gatehouse/door/event-day.ts'
import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { reasonOf } from '../check-ins/presenting.ts'
import type { CheckIn, CheckInStore, TakenSlots } from '../check-ins/store.ts'
import type { AccessCache } from './access-cache.ts'
import { type CachedGuest, FIRST_SLOT, freeSlots, type Rights, type Scan } from './decision.ts'

/** A scan with what it is decided by. It never changes: what goes into another flush is a copy. */
export interface PreparedScan {
  readonly scan: Scan
  /** When it arrived. */
  readonly at: Date
  /** Undefined for an unknown guest. */
  readonly guest: CachedGuest | undefined
  readonly rights: Rights
  /** How many come in, or out. */
  readonly persons: number
  /** The guest comes out. */
  readonly isExit: boolean
  /** What the guest's right at the point covers; nobody without a right. */
  readonly entitlement: Entitlement
  /** Why the scan is refused whatever is stored. */
  readonly refusal: Refusal | undefined
  /** Guest and rights are known to be those after all changes that were answered before the scan arrived. */
  readonly isVerified: boolean
  /** How often it was `lost` or `outdated`: from then on the store decides. */
  readonly lostCount: number
  /** How often it was `in flight`. */
  readonly inFlightCount: number
}

/** The stored check-in of a scan, and whether an earlier request stored it. */
export interface Decided {
  checkIn: CheckIn
  repeated: boolean
}

/** The decision on a scan, or the reason why it can't be stored. */
export type DecisionResult = Decided | { errors: FieldErrors }

/**
 * Why a scan is postponed to another flush. `outdated`: its guest or rights may have changed, and have to be looked up anew. `lost`: another scan
 * has its slot. `in flight`: the ledger has seen the guest at the point,
 * and the store holds no check-in of it. `after another`: another scan of the guest in this flush comes first.
 */
type Postponement = 'outdated' | 'lost' | 'in flight' | 'after another'

/** What a flush makes of a scan. `failed`: it may be stored or not. */
export type FlushResult = Decided | Postponement | 'failed'

/** A check-in that is to be stored, or why there is none yet. */
type Decision = CheckIn | { _id: string; postponed: Postponement }

/**
 * A check-in of a guest whom the ledger has seen and the store has not is probably being stored, by another flush or process. The scan is
 * postponed this often before the ledger counts as wrong: to the next flush, and twice for 20 ms, in which a flush is usually stored.
 */
const MAX_IN_FLIGHT = 3
const NOTHING_TAKEN: TakenSlots = { slots: new Set(), moves: [] }

/** Decides scans and stores them together (docs/adr/0003). */
export class Flusher {
  readonly #cache: AccessCache
  readonly #store: CheckInStore

  constructor(cache: AccessCache, store: CheckInStore) {
    this.#cache = cache
    this.#store = store
  }

  /** Returns a result for each scan, in order. Rejects if it is unknown for all whether they are stored. */
  async flush(scans: readonly PreparedScan[]): Promise<FlushResult[]> {
    const byId = new Map<string, PreparedScan>()
    for (const prepared of scans) byId.getOrInsert(prepared.scan._id, prepared)
    const decisions = await this.#decide([...byId.values()])
    const { conflicting, failed } = await this.#store.insert(decisions.filter(isCheckIn))
    const repeats = await this.#repeatsOf(conflicting, byId)
    const results = new Map<string, FlushResult>()
    for (const decision of decisions) {
      const { _id } = decision
      if (!isCheckIn(decision)) results.set(_id, decision.postponed)
      else if (conflicting.has(decision)) results.set(_id, repeats.get(_id) ?? 'lost')
      else if (failed.has(decision)) results.set(_id, 'failed')
      else {
        results.set(_id, { checkIn: decision, repeated: false })
        if (decision.slot === FIRST_SLOT) noteFirstSlot(byId.get(_id) as PreparedScan)
      }
    }
    return scans.map((prepared) => {
      const { _id } = prepared.scan
      const result = results.get(_id) as FlushResult
      const isRepeat = typeof result === 'object' && prepared !== byId.get(_id)
      return isRepeat ? { checkIn: result.checkIn, repeated: true } : result
    })
  }

  /** What conflicting check-ins repeat, by id. */
  async #repeatsOf(conflicting: Set<CheckIn>, byId: Map<string, PreparedScan>): Promise<Map<string, Decided>> {
    const repeats = new Map<string, Decided>()
    if (conflicting.size === 0) return repeats
    const known = await this.#store.findMany([...conflicting].map(({ _id }) => _id))
    const others: CheckIn[] = []
    for (const checkIn of conflicting) {
      const stored = known.get(checkIn._id)
      if (stored) repeats.set(checkIn._id, repeatOf(checkIn, stored))
      else others.push(checkIn)
    }
    for (const checkIn of await this.#deletedSince(others, byId)) repeats.set(checkIn._id, { checkIn, repeated: true })
    return repeats
  }

  /**
   * Those check-ins that were deleted after their request was made: another process has stored them meanwhile, and they stay deleted. Others that
   * were deleted may be stored anew from now on.
   */
  async #deletedSince(checkIns: CheckIn[], byId: Map<string, PreparedScan>): Promise<CheckIn[]> {
    if (checkIns.length === 0) return []
    const deletions = await this.#store.deletionsOf(checkIns.map(({ _id }) => _id))
    const isSince = ({ _id }: CheckIn): boolean => {
      const { scan, at } = byId.get(_id) as PreparedScan
      return (deletions.get(_id) as Date) >= (scan.asked_at ?? at)
    }
    const deleted = checkIns.filter(({ _id }) => deletions.has(_id))
    const before = deleted.filter((checkIn) => !isSince(checkIn))
    if (before.length > 0) await this.#store.forgetDeletions(before.map(({ _id }) => _id))
    return deleted.filter(isSince)
  }

  async #decide(scans: PreparedScan[]): Promise<Decision[]> {
    const byEvent = Map.groupBy(scans, ({ scan }) => scan.event_id)
    const decisions = await Promise.all([...byEvent].map(([eventId, ofEvent]) => this.#decideEvent(eventId, ofEvent)))
    return decisions.flat()
  }

  async #decideEvent(eventId: string, scans: PreparedScan[]): Promise<Decision[]> {
    const toClaim = scans.filter(triesFirstSlot)
    const toAdd = toClaim.map(({ scan }) => scan)
    const asksLedger = toAdd.length > 0 || scans.some(({ isVerified }) => !isVerified)
    const isNew = asksLedger ? await this.#cache.claim(eventId, toAdd) : []
    const claims = new Map(toClaim.map((prepared, index) => [prepared, isNew?.[index]]))
    const decisions: Decision[] = []
    const toQuery: PreparedScan[] = []
    const seenByLedger = new Set<PreparedScan>()
    for (const prepared of scans) {
      const { scan, guest, entitlement, refusal, rights, isVerified, isExit } = prepared
      if (!isVerified && !(isNew && this.#cache.holds(eventId, scan.guest_uid, rights, guest)))
        decisions.push({ _id: scan._id, postponed: 'outdated' })
      else if (refusal) decisions.push(refused(prepared, refusal))
      else if (isExit || (holdsFirstSlot(prepared) && entitlement.limit === NO_LIMIT))
        decisions.push(granted(prepared, scan._id))
      else if (claims.get(prepared)) decisions.push(granted(prepared, slotFor(prepared)))
      else {
        if (claims.get(prepared) === false) seenByLedger.add(prepared)
        toQuery.push(prepared)
      }
    }
    if (toQuery.length === 0) return decisions
    return decisions.concat(await this.#decideByStore(eventId, toQuery, seenByLedger))
  }

  /** Decides by the stored check-ins. `seenByLedger` are scans of guests whom the ledger has seen at the point. */
  async #decideByStore(eventId: string, scans: PreparedScan[], seenByLedger: Set<PreparedScan>): Promise<Decision[]> {
    const byPoint = Map.groupBy(scans, ({ scan }) => scan.accesspoint_id)
    const decisions = await Promise.all(
      [...byPoint].map(async ([accesspointId, ofPoint]) => {
        const taken = await this.#takenAt(eventId, accesspointId, ofPoint)
        const grantedUids = new Set<string>()
        return ofPoint.map((prepared): Decision => {
          const { scan, entitlement, inFlightCount } = prepared
          const { _id, guest_uid } = scan
          const before = taken.get(guest_uid) ?? NOTHING_TAKEN
          if (before.slots.has(FIRST_SLOT)) {
            noteFirstSlot(prepared)
            if (entitlement.limit === NO_LIMIT) return granted(prepared, _id)
          }
          // The other grant may turn out to be a repetition, which takes no slot.
          if (grantedUids.has(guest_uid)) return { _id, postponed: 'after another' }
          const use = useBy(prepared, before)
          if (!covers(entitlement, use)) return usedUp(prepared, before)
          if (before.moves.length === 0 && seenByLedger.has(prepared) && inFlightCount < MAX_IN_FLIGHT) {
            return { _id, postponed: 'in flight' }
          }
          grantedUids.add(guest_uid)
          return granted(prepared, slotFor(prepared, before), use)
        })
      }),
    )
    return decisions.flat()
  }

  /**
   * Up to three queries: of a guest without a limit only the first slot counts, however often the guest came; of one who may come in
   * again, what happened in the whole area.
   */
  async #takenAt(eventId: string, accesspointId: string, scans: PreparedScan[]): Promise<Map<string, TakenSlots>> {
    const kinds = Map.groupBy(scans, ({ entitlement: { limit, reentry } }) =>
      limit === NO_LIMIT ? 'unlimited' : reentry ? 'reentry' : 'limited',
    )
    const uidsOf = (kind: 'unlimited' | 'limited' | 'reentry'): string[] => [
      ...new Set(kinds.get(kind)?.map(({ scan }) => scan.guest_uid)),
    ]
    const [rights] = kinds.get('reentry')?.map(({ rights }) => rights) ?? []
    const area = rights ? pointsOfArea(rights, accesspointId) : []
    const limited = uidsOf('limited')
    const found = await Promise.all([
      this.#store.taken(eventId, accesspointId, uidsOf('unlimited'), { slot: FIRST_SLOT }),
      this.#store.taken(eventId, accesspointId, uidsOf('reentry'), { area }),
      // A guest whose right changes meanwhile is in two of them: the last one has all of its slots.
      this.#store.taken(eventId, accesspointId, limited),
    ])
    return new Map(found.flatMap((ofKind) => [...ofKind]))
  }
}

/** The check-in points of the area of one of them. */
function pointsOfArea({ accesspoints, areaOf }: Rights, accesspointId: string): string[] {
  const area = areaOf.get(accesspointId)
  return [...accesspoints].filter((id) => areaOf.get(id) === area)
}

/** The result of a conflicting check-in whose id is stored. If this very request has stored it, the insert was tried twice. */
function repeatOf({ created_at }: CheckIn, known: CheckIn): Decided {
  return { checkIn: known, repeated: known.created_at.getTime() !== created_at.getTime() }
}

function isCheckIn(decision: Decision): decision is CheckIn {
  return 'access_status' in decision
}

/** Whether the ledger is asked if a scan is its guest's first at its point, which takes the first slot without a query. */
function triesFirstSlot(prepared: PreparedScan): boolean {
  const { scan, persons, isExit, entitlement, refusal, rights, lostCount } = prepared
  if (refusal || isExit || !covers(entitlement, persons) || holdsFirstSlot(prepared)) return false
  return lostCount === 0 && !rights.gaps.has(scan.accesspoint_id)
}

/** Whether the guest's first slot at the point is known to be stored. */
function holdsFirstSlot({ guest, scan }: PreparedScan): boolean {
  return guest?.firstSlotStoredAt?.includes(scan.accesspoint_id) ?? false
}

/** Only for guests without a limit: others are looked up anyway, and most guests come once. */
function noteFirstSlot(prepared: PreparedScan): void {
  const { guest, entitlement, scan } = prepared
  if (!guest || entitlement.limit !== NO_LIMIT || holdsFirstSlot(prepared)) return
  // A new array has no spare room. `push` reserves room for sixteen, which is 13 MiB for 100,000 guests.
  guest.firstSlotStoredAt = guest.firstSlotStoredAt?.concat(scan.accesspoint_id) ?? [scan.accesspoint_id]
}

/** By how much a device's clock may be ahead of the server's. */
const AHEAD_MS = 60_000

/** The moment by which times, days and the order of entries and exits are judged, in ms. */
function stampOf({ scan, at }: PreparedScan): number {
  return (scan.access_stamp ?? at).getTime()
}

/** Returns how many persons of the guest's allowance a scan would use together with what is stored. */
function useBy(prepared: PreparedScan, { moves }: TakenSlots, persons = prepared.persons): number {
  const { scan, entitlement, rights } = prepared
  const made: Move = { accesspoint_id: scan.accesspoint_id, at: stampOf(prepared), persons }
  return useWith(entitlement, moves, made, rights.day)
}

/** Returns the slots that a grant takes: one for each person where there is a limit, else the first alone. */
function slotFor(prepared: PreparedScan, { slots } = NOTHING_TAKEN): CheckIn['slot'] {
  const { persons, rights } = prepared
  const { limit, period } = prepared.entitlement
  if (limit === NO_LIMIT) return FIRST_SLOT
  const free = freeSlots(slots, persons, period && eventDay(stampOf(prepared), rights.day))
  return free.length === 1 ? free[0] : free
}

/** @param use how many persons of the allowance are used then */
function granted(prepared: PreparedScan, slot: CheckIn['slot'], use = prepared.persons): CheckIn {
  const left = personsLeft(prepared.entitlement, use)
  const checkIn = checkInOf(prepared, ACCESS_GRANTED)
  checkIn.slot = slot
  if (left !== undefined) checkIn.persons_left = left
  return checkIn
}

function refused(prepared: PreparedScan, { access_status, reason, opens_at }: Refusal): CheckIn {
  const checkIn = checkInOf(prepared, access_status)
  if (reason !== reasonOf(access_status)) checkIn.reason = reason
  if (opens_at !== undefined) checkIn.opens_at = new Date(opens_at)
  return checkIn
}

function usedUp(prepared: PreparedScan, before: TakenSlots): CheckIn {
  const { scan, persons: asked, entitlement, rights } = prepared
  const { accesspoint_id, decided_offline } = scan
  let left = asked - 1
  while (left > 0 && !covers(entitlement, useBy(prepared, before, left))) left--
  const checkIn = checkInOf(prepared, TOO_MANY_CHECK_INS)
  checkIn.persons_left = left
  const made = { accesspoint_id, at: stampOf(prepared) }
  const counted = before.moves.filter((move) => countsFor(entitlement, move, made, rights.day))
  if (counted.length > 0) {
    const latest = counted.reduce((last, move) => (move.at > last.at ? move : last))
    checkIn.granted_before = { access_stamp: new Date(latest.at), accesspoint_id, persons: latest.persons }
  }
  if (decided_offline === ACCESS_GRANTED) checkIn.persons_too_many = asked - left
  return checkIn
}

function checkInOf({ scan, at, persons, isExit }: PreparedScan, access_status: number): CheckIn {
  const { _id, event_id, accesspoint_id, guest_uid, access_stamp, decided_offline, token_id, asked_at } = scan
  const checkIn: CheckIn = {
    _id,
    event_id,
    accesspoint_id,
    guest_uid,
    access_status,
    access_stamp: access_stamp ?? at,
    created_at: at,
    updated_at: at,
  }
  if (access_stamp && access_stamp.getTime() - at.getTime() > AHEAD_MS) checkIn.stamped_ahead = true
  if (asked_at && asked_at > at) checkIn.asked_at = asked_at
  if (persons !== 1) checkIn.persons = persons
  if (isExit) checkIn.direction = 'out'
  if (token_id !== undefined) checkIn.token_id = token_id
  if (decided_offline !== undefined) {
    checkIn.decided_offline = decided_offline
    if (decided_offline !== access_status) checkIn.is_conflict = true
  }
  return checkIn
}
