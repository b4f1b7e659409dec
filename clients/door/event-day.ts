/** When the days of an event begin. */
export interface DayRule {
  /** An IANA name. */
  timezone: string
  /** `HH:MM`, by the clocks there. */
  day_starts_at: string
}

/** Days that begin at midnight in UTC. */
export const UTC_DAYS: DayRule = { timezone: 'UTC', day_starts_at: '00:00' }

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Clocks are changed at full quarters of an hour. */
const QUARTER = 15 * MINUTE
/** No clock is set back further than that. */
const MAX_SET_BACK = 3 * 60 * MINUTE

/** By how much clocks are ahead of UTC, in ms, by time zone and quarter of an hour. */
const offsets = new Map<string, Map<number, number>>()
/** Offsets kept of a time zone: formatting a time takes longer than the rest of a decision. */
const MAX_OFFSETS = 1_000

/**
 * Returns the number of the event's day in which a moment lies; days follow each other by one. A day begins when the clocks first show
 * `day_starts_at`, so that of a change of clocks has 23 or 25 hours.
 *
 * @param at in ms since 1970
 */
export function eventDay(at: number, { timezone, day_starts_at }: DayRule): number {
  const [hours = 0, minutes = 0] = day_starts_at.split(':').map(Number)
  const start = (hours * 60 + minutes) * MINUTE
  const dayAt = (moment: number, offset: number): number => Math.floor((moment + offset - start) / DAY)
  const offset = offsetAt(at, timezone)
  const before = offsetAt(at - MAX_SET_BACK, timezone)
  if (before <= offset) return dayAt(at, offset)
  // Clocks were set back: a day that had begun before goes on.
  let changedAt = Math.floor(at / QUARTER) * QUARTER
  while (offsetAt(changedAt - 1, timezone) !== before) changedAt -= QUARTER
  return Math.max(dayAt(at, offset), dayAt(changedAt - 1, before))
}

/** By how much clocks are ahead of UTC, in ms. */
function offsetAt(at: number, timezone: string): number {
  const quarter = Math.floor(at / QUARTER)
  let ofZone = offsets.get(timezone)
  const known = ofZone?.get(quarter)
  if (known !== undefined) return known
  if (!ofZone || ofZone.size === MAX_OFFSETS) {
    ofZone = new Map()
    offsets.set(timezone, ofZone)
  }
  const offset = shownAt(quarter * QUARTER, timezone) - quarter * QUARTER
  ofZone.set(quarter, offset)
  return offset
}

/**
 * Returns when clocks in a time zone show a time, in ms since 1970; of two such moments, the earlier one. What they skip when they are set forward
 * counts as if they were not.
 *
 * @param shown what they show, as if it were UTC, in ms since 1970
 */
export function momentShown(shown: number, timezone: string): number {
  // Off by a change of clocks at most.
  const guess = shown - offsetAt(shown, timezone)
  const [first = 0, second = 0] = [-MAX_SET_BACK, MAX_SET_BACK].map(
    (shift) => shown - offsetAt(guess + shift, timezone),
  )
  const [early, late] = [Math.min(first, second), Math.max(first, second)]
  return early + offsetAt(early, timezone) === shown ? early : late
}

/** Formats by time zone: to make one takes longer than what it formats. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** What clocks show, as if it were UTC, in ms since 1970. */
export function shownAt(at: number, timeZone: string): number {
  const format = formats.get(timeZone) ?? formatIn(timeZone)
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

function formatIn(timeZone: string): Intl.DateTimeFormat {
  const numeric = 'numeric'
  const fields = {
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  } as const
  const format = new Intl.DateTimeFormat('en-u-ca-iso8601', { ...fields, timeZone, hourCycle: 'h23' })
  formats.set(timeZone, format)
  return format
}
