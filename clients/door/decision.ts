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

/** What a link gives the guests of a category at a check-in point. Times in ms since 1970. Flags are absent where they are not set. */
export interface LinkTerms {
  max_allowed_accesses: number
  /** Absent: from the beginning. */
  valid_from?: number
  /** Exclusive; absent: without end. */
  valid_until?: number
  /** Whether the limit is for each day of the event. */
  period?: 'day'
  /** Whether exits give back what entries took. */
  reentry?: true
}

/** When the days of an event begin. */
export interface DayRule {
  /** A name of the IANA. */
  timezone: string
  /** HH:MM */
  day_starts_at: string
}

/** accesspoint → category → terms */
export type Links = Map<string, Map<string, LinkTerms>>

/** Why a scan is refused (docs/interface.md 8.19). */
export type Reason = 'unknown_guest' | 'no_right' | 'too_early' | 'too_late' | 'used_up'

/** A scan's refusal whatever is stored. */
export interface Refusal {
  access_status: number
  reason: Reason
  /** When the guest's right begins, in ms; only with `too_early`. */
  opens_at?: number
}

const UNKNOWN_GUEST: Refusal = { access_status: GUEST_UNKNOWN, reason: 'unknown_guest' }
const NO_RIGHT: Refusal = { access_status: NOT_AUTHORIZED, reason: 'no_right' }
const TOO_LATE: Refusal = { access_status: NOT_AUTHORIZED, reason: 'too_late' }

/**
 * Returns how many persons a guest may let in at a point at a moment, NO_LIMIT, or why nobody. If both the category's link and
 * the guest's own privilege give a right, the more generous one counts. Only the link has times.
 *
 * @param at when the guest was scanned, in ms
 */
export function entitlementOf(
  links: Links,
  guest: GuestAccess | undefined,
  accesspointId: string,
  at: number,
): number | Refusal {
  if (!guest) return UNKNOWN_GUEST
  const link = links.get(accesspointId)?.get(guest.guest_category_id)
  const refusal = link ? refusalAt(link, at) : NO_RIGHT
  const limits = link && !refusal ? [link.max_allowed_accesses] : []
  for (const { accesspoint_id, access_once } of guest.access_privileges)
    if (accesspoint_id === accesspointId) limits.push(access_once ? 1 : NO_LIMIT)
  if (limits.length === 0) return refusal ?? NO_RIGHT
  return limits.includes(NO_LIMIT) ? NO_LIMIT : Math.max(...limits) * (guest.party_size ?? 1)
}

function refusalAt({ valid_from, valid_until }: LinkTerms, at: number): Refusal | undefined {
  if (valid_from !== undefined && at < valid_from)
    return { access_status: NOT_AUTHORIZED, reason: 'too_early', opens_at: valid_from }
  return valid_until !== undefined && at >= valid_until ? TOO_LATE : undefined
}

/** Returns whether so many persons more are let in of a guest whose right covers `limit` persons and has let in `used`. */
export function isWithin(limit: number, used: number, persons: number): boolean {
  return limit === NO_LIMIT || used + persons <= limit
}

/** Returns how many persons more a right covers; undefined without a limit. */
export function personsLeft(limit: number, used: number): number | undefined {
  return limit === NO_LIMIT ? undefined : Math.max(0, limit - used)
}
