import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { findServer } from '@gatehouse/local/packages'
import { takePorts } from '@gatehouse/local/ports'
import { ownFolder, writePrivate } from '@gatehouse/local/private-files'
import { type Supervised, type SuperviseLog, supervise } from '@gatehouse/local/supervise'

/** The servers of a cluster. */
export const NATS_SERVERS = ['nats-1', 'nats-2', 'nats-3'] as const

/** A running cluster of NATS servers, with JetStream. */
export interface NatsCluster {
  /** The address of a server; clients learn those of the others from it. */
  urlOf(name: string): string
  /** The current process of a server. */
  pidOf(name: string): number | undefined
  stop(): Promise<void>
}

/** Starts three NATS servers on loopback, which are one cluster, and keeps them running. */
export async function startNatsCluster(dataDir: string, log: SuperviseLog): Promise<NatsCluster> {
  const command = findServer('nats')
  if (!command) throw new Error('there is no nats-server: npm start fetches it')
  const ports = await takePorts(
    join(dataDir, 'nats-ports.json'),
    NATS_SERVERS.flatMap((name) => [name, routeOf(name)]),
  )
  const password = randomBytes(16).toString('hex')
  const servers = new Map<string, Supervised>()
  for (const name of NATS_SERVERS) {
    await ownFolder(join(dataDir, name))
    const configuration = join(dataDir, `${name}.conf`)
    await writePrivate(configuration, configurationOf(name, ports, password, join(dataDir, name)))
    let markReady = (): void => {}
    const server = supervise({
      name,
      command,
      args: ['-c', configuration],
      log,
      ready: () =>
        new Promise((resolve) => {
          markReady = resolve
        }),
      onLine: (line) => {
        if (line.includes('Server is ready')) markReady()
      },
    })
    servers.set(name, server)
  }
  await Promise.all([...servers.values()].map(({ ready }) => ready))
  return {
    urlOf: (name) => `nats://drill:${password}@127.0.0.1:${(ports as Record<string, number>)[name]}`,
    pidOf: (name) => servers.get(name)?.pid,
    stop: async () => {
      await Promise.all([...servers.values()].map((server) => server.stop()))
    },
  }
}

function routeOf(name: string): string {
  return `${name}-route`
}

function configurationOf(name: string, ports: Record<string, number>, password: string, folder: string): string {
  const routes = NATS_SERVERS.map((other) => `"nats://drill:${password}@127.0.0.1:${ports[routeOf(other)]}"`)
  return `server_name: "${name}"
listen: "127.0.0.1:${ports[name]}"
jetstream { store_dir: "${folder}", max_memory_store: 64MB, max_file_store: 1GB, sync_interval: "1s" }
authorization { timeout: 10, users: [ { user: "drill", password: "${password}" } ] }
cluster {
  name: "drill"
  listen: "127.0.0.1:${ports[routeOf(name)]}"
  authorization { user: "drill", password: "${password}", timeout: 10 }
  routes: [ ${routes.join(', ')} ]
}
`
}
