import { ObjectId } from 'mongodb'
import { type BackgroundLoad, beginBadges, beginLiveFeeds, beginWebhooks } from './background.ts'
import type { Work } from './driver.ts'
import type { Export } from './exporter.ts'
import type { Import } from './importer.ts'
import type { Job } from './requests.ts'
import type { Issued } from './sign-ons.ts'
import type { World } from './world.ts'

/** What is measured, and what it is compared with. */
export interface Case {
  name: string
  /** What `--only` selects by. */
  group: 'echo' | 'single' | 'batch' | 'alone' | 'lists' | 'import' | 'export' | 'sso' | 'open'
  /** The case to compare with: by requests a second, or by median latency if `latency` is set. */
  baseline?: string
  /** The processes whose CPU counts, by their names in `Stage.pids`. */
  processes: string[]
  load?: (world: World, peers: Record<string, string>, run: Run) => Promise<Partial<Job> & Pick<Job, 'kind' | 'path'>>
  work?: (world: World) => Omit<Work, 'seconds'>
  exports?: (world: World) => Export
  imports?: (world: World) => Promise<Import>
  concurrency: number
  /** Starts background work, before the load. */
  background?: (world: World, peers: Record<string, string>, run: Run) => Promise<BackgroundLoad>
  /** Sent at planned times, after all rounds: at this many requests a second, or at a share of what the closed loop reaches. */
  openLoop?: number | 'share'
  /** One request after another is sent, and latencies are compared instead of throughput. */
  latency?: true
  /** Runs to its end, once a round, and not for warming up. */
  whole?: true
}

/** One run of a case. */
export interface Run {
  seconds: number
  /** Requests a second of an open loop. */
  rate?: number
  /** Whether to count the operations of NATS and Redis. */
  counters?: boolean
}

const C = 64
const MANY = 256
/** Guests who are scanned, few enough that checkin keeps all of them cached during a run. */
export const KNOWN = 20_000
const PAGE = 500
/** More scans a second than any machine of today answers, so that a run cannot use up its preparation. */
const MAX_SCANS = 20_000
const MAX_ALONE = 2_000
/** Token exchanges a second, likewise. Fewer of ours, because preparing them writes to the database. */
const MAX_EXCHANGES = { own: 2_000, stock: 8_000 }
/** Badges a second, likewise. */
const MAX_BADGES = 30
/** Live feeds at once. */
const FEEDS = 10
/** Check-ins a second when 100,000 people arrive within half an hour at each of ten events. */
export const PEAK_RATE = 560
/** Guests of one import. */
const IMPORTED = 20_000
/** Access tokens which a site asks about. */
const TOKENS = 2_000

/** The system's own processes, and those of the stores. */
export const OWN = ['gateway', 'checkin', 'guests', 'sso']
export const STORES = ['nats', 'redis', 'postgres', 'mongod']
const SYSTEM = [...OWN, ...STORES]
const DRIVER = ['driver', 'postgres', 'mongod']

