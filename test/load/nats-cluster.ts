import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { findServer } from '@gatehouse/local/packages'
import { takePorts } from '@gatehouse/local/ports'
import { ownFolder, writePrivate } from '@gatehouse/local/private-files'
import { type Supervised, type SuperviseLog, supervise } from '@gatehouse/local/supervise'
import { natsConfiguration } from '@gatehouse/proto/declaring/permissions/nats-configuration.ts'
import type { NatsPermissions } from '@gatehouse/proto/declaring/permissions/nats-permissions.ts'
import { proxyTo, type TcpProxy } from '../harness/tcp-proxy.ts'

/** The servers of a cluster. */
export const NATS_SERVERS = ['nats-1', 'nats-2', 'nats-3'] as const

/** Two of the servers. */
export type Pair = readonly [string, string]

/** Users by name, and what they may do: everything if undefined. */
type Users = Record<string, NatsPermissions | undefined>

/** A running cluster of NATS servers, with JetStream. */
export interface NatsCluster {
  /** The address of a server for a user; clients learn those of the others from it. */
  urlOf(user: string, name: string): string
  /** The current process of a server. */
  pidOf(name: string): number | undefined
  /** Delays what goes between two servers, each piece by `ms`. */
  slow(between: Pair, ms: number): void
  stop(): Promise<void>
}

/** Starts three NATS servers on loopback, which are one cluster with these users, and keeps them running. */
export async function startNatsCluster(dataDir: string, users: Users, log: SuperviseLog): Promise<NatsCluster> {
  const command = findServer('nats')
  if (!command) throw new Error('there is no nats-server: npm start fetches it')
  const { ports, release } = await takePorts(
    join(dataDir, 'nats-ports.json'),
    NATS_SERVERS.flatMap((name) => [name, routeOf(name)]),
  )
  const password = randomBytes(16).toString('hex')
  const servers = new Map<string, Supervised>()
  const routes: { between: Pair; proxy: TcpProxy }[] = []
  for (const name of NATS_SERVERS) {
    for (const other of NATS_SERVERS) {
      if (other === name) continue
      const proxy = await proxyTo(`nats://127.0.0.1:${ports[routeOf(other)]}`)
      routes.push({ between: [name, other], proxy })
    }
  }
  for (const name of NATS_SERVERS) {
    await ownFolder(join(dataDir, name))
    const configuration = join(dataDir, `${name}.conf`)
    const hosts = routes.flatMap(({ between, proxy }) => (between[0] === name ? proxy.host : []))
    const listen = `127.0.0.1:${ports[name]}`
    const cluster = { listen: `127.0.0.1:${ports[routeOf(name)]}`, hosts, isHidden: true }
    await writePrivate(
      configuration,
      clusterConfiguration({ name, listen, cluster, password, users, folder: join(dataDir, name) }),
    )
    servers.set(name, supervise({ name, command, args: ['-c', configuration], log, readyLine: 'Server is ready' }))
  }
  const stop = async (): Promise<void> => {
    await Promise.all([...servers.values()].map((server) => server.stop()))
    await Promise.all(routes.map(({ proxy }) => proxy.close()))
    await release()
  }
  try {
    await Promise.all([...servers.values()].map(({ ready }) => ready))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    urlOf: (user, name) => `nats://${user}:${password}@127.0.0.1:${(ports as Record<string, number>)[name]}`,
    pidOf: (name) => servers.get(name)?.pid,
    slow: (pair, ms) => {
      for (const { between, proxy } of routes) if (between.every((name) => pair.includes(name))) proxy.slow(ms)
    },
    stop,
  }
}

function routeOf(name: string): string {
  return `${name}-route`
}

/** Otherwise servers would tell each other how to go past the proxies. Nothing listens there. */
const HIDDEN = 'advertise: "127.0.0.1:1"'

/** A server of a cluster. */
export interface ClusterServer {
  name: string
  /** Where clients connect. */
  listen: string
  cluster: {
    /** Where the routes of others end. */
    listen: string
    /** Where its routes to others begin. */
    hosts: string[]
    /** Whether others get to know the way to it from their own configuration alone. */
    isHidden: boolean
  }
  /** That of all users, and of routes. */
  password: string
  users: Users
  folder: string
}

/** The configuration of a server of a cluster, with JetStream. Pings are those of docs/operations.md. */
export function clusterConfiguration({ name, listen, cluster, password, users, folder }: ClusterServer): string {
  const named = Object.entries(users).map(([user, permissions]) => ({
    name: user,
    password: `"${password}"`,
    permissions,
  }))
  const routes = cluster.hosts.map((host) => `"nats://drill:${password}@${host}"`)
  return `server_name: "${name}"
listen: "${listen}"
ping_interval: "3s"
ping_max: 2
jetstream { store_dir: "${folder}", max_memory_store: 64MB, max_file_store: 1GB, sync_interval: "1s" }
${natsConfiguration(named)}cluster {
  name: "drill"
  listen: "${cluster.listen}"
  authorization { user: "drill", password: "${password}", timeout: 10 }
  ${cluster.isHidden ? HIDDEN : ''}
  ping_interval: "2s"
  ping_max: 2
  routes: [ ${routes.join(', ')} ]
}
`
}
