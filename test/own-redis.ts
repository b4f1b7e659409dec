import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { cacheFolder } from '@gatehouse/local/rootfs'
import { Redis } from 'ioredis'

/** A Redis that a test may kill. It keeps nothing: each start is empty. */
export interface OwnRedis {
  url: string
  /** Resolves when it answers. */
  start(): Promise<void>
  /** kill -9. */
  kill(): Promise<void>
}

/** How to run redis-server: the one of this machine, or that of the local stack. Undefined where there is none. */
export const redisServer: string[] | undefined = findServer()

function findServer(): string[] | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const own = folders.map((folder) => join(folder, 'redis-server')).find((path) => existsSync(path))
  if (own) return [own]
  const rootfses = existsSync(cacheFolder()) ? readdirSync(cacheFolder()) : []
  const rootfs = rootfses.find((name) => existsSync(join(cacheFolder(), name, 'usr/bin/redis-server')))
  return rootfs && process.getuid?.() === 0
    ? ['chroot', join(cacheFolder(), rootfs), '/usr/bin/redis-server']
    : undefined
}

/** A Redis on a port of its own, not started yet. */
export async function ownRedis(): Promise<OwnRedis> {
  const port = await freePort()
  const settings = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no', '--dir', '/tmp']
  let child: ReturnType<typeof spawn> | undefined
  return {
    url: `redis://127.0.0.1:${port}`,
    start: async () => {
      const [command = '', ...args] = redisServer ?? []
      child = spawn(command, [...args, ...settings], { stdio: 'ignore' })
      const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 20, maxRetriesPerRequest: 500 })
      client.on('error', () => {})
      await client.ping()
      client.disconnect()
    },
    kill: async () => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Below the range that connections and servers without a port of their own get theirs from, and above what `fetch` refuses. */
const LOWEST = 10_100
/** Each test file that runs at the same time has some of its own. */
const EACH = 1_700
const worker = Number(process.env.VITEST_POOL_ID ?? 0) % 4

/** A port of the loopback interface that nobody listens on, nor will before the test does. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + worker * EACH + randomInt(EACH)
    const server = createServer()
    try {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
      return port
    } catch {
      // Taken: another one.
    } finally {
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    }
  }
}