/** All cases, each after its floor. */
export const cases: Case[] = [
  fastify('fastify', C),
  echo('echo', 'echo-gateway', ['echo-gateway', 'echo-service', 'nats'], '/api/v1/echoes.json?auth_token=bench'),
  { ...echo('bare bus', 'bus-gateway', ['bus-gateway', 'bus-service', 'nats'], '/echo'), baseline: 'echo' },
  {
    ...echo('moleculer', 'moleculer-gateway', ['moleculer-gateway', 'moleculer-service', 'nats'], '/echo'),
    baseline: 'echo',
  },
  { ...echo('nest', 'nest-gateway', ['nest-gateway', 'nest-service', 'nats'], '/echo'), baseline: 'echo' },
  { ...scan('check-in json', 'scanJson'), baseline: 'fastify' },
  { ...scan('check-in xml', 'scanXml'), baseline: 'check-in json' },
  { ...scan('check-in with webhook', 'scanJson'), ...withWebhook(), baseline: 'check-in json' },
  { ...scan('check-in with live feeds', 'scanJson'), ...withLiveFeeds(), baseline: 'check-in json' },
  { ...scan('check-in with badges', 'scanJson'), ...withBadges(), baseline: 'check-in json' },
  plain('plain check-in', C, 'check-in json'),
  oneProcess('one process', C, 'check-in json'),
  fastify('fastify, c=256', MANY),
  { ...scan('check-in, c=256', 'scanJson', MANY), baseline: 'fastify, c=256' },
  oneProcess('one process, c=256', MANY, 'check-in, c=256'),
  driver('insertMany 500', 'batch', { kind: 'insertMany', size: 500, concurrency: 2 }),
  { ...batch('batch 500 json', 'batchJson'), baseline: 'insertMany 500' },
  { ...batch('batch 500 xml', 'batchXml'), baseline: 'batch 500 json' },
  driver('insertOne, c=1', 'alone', { kind: 'insertOne', size: 1, concurrency: 1 }),
  { ...scan('check-in, c=1', 'scanJson', 1), group: 'alone', latency: true, baseline: 'insertOne, c=1' },
  { ...plain('plain check-in, c=1', 1, 'check-in, c=1'), group: 'alone', latency: true },
  { ...oneProcess('one process, c=1', 1, 'check-in, c=1'), group: 'alone', latency: true },
  pageOfDriver('driver page 1', 0),
  { ...list('guests page 1', pageAt(1)), baseline: 'driver page 1' },
  pageOfDriver('driver page 200', 199 * PAGE),
  { ...list('guests page 200, walked', pageAt(200), 'walk'), baseline: 'guests page 1' },
  { ...list('guests page 200, direct', pageAt(200), 'spoil'), baseline: 'guests page 1' },
  list('guest by uid', 'guests.json?uid=G00054321'),
  { ...list('guest by search', 'guests.json?search=visitor54321'), baseline: 'guest by uid' },
  { ...list('guests by search', 'guests.json?search=ada+visitor5432'), baseline: 'guest by uid' },
  {
    name: 'guest creation',
    group: 'lists',
    processes: SYSTEM,
    concurrency: C,
    load: async ({ path, category }) => ({ kind: 'guest', path: path('guests.json'), category }),
  },
  driver('insertMany guests', 'import', { kind: 'insertGuests', size: 500, concurrency: 2 }),
  {
    name: 'import of guests',
    group: 'import',
    baseline: 'insertMany guests',
    processes: ['importer', 'guests', ...STORES],
    concurrency: 1,
    imports: async ({ emptyEvent }) => ({ event_id: await emptyEvent(), count: IMPORTED }),
  },
  {
    name: 'driver cursor',
    group: 'export',
    processes: DRIVER,
    concurrency: 1,
    whole: true,
    work: ({ event_id }) => ({ kind: 'cursor', size: PAGE, event_id, concurrency: 1 }),
  },
  {
    name: 'export of all guests',
    group: 'export',
    baseline: 'driver cursor',
    processes: ['exporter', 'guests', ...STORES],
    concurrency: 1,
    whole: true,
    exports: ({ event_id }) => ({ event_id }),
  },
  ofStock('oidc-provider userinfo', 'me', '/me', () => `tokens/${TOKENS}`),
  ofSignOn('sso /me', 'me', 'oidc-provider userinfo', '/api/v1/me', (world) => world.signOns({ tokens: TOKENS })),
  ofStock('oidc-provider token', 'exchange', '/token', ({ seconds }) => `codes/${MAX_EXCHANGES.stock * seconds}`),
  ofSignOn('sso token', 'exchange', 'oidc-provider token', '/oauth/token', (world, { seconds }) =>
    world.signOns({ codes: MAX_EXCHANGES.own * seconds }),
  ),
  ...atPlannedTimes('open loop', 'share'),
  { ...oneProcess('one process, open loop', C, 'check-in, open loop'), group: 'open', openLoop: 'share' },
  ...atPlannedTimes('560/s', PEAK_RATE),
  syncedFile('synced file, 560/s', PEAK_RATE, 'check-in, 560/s'),
]

