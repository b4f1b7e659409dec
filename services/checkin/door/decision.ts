/** What a scan comes to (docs/interface.md 8.1 to 8.4). 0 is green, anything else red. */
export const ACCESS_GRANTED = 0
export const GUEST_UNKNOWN = 1
export const NOT_AUTHORIZED = 2
export const TOO_MANY_CHECK_INS = 3

/** No limit, as `max_allowed_accesses`. */
export const NO_LIMIT = -1

/** A guest as the door needs it. */
export interface Guest {
  guest_category_id: string
  access_privileges: { access_once: boolean; accesspoint_id: string }[]
  /** Points that the guest may enter without limit, and where its first slot is known to be stored. */
  entered?: string[]
}

/** accesspoint → category → `max_allowed_accesses` */
export type Links = Map<string, Map<string, number>>

/** The check-in points of an event and who may enter them. */
export interface Rights {
  accesspoints: Set<string>
  links: Links
  /** The check-in points of which a granted check-in was deleted once: their slots may have gaps. */
  gaps: Set<string>
}

/** The slot that a guest takes at a point before any other. */
export const FIRST_SLOT = 1

/**
 * How often a guest may enter a point: a number, NO_LIMIT, or undefined when it may not at all. Where both the category's link
 * and the guest's own privilege give a right, the more generous one counts.
 */
export function allowance(links: Links, guest: Guest, accesspointId: string): number | undefined {
  const linked = links.get(accesspointId)?.get(guest.guest_category_id)
  if (guest.access_privileges.length === 0) return linked
  const own = guest.access_privileges
    .filter(({ accesspoint_id }) => accesspoint_id === accesspointId)
    .map(({ access_once }) => (access_once ? 1 : NO_LIMIT))
  const limits = linked === undefined ? own : [linked, ...own]
  if (limits.length === 0) return undefined
  return limits.includes(NO_LIMIT) ? NO_LIMIT : Math.max(...limits)
}

/**
 * The slot of the next granted check-in of a guest at a point, from those that are taken: the lowest free one, or undefined
 * when the allowance is used up. `count` includes check-ins granted without a limit, which hold no numbered slot.
 */
export function freeSlot(taken: Set<number>, count: number, limit: number): number | undefined {
  if (count >= limit) return undefined
  let slot = FIRST_SLOT
  while (taken.has(slot)) slot++
  return slot
}
