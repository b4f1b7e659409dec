import type { Work } from './driver.ts'
import type { Job } from './requests.ts'
import type { World } from './world.ts'

/** What is measured beside what. */
export interface Case {
  name: string
  /** What `--only` selects by. */
  group: 'echo' | 'single' | 'batch' | 'lists' | 'alone'
  /** The case that it is compared with: by requests a second, or by median latency where one asks at a time. */
  floor?: string
  /** Whose CPU is counted, by the names of `Pids`. */
  processes: string[]
  load?: (
    world: World,
    contenders: Record<string, string>,
    run: Run,
  ) => Promise<Partial<Job> & Pick<Job, 'kind' | 'path'>>
  work?: (world: World) => Omit<Work, 'seconds'>
  concurrency: number
  /** Asked one at a time for its latency: throughput says nothing. */
  latency?: true
}

/** One run of a case. */
export interface Run {
  seconds: number
}

const C = 64
/** Guests that the door knows while it is measured: more than a minute's memory would be a measurement of its own. */
const KNOWN = 20_000
const PAGE = 500

const STORES = ['nats', 'redis', 'postgres', 'mongod']
const SYSTEM = ['gateway', 'checkin', 'guests', 'sso', ...STORES]
const DRIVER = ['driver', 'postgres', 'mongod']

/** All cases, each after its floor. */
export const cases: Case[] = [
  {
    name: 'fastify',
    group: 'echo',
    processes: ['fastify'],
    concurrency: C,
    load: async (_world, { fastify = '' }) => ({ kind: 'echo', url: fastify, path: '/echo' }),
  },
  echo('echo', 'echo', ['echo-gateway', 'echo-service', 'nats'], '/api/v1/echoes.json?auth_token=bench'),
  {
    ...echo('moleculer', 'moleculer-gateway', ['moleculer-gateway', 'moleculer-service', 'nats'], '/echo'),
    floor: 'echo',
  },
  { ...scan('check-in json', 'scanJson'), floor: 'fastify' },
  { ...scan('check-in xml', 'scanXml'), floor: 'check-in json' },
  driver('insertMany 500', 'batch', { kind: 'insertMany', size: 500, concurrency: 2 }),
  { ...batch('batch 500 json', 'batchJson'), floor: 'insertMany 500' },
  { ...batch('batch 500 xml', 'batchXml'), floor: 'batch 500 json' },
  driver('insertOne, c=1', 'alone', { kind: 'insertOne', size: 1, concurrency: 1 }),
  { ...scan('check-in, c=1', 'scanJson'), group: 'alone', concurrency: 1, latency: true, floor: 'insertOne, c=1' },
  pageOfDriver('driver page 1', 0),
  { ...list('guests page 1', `guests.json?per_page=${PAGE}`), floor: 'driver page 1' },
  pageOfDriver('driver page 200', 199 * PAGE),
  { ...list('guests page 200, walked', `guests.json?per_page=${PAGE}&page=200`, 'walk'), floor: 'guests page 1' },
  { ...list('guests page 200, at once', `guests.json?per_page=${PAGE}&page=200`, 'spoil'), floor: 'guests page 1' },
  list('guest by uid', 'guests.json?uid=G00054321'),
  { ...list('guest by search', 'guests.json?search=visitor54321'), floor: 'guest by uid' },
  { ...list('guests by search', 'guests.json?search=ada+visitor5432'), floor: 'guest by uid' },
  {
    name: 'guest creation',
    group: 'lists',
    processes: SYSTEM,
    concurrency: C,
    load: async ({ path, category }) => ({ kind: 'guest', path: path('guests.json'), category }),
  },
]

function echo(name: string, gateway: string, processes: string[], path: string): Case {
  return {
    name,
    group: 'echo',
    floor: 'fastify',
    processes,
    concurrency: C,
    load: async (_world, contenders) => ({ kind: 'echo', url: contenders[gateway] ?? '', path }),
  }
}

function scan(name: string, kind: 'scanJson' | 'scanXml'): Case {
  return {
    name,
    group: 'single',
    processes: SYSTEM,
    concurrency: C,
    load: async (world, _contenders, { seconds }) => ({
      kind,
      path: world.path('access_controls.json'.replace('json', kind === 'scanXml' ? 'xml' : 'json')),
      ...(await scans(world, 20_000 * seconds)),
    }),
  }
}

function batch(name: string, kind: 'batchJson' | 'batchXml'): Case {
  return {
    name,
    group: 'batch',
    processes: SYSTEM,
    concurrency: 2,
    load: async (world, _contenders, { seconds }) => ({
      kind,
      path: world.path(`access_controls/batch_create.${kind === 'batchXml' ? 'xml' : 'json'}`),
      ...(await scans(world, 100_000 * seconds)),
    }),
  }
}

/** Points for so many scans, and guests whom the door knows. */
async function scans(world: World, count: number): Promise<Pick<Job, 'once' | 'always' | 'uids'>> {
  const uids = world.uids.slice(0, KNOWN)
  await world.greet(uids)
  return { uids, always: world.always, once: await world.pointsOnce(Math.ceil(count / 2 / uids.length)) }
}

function list(name: string, rest: string, how?: 'walk' | 'spoil'): Case {
  return {
    name,
    group: 'lists',
    processes: ['gateway', 'guests', ...STORES],
    concurrency: 1,
    latency: true,
    load: async ({ path, someGuest }) => ({
      kind: 'get',
      path: path(rest),
      ...(how === 'walk' && {
        walk: Array.from({ length: 200 }, (_, n) => path(`guests.json?per_page=${PAGE}&page=${n + 1}`)),
      }),
      ...(how === 'spoil' && { spoil: { path: path(`guests/${someGuest}.json`), body: '{"position":"Speaker"}' } }),
    }),
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
