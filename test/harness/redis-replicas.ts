import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { reservePort } from '@gatehouse/local/ports'
import { Redis } from 'ioredis'
import { redisServer, untilAnswering } from './own-redis.ts'

/** A Redis with two replicas, and three sentinels that let one of them take over. */
export interface RedisReplicas {
  /** For REDIS_URL: the sentinels. */
  url: string
  /** Kills the master (SIGKILL); it does not come back. */
  killMaster(): Promise<void>
  /** Stops the master for `ms` and lets it go on (SIGSTOP, SIGCONT): it does not know then that it is not the master any more. */
  pauseMaster(ms: number): Promise<void>
  /** The port of the master, as the sentinels see it. */
  masterPort(): Promise<number>
  stop(): Promise<void>
}

const MASTER = 'door'
const REPLICAS = 2
const SENTINELS = 3
/** After this long without an answer a master counts as down: longer than a busy machine keeps one waiting. */
const DOWN_AFTER_MS = 2_000

/** Starts Redis, its replicas and the sentinels on free ports. */
export async function startRedisReplicas(): Promise<RedisReplicas> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-redis-'))
  const children = new Map<number, ChildProcess>()
  const run = async (port: number, args: string[]): Promise<void> => {
    const own = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder]
    children.set(port, spawn(redisServer ?? '', [...args, ...own], { stdio: 'ignore' }))
    await untilAnswering(port)
  }
  // A master that has lost its replicas takes no writes: it may have been replaced.
  const safe = ['--min-replicas-to-write', '1', '--min-replicas-max-lag', '2']
  const first = await reservePort()
  await run(first, ['--save', '', ...safe])
  for (let n = 0; n < REPLICAS; n++)
    await run(await reservePort(), ['--save', '', ...safe, '--replicaof', `127.0.0.1 ${first}`])
  const sentinels: number[] = []
  for (let n = 0; n < SENTINELS; n++) {
    const port = await reservePort()
    const configuration = join(folder, `sentinel-${n}.conf`)
    const settings = {
      monitor: `${MASTER} 127.0.0.1 ${first} 2`,
      'down-after-milliseconds': `${MASTER} ${DOWN_AFTER_MS}`,
      'failover-timeout': `${MASTER} 3000`,
    }
    await writeFile(
      configuration,
      Object.entries(settings)
        .map(([key, value]) => `sentinel ${key} ${value}\n`)
        .join(''),
    )
    await run(port, [configuration, '--sentinel'])
    sentinels.push(port)
  }
  const sentinel = new Redis(sentinels[0] as number, '127.0.0.1')
  sentinel.on('error', () => {})
  const masterPort = async (): Promise<number> => {
    const [, port] = (await sentinel.call('SENTINEL', 'get-master-addr-by-name', MASTER)) as [string, string]
    return Number(port)
  }
  const untilFound = async (): Promise<void> => {
    for (;;) {
      const flags = (await sentinel.call('SENTINEL', 'master', MASTER)) as string[]
      const of = (name: string): string | undefined => flags[flags.indexOf(name) + 1]
      if (of('num-slaves') === String(REPLICAS) && of('num-other-sentinels') === String(SENTINELS - 1)) return
      await sleep(50)
    }
  }
  await untilFound()
  return {
    url: `redis+sentinel://${sentinels.map((port) => `127.0.0.1:${port}`).join(',')}/${MASTER}`,
    masterPort,
    killMaster: async () => {
      const master = children.get(await masterPort())
      if (!master) return
      const ended = once(master, 'exit')
      master.kill('SIGKILL')
      await ended
    },
    pauseMaster: async (ms) => {
      const master = children.get(await masterPort())
      master?.kill('SIGSTOP')
      await sleep(ms)
      master?.kill('SIGCONT')
    },
    stop: async () => {
      sentinel.disconnect()
      for (const child of children.values()) child.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
