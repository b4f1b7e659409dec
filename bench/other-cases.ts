import { succeeded } from '@gatehouse/test/harness/call.ts'
import { type BenchCase, CONNECTIONS, DRIVER } from './case.ts'
import { type Environment, STORES } from './environment.ts'
import { type Issued, issueForSystem } from './sign-ons.ts'

/* Cases of lists, guests and single sign-on. */

/** Guests of a page. */
const PAGE = 500
/** Guests of one import. */
const IMPORTED = 20_000
/** Access tokens that a site asks about. */
const TOKENS = 2_000
/** Token exchanges a second, more than any machine of today answers. Fewer of ours, because preparing them writes to the database. */
const MAX_EXCHANGES = { own: 2_000, stock: 8_000 }

/** All of them, each after the case that it is compared with. */
export const otherCases: BenchCase[] = [
  {
    name: 'driver page 1',
    group: 'lists',
    processes: DRIVER,
    latency: true,
    job: async ({ event }, seconds) => {
      return { worker: 'driver', kind: 'page', size: PAGE, skip: 0, event_id: (await event())._id, seconds }
    },
  },
  { ...list('guests page 1', pageAt(1)), baseline: 'driver page 1' },
  { ...list('guests page 200, walked', pageAt(200), walk), baseline: 'guests page 1' },
  { ...list('guests page 200, direct', pageAt(200), changeOf), baseline: 'guests page 1' },
  list('guest by uid', 'guests.json?uid=G00000321'),
  { ...list('guest by search', 'guests.json?search=visitor54321'), baseline: 'guest by uid' },
  { ...list('guests by search', 'guests.json?search=ada+visitor5432'), baseline: 'guest by uid' },
  { ...list('guest by uid, 1000 guests', 'guests.json?uid=G00000321', undefined, 1_000), baseline: 'guest by uid' },
  {
    name: 'insertMany guests',
    group: 'import',
    processes: DRIVER,
    job: async (_, seconds) => ({ worker: 'driver', kind: 'guests', size: PAGE, seconds }),
  },
  {
    name: 'import of guests',
    group: 'import',
    baseline: 'insertMany guests',
    processes: ['importer', 'guests', ...STORES],
    job: async (environment) => ({ worker: 'importer', event_id: await emptyEvent(environment), count: IMPORTED }),
  },
  ofStock('oidc-provider userinfo', 'contacts', '/me', () => `tokens/${TOKENS}`),
  ofSignOn('sso /me', 'contacts', 'oidc-provider userinfo', '/api/v1/me', () => ({ tokens: TOKENS })),
  ofStock('oidc-provider token', 'codes', '/token', (seconds) => `codes/${MAX_EXCHANGES.stock * seconds}`),
  ofSignOn('sso token', 'codes', 'oidc-provider token', '/oauth/token', (seconds) => {
    return { codes: MAX_EXCHANGES.own * seconds }
  }),
]

type Change = { path: string; body: string } | undefined

/** Requests the same page of a list again and again, one request after another. `prepare` may return a change to make before each request. */
function list(
  name: string,
  rest: string,
  prepare: (environment: Environment) => Promise<Change> = async () => undefined,
  guests?: number,
): BenchCase {
  return {
    name,
    group: 'lists',
    processes: ['gateway', 'guests', ...STORES],
    latency: true,
    job: async (environment, seconds) => {
      const { path } = await environment.event(guests)
      const change = await prepare(environment)
      const request = { kind: 'get', path: path(rest), ...(change && { change }) } as const
      return { worker: 'load', ...request, url: environment.url, connections: 1, seconds }
    },
  }
}

function pageAt(page: number): string {
  return `guests.json?per_page=${PAGE}&page=${page}`
}

/** Requests page after page, as a client that walks the list does; not measured. */
async function walk({ url, event }: Environment): Promise<undefined> {
  const { path } = await event()
  for (let page = 1; page <= 200; page++) await (await fetch(url + path(pageAt(page)))).arrayBuffer()
}

/** A change of a guest, so that nothing of the list stays cached. */
async function changeOf({ url, event }: Environment): Promise<Change> {
  const { path, uids } = await event()
  const [guest] = (await (await fetch(url + path(`guests.json?uid=${uids[0]}`))).json()) as { _id: string }[]
  return { path: path(`guests/${guest?._id}.json`), body: '{"position":"Speaker"}' }
}

/** Makes an event with one category and no guests. */
async function emptyEvent({ api, system }: Environment): Promise<string> {
  const { account_id } = system
  const { _id } = await succeeded(api('POST', 'events.json', { title: 'Empty', account_id }))
  await succeeded(api('POST', `events/${_id}/guest_categories.json`, { name: 'Visitors' }))
  return _id
}

/** Requests of a site to stock oidc-provider. */
function ofStock(
  name: string,
  kind: 'contacts' | 'codes',
  path: string,
  wanted: (seconds: number) => string,
): BenchCase {
  return {
    name,
    group: 'sso',
    processes: ['oidc-provider'],
    job: async ({ peers }, seconds) => {
      const { 'oidc-provider': url = '' } = peers
      const answer = await fetch(`${url}/bench/${wanted(seconds)}`)
      if (!answer.ok) throw new Error(await answer.text())
      return {
        worker: 'load',
        kind,
        url,
        path,
        connections: CONNECTIONS,
        seconds,
        ...((await answer.json()) as Issued),
      }
    },
  }
}

/** Requests of a site to an account's single sign-on. */
function ofSignOn(
  name: string,
  kind: 'contacts' | 'codes',
  baseline: string,
  rest: string,
  wanted: (seconds: number) => Parameters<typeof issueForSystem>[1],
): BenchCase {
  return {
    name,
    group: 'sso',
    baseline,
    processes: ['gateway', 'sso', ...STORES],
    job: async (environment, seconds) => {
      const { url, system } = environment
      const issued = await issueForSystem(environment, wanted(seconds))
      return {
        worker: 'load',
        kind,
        url,
        path: `/sso/${system.slug}${rest}`,
        connections: CONNECTIONS,
        seconds,
        ...issued,
      }
    },
  }
}
