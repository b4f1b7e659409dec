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
}

/** accesspoint → category → `max_allowed_accesses` */
export type Links = Map<string, Map<string, number>>

/**
 * How often a guest may enter a point: a number, NO_LIMIT, or undefined without a right. If both the category's link and the
 * guest's own privilege give a right, the more generous one counts.
 */
export function allowance(links: Links, guest: GuestAccess, accesspointId: string): number | undefined {
  const linked = links.get(accesspointId)?.get(guest.guest_category_id)
  if (guest.access_privileges.length === 0) return linked
  const own = guest.access_privileges
    .filter(({ accesspoint_id }) => accesspoint_id === accesspointId)
    .map(({ access_once }) => (access_once ? 1 : NO_LIMIT))
  const limits = linked === undefined ? own : [linked, ...own]
  if (limits.length === 0) return undefined
  return limits.includes(NO_LIMIT) ? NO_LIMIT : Math.max(...limits)
}

/** The status of a scan that is refused whatever is stored; undefined if the stored check-ins decide. */
export function refusalOf(guest: GuestAccess | undefined, limit: number | undefined): number | undefined {
  if (!guest) return GUEST_UNKNOWN
  if (limit === undefined) return NOT_AUTHORIZED
  return limit === 0 ? TOO_MANY_CHECK_INS : undefined
}

/** Whether one more check-in of a guest is granted who has a right and was let in `count` times. */
export function isWithin(limit: number, count: number): boolean {
  return limit === NO_LIMIT || count < limit
}
