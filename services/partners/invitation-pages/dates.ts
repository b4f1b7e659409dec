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

/** An event's time zone is any text: an unknown one is UTC. */
function formatOf(language: string, timeZone: string): Intl.DateTimeFormat {
  const options = { year: 'numeric', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const
  try {
    return new Intl.DateTimeFormat(language, { ...options, timeZone, timeZoneName: 'short' })
  } catch {
    return new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC', timeZoneName: 'short' })
  }
}
