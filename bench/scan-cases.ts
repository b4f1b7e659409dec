import { ObjectId } from 'mongodb'
import { beginBadges, beginLiveFeeds, beginSnapshots, beginWebhooks } from './background.ts'
import { type BenchCase, CONNECTIONS, SYSTEM } from './case.ts'
import { KNOWN } from './documents.ts'
import type { Job } from './requests.ts'
import type { BenchWorld } from './world.ts'

/* Makers of cases that check guests in, and of background work for them. */

/** More scans a second than any machine of today answers, so that a run cannot use up its preparation. */
const MAX_SCANS = 20_000
/** Likewise, over one connection. */
const MAX_ALONE = 2_000
/** Badges a second, likewise. */
const MAX_BADGES = 30
/** Live feeds at once. */
const FEEDS = 10
/** Devices that keep snapshots. */
const DEVICES = 10

/** While a webhook receives each check-in. */
export function withWebhook(): Pick<BenchCase, 'processes' | 'background'> {
  return {
    processes: [...SYSTEM, 'hooks', 'receiver'],
    background: (world, { receiver = '' }) => beginWebhooks(world, receiver),
  }
}

/** While live feeds show each check-in, and statistics every second. */
export function withLiveFeeds(): Pick<BenchCase, 'processes' | 'background'> {
  return {
    processes: [...SYSTEM, 'hooks', 'watcher'],
    background: (world, { watcher = '' }) => beginLiveFeeds(world, watcher, FEEDS),
  }
}

/** While devices ask for what has changed since their snapshots. */
export function withSnapshots(): Pick<BenchCase, 'background'> {
  return { background: (world) => beginSnapshots(world, DEVICES) }
}

/** While more badges are due than can be made during the run. */
export function withBadges(): Pick<BenchCase, 'processes' | 'background'> {
  return {
    processes: [...SYSTEM, 'badges'],
    background: (world, _peers, { seconds }) => beginBadges(world, MAX_BADGES * seconds),
  }
}

/** Single check-ins, as JSON or XML. */
export function scan(name: string, kind: 'scanJson' | 'scanXml', concurrency = CONNECTIONS): BenchCase {
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
export function oneProcess(name: string, concurrency: number, baseline: string): BenchCase {
  return scanOfPeer(name, 'one-process', ['one-process'], concurrency, baseline)
}

/** The same durable check-in as most would write it: each scan by itself, without checks. */
export function plain(name: string, concurrency: number, baseline: string): BenchCase {
  return scanOfPeer(name, 'plain-gateway', ['plain-gateway', 'plain-service', 'nats'], concurrency, baseline)
}

function scanOfPeer(name: string, peer: string, own: string[], concurrency: number, baseline: string): BenchCase {
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

/** Requests at planned times that are only written to a file: the delay of the disk alone. */
export function syncedFile(name: string, openLoop: number, baseline: string): BenchCase {
  return {
    name,
    group: 'open',
    baseline,
    processes: ['synced-file'],
    concurrency: CONNECTIONS,
    openLoop,
    load: async (_world, { 'synced-file': url = '' }, { rate }) => ({
      kind: 'echo',
      url,
      path: '/check-ins',
      ...(rate !== undefined && { rate }),
    }),
  }
}

export function batch(name: string, kind: 'batchJson' | 'batchXml'): BenchCase {
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
async function scans(world: BenchWorld, count: number): Promise<Pick<Job, 'once' | 'always' | 'uids'>> {
  const uids = world.uids.slice(0, KNOWN)
  await world.greet(uids)
  return { uids, always: world.always, once: await world.pointsOnce(pointsFor(count, uids)) }
}

/** Ids of points that do not exist: the peers do not look them up. */
function madeUpPoints(uids: string[], count: number): Pick<Job, 'once' | 'always' | 'uids'> {
  const [always, ...once] = Array.from({ length: pointsFor(count, uids) + 1 }, () => new ObjectId().toHexString())
  return { uids, always: always as string, once }
}

function pointsFor(count: number, uids: string[]): number {
  return Math.ceil(count / 2 / uids.length)
}