/** Check-ins at planned times: alone, with a webhook, and with live feeds. */
function atPlannedTimes(name: string, openLoop: number | 'share'): Case[] {
  const open = { group: 'open', openLoop } as const
  const baseline = `check-in, ${name}`
  return [
    { ...scan(baseline, 'scanJson'), ...open },
    { ...scan(`with webhook, ${name}`, 'scanJson'), ...withWebhook(), ...open, baseline },
    { ...scan(`with live feeds, ${name}`, 'scanJson'), ...withLiveFeeds(), ...open, baseline },
  ]
}

/** While a webhook receives each check-in. */
function withWebhook(): Pick<Case, 'processes' | 'background'> {
  return {
    processes: [...SYSTEM, 'hooks', 'receiver'],
    background: (world, { receiver = '' }) => beginWebhooks(world, receiver),
  }
}

/** While live feeds show each check-in, and statistics every second. */
function withLiveFeeds(): Pick<Case, 'processes' | 'background'> {
  return {
    processes: [...SYSTEM, 'hooks', 'watcher'],
    background: (world, { watcher = '' }) => beginLiveFeeds(world, watcher, FEEDS),
  }
}

/** While more badges are due than can be made during the run. */
function withBadges(): Pick<Case, 'processes' | 'background'> {
  return {
    processes: [...SYSTEM, 'badges'],
    background: (world, _peers, { seconds }) => beginBadges(world, MAX_BADGES * seconds),
  }
}

function fastify(name: string, concurrency: number): Case {
  return {
    name,
    group: 'echo',
    processes: ['fastify'],
    concurrency,
    load: async (_world, { fastify = '' }) => ({ kind: 'echo', url: fastify, path: '/echo' }),
  }
}

function echo(name: string, gateway: string, processes: string[], path: string): Case {
  return {
    name,
    group: 'echo',
    baseline: 'fastify',
    processes,
    concurrency: C,
    load: async (_world, peers) => ({ kind: 'echo', url: peers[gateway] ?? '', path }),
  }
}

/** Single check-ins, as JSON or XML. */
export function scan(name: string, kind: 'scanJson' | 'scanXml', concurrency = C): Case {
  return {
    name,
    group: 'single',
    processes: SYSTEM,
    concurrency,
    load: async (world, _peers, { seconds, rate }) => ({
      kind,
      path: world.path(`access_controls.${kind === 'scanXml' ? 'xml' : 'json'}`),
      ...(rate !== undefined && { rate }),
      ...(await scans(world, (rate ?? (concurrency === 1 ? MAX_ALONE : MAX_SCANS)) * seconds)),
    }),
  }
}

/** The same scans without bus and checks. */
function oneProcess(name: string, concurrency: number, baseline: string): Case {
  return scanOfPeer(name, 'one-process', ['one-process'], concurrency, baseline)
}

/** The same durable check-in as most would write it: each scan by itself, without checks. */
function plain(name: string, concurrency: number, baseline: string): Case {
  return scanOfPeer(name, 'plain-gateway', ['plain-gateway', 'plain-service', 'nats'], concurrency, baseline)
}

function scanOfPeer(name: string, peer: string, own: string[], concurrency: number, baseline: string): Case {
  return {
    ...scan(name, 'scanJson', concurrency),
    processes: [...own, 'redis', 'postgres', 'mongod'],
    baseline,
    load: async ({ uids }, { [peer]: url = '' }, { seconds, rate }) => ({
      kind: 'scanJson',
      url,
      path: '/check-ins',
      ...(rate !== undefined && { rate }),
      ...madeUpPoints(uids.slice(0, KNOWN), MAX_SCANS * seconds),
    }),
  }
}

/** Requests at planned times which are only written to a file: the delay of the disk alone. */
function syncedFile(name: string, openLoop: number, baseline: string): Case {
  return {
    name,
    group: 'open',
    baseline,
    processes: ['synced-file'],
    concurrency: C,
    openLoop,
    load: async (_world, { 'synced-file': url = '' }, { rate }) => ({
      kind: 'echo',
      url,
      path: '/check-ins',
      ...(rate !== undefined && { rate }),
    }),
  }
}

