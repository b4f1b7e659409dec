import type * as decision from '@gatehouse/door/decision.ts'

/** The names of the statuses of check-ins in metrics. */
export const statusNames = ['granted', 'guest_unknown', 'not_authorized', 'too_many_check_ins']

/** The slot that a guest takes at a point before any other, on whichever day. */
export const FIRST_SLOT = 1

/** A guest at the door. The same `_id` is the same scan: it is decided and counted once. */
export interface Scan {
  _id: string
  event_id: string
  accesspoint_id: string
  guest_uid: string
  /** The device's time; undefined if the device sends none. */
  access_stamp: Date | undefined
  /** How many come in, or out; undefined if that is not said. */
  persons?: number | undefined
  /** The status by which the device decided, if it did. */
  decided_offline?: number | undefined
  /** Of the token that sent it, which may undo it. */
  token_id?: string | undefined
  /** When its request was made: a check-in that was deleted since is not stored again. Undefined if it has just arrived. */
  asked_at?: Date | undefined
}

/** What the door knows of a guest. */
export interface CachedGuest extends decision.GuestAccess {
  /** The points that the guest may enter without limit where its first slot is known to be stored. */
  firstSlotStoredAt?: string[]
}

/** The check-in points of an event and who may enter them. */
export interface Rights extends decision.AccessRules {
  accesspoints: Set<string>
  /** Check-in points where a granted check-in was deleted once: their slots may have gaps. */
  gaps: Set<string>
  /** The capacity of each area that has one. */
  capacities: Map<string, number>
}

/** Slots of one day: more than any allowance has. */
const SLOTS_OF_DAY = 2 ** 32

/**
 * Returns the first slots of a guest at a point that nobody has taken, one for each person, in order: the very first one, then those of the day
 * where an allowance is one for each day.
 */
export function freeSlots(taken: Set<number>, persons: number, day = 0): number[] {
  const slots = taken.has(FIRST_SLOT) ? [] : [FIRST_SLOT]
  for (let slot = day * SLOTS_OF_DAY + FIRST_SLOT + 1; slots.length < persons; slot++)
    if (!taken.has(slot)) slots.push(slot)
  return slots
}
