import { zoneOf } from '@gatehouse/proto/declaring/time-zones.ts'
import { localeOf } from '@gatehouse/proto/pages/languages.ts'

/** An event as invitations show it. */
export interface ShownEvent {
  title: string
  start_date: Date | null
  end_date: Date | null
  timezone: string
  location: string | null
}

/** The dates of an event in a language; empty without a date. A narrow screen breaks the line between a date and its time, but neither of them. */
export function datesOf(language: string, { start_date, end_date, timezone }: ShownEvent): string {
  if (!start_date) return ''
  const format = formatOf(language, timezone)
  const isRange = end_date && end_date >= start_date
  const parts = isRange ? format.formatRangeToParts(start_date, end_date) : format.formatToParts(start_date)
  return parts
    .map(({ type, value }, index) => {
      const isWithin = type === 'literal' && index > 0 && isOfDate(parts[index - 1]) === isOfDate(parts[index + 1])
      return isWithin ? value.replaceAll(' ', NO_BREAK_SPACE) : value
    })
    .join('')
}

const NO_BREAK_SPACE = '\u00a0'

/** Whether a part belongs to a date rather than to a time. */
function isOfDate(part: Intl.DateTimeFormatPart | undefined): boolean {
  return part?.type === 'day' || part?.type === 'month' || part?.type === 'year'
}

/** Events of older versions may have a time zone that nobody knows: it is UTC. */
function formatOf(language: string, timezone: string): Intl.DateTimeFormat {
  const options = { year: 'numeric', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const
  return new Intl.DateTimeFormat(localeOf(language), {
    ...options,
    timeZone: zoneOf(timezone) ?? 'UTC',
    timeZoneName: 'short',
  })
}
