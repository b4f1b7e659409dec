import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { NATS_SERVERS, type Pair } from '@gatehouse/test/load/nats-cluster.ts'
import { familyOf, sendSignal } from '@gatehouse/test/load/processes.ts'
import type { RealSystem } from '@gatehouse/test/load/system.ts'
import { Redis } from 'ioredis'

const PAUSE_MS = 3_000
const FULL_MS = 3_000
const SLOW_MS = 3_000
/** The delay of each piece on a slow route. */
const ROUTE_DELAY_MS = 150
/** How long Redis may take for a command. */
const COMMAND_MS = 30_000

/** A kind of fault of a system. */
export interface FaultKind<System = RealSystem> {
  what: string
  /** The process that it is injected into. */
  name: string
  /** Whether it ends the process, which must then serve again. */
  kills: boolean
  /** Injects it; resolves at its end, or when the signal is aborted. */
  inject(system: System, signal: AbortSignal): Promise<void>
}

/** Kills and pauses each of these processes. */
export function killsAndPauses(names: readonly string[]): FaultKind[] {
  return names.flatMap((name): FaultKind[] => [
    {
      what: `kill ${name}`,
      name,
      kills: true,
      inject: async (system) => sendSignal(system.pidOf(name), 'SIGKILL'),
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

/** Slows each route between servers of the cluster down: an announcement on it comes later than an answer and a scan that go another way. */
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
export async function withoutRedis<T>(system: RealSystem, during: () => Promise<T>): Promise<T> {
  await killEmpty(system)
  let over = false
  const keeping = (async () => {
    while (!over) {
      // The supervisor restarts it each time.
      sendSignal(system.pidOf('redis'), 'SIGKILL')
      await sleep(20)
    }
    sendSignal(system.pidOf('redis'), 'SIGKILL')
  })()
  try {
    return await during()
  } finally {
    over = true
    await keeping
  }
}

/** Pauses a process and its children for a while. */
async function pause(system: RealSystem, name: string, over: AbortSignal): Promise<void> {
  const pid = system.pidOf(name)
  if (pid === undefined) return
  const family = familyOf(pid)
  for (const each of family) sendSignal(each, 'SIGSTOP')
  try {
    await sleep(PAUSE_MS, undefined, { signal: over })
  } finally {
    for (const each of family) sendSignal(each, 'SIGCONT')
  }
}

async function killEmpty(system: RealSystem): Promise<void> {
  const pid = system.pidOf('redis')
  // Paused first: it is restarted right after its end, and must not find its data then.
  sendSignal(pid, 'SIGSTOP')
  const folder = join(system.dataDir, 'redis')
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true })
  sendSignal(pid, 'SIGKILL')
}

async function fillRedis(system: RealSystem, over: AbortSignal): Promise<void> {
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
