import type { Times } from '../texts/times.ts'
import { type ConsoleSay, named, type TextKey } from '../texts/words.ts'

/** A check-in, as the API has it. */
type CheckIn = Readonly<Record<string, unknown>>

/** What names the check-in points of an event, by id. */
export type PointNames = ReadonlyMap<string, string>

/** Says what a check-in has come to and why. */
export function checkInWords(say: ConsoleSay, times: Times, item: CheckIn, points?: PointNames): string[] {
  const status = say(`status_${item.access_status}` as TextKey)
  return [status, ...refusalWords(say, times, item, points), ...(item.direction === 'out' ? [say('choice_out')] : [])]
}

/**
 * Says why a guest was refused, in words: `opens at 18:00`, `was let in at 17:42 at North` (docs/interface.md 8.19). Empty where the
 * result says it all. The check-in point of the refusal, which stands beside it, is not named again.
 */
export function refusalWords(say: ConsoleSay, times: Times, item: CheckIn, points?: PointNames): string[] {
  const { access_status, access_stamp, reason, opens_at, granted_before, persons_left } = item
  if (access_status === 2)
    return typeof opens_at === 'string'
      ? [openingWords(say, times, String(access_stamp), opens_at)]
      : reasonWords(say, reason)
  if (access_status !== 3) return []
  const before = granted_before ? [entryWords(say, times, item, granted_before as Entry, points)] : []
  const isParty = typeof persons_left === 'number' && persons_left > 0
  return [...before, ...(isParty ? [say('refusal_left', { count: persons_left })] : [])]
}

/** The check-in that a refused one follows, as the API shows it. */
interface Entry {
  access_stamp: string
  accesspoint_id: string
}

function reasonWords(say: ConsoleSay, reason: unknown): string[] {
  return typeof reason === 'string' ? [named(say, 'reason', reason)] : []
}

function openingWords(say: ConsoleSay, times: Times, scanned: string, opens_at: string): string {
  const { isSameDay, time } = times.near(opens_at, scanned)
  return say(isSameDay ? 'refusal_opens' : 'refusal_opens_on', { time })
}

function entryWords(say: ConsoleSay, times: Times, refused: CheckIn, entry: Entry, points?: PointNames): string {
  const { isSameDay, time } = times.near(entry.access_stamp, String(refused.access_stamp))
  const words = say(isSameDay ? 'refusal_used' : 'refusal_used_on', { time })
  const point = entry.accesspoint_id === refused.accesspoint_id ? undefined : points?.get(entry.accesspoint_id)
  return point === undefined ? words : say('refusal_at', { words, point })
}
