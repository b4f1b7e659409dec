import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { NATS_SERVERS, type Pair } from './cluster/nats-cluster.ts'
import type { DrillSystem } from './system.ts'

const PAUSE_MS = 3_000
const FULL_MS = 3_000
const SLOW_MS = 3_000
/** The delay of each piece on a slow route. */
const ROUTE_DELAY_MS = 150
/** How long Redis may take for a command. */
const COMMAND_MS = 30_000

/** A kind of fault. */
export interface FaultKind {
  what: string
  /** The process that it is injected into. */
  name: string
  /** Whether it ends the process, which must then serve again. */
  kills: boolean
  /** Injects it; resolves at its end, or when the signal is aborted. */
  inject(system: DrillSystem, signal: AbortSignal): Promise<void>
}

/** Kills and pauses each of these processes. */
export function killsAndPauses(names: readonly string[]): FaultKind[] {
  return names.flatMap((name): FaultKind[] => [
    {
      what: `kill ${name}`,
      name,
      kills: true,
      inject: async (system) => signal(system.pidOf(name), 'SIGKILL'),
    },
    { what: `pause ${name}`, name, kills: false, inject: (system, over) => pause(system, name, over) },
  ])
}

export const emptying: FaultKind = {
  what: 'kill redis and delete its data',
  name: 'redis',
  kills: true,
  inject: killEmpty,
}
export const filling: FaultKind = { what: 'fill the memory of redis', name: 'redis', kills: false, inject: fillRedis }

/** Slows each route between servers of the cluster down: an announcement on it comes later than an answer and a scan which go another way. */
export function slowRoutes(): FaultKind[] {
  return NATS_SERVERS.map((name, nth): FaultKind => {
    const pair: Pair = [name, NATS_SERVERS[(nth + 1) % NATS_SERVERS.length] as string]
    return {
      what: `slow the route between ${pair.join(' and ')}`,
      name,
      kills: false,
      inject: async ({ cluster }, over) => {
        cluster?.slow(pair, ROUTE_DELAY_MS)
        try {
          await sleep(SLOW_MS, undefined, { signal: over })
        } finally {
          cluster?.slow(pair, 0)
        }
      },
    }
  })
}

/** Keeps Redis down and empty during some work. */
export async function withoutRedis<T>(system: DrillSystem, during: () => Promise<T>): Promise<T> {
  await killEmpty(system)
  let over = false
  const keeping = (async () => {
    while (!over) {
      // The supervisor restarts it each time.
      signal(system.pidOf('redis'), 'SIGKILL')
      await sleep(20)
    }
    signal(system.pidOf('redis'), 'SIGKILL')
  })()
  try {
    return await during()
  } finally {
    over = true
    await keeping
  }
}

function signal(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Pauses a process and its children (PostgreSQL's sessions) for a while. */
async function pause(system: DrillSystem, name: string, over: AbortSignal): Promise<void> {
  const pid = system.pidOf(name)
  if (pid === undefined) return
  const family = [pid, ...(await childrenOf(pid))]
  for (const each of family) signal(each, 'SIGSTOP')
  try {
    await sleep(PAUSE_MS, undefined, { signal: over })
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

async function killEmpty(system: DrillSystem): Promise<void> {
  const pid = system.pidOf('redis')
  // Paused first: it is restarted right after its end, and must not find its data then.
  signal(pid, 'SIGSTOP')
  const folder = join(system.dataDir, 'redis')
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true })
  signal(pid, 'SIGKILL')
}

async function fillRedis(system: DrillSystem, over: AbortSignal): Promise<void> {
  const redis = new Redis(system.redisUrl, { maxRetriesPerRequest: 1, commandTimeout: COMMAND_MS })
  redis.on('error', () => {})
  try {
    await redis.config('SET', 'maxmemory', '1')
    await sleep(FULL_MS, undefined, { signal: over })
  } finally {
    await redis.config('SET', 'maxmemory', '0').catch(() => {})
    redis.disconnect()
  }
}
