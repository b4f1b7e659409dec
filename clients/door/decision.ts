import { type DayRule, eventDay } from './event-day.ts'

/** The statuses of a check-in (docs/interface.md 8.1 to 8.4). 0 is green, all others are red. */
export const ACCESS_GRANTED = 0
export const GUEST_UNKNOWN = 1
export const NOT_AUTHORIZED = 2
export const TOO_MANY_CHECK_INS = 3

/** No limit, as `max_allowed_accesses`. */
export const NO_LIMIT = -1

/** A guest's own right at a check-in point. */
export interface Privilege {
  access_once: boolean
  accesspoint_id: string
}

/** What a decision needs to know of a guest. */
export interface GuestAccess {
  guest_category_id: string
  access_privileges: Privilege[]
  /** The guest and whoever may come along, in persons; absent for 1. */
  party_size?: number
}

/** What a link gives the guests of a category at a check-in point. Times in ms since 1970. */
export interface LinkTerms {
  max_allowed_accesses: number
  /** Absent: from the beginning. */
  valid_from?: number
  /** Exclusive; absent: without end. */
  valid_until?: number
  /** The allowance counts anew each day of the event. */
  period?: 'day'
  /** Whoever comes out may come in again. */
  reentry?: true
}

/** accesspoint → category → terms */
export type Links = Map<string, Map<string, LinkTerms>>

/** Who may enter where in an event. */
export interface AccessRules {
  accesspoints: { has(id: string): boolean }
  links: Links
  /** The check-in points at which guests come out. */
  exits: ReadonlySet<string>
  /** accesspoint → area; the others belong to the event as a whole */
  areaOf: ReadonlyMap<string, string>
  day: DayRule
}

/** Why a scan is refused (docs/interface.md 8.19). */
export type Reason = 'unknown_guest' | 'no_right' | 'too_early' | 'too_late' | 'used_up'

/** A scan's refusal whatever is stored. */
export interface Refusal {
  access_status: number
  reason: Reason
  /** When the guest's right begins, in ms; only with `too_early`. */
  opens_at?: number
}

/** What a guest's right at a check-in point covers. */
export interface Entitlement {
  /** In persons, or NO_LIMIT. */
  limit: number
  period?: 'day'
  reentry?: true
}

/** A granted check-in of a guest. */
export interface Move {
  accesspoint_id: string
  /** Its `access_stamp`, in ms since 1970. */
  at: number
  persons: number
  /** The guest came out. */
  isExit?: boolean
}

const UNKNOWN_GUEST: Refusal = { access_status: GUEST_UNKNOWN, reason: 'unknown_guest' }
const NO_RIGHT: Refusal = { access_status: NOT_AUTHORIZED, reason: 'no_right' }
const TOO_LATE: Refusal = { access_status: NOT_AUTHORIZED, reason: 'too_late' }
const UNLIMITED: Entitlement = { limit: NO_LIMIT }

/**
 * Returns what a guest's right at a point covers at a moment, or why the guest has none. If both the category's link and the guest's own
 * privilege give a right, the more generous one counts. Only the link has times, a period and re-entry. Whoever may come in somewhere may
 * come out at any exit of the same area, at any time.
 *
 * @param at when the guest was scanned, in ms
 */
export function entitlementOf(
  rules: AccessRules,
  guest: GuestAccess | undefined,
  accesspointId: string,
  at: number,
): Entitlement | Refusal {
  if (!guest) return UNKNOWN_GUEST
  if (rules.exits.has(accesspointId)) return mayEnterAreaOf(rules, guest, accesspointId) ? UNLIMITED : NO_RIGHT
  const link = rules.links.get(accesspointId)?.get(guest.guest_category_id)
  const refusal = link ? refusalAt(link, at) : NO_RIGHT
  const own = ownLimitAt(guest, accesspointId)
  if (link && !refusal && isAsGenerous(link.max_allowed_accesses, own)) return entitlementBy(link, guest)
  if (own === undefined) return refusal ?? NO_RIGHT
  return own === NO_LIMIT ? UNLIMITED : { limit: own * (guest.party_size ?? 1) }
}

