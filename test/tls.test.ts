// @module-tag slow
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type Server } from 'node:tls'
import { reservePort } from '@gatehouse/local/ports'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { natsConfiguration } from '@gatehouse/proto/declaring/permissions/nats-configuration.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { natsUsersOf } from '../services/bus-users.ts'
import { mainOf } from '../services/services.ts'
import { call } from './harness/call.ts'
import { type Certificate, makeCertificate } from './harness/certificates.ts'
import { runGatehouseProcess } from './harness/command-line.ts'
import { natsServer, type OwnNats, startNats } from './harness/own-nats.ts'
import { redisServer } from './harness/own-redis.ts'
import { startProcess } from './harness/process.ts'
import { SECRETS_KEY } from './harness/secrets-key.ts'

const NAMESPACE = `tls-${crypto.randomUUID().slice(0, 8)}`
const PASSWORD = 'tls-password'

describe.skipIf(!natsServer || !redisServer)('stores with TLS', () => {
  let folder: string
  let certificate: Certificate
  let nats: OwnNats
  let redis: { url: string; clients: () => Promise<string>; stop: () => void }
  let mongo: Server
  /** The stores of a process, by names that the certificate has. */
  let stores: { nats_url: string; redis_url: string; mongodb_url: string }

  async function startRedis(): Promise<typeof redis> {
    const port = await reservePort()
    const files = ['--tls-cert-file', certificate.cert, '--tls-key-file', certificate.key, '--tls-auth-clients', 'no']
    const settings = ['--bind', '127.0.0.1', '--port', '0', '--tls-port', String(port), '--save', '', '--dir', folder]
    const child = spawn(redisServer ?? '', [...settings, ...files, '--requirepass', PASSWORD], { stdio: 'ignore' })
    const url = `rediss://:${PASSWORD}@localhost:${port}`
    const client = new Redis(url, {
      tls: { ca: await readFile(certificate.ca) },
      retryStrategy: () => 20,
      maxRetriesPerRequest: 500,
    })
    client.on('error', () => {})
    await client.ping()
    const stop = (): void => {
      client.disconnect()
      child.kill()
    }
    return { url, clients: async () => String(await client.client('LIST')), stop }
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

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-tls-'))
    certificate = await makeCertificate(folder)
    const users = Object.entries(natsUsersOf(NAMESPACE)).map(([name, permissions]) => ({
      name,
      password: JSON.stringify(PASSWORD),
      permissions,
    }))
    const tls = `tls { cert_file: "${certificate.cert}", key_file: "${certificate.key}" }\n`
    nats = await startNats(tls + natsConfiguration(users))
    redis = await startRedis()
    mongo = await startMongo()
    const mongodb = new URL(inject('mongodbUrl'))
    mongodb.host = `localhost:${(mongo.address() as AddressInfo).port}`
    mongodb.searchParams.set('tls', 'true')
    mongodb.searchParams.set('tlsCAFile', certificate.ca)
    stores = { nats_url: natsUrl('tls', nats), redis_url: redis.url, mongodb_url: mongodb.href }
  })
  afterAll(async () => {
    redis?.stop()
    mongo?.close()
    await nats?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const redisClients = async (): Promise<string[]> =>
    (await redis.clients()).split('\n').filter((line) => line.includes('addr='))

  const natsUrl = (scheme: string, { host }: OwnNats, user = 'checkin'): string =>
    `${scheme}://${user}:${PASSWORD}@${host.replace('127.0.0.1', 'localhost')}`

  /** The users who are connected to NATS, all of them by TLS. */
  async function connectedUsers(): Promise<string[]> {
    const answer = await fetch(`${nats.monitoring}/connz?auth=1`)
    const { connections } = (await answer.json()) as { connections: { authorized_user: string; tls_version: string }[] }
    for (const { tls_version } of connections) expect(tls_version).toMatch(/^1\.[23]$/)
    return connections.map(({ authorized_user }) => authorized_user).sort()
  }

  test('processes reach NATS, Redis and MongoDB by their URLs alone, each as its own user, and trust the authority of NODE_EXTRA_CA_CERTS', async () => {
    const settings = { ...stores, namespace: NAMESPACE, node_extra_ca_certs: certificate.ca }
    const [services, gateway] = await Promise.all([
      startProcess('services/main.ts', {
        ...settings,
        services: 'checkin,sso',
        nats_url_checkin: natsUrl('tls', nats),
        nats_url_sso: natsUrl('tls', nats, 'sso'),
        public_url: 'http://localhost',
        secrets_key: SECRETS_KEY,
      }),
      startProcess(mainOf('gateway'), {
        ...settings,
        nats_url: natsUrl('tls', nats, 'gateway'),
        host: '127.0.0.1',
        port: 0,
      }),
    ])
    onTestFinished(async () => void (await Promise.all([services.stop(), gateway.stop()])))
    // The door works without Redis, too.
    await expect.poll(redisClients).toHaveLength(4)
    const env = { NATS_URL: natsUrl('tls', nats, 'cli'), NAMESPACE, NODE_EXTRA_CA_CERTS: certificate.ca }
    const { out } = await runGatehouseProcess(['bootstrap', '--account', 'tls', '--json'], env)
    const { auth_token } = JSON.parse(out) as { auth_token: string }
    const answer = await call(gateway.url, auth_token, 'GET', 'account.json')
    expect([answer.status, answer.body.slug]).toEqual([200, 'tls'])
    expect((await call(gateway.url, `${auth_token}x`, 'GET', 'account.json')).status).toBe(403)
    await expect.poll(connectedUsers).toEqual(['checkin', 'gateway', 'sso'])
  })

  /** As a process connects at its start. */
  const connecting = (servers: string) =>
    connectBus({ servers, namespace: NAMESPACE, name: 'checkin', log: makeLog('test', 'silent') })

  test('NATS with a certificate that is not trusted is refused, and the reason is said', async () => {
    await expect(connecting(natsUrl('tls', nats))).rejects.toThrow(
      /^NATS_URL: the certificate of the server is not accepted \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)/,
    )
  })

  test('NATS without TLS is refused where a URL asks for it, and the reason is said', async () => {
    const plain = await startNats(natsConfiguration([{ name: 'checkin', password: JSON.stringify(PASSWORD) }]))
    onTestFinished(() => plain.stop())
    await expect(connecting(natsUrl('tls', plain))).rejects.toThrow(/^NATS_URL: the server does not offer TLS$/)
  })
})
