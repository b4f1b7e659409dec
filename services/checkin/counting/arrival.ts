/*
 * Check-ins are counted in the order in which they arrive, not in that of the devices' clocks: then what lies back never changes but
 * by a deletion, and can be added up for good (docs/adr/0009).
 */

/** A check-in that was stamped, and came, no further than this from the time of its storing has arrived at its stamp. */
export const ON_TIME_MS = 5_000
/** How long storing or deleting may take before it has to be said that it may come late. */
export const PROMPT_MS = 10_000
/** Arrivals older than this are all there, unless a disturbance tells otherwise: `ON_TIME_MS`, `PROMPT_MS`, and clocks 15 s apart. */
export const SETTLED_MS = 30_000
/** Clocks of two processes may be this far apart. */
export const SKEW_MS = 5_000

/** Whether a check-in that was stamped or came then, and is stored at `now`, arrives at another time than its stamp; that time is then stored with it. */
export function isApart(moment: Date, now: number): boolean {
  return Math.abs(moment.getTime() - now) > ON_TIME_MS
}
