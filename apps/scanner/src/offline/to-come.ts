import { eventDay } from '@gatehouse/door/event-day.ts'
import type { KnownGuest, Snapshot } from '@gatehouse/door/snapshot.ts'

/**
 * How many persons are still to come at a check-in point: those of guests with a right there that has not ended, less those who were let in there;
 * where an allowance counts anew each day, less those of today. Undefined at exits, and where no guest has a right.
 */
export function personsToCome(snapshot: Snapshot, accesspoint_id: string, at: number): number | undefined {
  const { guests, exits, uses, dailyUses, day } = snapshot
  if (exits.has(accesspoint_id)) return undefined
  const categories = categoriesAt(snapshot, accesspoint_id, at)
  const isExpected = ({ guest_category_id, access_privileges }: KnownGuest): boolean =>
    categories.has(guest_category_id) || access_privileges.some((own) => own.accesspoint_id === accesspoint_id)
  let expected = 0
  for (const guest of guests.values()) if (isExpected(guest)) expected += sizeOf(guest)
  if (expected === 0) return undefined
  const today = eventDay(at, day)
  let entered = 0
  const enter = (hash: string, persons = 0): void => {
    const guest = guests.get(hash)
    // A party may have become smaller since.
    if (guest && isExpected(guest)) entered += Math.min(persons, sizeOf(guest))
  }
  for (const [hash, persons] of uses.get(accesspoint_id) ?? []) enter(hash, persons)
  for (const [hash, days] of dailyUses.get(accesspoint_id) ?? []) enter(hash, days.get(today))
  return expected - entered
}

/** The categories that have a right at a check-in point which has not ended. */
function categoriesAt({ links }: Snapshot, accesspoint_id: string, at: number): Set<string> {
  const open = [...(links.get(accesspoint_id) ?? [])].filter(
    ([, { max_allowed_accesses, valid_until = Number.POSITIVE_INFINITY }]) =>
      max_allowed_accesses !== 0 && at < valid_until,
  )
  return new Set(open.map(([category]) => category))
}

function sizeOf({ party_size = 1 }: KnownGuest): number {
  return party_size
}
