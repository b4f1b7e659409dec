/** The statuses of a check-in (docs/interface.md 8.1 to 8.4). 0 is green, all others are red. */
export const ACCESS_GRANTED = 0
export const GUEST_UNKNOWN = 1
export const NOT_AUTHORIZED = 2
export const TOO_MANY_CHECK_INS = 3
/** Their names in metrics. */
export const statusNames = ['granted', 'guest_unknown', 'not_authorized', 'too_many_check_ins']

/** No limit, as `max_allowed_accesses`. */
export const NO_LIMIT = -1

/** The slot which a guest takes at a point before any other. */
export const FIRST_SLOT = 1

/** A guest at the door. The same `_id` is the same scan: it is decided and counted once. */
export interface Scan {
  _id: string
  event_id: string
  accesspoint_id: string
  guest_uid: string
  /** The device's time; undefined if the device sends none. */
  access_stamp: Date | undefined
  /** The status by which the device decided, if it did. */
  decided_offline?: number | undefined
}

/** What the door knows of a guest. */
export interface Guest {
  guest_category_id: string
  access_privileges: { access_once: boolean; accesspoint_id: string }[]
  /** The points which the guest may enter without limit where its first slot is known to be stored. */
  firstSlotStoredAt?: string[]
}

/** accesspoint → category → `max_allowed_accesses` */
export type Links = Map<string, Map<string, number>>

/** The check-in points of an event and who may enter them. */
export interface Rights {
  accesspoints: Set<string>
  links: Links
  /** Check-in points where a granted check-in was deleted once: their slots may have gaps. */
  gaps: Set<string>
}

/**
 * How often a guest may enter a point: a number, NO_LIMIT, or undefined without a right. If both the category's link and the
 * guest's own privilege give a right, the more generous one counts.
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

/** The status of a scan which is refused whatever is stored; undefined if the stored check-ins decide. */
export function refusalOf(guest: Guest | undefined, limit: number | undefined): number | undefined {
  if (!guest) return GUEST_UNKNOWN
  if (limit === undefined) return NOT_AUTHORIZED
  return limit === 0 ? TOO_MANY_CHECK_INS : undefined
}

/**
 * The slot of a guest's next granted check-in at a point: the lowest free one, or undefined when the allowance is used up. `count`
 * includes check-ins granted without a limit, which hold no numbered slot.
 */
export function freeSlot(taken: Set<number>, count: number, limit: number): number | undefined {
  if (count >= limit) return undefined
  let slot = FIRST_SLOT
  while (taken.has(slot)) slot++
  return slot
}
