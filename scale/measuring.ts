import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BackgroundLoad, openLiveFeeds, sendToWebhook } from '@gatehouse/bench/background.ts'
import { SYSTEM } from '@gatehouse/bench/case.ts'
import { SCANNED_GUESTS } from '@gatehouse/bench/documents.ts'
import type { Environment } from '@gatehouse/bench/environment.ts'
import { measure } from '@gatehouse/bench/measure.ts'
import { provenanceOf } from '@gatehouse/bench/provenance.ts'
import { openConnection } from '@gatehouse/bench/workers/connection.ts'
import { cpuOf } from '@gatehouse/test/load/processes.ts'
import { Redis } from 'ioredis'
import { COSTS_FILE, type Cost, type Costs, type Kind, readCosts } from './costs.ts'
import { type Use, withShare } from './fitting.ts'
import { byKind, caseOf, costsOf, GUESTS, type MeasuredScans, rounded, useOf } from './running.ts'

/* `npm run scale -- --measure`: writes costs.json. */

/** Processes that a measurement needs beside those of check-ins. */
export const FURTHER = ['mail', 'partners', 'hooks', 'smtp-sink', 'receiver', 'watcher']
const SECONDS = 4
/** Those that are sent to a webhook take longer to deliver than to store. */
const BACKGROUND_SECONDS = 2
/** Until all processes know of it. */
const BEGUN_MS = 1_000
/** Feeds of the bench. */
const FEEDS = 10

/** Measures the costs of all operations, after those of check-ins, and writes them. */
export async function measureCosts(
  environment: Environment,
  scans: MeasuredScans,
  say: (line: string) => void,
): Promise<Costs> {
  const before = readCosts()
  const { idle } = scans
  const { load: _, ...scan } = scans.costs
  const crowded = useOf(scans.crowded, idle)
  say('measuring first check-ins')
  const redisBefore = await redisBytes(environment)
  const { used, requests } = await measureLookups(environment, scans)
  const redisAfter = await redisBytes(environment)
  say('measuring webhooks and live feeds')
  const webhook = await measureBackground(environment, sendToWebhook, scans, crowded)
  const feed = await measureBackground(environment, openLiveFeeds, scans, crowded)
  say('measuring lists')
  const page = useOf(await measure(caseOf('guests page 1'), environment, SECONDS), idle)
  say('measuring e-mails')
  const mail = useOf(await measure(caseOf('e-mails of 8 partners'), environment, SECONDS), idle)
  const { path } = await environment.event()
  const costs: Costs = {
    source: provenanceOf('scale'),
    operations: {
      scan: rounded(scan),
      lookup: rounded(used),
      page: eachOf(page, ['gateway', 'nats', 'guests', 'database']),
      mail: eachOf(mail, ['mail', 'partners', 'nats', 'database']),
      webhook: eachOf(webhook, ['checkin', 'nats', 'hooks', 'database']),
      feed: eachOf({ ...feed, gateway: (feed.gateway ?? 0) / FEEDS }, ['hooks', 'nats', 'gateway']),
    },
    idle: rounded(ofSystem(idle)),
    bytes: { ...before.bytes, page: await bytesOf(environment.url, path('guests.json?per_page=500')) },
    redisBytes: Math.max(1, Math.round((redisAfter - redisBefore) / requests)),
  }
  await writeFile(COSTS_FILE, `${JSON.stringify(costs, null, 2)}\n`)
  say('written to scale/costs.json')
  return costs
}

/** What is used for operations that share no turns. */
function eachOf(use: Use, kinds: Kind[]): Partial<Record<Kind, Cost>> {
  return rounded(Object.fromEntries(kinds.map((kind) => [kind, { turn: 0, each: use[kind] ?? 0 }])))
}

function ofSystem({ load: _, ...use }: Use): Costs['idle'] {
  return use
}

/** Half of these check-ins are of guests whom checkin does not know; what they cost more is the price of asking. */
async function measureLookups(
  environment: Environment,
  scans: MeasuredScans,
): Promise<{ used: Partial<Record<Kind, Cost>>; requests: number }> {
  const { uids: all, path, pointsOnce, unlimited } = await environment.event()
  const once = await pointsOnce(2)
  const sample = (connections: number, uids: string[]) =>
    measure(
      {
        name: 'first check-ins',
        group: 'single',
        processes: SYSTEM,
        job: async ({ url }, seconds) => ({
          worker: 'load',
          kind: 'scans',
          url,
          path: path('access_controls.json'),
          format: 'json',
          size: 1,
          connections,
          seconds,
          once,
          unlimited,
          uids,
        }),
      },
      environment,
      SECONDS,
    )
  const aloneUids = 5_000
  const many = await sample(64, all.slice(SCANNED_GUESTS, GUESTS - aloneUids))
  const one = await sample(1, all.slice(GUESTS - aloneUids))
  const more = (use: Use, than: Use): Use =>
    Object.fromEntries(
      (['nats', 'guests', 'database'] as const).map((kind) => [
        kind,
        2 * Math.max(0, (use[kind] ?? 0) - (than[kind] ?? 0)),
      ]),
    )
  const { idle, alone, crowded, share } = scans
  const used = costsOf(more(useOf(one, idle), useOf(alone, idle)), more(useOf(many, idle), useOf(crowded, idle)))
  return { used: withShare(used, share), requests: Math.round(many.rate * SECONDS + one.rate * SECONDS) }
}

/** What a check-in costs more while something is done with each: until all is done. */
async function measureBackground(
  environment: Environment,
  begin: (environment: Environment) => Promise<BackgroundLoad>,
  { idle }: MeasuredScans,
  scan: Use,
): Promise<Use> {
  const { job, processes } = caseOf('check-in json')
  const planned = await job(environment, BACKGROUND_SECONDS)
  const worker = await environment.worker(planned.worker)
  const end = await begin(environment)
  await sleep(BEGUN_MS)
  const pids = environment.pidsOf([...processes, 'hooks'])
  const before = cpuOf(pids)
  const begun = performance.now()
  const { requests } = await worker.run(planned)
  await end(requests)
  const seconds = (performance.now() - begun) / 1_000
  const after = cpuOf(pids)
  const used = byKind(Object.fromEntries(Object.keys(pids).map((name) => [name, after[name]! - before[name]!])))
  const more = (kind: Kind): number =>
    Math.max(0, ((used[kind]! - (idle[kind] ?? 0) * seconds) / requests) * 1_000 - (scan[kind] ?? 0))
  return Object.fromEntries(Object.keys(used).map((kind) => [kind, kind === 'load' ? 0 : more(kind as Kind)]))
}

async function redisBytes({ system }: Environment): Promise<number> {
  const redis = new Redis(system.redisUrl)
  const info = await redis.info('memory')
  redis.disconnect()
  return Number(/used_memory:(\d+)/.exec(info)?.[1])
}

/** Bytes of a request and its answer. */
async function bytesOf(url: string, path: string): Promise<number> {
  const { socket, ask } = await openConnection(url)
  await ask(Buffer.from(`GET ${path} HTTP/1.1\r\nHost: scale\r\n\r\n`))
  const bytes = socket.bytesRead + socket.bytesWritten
  socket.destroy()
  return bytes
}
