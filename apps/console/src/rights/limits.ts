import { client, newKey } from '../server/server.ts'

/** The list of links: which guest category may enter at which check-in point. */
export const LINKS = '/api/v1/events/{event_id}/guest_category_accesspoints.json'

/** For how long an allowance is, and whether it comes back to guests who come out. */
export interface Terms {
  period: 'event' | 'day'
  reentry: boolean
}

/** How often guests of a category may enter at a check-in point, as it is stored. */
export interface Limit extends Terms {
  id: string
  max_allowed_accesses: number
}

/** Where a limit is. */
interface Cell {
  event_id: string
  guest_category_id: string
  accesspoint_id: string
}

const UNLIMITED = -1
const SIGN = '∞'
const MOST = 1_000_000

/** A limit as people read it; empty where there is none, which is no right. */
export function textOf(limit: number | undefined): string {
  if (limit === undefined) return ''
  return limit === UNLIMITED ? SIGN : String(limit)
}

/** The limit that was typed: undefined for no right, null if it is none, which is a whole number from 1 or the sign of no limit. */
export function limitOf(typed: string): number | undefined | null {
  const text = typed.trim()
  if (text === '') return undefined
  if (text === SIGN || text === String(UNLIMITED)) return UNLIMITED
  return /^\d{1,7}$/.test(text) && Number(text) >= 1 && Number(text) <= MOST ? Number(text) : null
}

/** Stores terms of a limit. Returns what is stored then. */
export async function saveTerms({ event_id, ...link }: Cell, limit: Limit, terms: Partial<Terms>): Promise<Limit> {
  const { id, max_allowed_accesses } = limit
  const body = { ...link, max_allowed_accesses, ...terms }
  await client.PUT('/api/v1/events/{event_id}/guest_category_accesspoints/{id}.json', {
    params: { path: { event_id, id } },
    body,
  })
  return { ...limit, ...terms }
}

/** Stores a limit, or deletes it where nobody may enter. Returns what is stored then. */
export async function saveLimit(
  { event_id, guest_category_id, accesspoint_id }: Cell,
  limit: Limit | undefined,
  wanted: number | undefined,
): Promise<Limit | undefined> {
  const path = { event_id, id: limit?.id ?? '' }
  if (wanted === undefined) {
    if (limit)
      await client.DELETE('/api/v1/events/{event_id}/guest_category_accesspoints/{id}.json', { params: { path } })
    return undefined
  }
  const body = { guest_category_id, accesspoint_id, max_allowed_accesses: wanted }
  if (limit) {
    await client.PUT('/api/v1/events/{event_id}/guest_category_accesspoints/{id}.json', { params: { path }, body })
    return { ...limit, max_allowed_accesses: wanted }
  }
  const { data } = await client.POST(LINKS, {
    params: { path: { event_id }, header: { 'Idempotency-Key': newKey() } },
    body,
  })
  return data
}
