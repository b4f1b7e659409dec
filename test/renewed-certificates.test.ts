// @module-tag slow
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect as connectPlain } from 'node:net'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serviceNames } from '../services/services.ts'
import { succeeded } from './harness/call.ts'
import { natsServer } from './harness/own-nats.ts'
import { redisServer } from './harness/own-redis.ts'
import { startTlsStores, type TlsStores } from './harness/tls-stores.ts'
import { startTlsSystem, type TlsSystem } from './harness/tls-system.ts'

const RUNBOOK = join(import.meta.dirname, '../docs/kubernetes.md')

/** What a server shows. */
interface Shown {
  fingerprint: string
  isTrusted: boolean
}

/** What a server shows to who trusts only one authority. */
async function shownAt(port: number, ca: string, speaksFirst: boolean): Promise<Shown> {
  const socket = connectPlain(port, '127.0.0.1')
  if (speaksFirst) await once(socket, 'data')
  const secure = connect({ socket, ca, rejectUnauthorized: false, servername: 'localhost' })
  await once(secure, 'secureConnect')
  // A server of NATS closes a route without a certificate.
  secure.on('error', () => {})
  const { fingerprint256 } = secure.getPeerCertificate()
  const shown = { fingerprint: fingerprint256, isTrusted: secure.authorized }
  secure.destroy()
  return shown
}

describe.skipIf(!natsServer || !redisServer)('certificates of stores, and of their authority, are renewed', () => {
  let stores: TlsStores
  let system: TlsSystem

  beforeAll(async () => {
    stores = await startTlsStores()
    system = await startTlsSystem(stores)
    await system.guest('ada', -1)
  })
  afterAll(async () => {
    await system?.stop()
    await stores?.stop()
  })

  /** What all servers show to who trusts an authority, and on their routes. */
  function allShown(ca: string): Promise<Shown[]> {
    const { nats, redis, mongo } = stores
    // To its clients NATS says something in the clear first.
    const speaking = nats.servers.map(({ host }) => Number(host.split(':')[1]))
    const silent = [...nats.routePorts, Number(new URL(redis.url).port), mongo.port]
    return Promise.all([
      ...speaking.map((port) => shownAt(port, ca, true)),
      ...silent.map((port) => shownAt(port, ca, false)),
    ])
  }

  /** What all of them show in the end: the certificate of the files. */
  async function renewed(): Promise<Shown[]> {
    const { fingerprint256 } = new X509Certificate(await readFile(stores.certificate.cert))
    return Array.from({ length: 6 }, () => ({ fingerprint: fingerprint256, isTrusted: true }))
  }

  /** Who is connected to the servers of NATS, by the number of the connection. */
  async function connectedToNats(): Promise<{ cid: number; authorized_user: string }[]> {
    const answers = await stores.nats.monitored<{ connections: { cid: number; authorized_user: string }[] }>(
      '/connz?auth=1',
    )
    return answers.flatMap(({ connections }) => connections)
  }

  /** The connections of processes to all stores. */
  async function connections(): Promise<string[]> {
    const { redis, mongo } = stores
    const own = await redis.client.client('ID')
    const ofRedis = [...String(await redis.client.client('LIST')).matchAll(/^id=(\d+) /gm)]
    return [
      ...(await connectedToNats()).map(({ cid, authorized_user }) => `nats ${cid} of ${authorized_user}`),
      ...ofRedis.flatMap(([, id]) => (id === String(own) ? [] : [`redis ${id}`])),
      ...[...mongo.connections].map(({ remotePort }) => `mongodb ${remotePort}`),
    ]
  }

  /** What the runbook says to Redis, whose files are elsewhere here. */
  async function reloadRedis(): Promise<void> {
    const { cert, key } = stores.certificate
    const [, said = ''] = /CONFIG SET ([^']+)'/.exec(await readFile(RUNBOOK, 'utf8')) ?? []
    const files: Record<string, string> = { $REDIS_TLS_CERT: cert, $REDIS_TLS_CERT_KEY: key }
    const settings = said.split(' ').map((word) => files[word] ?? word)
    expect(await stores.redis.client.call('CONFIG', 'SET', ...settings)).toBe('OK')
  }

  test('servers show the new one while connections of processes stay; who trusts the authority of before goes on, and so does who trusts the renewed one', async () => {
    const { certificate, nats, mongo } = stores
    const authority = await readFile(certificate.ca, 'utf8')
    const [before, open] = [await renewed(), await connections()]
    expect(await allShown(authority)).toEqual(before)
    await certificate.renew()
    const other = await readFile(certificate.ca, 'utf8')
    expect(other).not.toBe(authority)
    expect(await renewed()).not.toEqual(before)
    expect(await allShown(other)).toEqual(before)
    for (const reload of [nats.reload, reloadRedis, mongo.reload]) {
      await reload()
      expect(await system.scan('ada')).toBe(0)
    }
    await expect.poll(() => allShown(authority)).toEqual(await renewed())
    expect(await allShown(other)).toEqual(await renewed())
    expect(await connections()).toEqual(expect.arrayContaining(open))
  })

  test('processes that lose all connections take the new one, and no scan is lost', async () => {
    const { nats, redis, mongo } = stores
    const before = await connections()
    await nats.servers[0]?.stop()
    await redis.client.call('CLIENT', 'KILL', 'TYPE', 'normal')
    for (const each of mongo.connections) each.destroy()
    expect(await system.scan('ada')).toBe(0)
    const users = async () => (await connectedToNats()).map(({ authorized_user }) => authorized_user).sort()
    await expect.poll(users).toEqual([...serviceNames, 'gateway'].sort())
    const stored = await succeeded(system.api('GET', `${system.event}/access_controls.json`))
    expect(stored).toHaveLength(4)
    const now = (await connections()).filter((each) => !each.startsWith('nats'))
    expect(now).toEqual(expect.arrayContaining([expect.stringMatching(/^redis/), expect.stringMatching(/^mongodb/)]))
    expect(now.filter((each) => before.includes(each))).toEqual([])
  })
})
