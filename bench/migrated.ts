import { uidOf } from './documents.ts'

/* An event of another system, as its pages show it: guests, and three granted check-ins of each. */

export const EMPTY = '[]'
/** Check-ins of a guest, each at a point of its own. */
export const CHECK_INS = 3
const PER_PAGE = 500
const AT = '2026-05-01T10:00:00.000Z'
const times = { created_at: AT, updated_at: AT }

/** A page of a list of the event with this id and so many guests; the event itself for another path. */
export function migratedPage(event_id: string, guests: number, list: string, page: number): string {
  return JSON.stringify(pageOf(event_id, guests, list, page))
}

function pageOf(event_id: string, guests: number, list: string, page: number): unknown {
  const id = (kind: string, n: number): string => kind + event_id.slice(2, 14) + n.toString(16).padStart(10, '0')
  const category = id('ca', 0)
  const counts = { guest_count: guests, check_in_count: CHECK_INS * guests }
  const event = { _id: event_id, title: 'Moved', start_date: AT, ...counts, ...times }
  if (list === 'api/v1/events') return [event]
  if (list === `api/v1/events/${event_id}`) return event
  if (list === 'guest_categories') return [{ _id: category, name: 'Visitors', ...times }]
  const points = Array.from({ length: CHECK_INS }, (_, n) => id('ac', n))
  if (list === 'accesspoints') return points.map((_id, n) => ({ _id, name: `Door ${n}`, ...times }))
  if (list === 'guests')
    return numbered(page, guests).map((n) => ({
      ...{ _id: id('9e', n), guest_category_id: category, uid: uidOf(n), email: `guest-${n}@example.org` },
      ...{ first_name: 'Ada', last_name: `Visitor${n}`, company_name: `Company ${n % 5_000}`, position: 'Engineer' },
      ...{ rsvp_status: 'accepted', access_privileges: [], guest_metadata: [{ name: 'diet', value: 'vegan' }] },
      ...times,
    }))
  if (list === 'access_controls')
    return numbered(page, CHECK_INS * guests).map((n) => ({
      ...{ _id: id('c0', n), access_stamp: AT, guest_uid: uidOf(Math.floor(n / CHECK_INS)), access_status: 0 },
      ...{ accesspoint_id: points[n % CHECK_INS], ...times },
    }))
  return []
}

/** The numbers of the things of a page. */
function numbered(page: number, count: number): number[] {
  const from = (page - 1) * PER_PAGE
  return Array.from({ length: Math.max(0, Math.min(PER_PAGE, count - from)) }, (_, n) => from + n)
}
