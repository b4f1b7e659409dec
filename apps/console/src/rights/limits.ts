import { UNLIMITED } from '../form/values.ts'
import { change, newKey, post, remove } from '../server/server.ts'
import type { ConsoleSay, TextKey } from '../texts/words.ts'
import { LINKS } from './links.ts'

const LINK = '/api/v1/events/{event_id}/guest_category_accesspoints/{id}.json'

/** For how long an allowance is, and whether it comes back to guests who come out. */
export interface Terms {
  period: 'event' | 'day'
  reentry: boolean
}

/** How often guests of a category may enter at a check-in point, and when, as it is stored. */
export interface Limit extends Terms {
  id: string
  max_allowed_accesses: number
  valid_from: string | null
  valid_until: string | null
}

/** Where a limit is. */
interface Cell {
  event_id: string
  guest_category_id: string
  accesspoint_id: string
}

const MOST = 1_000_000
/** The number that "several times" begins with. */
const FEW = 2

/** How often a cell says that guests may enter. */
export const CHOICES = ['none', 'once', 'several', 'unlimited'] as const

/** What a cell shows: a choice, and the number that is typed for "several times". */
export interface Shown {
  choice: (typeof CHOICES)[number]
  number: string
}

/** What a cell shows for a limit; undefined is no right. */
export function shownOf(limit: number | undefined): Shown {
  const number = String(limit !== undefined && limit > 1 ? limit : FEW)
  if (limit === undefined) return { choice: 'none', number }
  if (limit === UNLIMITED) return { choice: 'unlimited', number }
  return { choice: limit === 1 ? 'once' : 'several', number }
}

/** The limit that a cell shows: undefined for no right, null where the number is none from 2. */
export function limitOf({ choice, number }: Shown): number | undefined | null {
  if (choice === 'none') return undefined
  if (choice === 'unlimited') return UNLIMITED
  if (choice === 'once') return 1
  const text = number.trim()
  return /^\d{1,7}$/.test(text) && Number(text) >= FEW && Number(text) <= MOST ? Number(text) : null
}

/** What a choice is called. */
export const CHOICE_WORDS = {
  none: 'rights_none',
  once: 'rights_once',
  several: 'rights_several',
  unlimited: 'no_limit',
} as const satisfies Record<Shown['choice'], TextKey>

/** A limit in words. */
export function wordsOfLimit(say: ConsoleSay, limit: number | undefined): string {
  const { choice, number } = shownOf(limit)
  return choice === 'several' ? say('rights_times', { number }) : say(CHOICE_WORDS[choice])
}

/** Stores terms of a limit. Returns what is stored then. */
export async function saveTerms({ event_id, ...link }: Cell, limit: Limit, terms: Partial<Terms>): Promise<Limit> {
  const { id, max_allowed_accesses } = limit
  await change(LINK, { event_id, id }, { ...link, max_allowed_accesses, ...terms })
  return { ...limit, ...terms }
}

/** Stores a limit, or deletes it where nobody may enter; one that comes back has its terms again. Returns what is stored then. */
export async function saveLimit(
  { event_id, guest_category_id, accesspoint_id }: Cell,
  limit: Limit | undefined,
  wanted: number | undefined,
  deleted?: Limit,
): Promise<Limit | undefined> {
  if (wanted === undefined) {
    if (limit) await remove(LINK, { event_id, id: limit.id })
    return undefined
  }
  const body = { guest_category_id, accesspoint_id, max_allowed_accesses: wanted }
  if (limit) {
    await change(LINK, { event_id, id: limit.id }, body)
    return { ...limit, max_allowed_accesses: wanted }
  }
  const created = deleted ? { ...body, ...wholeTermsOf(deleted) } : body
  return (await post(LINKS, { event_id }, created, newKey())) as unknown as Limit
}

function wholeTermsOf({ period, reentry, valid_from, valid_until }: Limit): Omit<Limit, 'id' | 'max_allowed_accesses'> {
  return { period, reentry, valid_from, valid_until }
}
