import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '@gatehouse/cli/demo/random.ts'
import { Redis } from 'ioredis'
import type { Client } from './client.ts'
import type { Crew } from './crew.ts'
import { now, type Place, type Record } from './record.ts'
import { send } from './scanning.ts'

const KILLED = [
  'sso',
  'guests',
  'checkin-1',
  'checkin-2',
  'gateway-1',
  'gateway-2',
  'redis',
  'nats',
  'postgres',
  'mongod',
]
const PAUSE_MS = 3_000
const FULL_MS = 3_000
/** After a harm each gateway must let somebody in again within this time. */
const RECOVERY_MS = 10_000
const PROBE_MS = 100

/** Does one harm after another, in an order that hangs on the seed, until `stop`; waits each time until all serve again. */
export async function doHarm(
  crew: Crew,
  client: Client,
  record: Record,
  chance: Random,
  probe: Place,
  say: (line: string) => void,
  stop: AbortSignal,
): Promise<void> {
  const harms: { what: string; name: string; harm: () => Promise<void> }[] = [
    // Twice: kills are short, and what they cut through differs each time.
    ...[...KILLED, ...KILLED].map((name) => ({ what: `kill ${name}`, name, harm: async () => kill(crew, name) })),
    ...KILLED.map((name) => ({ what: `pause ${name}`, name, harm: () => pause(crew, name) })),
    { what: 'kill redis and delete its data', name: 'redis', harm: () => killEmpty(crew) },
    { what: 'fill the memory of redis', name: 'none', harm: () => fillRedis(crew) },
    { what: 'keep redis down', name: 'redis', harm: () => keepDown(crew, 'redis') },
  ]
  while (!stop.aborted) {
    for (const { what, name, harm } of chance.shuffled(harms)) {
      if (stop.aborted) return
      const before = crew.servedOf(name)
      const killed = !what.startsWith('pause') && name !== 'none'
      const from = now()
      await harm()
      const to = now()
      const back = await recovery(crew, client, record, probe, killed ? { name, before } : undefined)
      record.harms.push({ what, from, to })
      const rate = ratePerSecond(record, from, back ?? to)
      say(
        `${seconds(from)} ${what}: ${back ? `serves after ${Math.round(back - to)} ms` : 'DOES NOT SERVE'}, ${rate} answers/s`,
      )
      if (!back)
        record.violation('does not serve within 10 s', [
          `${what} at ${Math.round(from)} ms, over at ${Math.round(to)} ms`,
        ])
      if (/redis/.test(what) && to - from > 1_000 && rate < 1)
        record.violation('the door stands still without Redis', [`${what} at ${Math.round(from)} ms`])
      await sleep(300 + chance.below(900), undefined, { signal: stop }).catch(() => {})
    }
  }
}

/** Requests that succeeded in each second between two moments. */
function ratePerSecond({ successes }: Record, from: number, to: number): number {
  return Math.round(successes.filter((at) => at >= from && at <= to).length / ((to - from) / 1000))
}

/** When the killed process serves again and each gateway lets somebody in; undefined when that takes too long. */
async function recovery(
  crew: Crew,
  client: Client,
  record: Record,
  probe: Place,
  killed: { name: string; before: number } | undefined,
): Promise<number | undefined> {
  const until = now() + RECOVERY_MS
  const open = new Set(crew.gateways.keys())
  const probes: Promise<void>[] = []
  let back = false
  while (!back && now() < until) {
    // None waits for another: the first may hang until its deadline.
    for (const gateway of open)
      probes.push(
        send(client, record.scan(probe, 'single'), undefined, gateway).then((answered) => {
          if (answered) open.delete(gateway)
        }),
      )
    await sleep(PROBE_MS)
    back = open.size === 0 && (!killed || crew.servedOf(killed.name) > killed.before)
  }
  const at = now()
  await Promise.all(probes)
  return back ? at : undefined
}

function signal(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function kill(crew: Crew, name: string): void {
  signal(crew.pidOf(name), 'SIGKILL')
}

/** Stops a process and its children (PostgreSQL's sessions) for a while. */
async function pause(crew: Crew, name: string): Promise<void> {
  const pid = crew.pidOf(name)
  if (pid === undefined) return
  const family = [pid, ...(await childrenOf(pid))]
  for (const each of family) signal(each, 'SIGSTOP')
  try {
    await sleep(PAUSE_MS)
  } finally {
    for (const each of family) signal(each, 'SIGCONT')
  }
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter(Boolean)
  const parents = await Promise.all(
    pids.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1])
    }),
  )
  return pids.filter((_, n) => parents[n] === parent)
}

async function killEmpty(crew: Crew): Promise<void> {
  const pid = crew.pidOf('redis')
  // Stopped first: it is started again right after its end, and must not find its data then.
  signal(pid, 'SIGSTOP')
  const folder = join(crew.dataDir, 'redis')
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true })
  signal(pid, 'SIGKILL')
}

async function keepDown(crew: Crew, name: string): Promise<void> {
  const until = now() + PAUSE_MS
  while (now() < until) {
    kill(crew, name)
    await sleep(20)
  }
}

async function fillRedis(crew: Crew): Promise<void> {
  const redis = new Redis(crew.redisUrl, { maxRetriesPerRequest: 1 })
  redis.on('error', () => {})
  try {
    await redis.config('SET', 'maxmemory', '1')
    await sleep(FULL_MS)
  } finally {
    await redis.config('SET', 'maxmemory', '0').catch(() => {})
    redis.disconnect()
  }
}

function seconds(at: number): string {
  return `${(at / 1000).toFixed(1).padStart(6)} s`
}
