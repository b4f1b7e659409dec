import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reservePort } from '@gatehouse/local/ports'
import { Redis } from 'ioredis'
import { expect } from 'vitest'
import { type OwnRedis, ownRedis } from './own-redis.ts'

/** A cluster of Redis servers, each of which has a third of the keys. */
export interface RedisCluster {
  /** For REDIS_URL: one of the servers, which names the others. */
  url: string
  servers: OwnRedis[]
  /** A connection to each server. */
  nodes: Redis[]
  stop(): Promise<void>
}

const SLOTS = 16_384
const SERVERS = 3

/** Starts the servers on free ports, and resolves when each of them knows who has which keys. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-cluster-'))
  const servers = await Promise.all(
    Array.from({ length: SERVERS }, async (_, n) => {
      // Otherwise the port among servers is 10,000 above the other, where an outgoing connection may be.
      const busPort = await reservePort()
      const own = { enabled: 'yes', port: busPort, 'announce-ip': '127.0.0.1', 'config-file': join(folder, String(n)) }
      const redis = await ownRedis(Object.entries(own).flatMap(([name, value]) => [`--cluster-${name}`, String(value)]))
      await redis.start()
      const node = new Redis(redis.url, { retryStrategy: () => 20 }).on('error', () => {})
      return { redis, busPort, node }
    }),
  )
  const [first] = servers.map(({ node }) => node) as [Redis]
  for (const [n, { node, redis, busPort }] of servers.entries()) {
    const [from, until] = [n, n + 1].map((part) => Math.floor((SLOTS * part) / SERVERS)) as [number, number]
    await node.call('CLUSTER', 'ADDSLOTSRANGE', String(from), String(until - 1))
    if (node !== first) await first.call('CLUSTER', 'MEET', '127.0.0.1', new URL(redis.url).port, String(busPort))
  }
  for (const { node } of servers)
    await expect
      .poll(() => node.call('CLUSTER', 'INFO'))
      .toMatch(new RegExp(`cluster_state:ok[^]*cluster_known_nodes:${SERVERS}`))
  return {
    url: servers[0]?.redis.url.replace('redis:', 'redis+cluster:') ?? '',
    servers: servers.map(({ redis }) => redis),
    nodes: servers.map(({ node }) => node),
    stop: async () => {
      for (const { node } of servers) node.disconnect()
      await Promise.all(servers.map(({ redis }) => redis.kill()))
      await rm(folder, { recursive: true, force: true })
    },
  }
}