/** Returns how many come in or out with a scan that does not say so: one, or at an exit the whole party. */
export function defaultPersons(rules: AccessRules, guest: GuestAccess | undefined, accesspointId: string): number {
  return rules.exits.has(accesspointId) ? (guest?.party_size ?? 1) : 1
}

function refusalAt({ valid_from, valid_until }: LinkTerms, at: number): Refusal | undefined {
  if (valid_from !== undefined && at < valid_from)
    return { access_status: NOT_AUTHORIZED, reason: 'too_early', opens_at: valid_from }
  return valid_until !== undefined && at >= valid_until ? TOO_LATE : undefined
}

function ownLimitAt({ access_privileges }: GuestAccess, accesspointId: string): number | undefined {
  let limit: number | undefined
  for (const { accesspoint_id, access_once } of access_privileges)
    if (accesspoint_id === accesspointId) limit = access_once && limit !== NO_LIMIT ? 1 : NO_LIMIT
  return limit
}

function isAsGenerous(limit: number, own: number | undefined): boolean {
  return own === undefined || limit === NO_LIMIT || (own !== NO_LIMIT && limit >= own)
}

function entitlementBy({ max_allowed_accesses, period, reentry }: LinkTerms, guest: GuestAccess): Entitlement {
  if (max_allowed_accesses === NO_LIMIT) return UNLIMITED
  const limit = max_allowed_accesses * (guest.party_size ?? 1)
  return period || reentry ? { limit, ...(period && { period }), ...(reentry && { reentry }) } : { limit }
}

function mayEnterAreaOf(rules: AccessRules, guest: GuestAccess, exitId: string): boolean {
  const area = rules.areaOf.get(exitId)
  const isEntrance = (id: string): boolean =>
    rules.areaOf.get(id) === area && !rules.exits.has(id) && rules.accesspoints.has(id)
  if (guest.access_privileges.some(({ accesspoint_id }) => isEntrance(accesspoint_id))) return true
  for (const [id, ofPoint] of rules.links) if (ofPoint.has(guest.guest_category_id) && isEntrance(id)) return true
  return false
}

/** Returns whether a right covers as many persons as its use would be. */
export function covers({ limit }: Entitlement, use: number): boolean {
  return limit === NO_LIMIT || use <= limit
}

/** Returns how many persons more a right covers; undefined without a limit. */
export function personsLeft({ limit }: Entitlement, use: number): number | undefined {
  return limit === NO_LIMIT ? undefined : Math.max(0, limit - use)
}

/**
 * Returns how many persons of an allowance a scan would use together with what was used before: those who came in at its point, of its
 * day if the allowance is one for each day. With re-entry, whoever has come out since does not count, the latest entries first; then it is the
 * highest use from the scan on, since scans may arrive in any order.
 *
 * @param moves the guest's granted check-ins at the point; with re-entry, at all points of its area
 * @param usedBefore persons of earlier entries that are not among `moves`
 */
export function useWith(
  entitlement: Entitlement,
  moves: readonly Move[],
  scan: Move,
  day: DayRule,
  usedBefore = 0,
): number {
  const counts = (move: Move): boolean => move === scan || countsFor(entitlement, move, scan, day)
  if (entitlement.reentry) return Math.max(...usesFrom([...moves, scan], counts, scan.at, usedBefore))
  let use = usedBefore + scan.persons
  for (const move of moves) if (counts(move)) use += move.persons
  return use
}

/** Whether a check-in counts against the allowance that a scan needs. */
export function countsFor({ period }: Entitlement, move: Move, scan: Omit<Move, 'persons'>, day: DayRule): boolean {
  if (move.isExit || move.accesspoint_id !== scan.accesspoint_id) return false
  return period !== 'day' || eventDay(move.at, day) === eventDay(scan.at, day)
}

