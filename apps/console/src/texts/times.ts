/** Says times as the reader writes them, in the time zone of the event that is shown; on pages of the account in the reader's own. */
export interface Times {
  /** The event's time zone, by a name that browsers know. */
  zone: string | undefined
  /** A date and time. A zone is named, since it may be another than the reader's. */
  at: (stamp: string, zone?: string) => string
  /** A time, without its day where that is the day of another time; and whether it is. */
  near: (stamp: string, other: string) => { time: string; isSameDay: boolean }
  /** Says parts of a time. */
  clock: (parts: Intl.DateTimeFormatOptions) => Intl.DateTimeFormat
}

/** Times as a locale writes them, in a time zone; without one, in the reader's. */
export function timesIn(locale: string, zone: string | undefined): Times {
  const at: Times['at'] = (stamp, own) => timeIn(locale, stamp, (own && knownZone(own)) ?? zone)
  const clock: Times['clock'] = (parts) =>
    new Intl.DateTimeFormat(locale, { ...parts, ...(zone && { timeZone: zone }) })
  const dayOf = (stamp: string): string => clock({ dateStyle: 'short' }).format(Date.parse(stamp))
  return {
    zone,
    at,
    near: (stamp, other) =>
      dayOf(stamp) === dayOf(other)
        ? { time: clock({ timeStyle: 'short' }).format(Date.parse(stamp)), isSameDay: true }
        : { time: at(stamp), isSameDay: false },
    clock,
  }
}

// The build puts it in.
declare const __TIME_ZONES__: Record<string, string>
// Kept, or the build would make it anew at each use.
let otherNames: Record<string, string> | undefined

const knownZones = new Map<string, string>()

/** The time zone of a name that the API takes, by a name that browsers know, which those of Rails and Windows are not. */
export function knownZone(name: string): string | undefined {
  const known = knownZones.get(name) ?? resolved(name) ?? resolved(otherName(name))
  if (known !== undefined) knownZones.set(name, known)
  return known
}

function otherName(name: string): string {
  otherNames ??= __TIME_ZONES__
  return otherNames[name.trim().toLowerCase()] ?? ''
}

function resolved(timeZone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** Named or not: without a zone some languages would write hours otherwise. */
const PARTS: Intl.DateTimeFormatOptions = {
  ...{ year: 'numeric', month: 'short', day: 'numeric' },
  ...{ hour: 'numeric', minute: '2-digit', timeZoneName: 'short' },
}
const formats = new Map<string, Intl.DateTimeFormat>()

/** What some languages call the time at Greenwich. */
const AT_GREENWICH = /(GMT|UTC)\+0$/

/** A time in a time zone, which is named; without one, in the reader's, in the same form. */
export function timeIn(locale: string, stamp: string, zone?: string): string {
  const key = `${locale} ${zone}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...PARTS, ...(zone && { timeZone: zone }) })
  formats.set(key, format)
  const parts = format.formatToParts(Date.parse(stamp))
  const named = parts.findIndex(({ type }) => type === 'timeZoneName')
  // A line ends between the day and the time alone.
  return (zone ? parts : parts.toSpliced(named - 1, 2))
    .map(({ type, value }, index) => {
      if (type === 'timeZoneName') return value.replace(AT_GREENWICH, '$1')
      return parts[index + 1]?.type === 'hour' ? value : value.replaceAll(' ', '\u00a0')
    })
    .join('')
}
