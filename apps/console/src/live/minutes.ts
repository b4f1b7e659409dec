import type { Statistics } from './feed.ts'

const MINUTE_MS = 60_000

/** Scans of a minute. */
export interface Minute {
  /** When it begins, in milliseconds since 1970. */
  at: number
  granted: number
  refused: number
}

/**
 * The minutes up to now, the empty ones too, `count` of them. An event that is over ends with the last minute in which someone was scanned, so that
 * its plot is not empty.
 */
export function minutesUpTo(now: number, timeline: Statistics['timeline'], count: number): Minute[] {
  const known = new Map(timeline.map(({ minute, ...rest }) => [Date.parse(minute), rest]))
  const current = Math.floor(now / MINUTE_MS) * MINUTE_MS
  const last = Math.max(...known.keys())
  const isOver = known.size > 0 && current - last >= count * MINUTE_MS
  // The clock of this machine may be behind that of the server.
  const end = isOver ? last : Math.max(current, last)
  return Array.from({ length: count }, (_, index) => {
    const at = end - (count - 1 - index) * MINUTE_MS
    return { at, ...(known.get(at) ?? { granted: 0, refused: 0 }) }
  })
}
