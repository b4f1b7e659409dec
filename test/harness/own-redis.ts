import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { findServer } from '@gatehouse/local/packages'
import { Redis } from 'ioredis'
import { freePort } from './free-port.ts'

/** A Redis that a test may kill. It keeps nothing: each start is empty. */
export interface OwnRedis {
  url: string
  /** Resolves when it answers. */
  start(): Promise<void>
  /** kill -9. */
  kill(): Promise<void>
}

/** redis-server: that of this machine, or that of the local stack. Undefined where there is none. */
export const redisServer: string | undefined = findServer('redis')

/** A Redis on a port of its own, not started yet. */
export async function ownRedis(): Promise<OwnRedis> {
  const port = await freePort()
  const settings = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no', '--dir', '/tmp']
  let child: ReturnType<typeof spawn> | undefined
  return {
    url: `redis://127.0.0.1:${port}`,
    start: async () => {
      child = spawn(redisServer ?? '', settings, { stdio: 'ignore' })
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
