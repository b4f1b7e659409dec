import type { TestAccount } from '@gatehouse/test/harness/account.ts'
import type { Api } from '@gatehouse/test/harness/api.ts'
import { succeeded } from '@gatehouse/test/harness/call.ts'
import { uidOf } from './documents.ts'
import type { Job } from './job.ts'

/** Scans of one batch. */
const BATCH = 2_000

/** An event with guests. */
export interface BenchEvent {
  _id: string
  category: string
  /** A point where the category may enter without a limit. */
  unlimited: string
  /** How many come in with each scan; undefined for one. */
  persons?: number
  /** The uids of the guests. */
  uids: string[]
  /** The path of something below the event, with the token. */
  path(rest: string): string
  /** Creates something in the event. */
  // biome-ignore lint/suspicious/noExplicitAny: callers know what they create
  create(path: string, body: object): Promise<any>
  /** Makes points where the category may enter once. */
  pointsOnce(count: number): Promise<string[]>
  /** Checks guests in at the point without a limit, so that checkin has them cached. */
  cacheGuests(uids: string[]): Promise<void>
}

/** Times that every scan of a bench is within. */
const TIMES = { valid_from: '2020-01-01T00:00:00Z', valid_until: '2100-01-01T00:00:00Z' }
/** Of an area that does not get full. */
export const CAPACITY = 10_000_000
/** The size of parties, half of which come in with each scan. */
const PARTY = 4

interface EventTerms {
  party_size: number
  /** What each link has beside its limit. */
  link: object
  /** How many persons the area has room for that all points are in; none by default. */
  capacity?: number
}

/** What scans are decided by beside a limit. */
const PARTIES_OF_DAYS = { party_size: PARTY, link: { ...TIMES, period: 'day', reentry: true } }
const TERMS = {
  none: { party_size: 1, link: {} },
  parties: { party_size: PARTY, link: TIMES },
  /** Its area is made once those are stored who are inside: what is stored past the system is not seen later. */
  inside: PARTIES_OF_DAYS,
  all: { ...PARTIES_OF_DAYS, capacity: CAPACITY },
  single: { ...PARTIES_OF_DAYS, party_size: 1, capacity: CAPACITY },
} satisfies Record<string, EventTerms>

/** The name of terms. */
export type Terms = keyof typeof TERMS

/** Makes an event of an account with a category and a point, and stores `guests` guests. */
export async function makeEvent(
  { auth_token, account_id }: TestAccount,
  api: Api,
  run: (job: Job) => Promise<unknown>,
  guests: number,
  terms: Terms = 'none',
): Promise<BenchEvent> {
  const { party_size, link: given, capacity }: EventTerms = TERMS[terms]
  const event = await succeeded(api('POST', 'events.json', { title: 'Bench', account_id }))
  const create: BenchEvent['create'] = (path, body) => succeeded(api('POST', `events/${event._id}/${path}`, body))
  const { _id: guest_category_id } = await create('guest_categories.json', { name: 'Visitors' })
  const area = capacity && { area_id: (await create('areas.json', { name: 'Hall', capacity }))._id }
  const point = async (max_allowed_accesses: number): Promise<string> => {
    const { _id: accesspoint_id } = await create('accesspoints.json', { name: 'Door', ...area })
    const link = { guest_category_id, accesspoint_id, max_allowed_accesses, ...given }
    await create('guest_category_accesspoints.json', link)
    return accesspoint_id
  }
  const unlimited = await point(-1)
  const seed = { kind: 'seed', event_id: event._id, category: guest_category_id, count: guests, party_size } as const
  if (guests > 0) await run({ worker: 'driver', ...seed })
  return {
    _id: event._id,
    category: guest_category_id,
    unlimited,
    ...(party_size > 1 && { persons: party_size / 2 }),
    uids: Array.from({ length: guests }, (_, n) => uidOf(n)),
    path: (rest) => `/api/v1/events/${event._id}/${rest}${rest.includes('?') ? '&' : '?'}auth_token=${auth_token}`,
    create,
    pointsOnce: (count) => Promise.all(Array.from({ length: count }, () => point(1))),
    cacheGuests: async (uids) => {
      for (let from = 0; from < uids.length; from += BATCH) {
        const scans = uids.slice(from, from + BATCH).map((guest_uid) => ({ accesspoint_id: unlimited, guest_uid }))
        await create('access_controls/batch_create.json', scans)
      }
    },
  }
}
