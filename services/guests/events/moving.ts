import { zoneOf } from '@gatehouse/proto/declaring/time-zones.ts'

/** Moves a time to where it is in the copy of an event. */
export type Move = <T extends Date | null>(time: T) => T

interface Dates {
  start_date: Date | null
  timezone: string
}

/**
 * Returns how times move when an event begins at another time: by the same days and hours of its time zone, so that what opens at nine still does
 * after the clocks have changed. They stay if either start is unknown.
 */
export function moveBetween(original: Dates, start_date: Date | null): Move {
  if (!original.start_date || !start_date) return (time) => time
  const zone = zoneOf(original.timezone) ?? 'UTC'
  const distance = localTime(original.start_date, zone).until(localTime(start_date, zone), { largestUnit: 'days' })
  return <T extends Date | null>(time: T) =>
    time && (new Date(localTime(time, zone).add(distance).toZonedDateTime(zone).epochMilliseconds) as T)
}

function localTime(time: Date, zone: string): Temporal.PlainDateTime {
  return Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(zone).toPlainDateTime()
}
