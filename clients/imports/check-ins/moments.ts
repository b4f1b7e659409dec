import { momentShown } from '@gatehouse/door/event-day.ts'
import { Message, messageOf } from '@gatehouse/proto/declaring/messages.ts'

/** Which comes first in `04/05/2026`, the day or the month. */
export const dayOrders = ['dmy', 'mdy'] as const
export type DayOrder = (typeof dayOrders)[number]

/** A moment as a file says it. */
export interface Moment {
  at: Date
  /** The file says it without seconds. */
  isMinute: boolean
}

/** How times of a file are read. */
export interface TimeRules {
  /** The time zone of times without an offset, by a name that Intl knows. */
  zone: string
  /** How `04/05/2026` is read; without it, such a date is refused. */
  dates?: DayOrder | undefined
  now: Date
}

interface DayParts {
  year: number
  month: number
  day: number
}

/** Clocks of devices may be ahead by this much. */
const AHEAD_MS = 86_400_000
/** The first letters of months in English and German. */
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const GERMAN: Record<string, string> = { mär: 'mar', mrz: 'mar', mai: 'may', okt: 'oct', dez: 'dec' }

const TIME =
  /^(?:(noon|midnight)|(\d{1,2})(?:[:.](\d{2})(?:[:.](\d{2})(?:[.,](\d{1,9}))?)?)?\s*(am|pm|a\.m\.|p\.m\.|uhr)?)\s*(z|utc|gmt|[+-]\d{2}:?(?:\d{2})?)?$/i
const DAYS: readonly [RegExp, (parts: string[], dates: DayOrder | undefined) => DayParts | Message][] = [
  [/^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:$|[t,\s]+)/i, ([year, month, day]) => dayOf(year, month, day)],
  [/^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?:$|[,\s]+)/, ([day, month, year]) => dayOf(year, month, day)],
  [/^(\d{1,2})[/-](\d{1,2})[/-](\d{4})(?:$|[,\s]+)/, slashedDay],
  [/^(?:\p{L}+,? )?(\p{L}{3})\p{L}*\.? (\d{1,2}),? (\d{4})(?:$|[,\s]+(?:at )?)/iu, namedDay],
  [
    /^(?:\p{L}+,? )?(\d{1,2})\.? (\p{L}{3})\p{L}*\.?,? (\d{4})(?:$|[,\s]+(?:at |um )?)/iu,
    ([day = '', ...rest]) => namedDay([rest[0] ?? '', day, rest[1] ?? '']),
  ],
]

/** Reads a date with a time of day, as people and other systems write them. Returns why it cannot. */
export function readMoment(text: string, { zone, dates, now }: TimeRules): Moment | Message {
  const said = text.trim().replaceAll(/\s+/g, ' ')
  const day = readDay(said, dates)
  if (day instanceof Message) return day
  const [, named, hour, minute, second, fraction, half, offset] = TIME.exec(said.slice(day.length)) ?? []
  if (named === undefined && (hour === undefined || (minute === undefined && !/m/i.test(half ?? '')))) {
    return messageOf('no_time_of_day', { text: said })
  }
  const hours = named ? (named.toLowerCase() === 'noon' ? 12 : 0) : hoursOf(Number(hour), half)
  const [minutes, seconds] = [Number(minute ?? 0), Number(second ?? 0)]
  const millis = Number((fraction ?? '').padEnd(3, '0').slice(0, 3))
  const { year, month, day: date } = day.parts
  const shown = Date.UTC(year, month - 1, date, hours, minutes, seconds, millis)
  if (hours > 23 || minutes > 59 || seconds > 59 || !isDay(day.parts))
    return messageOf('not_date_and_time', { text: said })
  const time = offset === undefined ? momentShown(shown - millis, zone) + millis : shown - offsetOf(offset)
  const at = new Date(time)
  if (at.getTime() > now.getTime() + AHEAD_MS) return messageOf('time_in_future', { text: said })
  return { at, isMinute: second === undefined }
}

function readDay(said: string, dates: DayOrder | undefined): { parts: DayParts; length: number } | Message {
  for (const [pattern, read] of DAYS) {
    const found = pattern.exec(said)
    if (!found) continue
    const parts = read(found.slice(1), dates)
    return parts instanceof Message ? parts : { parts, length: found[0].length }
  }
  return messageOf('not_date_and_time', { text: said })
}

function dayOf(year?: string, month?: string, day?: string): DayParts {
  return { year: Number(year), month: Number(month), day: Number(day) }
}

/** Whether the calendar has such a day. */
function isDay({ year, month, day }: DayParts): boolean {
  const date = new Date(Date.UTC(year, month - 1, day))
  return year >= 1970 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** A day with a month that may be the first or the second number. */
function slashedDay([first, second, year]: string[], dates: DayOrder | undefined): DayParts | Message {
  if (first === second || Number(first) > 12 || dates === 'dmy') return dayOf(year, second, first)
  if (Number(second) > 12 || dates === 'mdy') return dayOf(year, first, second)
  return messageOf('ambiguous_day', { text: `${first}/${second}/${year}` })
}

function namedDay([name = '', day, year]: string[]): DayParts {
  const letters = name.toLowerCase()
  return dayOf(year, String(MONTHS.indexOf(GERMAN[letters] ?? letters) + 1), day)
}

/** The hour of a day from one of a half day: 12 am is 0, 12 pm is 12. */
function hoursOf(hour: number, half: string | undefined): number {
  if (!/m/i.test(half ?? '')) return hour
  if (hour < 1 || hour > 12) return 24
  return (hour % 12) + (/^p/i.test(half ?? '') ? 12 : 0)
}

function offsetOf(offset: string): number {
  if (!/^[+-]/.test(offset)) return 0
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return (offset[0] === '-' ? -minutes : minutes) * 60_000
}
