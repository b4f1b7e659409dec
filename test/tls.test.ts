import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type Server } from 'node:tls'
import { promisify } from 'node:util'
import { reservePort } from '@gatehouse/local/ports'
import { natsConfiguration } from '@gatehouse/proto/permissions/nats-configuration.ts'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { natsUsersOf } from '../services/bus-users.ts'
import { mainOf } from '../services/services.ts'
import { call } from './harness/call.ts'
import { type Certificate, makeCertificate } from './harness/certificates.ts'
import { natsServer, type OwnNats, startNats } from './harness/own-nats.ts'
import { redisServer } from './harness/own-redis.ts'
import { bareEnv, startProcess } from './harness/process.ts'
import { SECRETS_KEY } from './harness/secrets-key.ts'

const NAMESPACE = `tls-${crypto.randomUUID().slice(0, 8)}`
const PASSWORD = 'tls-password'

describe.skipIf(!natsServer || !redisServer)('stores with TLS', () => {
  let folder: string
  let certificate: Certificate
  let nats: OwnNats
  let redis: { url: string; clients: () => Promise<string>; stop: () => void }
  let mongo: Server
  /** The stores of a process, by names which the certificate has. */
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

  const natsUrl = (scheme: string, { host }: OwnNats, user = 'checkin'): string =>
    `${scheme}://${user}:${PASSWORD}@${host.replace('127.0.0.1', 'localhost')}`

  /** The users who are connected to NATS, all of them by TLS. */
  async function connectedUsers(): Promise<string[]> {
    const answer = await fetch(`${nats.monitoring}/connz?auth=1`)
    const { connections } = (await answer.json()) as { connections: { authorized_user: string; tls_version: string }[] }
    for (const { tls_version } of connections) expect(tls_version).toMatch(/^1\.[23]$/)
    return connections.map(({ authorized_user }) => authorized_user).sort()
  }

  /** What a process says which does not start. */
  async function complaint(settings: NodeJS.ProcessEnv): Promise<string> {
    const upper = Object.entries(stores).map(([name, value]) => [name.toUpperCase(), value])
    const env = { ...bareEnv, ...Object.fromEntries(upper), NAMESPACE, LOG_LEVEL: 'silent', ...settings }
    const ending = promisify(execFile)(process.execPath, [join(import.meta.dirname, '..', mainOf('checkin'))], { env })
    return await ending.then(
      () => 'it starts',
      ({ stderr }: { stderr: string }) => stderr,
    )
  }

  test('a process reaches NATS, Redis and MongoDB by their URLs alone, and trusts the authority of NODE_EXTRA_CA_CERTS', async () => {
    const settings = { ...stores, namespace: NAMESPACE, node_extra_ca_certs: certificate.ca }
    const checkin = await startProcess(mainOf('checkin'), settings)
    try {
      // The door works without Redis, too.
      expect((await redis.clients()).split('\n').filter((line) => line.includes('addr='))).toHaveLength(3)
      await expect.poll(connectedUsers).toEqual(['checkin'])
    } finally {
      await checkin.stop()
    }
  })

  test('requests of the command line and of the gateway reach a service over TLS, each as the user of its process', async () => {
    const settingsOf = (user: string) => ({
      ...stores,
      nats_url: natsUrl('tls', nats, user),
      namespace: NAMESPACE,
      node_extra_ca_certs: certificate.ca,
    })
    const own = { public_url: 'http://localhost', secrets_key: SECRETS_KEY }
    const [sso, gateway] = await Promise.all([
      startProcess(mainOf('sso'), { ...settingsOf('sso'), ...own }),
      startProcess(mainOf('gateway'), { ...settingsOf('gateway'), host: '127.0.0.1', port: 0 }),
    ])
    try {
      const { nats_url: NATS_URL } = settingsOf('cli')
      const env = { ...bareEnv, NATS_URL, NAMESPACE, NODE_EXTRA_CA_CERTS: certificate.ca, GATEHOUSE_DATA: folder }
      const command = [join(import.meta.dirname, '../cli/main.ts'), 'bootstrap', '--account', 'tls', '--json']
      const { stdout } = await promisify(execFile)(process.execPath, command, { env })
      const { auth_token } = JSON.parse(stdout) as { auth_token: string }
      const answer = await call(gateway.url, auth_token, 'GET', 'account.json')
      expect([answer.status, answer.body.slug]).toEqual([200, 'tls'])
      expect((await call(gateway.url, `${auth_token}x`, 'GET', 'account.json')).status).toBe(403)
      await expect.poll(connectedUsers).toEqual(['gateway', 'sso'])
    } finally {
      await Promise.all([sso.stop(), gateway.stop()])
    }
  })

  test('a process does not start where NATS has a certificate which it does not trust, and says why', async () => {
    expect(await complaint({})).toMatch(
      /^checkin: NATS_URL: the certificate of the server is not accepted \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)/,
    )
  })

  test('a process which is to use TLS does not start where NATS has none, and says why', async () => {
    const plain = await startNats(natsConfiguration([{ name: 'checkin', password: JSON.stringify(PASSWORD) }]))
    try {
      expect(await complaint({ NATS_URL: natsUrl('tls', plain) })).toBe(
        'checkin: NATS_URL: the server does not offer TLS\n',
      )
    } finally {
      await plain.stop()
    }
  })
})
