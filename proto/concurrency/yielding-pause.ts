/** Background work rests after a batch for this multiple of its duration, as long work in an event loop does (time-slices.ts). */
const REST = 4
const MAX_PAUSE_MS = 5_000

/**
 * Returns the pause, in ms, by which background work yields to requests after a batch that took `tookMs`: a busy database or machine makes batches
 * slower, and the pauses longer. It shrinks with the age of the oldest waiting work, and ends when that has waited for `patienceMs`.
 */
export function yieldingPause(tookMs: number, ageMs: number, patienceMs: number): number {
  return Math.min(REST * tookMs, MAX_PAUSE_MS) * Math.max(0, 1 - ageMs / patienceMs)
}
