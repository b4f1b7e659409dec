import { eventDay } from '@gatehouse/door/event-day.ts'
import type { KnownGuest, Snapshot } from '@gatehouse/door/snapshot.ts'

/** How many guests are counted at a time: a scan that comes meanwhile waits for no more. */
const SLICE = 2_000

/**
 * How many persons are still to come at a check-in point: those of guests with a right there that has not ended, less those who were let in there;
 * where an allowance counts anew each day, less those of today. Undefined at exits, and where no guest has a right.
 */
export async function personsToCome(
  snapshot: Snapshot,
  accesspoint_id: string,
  at: number,
): Promise<number | undefined> {
  const { guests, exits, day } = snapshot
  if (exits.has(accesspoint_id)) return undefined
  const categories = categoriesAt(snapshot, accesspoint_id, at)
  const isExpected = ({ guest_category_id, access_privileges }: KnownGuest): boolean =>
    categories.has(guest_category_id) || access_privileges.some((own) => own.accesspoint_id === accesspoint_id)
  let expected = 0
  await inSlices(guests.values(), (guest) => {
    if (isExpected(guest)) expected += sizeOf(guest)
  })
  if (expected === 0) return undefined
  const today = eventDay(at, day)
  let entered = 0
  await inSlices(enteredAt(snapshot, accesspoint_id, today), ([hash, persons]) => {
    const guest = guests.get(hash)
    // A party may have become smaller since.
    if (guest && isExpected(guest)) entered += Math.min(persons, sizeOf(guest))
  })
  return expected - entered
}

/** How many persons of guests came in at a check-in point: what is used of their allowances, and those who have come out since. */
function enteredAt({ entered, ...used }: Snapshot, accesspoint_id: string, today: number): Map<string, number> {
  const found = new Map<string, number>()
  for (const { uses, dailyUses } of [used, entered]) {
    for (const [hash, persons] of uses.get(accesspoint_id) ?? []) found.set(hash, persons)
    for (const [hash, days] of dailyUses.get(accesspoint_id) ?? [])
      found.set(hash, days.get(today) ?? found.get(hash) ?? 0)
  }
  return found
}

/** The categories whose right at a check-in point has not ended. */
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

async function inSlices<T>(items: Iterable<T>, each: (item: T) => void): Promise<void> {
  let done = 0
  for (const item of items) {
    each(item)
    if (++done % SLICE === 0) await new Promise((resolve) => setTimeout(resolve))
  }
}
