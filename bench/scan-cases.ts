import { askForSnapshots, openLiveFeeds, orderBadges, printBadges, sendBatches, sendToWebhook } from './background.ts'
import { type BenchCase, CONNECTIONS, DRIVER, SYSTEM } from './case.ts'
import { newId, SCANNED_GUESTS } from './documents.ts'
import type { Environment } from './environment.ts'
import type { Terms } from './event.ts'
import type { Format, ScanPlan } from './workers/requests.ts'

/* Cases that check guests in. */

/** More scans a second than any machine of today answers, so that a run can't use up its preparation: over many connections, and over one. */
const MAX_SCANS = 20_000
const MAX_ALONE = 2_000
/** Scans of a batch, and of all batches in a second. */
const BATCH = 500
const MAX_BATCHED = 100_000
/** Check-ins a second when 100,000 people arrive within half an hour at each of ten events. */
const PEAK_RATE = 560
/** Guests of an event that a case is repeated at. */
const FEW_GUESTS = 1_000
/** The share of the capacity that a busy system is asked for, and for how long the capacity is measured before. */
const BUSY = 0.7
const CAPACITY_SECONDS = 2
/** Requests at planned times are few. */
const TIMES = 5

const PLAIN = ['plain-gateway', 'plain-service', 'nats', 'redis', 'postgres', 'mongod']

const backgrounds: Record<string, Pick<BenchCase, 'processes'> & Required<Pick<BenchCase, 'background'>>> = {
  webhook: { processes: [...SYSTEM, 'hooks', 'receiver'], background: sendToWebhook },
  'live feeds': { processes: [...SYSTEM, 'hooks', 'watcher'], background: openLiveFeeds },
  snapshots: { processes: SYSTEM, background: askForSnapshots },
  badges: { processes: [...SYSTEM, 'badges'], background: orderBadges },
  'printed badges': { processes: [...SYSTEM, 'badges'], background: printBadges },
  'large batches': { processes: SYSTEM, background: sendBatches },
}

/** All of them, each after the case that it is compared with. */
export const scanCases: BenchCase[] = [
  plain('plain check-in', CONNECTIONS),
  { ...scan('check-in json'), baseline: 'plain check-in' },
  { ...scan('check-in xml', { format: 'xml' }), baseline: 'check-in json' },
  { ...scan('check-in of parties', { terms: 'parties' }), baseline: 'check-in json' },
  { ...scan('check-in with all terms', { terms: 'all' }), baseline: 'check-in json' },
  { ...scan('check-in with all terms, one person', { terms: 'single' }), baseline: 'check-in json' },
  ...['webhook', 'live feeds', 'snapshots', 'badges'].map((name) => {
    return { ...scan(`check-in with ${name}`), ...backgrounds[name], baseline: 'check-in json' }
  }),
  {
    ...scan('check-in with telemetry'),
    baseline: 'check-in json',
    processes: [...SYSTEM, 'receiver'],
    environment: ({ withTelemetry }) => withTelemetry(),
  },
  {
    ...plain('plain check-in, c=1', 1),
    group: 'alone',
    latency: true,
    warmUp: plain('plain check-in', CONNECTIONS),
  },
  { ...alone('check-in, c=1'), baseline: 'plain check-in, c=1' },
  { ...alone(`check-in, c=1, ${FEW_GUESTS} guests`, FEW_GUESTS), baseline: 'check-in, c=1' },
  {
    name: 'insertMany 500',
    group: 'batch',
    processes: DRIVER,
    job: async (_, seconds) => ({ worker: 'driver', kind: 'checkIns', size: BATCH, seconds }),
  },
  { ...batch('batch 500 json', 'json'), baseline: 'insertMany 500' },
  { ...batch('batch 500 xml', 'xml'), baseline: 'batch 500 json' },
  busy('check-in, 70 %'),
  atPeakRate(`check-in, ${PEAK_RATE}/s`),
  ...['webhook', 'live feeds', 'large batches', 'printed badges'].map((name) => {
    return { ...atPeakRate(`with ${name}, ${PEAK_RATE}/s`), ...backgrounds[name], baseline: `check-in, ${PEAK_RATE}/s` }
  }),
]

