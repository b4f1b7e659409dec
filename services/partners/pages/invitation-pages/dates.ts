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

/** The dates of an event in a language; empty without a date. */
export function datesOf(language: string, { start_date, end_date, timezone }: ShownEvent): string {
  if (!start_date) return ''
  const format = formatOf(language, timezone)
  return end_date && end_date >= start_date ? format.formatRange(start_date, end_date) : format.format(start_date)
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
