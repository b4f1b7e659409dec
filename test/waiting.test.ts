// @module-tag slow
import { setTimeout as sleep } from 'node:timers/promises'
import { reservePort } from '@gatehouse/local/ports'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { mainOf, serviceNames } from '../services/services.ts'
import { natsUrlOf } from './harness/nats-urls.ts'
import { startReplica } from './harness/replica.ts'
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
afterAll(() => Promise.all(Object.values(stores).map((each) => each.close())))

async function endAll(): Promise<void> {
  for (const { stop } of processes.splice(0)) await stop('SIGKILL')
}

/** Starts a process whose stores are behind the proxies. `settings` overrides the usual ones. */
function startBehind(main: string, settings: Record<string, string> = {}): SpeakingProcess {
  const natsUrl = (user: string): string => {
    const url = new URL(natsUrlOf(user))
    url.host = stores.nats.host
    return url.href
  }
  const started = startSpeaking(main, {
    NATS_URL: natsUrl(main === mainOf('promo') ? 'promo' : 'gateway'),
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
  await vi.waitFor(() => expect(said.out).toContain('operations port is open'), { timeout: 120_000 })
  return /"url":"([^"]+)","msg":"operations port is open"/.exec(said.out)?.[1] ?? ''
}

/** Whether a line of a log is of a service, and has this message. */
function isOf(line: string, service: string, message: string): boolean {
  return line.includes(`"name":"${service}"`) && line.includes(`"msg":"${message}"`)
}

const statusOf = (url: string): Promise<number> =>
  fetch(url).then(
    ({ status }) => status,
    () => 0,
  )

describe('processes that find no store at their start', () => {
  let services: SpeakingProcess
  let gateway: SpeakingProcess
  /** The gateway, and the operations ports of both. */
  let urls: string[]
  beforeAll(async () => {
    port = await reservePort()
    for (const store of Object.values(stores)) store.cut()
    const NAMESPACE = `waiting-${crypto.randomUUID().slice(0, 8)}`
    services = startBehind('services/main.ts', { NAMESPACE })
    gateway = startBehind(mainOf('gateway'), { NAMESPACE })
    urls = [`http://127.0.0.1:${port}`, ...(await Promise.all([services, gateway].map(operationsOf)))]
  })
  afterAll(endAll)

  test('wait, live and are not ready', async () => {
    for (const { said } of [services, gateway]) await expect.poll(() => said.out).toContain(WAITING)
    for (const each of urls) {
      await expect.poll(() => statusOf(`${each}/livez`)).toBe(200)
      expect(await statusOf(`${each}/readyz`)).toBe(503)
    }
    const answer = await fetch(`${urls[0]}/api/v1/me.json?auth_token=x`)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await answer.json()).toEqual({ error: expect.any(String) })
  })

  test('start checkin without Redis, whose absence the log does not repeat at each attempt', async () => {
    stores.mongodb.mend()
    stores.nats.mend()
    const linesOf = (message: string) => services.said.out.split('\n').filter((line) => isOf(line, 'checkin', message))
    await expect.poll(() => linesOf('ready')).toHaveLength(1)
    await sleep(SOME_ATTEMPTS_MS)
    // The door, the log of changes and the times of scans each have a connection.
    expect(linesOf('redis').length).toBeLessThanOrEqual(3)
  })

  test('serve when the stores are back', async () => {
    stores.redis.mend()
    for (const each of urls) await expect.poll(() => statusOf(`${each}/readyz`)).toBe(200)
    // Said once for each store and service, not at each attempt.
    expect(services.said.out.split(WAITING).length - 1).toBeLessThanOrEqual(3 * serviceNames.length)
    expect(`${services.said.out}${gateway.said.out}`).not.toContain(new URL(stores.mongodb.url).password)
  })
})

test.each([
  ['NATS', 'nats'],
  ['MongoDB', 'mongodb'],
] as const)('a process ends at once by SIGTERM while it waits for %s', async (name, store) => {
  onTestFinished(endAll)
  stores[store].cut()
  const waiting = startBehind(mainOf('promo'), store === 'nats' ? {} : { NATS_URL: natsUrlOf('promo') })
  await expect.poll(() => waiting.said.out).toContain(`"store":"${name}"`)
  await waiting.stop()
  expect(await waiting.ended).toBe(0)
  stores[store].mend()
})

const wrong = (url: string): string => url.replace(/\/\/([^:]*):[^@]*@/, '//$1:wrong@')

test.each([
  ['MONGODB_URL', (): string => wrong(stores.mongodb.url), 'promo: MongoDB rejects the credentials in MONGODB_URL'],
  ['NATS_URL_PROMO', (): string => wrong(natsUrlOf('promo')), 'promo: NATS rejects the credentials in NATS_URL'],
])('a process whose %s has wrong credentials ends, and says so', async (name, value, sentence) => {
  onTestFinished(endAll)
  const ending = startBehind('services/main.ts', { SERVICES: 'promo', [name]: value() })
  expect(await ending.ended).toBe(1)
  expect(ending.said.err).toContain(sentence)
  expect(`${ending.said.err}${ending.said.out}`).not.toContain('wrong@')
})

test('a service does not start with an address of MongoDB that is none, and says so', async () => {
  const place = { namespace: `waiting-${crypto.randomUUID().slice(0, 8)}`, url: '' }
  await expect(startReplica('promo', place, { mongodb_url: 'mongo.example.org' })).rejects.toThrow(
    /^Configuration: MONGODB_URL: /,
  )
})