interface ScanOptions {
  format?: Format
  connections?: number
  rate?: number
  guests?: number
  terms?: Terms
}

/** Single check-ins. */
function scan(
  name: string,
  { format = 'json', connections = CONNECTIONS, rate, guests, terms }: ScanOptions = {},
): BenchCase {
  const most = rate ?? (connections === 1 ? MAX_ALONE : MAX_SCANS)
  return {
    name,
    group: 'single',
    processes: SYSTEM,
    job: async (environment, seconds) => ({
      worker: 'load',
      kind: 'scans',
      url: environment.url,
      path: (await environment.event(guests, terms)).path(`access_controls.${format}`),
      format,
      size: 1,
      connections,
      seconds,
      ...(rate !== undefined && { rate }),
      ...(await planScans(environment, most * seconds, guests, terms)),
    }),
  }
}

/** One device, which sends one scan after another. */
function alone(name: string, guests?: number): BenchCase {
  const warmUp = scan(name, { ...(guests && { guests }) })
  return { ...scan(name, { connections: 1, ...(guests && { guests }) }), group: 'alone', latency: true, warmUp }
}

function atPeakRate(name: string): BenchCase {
  return atRate(name, PEAK_RATE)
}

/** Check-ins at planned times. */
export function atRate(name: string, rate: number): BenchCase {
  return {
    ...scan(name, { connections: 4 * CONNECTIONS, rate }),
    group: 'open',
    latency: true,
    times: TIMES,
  }
}

/** Check-ins at planned times, which take most of the capacity that is measured just before. */
function busy(name: string): BenchCase {
  return {
    ...atRate(name, 0),
    job: async (environment, seconds) => {
      const { run } = await environment.worker('load')
      const { requests, seconds: took } = await run(await scan(name).job(environment, CAPACITY_SECONDS))
      return atRate(name, Math.round((BUSY * requests) / took)).job(environment, seconds)
    },
  }
}

/** The same durable check-in as most would write it: each scan by itself, without checks. */
function plain(name: string, connections: number): BenchCase {
  return {
    ...scan(name),
    processes: PLAIN,
    job: async ({ peers, event }, seconds) => {
      const uids = (await event()).uids.slice(0, SCANNED_GUESTS)
      // Points that do not exist, since nobody looks them up.
      const once = Array.from({ length: pointsFor(MAX_SCANS * seconds, uids) }, newId)
      const plan: ScanPlan = { uids, unlimited: newId(), once }
      const { 'plain-gateway': url = '' } = peers
      return {
        worker: 'load',
        kind: 'scans',
        url,
        path: '/check-ins',
        format: 'json',
        size: 1,
        connections,
        seconds,
        ...plan,
      }
    },
  }
}

function batch(name: string, format: Format): BenchCase {
  return {
    name,
    group: 'batch',
    processes: SYSTEM,
    job: async (environment, seconds) => ({
      worker: 'load',
      kind: 'scans',
      url: environment.url,
      path: (await environment.event()).path(`access_controls/batch_create.${format}`),
      format,
      size: BATCH,
      connections: 2,
      seconds,
      ...(await planScans(environment, MAX_BATCHED * seconds)),
    }),
  }
}

/** Makes check-in points for `count` scans, and gets the guests cached. */
async function planScans({ event }: Environment, count: number, guests?: number, terms?: Terms): Promise<ScanPlan> {
  const { uids: all, unlimited, persons, pointsOnce, cacheGuests } = await event(guests, terms)
  const uids = all.slice(0, SCANNED_GUESTS)
  await cacheGuests(uids)
  const once = await pointsOnce(pointsFor(count, uids))
  return { uids, unlimited, once, ...(persons !== undefined && { persons }) }
}

function pointsFor(count: number, uids: string[]): number {
  return Math.ceil(count / 2 / uids.length)
}
