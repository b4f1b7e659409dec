import { useConsole } from './console.ts'
import { useEvent } from './event.ts'

/** Says times as the reader writes them, in the time zone of the event that is shown; on pages of the account in the reader's own. */
export interface Times {
  /** The event's time zone, by a name that browsers know. */
  zone: string | undefined
  /** A date and time. A zone is named, since it may be another than the reader's. */
  at: (stamp: string, zone?: string) => string
  /** Says parts of a time. */
  clock: (parts: Intl.DateTimeFormatOptions) => Intl.DateTimeFormat
}

/** The times of a view. */
export function useTimes(): Times {
  const { locale } = useConsole()
  const { event, isAwaited } = useEvent()
  const zone = event && knownZone(String(event.timezone))
  return {
    zone,
    // The same time in another zone would be read as another time.
    at: (stamp, own) => (isAwaited ? '…' : timeIn(locale, stamp, (own && knownZone(own)) ?? zone)),
    clock: (parts) => new Intl.DateTimeFormat(locale, { ...parts, ...(zone && { timeZone: zone }) }),
  }
}

/** The time zone of a name; undefined for those of Rails and Windows, which browsers do not know. */
export function knownZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** A time in a time zone, which is named; without one, in the reader's. */
export function timeIn(locale: string, stamp: string, zone?: string): string {
  const key = `${locale} ${zone}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, partsIn(zone))
  formats.set(key, format)
  return format.format(Date.parse(stamp))
}

function partsIn(timeZone: string | undefined): Intl.DateTimeFormatOptions {
  if (timeZone === undefined) return { dateStyle: 'medium', timeStyle: 'short' }
  const day = { year: 'numeric', month: 'short', day: 'numeric' } as const
  return { ...day, hour: 'numeric', minute: '2-digit', timeZone, timeZoneName: 'short' }
}
