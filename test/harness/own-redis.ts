import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { findServer } from '@gatehouse/local/packages'
import { reservePort } from '@gatehouse/local/ports'
import { Redis } from 'ioredis'

/** A Redis that a test may kill. It stores nothing on disk: it is empty after each start. */
export interface OwnRedis {
  url: string
  /** Starts the server; resolves when it answers. */
  start(): Promise<void>
  /** Kills the server (SIGKILL) and waits for its end. */
  kill(): Promise<void>
}

/** The path of redis-server, of this machine or of the local stack; undefined if there is none. */
export const redisServer: string | undefined = findServer('redis')

/** Resolves when a Redis of this machine answers; rejects once it does not for ten seconds. */
export async function untilAnswering(port: number): Promise<void> {
  const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 20, maxRetriesPerRequest: 500 })
  client.on('error', () => {})
  await client.ping()
  client.disconnect()
}

/** Prepares a Redis on a free port, without starting it. `more` are further settings. */
export async function ownRedis(more: string[] = []): Promise<OwnRedis> {
  const port = await reservePort()
  const own = { bind: '127.0.0.1', port: String(port), save: '', appendonly: 'no', dir: '/tmp' }
  const settings = [...more, ...Object.entries(own).flatMap(([name, value]) => [`--${name}`, value])]
  let child: ChildProcess | undefined
  return {
    url: `redis://127.0.0.1:${port}`,
    start: async () => {
      const server = spawn(redisServer ?? '', settings, { stdio: ['ignore', 'pipe', 'ignore'] })
      child = server
      const said = text(server.stdout)
      const ended = once(server, 'exit').then(async () => {
        throw new Error(`Redis ended before it answered: ${await said}`)
      })
      await Promise.race([untilAnswering(port), ended])
    },
    kill: async () => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
