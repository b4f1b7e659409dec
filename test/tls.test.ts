// @module-tag slow
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type Server } from 'node:tls'
import { reservePort } from '@gatehouse/local/ports'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { natsConfiguration } from '@gatehouse/proto/declaring/permissions/nats-configuration.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { openStore } from '@gatehouse/proto/storage/mongo.ts'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { natsUsersOf } from '../services/bus-users.ts'
import { mainOf, serviceNames } from '../services/services.ts'
import { apiOf } from './harness/api.ts'
import { succeeded } from './harness/call.ts'
import { type Certificate, makeCertificate } from './harness/certificates.ts'
import { runGatehouseProcess } from './harness/command-line.ts'
import { natsServer, type OwnNats, startNats } from './harness/own-nats.ts'
import { redisServer } from './harness/own-redis.ts'
import { startProcess } from './harness/process.ts'
import { retried } from './harness/retried.ts'
import { SECRETS_KEY } from './harness/secrets-key.ts'
import { startSpeaking } from './harness/speaking-process.ts'

const NAMESPACE = `tls-${crypto.randomUUID().slice(0, 8)}`
const PASSWORD = 'tls-password'

describe.skipIf(!natsServer || !redisServer)('stores with TLS', () => {
  let folder: string
  /** By the name of this machine alone: servers of NATS tell clients the addresses of others, which no certificate has. */
  let certificate: Certificate
  /** Of an authority that nobody trusts. */
  let foreign: Certificate
  /** Two servers with routes between them. */
  let nats: OwnNats[]
  let redis: OwnRedis
  let mongo: Server
  /** The stores of a process. */
  let stores: { nats_url: string; redis_url: string; mongodb_url: string }

  interface OwnRedis {
    url: string
    clients: () => Promise<string[]>
    stop: () => void
  }

  async function startRedis({ ca, cert, key }: Certificate): Promise<OwnRedis> {
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
    const clients = async (): Promise<string[]> =>
      String(await client.client('LIST'))
        .split('\n')
        .filter((line) => line.includes('addr='))
    return { url, clients, stop }
  }

  /** TLS in front of the MongoDB of the test run. */
  async function startMongo(): Promise<Server> {
    const { hostname, port } = new URL(inject('mongodbUrl'))
    const [cert, key] = [await readFile(certificate.cert), await readFile(certificate.key)]
    const server = createServer({ cert, key }, (near) => {
      const far = connect(Number(port), hostname)
      near.pipe(far).pipe(near)
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const)
        one.on('error', () => other.destroy())
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return server
  }

  async function startCluster({ ca, cert, key }: Certificate): Promise<OwnNats[]> {
    const ports = [await reservePort(), await reservePort()]
    const users = Object.entries(natsUsersOf(NAMESPACE)).map(([name, permissions]) => ({
      name,
      password: JSON.stringify(PASSWORD),
      permissions,
    }))
    const files = `cert_file: "${cert}", key_file: "${key}"`
    const routes = ports.map((port) => `"tls://localhost:${port}"`).join(', ')
    const start = (port: number, index: number): Promise<OwnNats> =>
      startNats(`server_name: "nats-${index}"
tls { ${files} }
cluster { name: "tls", listen: "127.0.0.1:${port}", tls { ${files}, ca_file: "${ca}" }, routes: [ ${routes} ] }
${natsConfiguration(users)}`)
    return await Promise.all(ports.map(start))
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-tls-'))
    const other = join(folder, 'foreign')
    await mkdir(other)
    ;[certificate, foreign] = await Promise.all([makeCertificate(folder, ['localhost']), makeCertificate(other)])
    ;[nats, redis, mongo] = await Promise.all([startCluster(certificate), startRedis(certificate), startMongo()])
    const mongodb = new URL(inject('mongodbUrl'))
    mongodb.host = `localhost:${(mongo.address() as AddressInfo).port}`
    mongodb.searchParams.set('tls', 'true')
    mongodb.searchParams.set('tlsCAFile', certificate.ca)
    stores = { nats_url: natsUrl('tls', first()), redis_url: redis.url, mongodb_url: mongodb.href }
  })
  afterAll(async () => {
    redis?.stop()
    mongo?.close()
    await Promise.all((nats ?? []).map((each) => each.stop()))
    await rm(folder, { recursive: true, force: true })
  })

  const first = (): OwnNats => nats[0] as OwnNats

  const natsUrl = (scheme: string, { host }: OwnNats, user = 'checkin'): string =>
    `${scheme}://${user}:${PASSWORD}@${host.replace('127.0.0.1', 'localhost')}`

  /** What the servers that run say of themselves. */
  const monitored = async <T>(path: string): Promise<T[]> => {
    const answers = await Promise.allSettled(nats.map(({ monitoring }) => fetch(monitoring + path)))
    const running = answers.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
    return await Promise.all(running.map((each) => each.json() as Promise<T>))
  }

  /** The users who are connected to NATS, all of them by TLS. */
  async function connectedUsers(): Promise<string[]> {
    const answers = await monitored<{ connections: { authorized_user: string; tls_version: string }[] }>(
      '/connz?auth=1',
    )
    const connections = answers.flatMap((answer) => answer.connections)
    for (const { tls_version } of connections) expect(tls_version).toMatch(/^1\.[23]$/)
    return connections.map(({ authorized_user }) => authorized_user).sort()
  }

  test('all processes reach NATS, Redis and MongoDB by their URLs alone, each as its own user, and trust the authority of NODE_EXTRA_CA_CERTS: a guest is let in, also when a NATS server is gone', async () => {
    const settings = { ...stores, namespace: NAMESPACE, node_extra_ca_certs: certificate.ca }
    const urls = serviceNames.map((name) => [`nats_url_${name}`, natsUrl('tls', first(), name)])
    const [services, gateway] = await Promise.all([
      startProcess('services/main.ts', {
        ...settings,
        ...Object.fromEntries(urls),
        public_url: 'http://localhost',
        secrets_key: SECRETS_KEY,
      }),
      startProcess(mainOf('gateway'), {
        ...settings,
        nats_url: natsUrl('tls', first(), 'gateway'),
        host: '127.0.0.1',
        port: 0,
      }),
    ])
    onTestFinished(async () => void (await Promise.all([services.stop(), gateway.stop()])))
    // Each service says for itself that it is ready.
    await expect.poll(async () => (await fetch(`${gateway.url}/readyz`)).status).toBe(200)
    const env = { NATS_URL: natsUrl('tls', first(), 'cli'), NAMESPACE, NODE_EXTRA_CA_CERTS: certificate.ca }
    const { out } = await runGatehouseProcess(['bootstrap', '--account', 'tls', '--json'], env)
    const { auth_token, account_id } = JSON.parse(out) as { auth_token: string; account_id: string }
    const api = apiOf(gateway.url, auth_token)
    expect((await api('GET', 'account.json', undefined, { token: `${auth_token}x` })).status).toBe(403)
    const users = [...serviceNames, 'gateway'].sort()
    await expect.poll(connectedUsers).toEqual(users)
    // The first is that of the test.
    expect((await redis.clients()).length).toBeGreaterThan(1)
    for (const { cluster } of await monitored<{ cluster: object }>('/varz'))
      expect(cluster).toMatchObject({ tls_required: true, tls_verify: true })
    for (const { num_routes } of await monitored<{ num_routes: number }>('/routez'))
      expect(num_routes).toBeGreaterThan(0)

    const make = async (path: string, body: object): Promise<string> => {
      const made = await succeeded(retried(() => api('POST', path, body)))
      return made._id ?? made.id
    }
    const event = `events/${await make('events.json', { title: 'Fair', account_id })}`
    const accesspoint_id = await make(`${event}/accesspoints.json`, { name: 'Door' })
    const guest_category_accesspoints = [{ accesspoint_id, max_allowed_accesses: 1 }]
    const guest_category_id = await make(`${event}/guest_categories.json`, { name: 'All', guest_category_accesspoints })
    for (const uid of ['ada', 'bob']) await make(`${event}/guests.json`, { guest_category_id, uid })
    const scan = async (guest_uid: string): Promise<number> => {
      const body = { accesspoint_id, guest_uid }
      const { access_status } = await succeeded(retried(() => api('POST', `${event}/access_controls.json`, body)))
      return access_status
    }
    expect([await scan('ada'), await scan('ada')]).toEqual([0, 3])

    // Everyone has heard of the other server by its address, and takes it by the name of the first.
    await first().stop()
    expect(await scan('bob')).toBe(0)
    await expect.poll(connectedUsers).toEqual(users)
    expect((await succeeded(api('GET', `${event}/access_controls.json`))).length).toBe(3)
  })

  /** As a process connects at its start. */
  const connecting = (servers: string) =>
    connectBus({ servers, namespace: NAMESPACE, name: 'checkin', log: makeLog('test', 'silent') })

  test('a NATS server or a MongoDB whose certificate is not trusted is refused, and the reason is said', async () => {
    await expect(connecting(natsUrl('tls', nats[1] as OwnNats))).rejects.toThrow(
      /^NATS_URL: the certificate of the server is not accepted \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)/,
    )
    const url = stores.mongodb_url.replace(encodeURIComponent(certificate.ca), encodeURIComponent(foreign.ca))
    expect(url).not.toBe(stores.mongodb_url)
    await expect(openStore(url, NAMESPACE, 'checkin', makeLog('test', 'silent'))).rejects.toThrow(
      /^MONGODB_URL: the certificate of the server is not accepted \(\w+\)/,
    )
  })

  test('NATS without TLS is refused where a URL asks for it, and the reason is said', async () => {
    const plain = await startNats(natsConfiguration([{ name: 'checkin', password: JSON.stringify(PASSWORD) }]))
    onTestFinished(() => plain.stop())
    await expect(connecting(natsUrl('tls', plain))).rejects.toThrow(/^NATS_URL: the server does not offer TLS$/)
  })

  test.each<[what: string, settings: () => Promise<Record<string, string>>, log: RegExp]>([
    [
      'a Redis whose certificate is not trusted',
      async () => {
        const other = await startRedis(foreign)
        onTestFinished(other.stop)
        return { REDIS_URL: other.url }
      },
      /"reason":"REDIS_URL: the certificate of the server is not accepted \(\w+\).*"msg":"redis"/,
    ],
    [
      'a Redis without TLS',
      async () => ({ REDIS_URL: inject('redisUrl').replace(/^redis:/, 'rediss:') }),
      /"reason":"[^"]+".*"msg":"redis"/,
    ],
    [
      'a MongoDB without TLS',
      async () => {
        const url = new URL(inject('mongodbUrl'))
        url.searchParams.set('tls', 'true')
        return { MONGODB_URL: url.href }
      },
      /"store":"MongoDB".*"msg":"waiting for a store"/,
    ],
  ])('a process refuses %s, and its log names the store', async (_what, settings, log) => {
    const process = startSpeaking(mainOf('checkin'), {
      NATS_URL: natsUrl('tls', nats[1] as OwnNats),
      REDIS_URL: stores.redis_url,
      MONGODB_URL: stores.mongodb_url,
      NAMESPACE,
      OPERATIONS_PORT: '0',
      NODE_EXTRA_CA_CERTS: certificate.ca,
      ...(await settings()),
    })
    onTestFinished(() => process.stop('SIGKILL'))
    await expect.poll(() => process.said.out).toMatch(log)
  })
})
