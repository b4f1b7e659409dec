import type { Admissions } from './admissions.ts'
import type { Inside } from './occupancy.ts'
import { MINUTE_MS, minuteOf, type Split, Totals } from './totals.ts'

const TIMELINE_MS = 24 * 3_600_000

/** What the check-ins of an event add up to. */
export interface Sums {
  totals: Totals
  /** Granted and refused check-ins in each minute of the day before the latest one, in order. */
  timeline: { minute: Date; granted: number; refused: number }[]
  /** Distinct guests with a granted check-in. */
  guests: number
  /** Persons let in. */
  persons: number
  /** The same by check-in point. */
  at: Map<string, { guests: number; persons: number }>
  /** Who is inside each area that somebody has entered, and under null inside the event as a whole. */
  inside: Map<string | null, Inside>
  byCategory: { guest_category_id: string; guests: number; persons: number }[]
}

/** Adds parts up. `areas` has the area of each check-in point that is in one. `countSplit` counts the check-ins with stamps within a part of a minute. */
export async function sumsOf(
  parts: { totals: Totals }[],
  admissions: Admissions,
  areas: ReadonlyMap<string, string>,
  countSplit: (from: Date, before: Date) => Promise<Split>,
): Promise<Sums> {
  const totals = Totals.sumOf(parts)
  return {
    totals,
    timeline: await timelineOf(totals, countSplit),
    guests: admissions.guests,
    persons: admissions.persons,
    // A copy: the counts go on while the caller reads these.
    at: new Map([...totals.points.keys()].map((point) => [point, admissions.at(point)])),
    inside: admissions.occupancy.read(areas),
    byCategory: admissions.byCategory(),
  }
}

async function timelineOf(
  { minutes, latest }: Totals,
  countSplit: (from: Date, before: Date) => Promise<Split>,
): Promise<Sums['timeline']> {
  const known = [...minutes].filter(([minute]) => minute < Date.now() + MINUTE_MS)
  // Segments of older versions may have minutes that are still to come.
  const end = known.length === minutes.size ? latest : Math.max(...known.map(([minute]) => minute)) + MINUTE_MS
  const from = end - TIMELINE_MS
  const first = minuteOf(from)
  const within = new Map(known.filter(([minute]) => minute >= first))
  // The day may begin within its first minute.
  if (within.has(first) && from > first)
    within.set(first, await countSplit(new Date(from), new Date(first + MINUTE_MS)))
  return [...within]
    .filter(([, [granted, refused]]) => granted + refused > 0)
    .sort(([one], [other]) => one - other)
    .map(([minute, [granted, refused]]) => ({ minute: new Date(minute), granted, refused }))
}
