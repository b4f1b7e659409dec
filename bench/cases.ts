import { type BenchCase, CONNECTIONS, STORES, SYSTEM } from './case.ts'
import { inviting, mailing, waiting } from './mail-cases.ts'
import { DRIVER, driver, echo, list, ofSignOn, ofStock, PAGE, pageAt, pageOfDriver } from './other-cases.ts'
import {
  batch,
  oneProcess,
  plain,
  scan,
  syncedFile,
  withBadges,
  withLiveFeeds,
  withSnapshots,
  withWebhook,
} from './scan-cases.ts'

const MANY = 256
/** Token exchanges a second, more than any machine of today answers. Fewer of ours, because preparing them writes to the database. */
const MAX_EXCHANGES = { own: 2_000, stock: 8_000 }
/** Check-ins a second when 100,000 people arrive within half an hour at each of ten events. */
export const PEAK_RATE = 560
/** Guests of one import. */
const IMPORTED = 20_000
/** Access tokens that a site asks about. */
const TOKENS = 2_000

/** All cases, each after its floor. */
export const cases: BenchCase[] = [
  echo('fastify', 'fastify', ['fastify'], '/echo'),
  {
    ...echo('echo', 'echo-gateway', ['echo-gateway', 'echo-service', 'nats'], '/api/v1/echoes.json?auth_token=bench'),
    baseline: 'fastify',
  },
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
  { ...scan('check-in with snapshots', 'scanJson'), ...withSnapshots(), baseline: 'check-in json' },
  { ...scan('check-in with badges', 'scanJson'), ...withBadges(), baseline: 'check-in json' },
  plain('plain check-in', CONNECTIONS, 'check-in json'),
  oneProcess('one process', CONNECTIONS, 'check-in json'),
  { ...echo('fastify, c=256', 'fastify', ['fastify'], '/echo'), concurrency: MANY },
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
    concurrency: CONNECTIONS,
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
  ...inviting('1,000 invitations', 1_000),
  ...mailing(),
  ...waiting(),
  ...atPlannedTimes('open loop', 'share'),
  { ...oneProcess('one process, open loop', CONNECTIONS, 'check-in, open loop'), group: 'open', openLoop: 'share' },
  ...atPlannedTimes('560/s', PEAK_RATE),
  syncedFile('synced file, 560/s', PEAK_RATE, 'check-in, 560/s'),
]

/** Check-ins at planned times: alone, with a webhook, and with live feeds. */
function atPlannedTimes(name: string, openLoop: number | 'share'): BenchCase[] {
  const open = { group: 'open', openLoop } as const
  const baseline = `check-in, ${name}`
  return [
    { ...scan(baseline, 'scanJson'), ...open },
    { ...scan(`with webhook, ${name}`, 'scanJson'), ...withWebhook(), ...open, baseline },
    { ...scan(`with live feeds, ${name}`, 'scanJson'), ...withLiveFeeds(), ...open, baseline },
  ]
}
