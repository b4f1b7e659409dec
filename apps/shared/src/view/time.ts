import { pageLocale } from './now.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** The time of day of a stamp, with the date unless that is today, as the page's language writes them. */
export function timeOf(stamp: string, now = Date.now()): string {
  const date = new Date(stamp)
  const isToday = date.toDateString() === new Date(now).toDateString()
  const locale = pageLocale()
  const time = { hour: '2-digit', minute: '2-digit' } as const
  return isToday
    ? date.toLocaleTimeString(locale, time)
    : date.toLocaleString(locale, { ...time, day: 'numeric', month: 'short' })
}

/** Ages are drawn again this often, so that less is none. */
const NOW_MS = 5_000

/** How long ago a stamp was: `now`, `12 sec`, `2 min`, `3 hr`. */
export function ageOf(stamp: string, now: number, language: string): string {
  const ms = Math.max(0, now - Date.parse(stamp))
  if (ms < NOW_MS) return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(0, 'second')
  if (ms < MINUTE) return unitsOf(ms / 1_000, 'second', language)
  return ms < HOUR ? unitsOf(ms / MINUTE, 'minute', language) : unitsOf(ms / HOUR, 'hour', language)
}

/** So many seconds, minutes or hours, in words of a language. */
export function unitsOf(
  count: number,
  unit: 'second' | 'minute' | 'hour',
  language: string,
  unitDisplay: 'short' | 'long' = 'short',
): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay }).format(Math.floor(count))
}