/** How many persons of a guest's allowance are used at a check-in point: in all, or of an allowance for each day, on the day of this number. */
export type Use = [accesspoint_id: string, persons: number, day?: number]

/**
 * Returns what a guest has used of its allowances, where it has used any.
 *
 * @param moves all granted check-ins of the guest
 */
export function usesOf(rules: AccessRules, guest: GuestAccess, moves: readonly Move[]): Use[] {
  return usesBy((id) => termsAt(rules, guest, id), rules, moves)
}

/** Returns how many persons of a guest came in, where whoever came out since makes that more than what is used of the allowance. */
export function entriesOf(rules: AccessRules, guest: GuestAccess, moves: readonly Move[]): Use[] {
  if (!moves.some(({ isExit }) => isExit)) return []
  const used = new Map(usesOf(rules, guest, moves).map(([id, persons, day]) => [`${id} ${day}`, persons]))
  const entered = usesBy((id) => ({ ...termsAt(rules, guest, id), reentry: undefined }), rules, moves)
  return entered.filter(([id, persons, day]) => persons !== (used.get(`${id} ${day}`) ?? 0))
}

function usesBy(
  termsAt: (accesspointId: string) => { period?: 'day' | undefined; reentry?: true | undefined },
  rules: AccessRules,
  moves: readonly Move[],
): Use[] {
  if (moves.length === 0) return []
  const entries = moves.filter(({ isExit }) => !isExit)
  const byPoint = Map.groupBy(entries, ({ accesspoint_id }) => accesspoint_id)
  const uses = [...byPoint].flatMap(([id, ofPoint]) => {
    const { period, reentry } = termsAt(id)
    const area = rules.areaOf.get(id)
    const ofArea = reentry ? moves.filter(({ accesspoint_id }) => rules.areaOf.get(accesspoint_id) === area) : []
    const useOf = (counted: Move[]): number =>
      reentry
        ? (usesFrom(ofArea, (move) => counted.includes(move), Number.NEGATIVE_INFINITY).at(-1) ?? 0)
        : counted.reduce((sum, { persons }) => sum + persons, 0)
    if (period !== 'day') return [[id, useOf(ofPoint)] satisfies Use]
    return Array.from(
      Map.groupBy(ofPoint, ({ at }) => eventDay(at, rules.day)),
      ([number, ofDay]): Use => [id, useOf(ofDay), number],
    )
  })
  return uses.filter(([, persons]) => persons > 0)
}

/** The terms of a guest's right at a point, whenever it is valid. */
function termsAt(rules: AccessRules, guest: GuestAccess, accesspointId: string): Partial<Entitlement> {
  const link = rules.links.get(accesspointId)?.get(guest.guest_category_id)
  return link && isAsGenerous(link.max_allowed_accesses, ownLimitAt(guest, accesspointId)) ? link : {}
}

/** The use after each move from a moment on, in the order of time; of one moment, entries come first. Whoever has come in last comes out first. */
function usesFrom(moves: readonly Move[], counts: (move: Move) => boolean, from: number, usedBefore = 0): number[] {
  const inside = [{ persons: usedBefore, counts: true }]
  const uses: number[] = []
  let use = usedBefore
  const inOrder = moves.toSorted((one, other) => one.at - other.at || Number(!!one.isExit) - Number(!!other.isExit))
  for (const move of inOrder) {
    if (move.isExit) use -= leave(inside, move.persons)
    else {
      inside.push({ persons: move.persons, counts: counts(move) })
      if (counts(move)) use += move.persons
    }
    if (move.at >= from) uses.push(use)
  }
  return uses
}

/** Lets persons out, those who came in last first. Returns how many of them count. */
function leave(inside: { persons: number; counts: boolean }[], persons: number): number {
  let [leaving, counted] = [persons, 0]
  for (let last = inside.at(-1); last && leaving > 0; last = inside.at(-1)) {
    const out = Math.min(last.persons, leaving)
    last.persons -= out
    leaving -= out
    if (last.counts) counted += out
    if (last.persons === 0) inside.pop()
  }
  return counted
}