function batch(name: string, kind: 'batchJson' | 'batchXml'): Case {
  return {
    name,
    group: 'batch',
    processes: SYSTEM,
    concurrency: 2,
    load: async (world, _peers, { seconds }) => ({
      kind,
      path: world.path(`access_controls/batch_create.${kind === 'batchXml' ? 'xml' : 'json'}`),
      ...(await scans(world, 100_000 * seconds)),
    }),
  }
}

/** Check-in points for `count` scans, and guests whom checkin has cached. */
async function scans(world: World, count: number): Promise<Pick<Job, 'once' | 'always' | 'uids'>> {
  const uids = world.uids.slice(0, KNOWN)
  await world.greet(uids)
  return { uids, always: world.always, once: await world.pointsOnce(pointsFor(count, uids)) }
}

/** Ids of points which do not exist: the peers do not look them up. */
function madeUpPoints(uids: string[], count: number): Pick<Job, 'once' | 'always' | 'uids'> {
  const [always, ...once] = Array.from({ length: pointsFor(count, uids) + 1 }, () => new ObjectId().toHexString())
  return { uids, always: always as string, once }
}

function pointsFor(count: number, uids: string[]): number {
  return Math.ceil(count / 2 / uids.length)
}

/** Requests the same page of a list again and again, one request after another. */
export function list(name: string, rest: string, how?: 'walk' | 'spoil'): Case {
  return {
    name,
    group: 'lists',
    processes: ['gateway', 'guests', ...STORES],
    concurrency: 1,
    latency: true,
    load: async ({ url, path, someGuest }) => {
      if (how === 'walk') await walk(Array.from({ length: 200 }, (_, n) => url + path(pageAt(n + 1))))
      return {
        kind: 'get',
        path: path(rest),
        ...(how === 'spoil' && { spoil: { path: path(`guests/${someGuest}.json`), body: '{"position":"Speaker"}' } }),
      }
    },
  }
}

function pageAt(page: number): string {
  return `guests.json?per_page=${PAGE}&page=${page}`
}

/** Requests page after page, as a client which walks the list does; not measured. */
async function walk(urls: string[]): Promise<void> {
  for (const url of urls) await (await fetch(url)).arrayBuffer()
}

/** Requests of a site to stock oidc-provider. */
function ofStock(name: string, kind: 'me' | 'exchange', path: string, wanted: (run: Run) => string): Case {
  return {
    name,
    group: 'sso',
    processes: ['oidc-provider'],
    concurrency: C,
    load: async (_world, { 'oidc-provider': url = '' }, run) => {
      const answer = await fetch(`${url}/bench/${wanted(run)}`)
      if (!answer.ok) throw new Error(await answer.text())
      return { kind, url, path, ...((await answer.json()) as Issued) }
    },
  }
}

/** Requests of a site to an account's single sign-on. */
function ofSignOn(
  name: string,
  kind: 'me' | 'exchange',
  baseline: string,
  path: string,
  issue: (world: World, run: Run) => Promise<Issued>,
): Case {
  return {
    name,
    group: 'sso',
    baseline,
    processes: ['gateway', 'sso', ...STORES],
    concurrency: C,
    load: async (world, _peers, run) => ({ kind, path: `/sso/bench${path}`, ...(await issue(world, run)) }),
  }
}

function driver(name: string, group: Case['group'], work: Omit<Work, 'seconds'>): Case {
  return {
    name,
    group,
    processes: DRIVER,
    concurrency: work.concurrency,
    work: () => work,
    ...(work.concurrency === 1 && { latency: true as const }),
  }
}

function pageOfDriver(name: string, skip: number): Case {
  return {
    name,
    group: 'lists',
    processes: DRIVER,
    concurrency: 1,
    latency: true,
    work: ({ event_id }) => ({ kind: 'guests', size: PAGE, skip, event_id, concurrency: 1 }),
  }
}
