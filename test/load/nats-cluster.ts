import type { SuperviseLog } from '@gatehouse/local/supervise'
import { natsConfiguration } from '@gatehouse/proto/declaring/permissions/nats-configuration.ts'
import type { NatsPermissions } from '@gatehouse/proto/declaring/permissions/nats-permissions.ts'
import { proxyTo, type TcpProxy } from '../harness/tcp-proxy.ts'
import { type NatsPlaces, type NatsServers, startNatsServers } from './nats-servers.ts'

/** The servers of a cluster. */
export const NATS_SERVERS = ['nats-1', 'nats-2', 'nats-3'] as const

/** Two of the servers. */
export type Pair = readonly [string, string]

/** Users by name, and what they may do: everything if undefined. */
type Users = Record<string, NatsPermissions | undefined>

/** A running cluster of NATS servers, with JetStream. Clients learn the addresses of the others from each. */
export interface NatsCluster extends NatsServers {
  /** Delays what goes between two servers, each piece by `ms`. */
  slow(between: Pair, ms: number): void
}

/** Starts three NATS servers on loopback, which are one cluster with these users, and keeps them running. */
export async function startNatsCluster(dataDir: string, users: Users, log: SuperviseLog): Promise<NatsCluster> {
  const routes: { between: Pair; proxy: TcpProxy }[] = []
  const closeRoutes = () => Promise.all(routes.map(({ proxy }) => proxy.close()))
  const configure = async ({ portOf, password, folderOf }: NatsPlaces): Promise<Map<string, string>> => {
    for (const name of NATS_SERVERS)
      for (const other of NATS_SERVERS)
        if (other !== name)
          routes.push({ between: [name, other], proxy: await proxyTo(`nats://127.0.0.1:${portOf(routeOf(other))}`) })
    const configurations = new Map<string, string>()
    for (const name of NATS_SERVERS) {
      const hosts = routes.flatMap(({ between, proxy }) => (between[0] === name ? proxy.host : []))
      const listen = `127.0.0.1:${portOf(name)}`
      const cluster = { listen: `127.0.0.1:${portOf(routeOf(name))}`, hosts, isHidden: true }
      const folder = await folderOf(name)
      configurations.set(name, clusterConfiguration({ name, listen, cluster, password, users, folder }))
    }
    return configurations
  }
  const ports = NATS_SERVERS.flatMap((name) => [name, routeOf(name)])
  const servers = await startNatsServers(dataDir, ports, configure, log).catch(async (error) => {
    await closeRoutes()
    throw error
  })
  return {
    ...servers,
    slow: (pair, ms) => {
      for (const { between, proxy } of routes) if (between.every((name) => pair.includes(name))) proxy.slow(ms)
    },
    stop: async () => {
      await servers.stop()
      await closeRoutes()
    },
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
