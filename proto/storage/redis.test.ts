// @module-tag slow
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { redisServer } from '@gatehouse/test/harness/own-redis.ts'
import { startRedisReplicas } from '@gatehouse/test/harness/redis-replicas.ts'
import type { Redis } from 'ioredis'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeLog } from '../process/log.ts'
import { closeRedis, connectFor, redisWith } from './redis.ts'

const open = (url: string) => redisWith(url, {}, makeLog('', 'silent'))

test('sentinels and the name of their master are read from an address, with credentials of Redis and of the sentinels', () => {
  const url = 'rediss+sentinel://door:p%40ss@one:5000,two/gate?sentinel_password=other'
  expect(open(url).options).toMatchObject({
    name: 'gate',
    sentinels: [
      { host: 'one', port: 5_000 },
      { host: 'two', port: 26_379 },
    ],
    username: 'door',
    password: 'p@ss',
    sentinelPassword: 'other',
    tls: {},
    sentinelTLS: {},
  })
})

test('the servers of a cluster are read from an address', () => {
  const { options } = open('redis+cluster://:secret@one:7000,two')
  expect(options).toMatchObject({ redisOptions: { password: 'secret' } })
})

test.each([
  ['http://:secret@host', 'REDIS_URL is not an address'],
  ['redis+sentinel://:secret@host', 'REDIS_URL lacks the name of the master'],
  ['redis+sentinel://', 'REDIS_URL is not an address'],
  ['redis+other://:secret@host', 'REDIS_URL is not an address'],
])('%s is refused in one sentence, which has no credentials', (url, reason) => {
  expect(() => open(url)).toThrow(`Configuration: ${reason}`)
  expect(() => open(url)).not.toThrow('secret')
})

// Takes some seconds: it starts a Redis with replicas and sentinels.
test.skipIf(!redisServer)(
  'a connection comes back when the master changes while it is made, until it is closed',
  async () => {
    const replicas = await startRedisReplicas()
    onTestFinished(() => replicas.stop())
    const redis = open(replicas.url) as Redis
    const ends: string[] = []
    redis.on('end', () => ends.push(redis.status))
    // As ioredis does when a sentinel names another master.
    const change = (): void => (redis as unknown as { connector: { disconnect(): void } }).connector.disconnect()
    const connecting = connectFor(redis)
    change()
    await connecting
    await expect.poll(() => ends).toEqual(['end'])
    await expect.poll(() => redis.status).toBe('ready')
    closeRedis(redis)
    await expect.poll(() => ends).toEqual(['end', 'end'])
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(redis.status).toBe('end')
  },
)

// Takes some seconds: it starts a Redis with replicas and sentinels.
test.skipIf(!redisServer)('a sentinel that is away is not written to the console: the log is JSON', async () => {
  const written = vi.spyOn(console, 'error').mockImplementation(() => {})
  const replicas = await startRedisReplicas()
  let attempts = 0
  const away = createServer((socket) => {
    attempts++
    socket.resetAndDestroy()
  }).listen(0, '127.0.0.1')
  await once(away, 'listening')
  const { port } = away.address() as AddressInfo
  const redis = open(replicas.url.replace(/\/(?=[^/]+$)/, `,127.0.0.1:${port}/`)) as Redis
  onTestFinished(async () => {
    closeRedis(redis)
    away.close()
    await replicas.stop()
    written.mockRestore()
  })
  await connectFor(redis)
  await expect.poll(() => attempts).toBeGreaterThan(1)
  expect(redis.status).toBe('ready')
  expect(written).not.toHaveBeenCalled()
})
