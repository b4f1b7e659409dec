import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type Server, type TLSSocket } from 'node:tls'
import { reservePort } from '@gatehouse/local/ports'
import { natsConfiguration } from '@gatehouse/proto/declaring/permissions/nats-configuration.ts'
import { Redis } from 'ioredis'
import { inject } from 'vitest'
import { natsUsersOf } from '../../services/bus-users.ts'
import { type Certificate, makeCertificate } from './certificates.ts'
import { type OwnNats, startNats } from './own-nats.ts'
import { redisServer } from './own-redis.ts'

/** The password of all users. */
const PASSWORD = 'tls-password'

/** Stores that take no connection without TLS. */
export interface TlsStores {
  namespace: string
  /** By the name of this machine alone: servers of NATS tell clients the addresses of others, which no certificate has. */
  certificate: Certificate
  nats: TlsNats
  redis: TlsRedis
  mongo: TlsMongo
  /** The addresses that a process is given. */
  settings: { nats_url: string; redis_url: string; mongodb_url: string }
  stop(): Promise<void>
}

/** Two servers of NATS with routes between them. */
export interface TlsNats {
  servers: OwnNats[]
  /** Where the servers take routes. */
  routePorts: number[]
  /** The address of one of the servers, the first unless another is named. */
  urlFor(user: string, server?: OwnNats): string
  /** What the servers that run say of themselves. */
  monitored<T>(path: string): Promise<T[]>
  /** Has all servers read their configuration again, and the files that it names. */
  reload(): Promise<void>
}

/** A Redis with its own client. */
export interface TlsRedis {
  url: string
  client: Redis
  stop(): void
}

/** TLS in front of the MongoDB of the test run. */
export interface TlsMongo {
  port: number
  /** The connections of clients. */
  connections: Set<TLSSocket>
  /** Reads the files of its certificate again. */
  reload(): Promise<void>
  stop(): void
}

/** Starts stores with certificates of an authority of their own. */
export async function startTlsStores(): Promise<TlsStores> {
  const namespace = `tls-${crypto.randomUUID().slice(0, 8)}`
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-tls-'))
  const certificate = await makeCertificate(folder, ['localhost'])
  const [nats, redis, mongo] = await Promise.all([
    startCluster(certificate, namespace),
    startTlsRedis(certificate, folder),
    startMongo(certificate),
  ])
  const mongodb = new URL(inject('mongodbUrl'))
  mongodb.host = `localhost:${mongo.port}`
  mongodb.searchParams.set('tls', 'true')
  mongodb.searchParams.set('tlsCAFile', certificate.ca)
  return {
    ...{ namespace, certificate, nats, redis, mongo },
    settings: { nats_url: nats.urlFor('checkin'), redis_url: redis.url, mongodb_url: mongodb.href },
    stop: async () => {
      redis.stop()
      mongo.stop()
      await Promise.all(nats.servers.map((each) => each.stop()))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Starts a Redis; resolves when it answers. */
export async function startTlsRedis({ ca, cert, key }: Certificate, folder: string): Promise<TlsRedis> {
  const port = await reservePort()
  const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-auth-clients', 'no']
  const settings = ['--bind', '127.0.0.1', '--port', '0', '--tls-port', String(port), '--save', '', '--dir', folder]
  const child = spawn(redisServer ?? '', [...settings, ...files, '--requirepass', PASSWORD], { stdio: 'ignore' })
  const url = `rediss://:${PASSWORD}@localhost:${port}`
  const client = new Redis(url, {
    tls: { ca: await readFile(ca) },
    retryStrategy: () => 20,
    maxRetriesPerRequest: 500,
  })
  client.on('error', () => {})
  await client.ping()
  const stop = (): void => {
    client.disconnect()
    child.kill()
  }
  return { url, client, stop }
}

async function startMongo({ cert, key }: Certificate): Promise<TlsMongo> {
  const { hostname, port } = new URL(inject('mongodbUrl'))
  const connections = new Set<TLSSocket>()
  const read = async () => ({ cert: await readFile(cert), key: await readFile(key) })
  const server: Server = createServer(await read(), (near) => {
    const far = connect(Number(port), hostname)
    connections.add(near.once('close', () => connections.delete(near)))
    near.pipe(far).pipe(near)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => other.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    connections,
    reload: async () => server.setSecureContext(await read()),
    stop: () => void server.close(),
  }
}

async function startCluster({ ca, cert, key }: Certificate, namespace: string): Promise<TlsNats> {
  const routePorts = [await reservePort(), await reservePort()]
  const users = Object.entries(natsUsersOf(namespace)).map(([name, permissions]) => ({
    name,
    password: JSON.stringify(PASSWORD),
    permissions,
  }))
  const files = `cert_file: "${cert}", key_file: "${key}"`
  const routes = routePorts.map((port) => `"tls://localhost:${port}"`).join(', ')
  const configurations = routePorts.map(
    (port, index) => `server_name: "nats-${index}"
tls { ${files} }
cluster { name: "tls", listen: "127.0.0.1:${port}", tls { ${files}, ca_file: "${ca}" }, routes: [ ${routes} ] }
${natsConfiguration(users)}`,
  )
  const servers = await Promise.all(configurations.map((each) => startNats(each)))
  const urlFor = (user: string, { host } = servers[0] as OwnNats): string =>
    `tls://${user}:${PASSWORD}@${host.replace('127.0.0.1', 'localhost')}`
  const monitored = async <T>(path: string): Promise<T[]> => {
    const answers = await Promise.allSettled(servers.map(({ monitoring }) => fetch(monitoring + path)))
    const running = answers.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
    return await Promise.all(running.map((each) => each.json() as Promise<T>))
  }
  const reload = async (): Promise<void> => {
    await Promise.all(servers.map((server, index) => server.reload(configurations[index] as string)))
  }
  return { servers, routePorts, urlFor, monitored, reload }
}
