import { setTimeout as sleep } from 'node:timers/promises'
import { reservePort } from '@gatehouse/local/ports'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { mainOf, serviceNames } from '../services/services.ts'

import { natsUrlOf } from './harness/nats-urls.ts'
import { type SpeakingProcess, startSpeaking } from './harness/speaking-process.ts'
import { SECRETS_KEY } from './harness/system.ts'
import { proxyTo, type TcpProxy } from './harness/tcp-proxy.ts'

const WAITING = '"msg":"waiting for a store"'
/** Longer than the first attempts to connect take. */
const SOME_ATTEMPTS_MS = 1_500

let stores: Record<'nats' | 'mongodb' | 'redis', TcpProxy>
let port: number
const processes: SpeakingProcess[] = []

beforeAll(async () => {
  const [nats, mongodb, redis] = await Promise.all(
    ['natsUrl' as const, 'mongodbUrl' as const, 'redisUrl' as const].map((name) => proxyTo(inject(name))),
  )
  stores = { nats, mongodb, redis } as typeof stores
})
afterEach(async () => {
  for (const { stop } of processes.splice(0)) await stop('SIGKILL')
})
afterAll(() => Promise.all(Object.values(stores).map((each) => each.close())))

/** Starts a process whose stores are behind the proxies. `settings` overrides the usual ones. */
function startBehind(main: string, settings: Record<string, string> = {}): SpeakingProcess {
  const natsUrl = (user: string): string => {
    const url = new URL(natsUrlOf(user))
    url.host = stores.nats.host
    return url.href
  }
  const started = startSpeaking(main, {
    NATS_URL: natsUrl('gateway'),
    ...Object.fromEntries(serviceNames.map((name) => [`NATS_URL_${name.toUpperCase()}`, natsUrl(name)])),
    MONGODB_URL: stores.mongodb.url,
    REDIS_URL: stores.redis.url,
    NAMESPACE: `waiting-${crypto.randomUUID().slice(0, 8)}`,
    SECRETS_KEY,
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    OPERATIONS_PORT: '0',
    ...settings,
  })
  processes.push(started)
  return started
}

/** The address of a process's operations port, which its log says. */
async function operationsOf({ said }: SpeakingProcess): Promise<string> {
  await expect.poll(() => said.out).toContain('operations port is open')
  return /"url":"([^"]+)","msg":"operations port is open"/.exec(said.out)?.[1] ?? ''
}

const statusOf = (url: string): Promise<number> =>
  fetch(url).then(
    ({ status }) => status,
    () => 0,
  )

describe('a process that finds no store at its start', () => {
  test('waits, lives and is not ready; when the stores are back the same process serves', async () => {
    port = await reservePort()
    for (const store of Object.values(stores)) store.cut()
    const NAMESPACE = `waiting-${crypto.randomUUID().slice(0, 8)}`
    const services = startBehind('services/main.ts', { NAMESPACE })
    const gateway = startBehind(mainOf('gateway'), { NAMESPACE })
    const url = `http://127.0.0.1:${port}`
    const own = await Promise.all([services, gateway].map(operationsOf))
    for (const { said } of [services, gateway]) await expect.poll(() => said.out).toContain(WAITING)
    for (const each of [url, ...own]) {
      await expect.poll(() => statusOf(`${each}/livez`)).toBe(200)
      expect(await statusOf(`${each}/readyz`)).toBe(503)
    }
    const answer = await fetch(`${url}/api/v1/me.json?auth_token=x`)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await answer.json()).toEqual({ error: expect.any(String) })

    stores.mongodb.mend()
    stores.redis.mend()
    stores.nats.mend()
    for (const each of [url, ...own]) await expect.poll(() => statusOf(`${each}/readyz`)).toBe(200)
    // Said once for each store and service, not at each attempt.
    expect(services.said.out.split(WAITING).length - 1).toBeLessThanOrEqual(3 * serviceNames.length)
    expect(`${services.said.out}${gateway.said.out}`).not.toContain(new URL(stores.mongodb.url).password)
  })

  test.each([
    ['NATS', 'nats', mainOf('gateway')],
    ['MongoDB', 'mongodb', mainOf('promo')],
  ] as const)('ends at once by SIGTERM while it waits for %s', async (name, store, main) => {
    port = await reservePort()
    stores[store].cut()
    const waiting = startBehind(main, main === mainOf('promo') ? { NATS_URL: natsUrlOf('promo') } : {})
    await expect.poll(() => waiting.said.out).toContain(`"store":"${name}"`)
    await waiting.stop()
    expect(await waiting.ended).toBe(0)
    stores[store].mend()
  })

  test('is ready without Redis, whose absence the log does not repeat at each attempt', async () => {
    stores.redis.cut()
    const checkin = startBehind('services/main.ts', { SERVICES: 'checkin' })
    await checkin.ready()
    await sleep(SOME_ATTEMPTS_MS)
    expect(checkin.said.out.split('"msg":"redis"').length - 1).toBeLessThanOrEqual(2)
    stores.redis.mend()
  })
})

describe('a process with wrong settings ends, and says what is wrong', () => {
  const wrong = (url: string): string => url.replace(/\/\/([^:]*):[^@]*@/, '//$1:wrong@')

  test.each([
    [
      'MONGODB_URL',
      (): string => wrong(stores.mongodb.url),
      'promo: MongoDB rejects the credentials in MONGODB_URL',
      1,
    ],
    ['MONGODB_URL', (): string => 'mongo.example.org', 'promo: Configuration: MONGODB_URL: ', 2],
    ['NATS_URL_PROMO', (): string => wrong(natsUrlOf('promo')), 'promo: NATS rejects the credentials in NATS_URL', 1],
    ['NATS_URL_PROMO', (): string => 'http://', 'promo: NATS_URL is not an address', 1],
    ['REDIS_URL', (): string => 'http://:secret@host', 'Configuration: REDIS_URL is not an address', 2],
  ] as const)('%s: %#', async (name, value, sentence, code) => {
    const isRedis = name === 'REDIS_URL'
    const settings = { SERVICES: isRedis ? 'checkin' : 'promo', [name]: value() }
    const ending = startBehind('services/main.ts', settings)
    expect(await ending.ended).toBe(code)
    expect(ending.said.err).toContain(sentence)
    expect(`${ending.said.err}${ending.said.out}`).not.toMatch(/wrong@|:secret/)
  })
})
