// @module-tag slow
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { natsConfiguration } from '@gatehouse/proto/declaring/permissions/nats-configuration.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { openStore } from '@gatehouse/proto/storage/mongo.ts'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { mainOf, serviceNames } from '../services/services.ts'
import { succeeded } from './harness/call.ts'
import { type Certificate, makeCertificate } from './harness/certificates.ts'
import { natsServer, type OwnNats, startNats } from './harness/own-nats.ts'
import { redisServer } from './harness/own-redis.ts'
import { startSpeaking } from './harness/speaking-process.ts'
import { startTlsRedis, startTlsStores, type TlsStores } from './harness/tls-stores.ts'
import { startTlsSystem } from './harness/tls-system.ts'

describe.skipIf(!natsServer || !redisServer)('stores with TLS', () => {
  let folder: string
  /** Of an authority that nobody trusts. */
  let foreign: Certificate
  let stores: TlsStores

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-foreign-'))
    ;[foreign, stores] = await Promise.all([makeCertificate(folder), startTlsStores()])
  })
  afterAll(async () => {
    await stores?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  /** The users who are connected to NATS, all of them by TLS. */
  async function connectedUsers(): Promise<string[]> {
    const answers = await stores.nats.monitored<{ connections: { authorized_user: string; tls_version: string }[] }>(
      '/connz?auth=1',
    )
    const connections = answers.flatMap((answer) => answer.connections)
    for (const { tls_version } of connections) expect(tls_version).toMatch(/^1\.[23]$/)
    return connections.map(({ authorized_user }) => authorized_user).sort()
  }

  test('all processes reach NATS, Redis and MongoDB by their URLs alone, each as its own user, and trust the authority of NODE_EXTRA_CA_CERTS: a guest is let in, also when a NATS server is gone', async () => {
    const { api, auth_token, event, guest, scan, stop } = await startTlsSystem(stores)
    onTestFinished(stop)
    expect((await api('GET', 'account.json', undefined, { token: `${auth_token}x` })).status).toBe(403)
    const users = [...serviceNames, 'gateway'].sort()
    await expect.poll(connectedUsers).toEqual(users)
    // The first is that of the test.
    expect(String(await stores.redis.client.client('LIST')).match(/\baddr=/g)?.length).toBeGreaterThan(1)
    for (const { cluster } of await stores.nats.monitored<{ cluster: object }>('/varz'))
      expect(cluster).toMatchObject({ tls_required: true, tls_verify: true })
    for (const { num_routes } of await stores.nats.monitored<{ num_routes: number }>('/routez'))
      expect(num_routes).toBeGreaterThan(0)

    for (const uid of ['ada', 'bob']) await guest(uid, 1)
    expect([await scan('ada'), await scan('ada')]).toEqual([0, 3])

    // Everyone has heard of the other server by its address, and takes it by the name of the first.
    await stores.nats.servers[0]?.stop()
    expect(await scan('bob')).toBe(0)
    await expect.poll(connectedUsers).toEqual(users)
    expect((await succeeded(api('GET', `${event}/access_controls.json`))).length).toBe(3)
  })

  const second = (): OwnNats => stores.nats.servers[1] as OwnNats

  /** As a process connects at its start. */
  const connecting = (servers: string) =>
    connectBus({ servers, namespace: stores.namespace, name: 'checkin', log: makeLog('test', 'silent') })

  test('a NATS server or a MongoDB whose certificate is not trusted is refused, and the reason is said', async () => {
    await expect(connecting(stores.nats.urlFor('checkin', second()))).rejects.toThrow(
      /^NATS_URL: the certificate of the server is not accepted \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)/,
    )
    const { mongodb_url } = stores.settings
    const url = mongodb_url.replace(encodeURIComponent(stores.certificate.ca), encodeURIComponent(foreign.ca))
    expect(url).not.toBe(mongodb_url)
    await expect(openStore(url, stores.namespace, 'checkin', makeLog('test', 'silent'))).rejects.toThrow(
      /^MONGODB_URL: the certificate of the server is not accepted \(\w+\)/,
    )
  })

  test('NATS without TLS is refused where a URL asks for it, and the reason is said', async () => {
    const plain = await startNats(natsConfiguration([{ name: 'checkin', password: '"password"' }]))
    onTestFinished(() => plain.stop())
    await expect(connecting(stores.nats.urlFor('checkin', plain))).rejects.toThrow(
      /^NATS_URL: the server does not offer TLS$/,
    )
  })

  test.each<[what: string, settings: () => Promise<Record<string, string>>, log: RegExp]>([
    [
      'a Redis whose certificate is not trusted',
      async () => {
        const other = await startTlsRedis(foreign, folder)
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
      NATS_URL: stores.nats.urlFor('checkin', second()),
      REDIS_URL: stores.redis.url,
      MONGODB_URL: stores.settings.mongodb_url,
      NAMESPACE: stores.namespace,
      OPERATIONS_PORT: '0',
      NODE_EXTRA_CA_CERTS: stores.certificate.ca,
      ...(await settings()),
    })
    onTestFinished(() => process.stop('SIGKILL'))
    await expect.poll(() => process.said.out).toMatch(log)
  })
})
