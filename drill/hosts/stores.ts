import { join } from 'node:path'
import { findServer } from '@gatehouse/local/packages'
import { ownFolder, writePrivate } from '@gatehouse/local/private-files'
import type { Supervision } from '@gatehouse/local/supervise'
import { clusterConfiguration } from '@gatehouse/test/load/nats-cluster.ts'
import { NAMESPACE } from '@gatehouse/test/load/system.ts'
import { natsUsersOf } from '../../services/bus-users.ts'
import { backAddressOf } from './addresses.ts'
import { HOSTS } from './placing.ts'

/* What each host has besides Gatehouse: a server of NATS, a Redis, and a sentinel. Configured as docs/operations.md says. */

const [NATS, ROUTES, REDIS, SENTINEL] = [4_222, 6_222, 6_379, 26_379]
/** What sentinels call the Redis that takes changes. */
const MASTER = 'door'
const PASSWORD = 'drill'
/** After this long without an answer a Redis counts as down. */
const DOWN_AFTER_MS = 3_000
const FAILOVER_MS = 6_000

/** The URL of NATS for a user on a host: its own server, which tells the others. */
export function natsUrlOn(host: number, user: string): string {
  return `nats://${user}:${PASSWORD}@${backAddressOf(host)}:${NATS}`
}

/** The URL of Redis, by its sentinels. */
export const REDIS_URL = `redis+sentinel://${HOSTS.map((host) => `${backAddressOf(host)}:${SENTINEL}`).join(',')}/${MASTER}`

/** Writes the configurations of a host's stores once, since Redis and its sentinels change their own; returns how to run them. */
export async function storesOn(host: number, dataDir: string): Promise<Supervision[]> {
  const [nats, redis] = [findServer('nats') ?? '', findServer('redis') ?? '']
  const address = backAddressOf(host)
  const folder = join(dataDir, `host-${host}`)
  for (const each of ['nats', 'redis', 'sentinel']) await ownFolder(join(folder, each))
  const file = async (name: string, text: string): Promise<string> => {
    const path = join(folder, name)
    await writePrivate(path, text)
    return path
  }
  const configuration = clusterConfiguration({
    name: `nats-${host}`,
    listen: `${address}:${NATS}`,
    cluster: {
      listen: `${address}:${ROUTES}`,
      hosts: HOSTS.filter((other) => other !== host).map((other) => `${backAddressOf(other)}:${ROUTES}`),
      isHidden: false,
    },
    password: PASSWORD,
    users: natsUsersOf(NAMESPACE),
    folder: join(folder, 'nats'),
  })
  const [first] = HOSTS
  return [
    {
      name: `nats-${host}`,
      command: nats,
      args: ['-c', await file('nats.conf', configuration)],
      readyLine: 'Server is ready',
    },
    {
      name: `redis-${host}`,
      command: redis,
      args: [
        await file(
          'redis.conf',
          `bind ${address}
port ${REDIS}
protected-mode no
dir ${join(folder, 'redis')}
save ""
appendonly yes
maxmemory-policy noeviction
min-replicas-to-write 1
${host === first ? '' : `replicaof ${backAddressOf(first)} ${REDIS}\n`}`,
        ),
      ],
      readyLine: 'Ready to accept connections',
    },
    {
      name: `sentinel-${host}`,
      command: redis,
      args: [
        await file(
          'sentinel.conf',
          `bind ${address}
port ${SENTINEL}
protected-mode no
dir ${join(folder, 'sentinel')}
sentinel monitor ${MASTER} ${backAddressOf(first)} ${REDIS} 2
sentinel down-after-milliseconds ${MASTER} ${DOWN_AFTER_MS}
sentinel failover-timeout ${MASTER} ${FAILOVER_MS}
`,
        ),
        '--sentinel',
      ],
      readyLine: '+monitor',
    },
  ]
}
