import { settings as gatewaySettings, start as startGateway } from '@gatehouse/gateway/gateway'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { withDefaults } from '@gatehouse/proto/process/config.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { accounts } from '@gatehouse/sso/resources'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { startService } from '../services/services.ts'
import { call } from './harness/call.ts'
import { natsUrlOf } from './harness/nats-urls.ts'
import { type Answer, SECRETS_KEY, type System, startSystem } from './harness/system.ts'
import { proxyTo, type TcpProxy } from './harness/tcp-proxy.ts'
import { TestEvent } from './harness/test-event.ts'
import { slow } from './rounds.ts'

/** Longer than a machine may stall. */
const DEADLINE_MS = 4_000

describe('while a service is down', () => {
  let system: System
  let testEvent: TestEvent
  beforeAll(async () => {
    system = await startSystem({ checkins: 0 })
    // Creating an event does not need the checkin service.
    testEvent = await TestEvent.open(system)
  })
  afterAll(() => system?.stop())

  test.each([
    ['GET', 'accesspoints'],
    ['GET', 'access_controls'],
    ['GET', 'signatures'],
    ['POST', 'accesspoints'],
    ['POST', 'access_controls'],
    ['POST', 'access_controls/batch_create'],
    ['POST', 'signatures'],
    ['DELETE', `access_controls/${'f'.repeat(24)}`],
  ])('%s %s is 503 with Retry-After in every format', async (method, path) => {
    const body = method === 'POST' ? {} : undefined
    const json = await testEvent.api(method, `${path}.json`, body)
    expect([json.status, json.headers.get('retry-after'), Object.keys(json.body)]).toEqual([503, '1', ['error']])
    const xml = await testEvent.api(method, `${path}.xml`, body)
    expect([xml.status, xml.headers.get('retry-after')]).toEqual([503, '1'])
    expect(xml.text).toMatch(/<errors><error>[^<]+<\/error><\/errors>$/)
    const problem = await testEvent.api(method, `${path}.json`, body, {
      headers: { accept: 'application/problem+json' },
    })
    expect([problem.headers.get('retry-after'), problem.body.status]).toEqual(['1', 503])
  })

  test('/readyz is 503 with Retry-After and names the service; /livez and the other services work', async () => {
    const ready = async () => {
      const answer = await fetch(`${system.url}/readyz`)
      return [answer.status, answer.headers.get('retry-after'), await answer.json()]
    }
    const services = expect.objectContaining({ checkin: false, guests: true, sso: true })
    await expect.poll(ready).toEqual([503, '1', { status: 'unavailable', services }])
    expect((await fetch(`${system.url}/livez`)).status).toBe(200)
    expect((await testEvent.api('GET', 'guests.json')).status).toBe(200)
    const category = await testEvent.category()
    expect(await testEvent.guest(category, 'ada')).toMatch(/^[0-9a-f]{24}$/)
  })
})

describe('while a store does not answer', () => {
  const stops: (() => Promise<unknown>)[] = []
  let mongo: TcpProxy
  let nats: TcpProxy
  let stopSso: () => Promise<void>
  let token: string
  let account_id: string
  /** The gateway whose bus goes through the proxy, and one with a direct connection. */
  let base: string
  let directBase: string
  let path: string

  beforeEach(async () => {
    const common = {
      nats_url: inject('natsUrl'),
      namespace: `away-${crypto.randomUUID().slice(0, 8)}`,
      log_level: 'silent',
      deadline_ms: DEADLINE_MS,
      secrets_key: SECRETS_KEY,
    }
    ;[mongo, nats] = [await proxyTo(inject('mongodbUrl')), await proxyTo(natsUrlOf('gateway'))]
    const mongoAway = new URL(inject('mongodbUrl'))
    mongoAway.host = mongo.host
    const ssoRunning = await startService('sso', {
      ...common,
      nats_url: natsUrlOf('sso'),
      mongodb_url: inject('mongodbUrl'),
    })
    const guestsRunning = await startService('guests', {
      ...common,
      nats_url: natsUrlOf('guests'),
      mongodb_url: mongoAway.href,
      redis_url: inject('redisUrl'),
    })
    const http = withDefaults(gatewaySettings, {
      ...common,
      nats_url: natsUrlOf('gateway'),
      port: 0,
      rate_limits: 'off',
      overload_refusals: 'off',
    })
    const gateway = await startGateway({ ...http, nats_url: nats.url })
    const direct = await startGateway(http)
    directBase = direct.url
    const bus = await connectBus({
      servers: common.nats_url,
      namespace: common.namespace,
      name: 'test',
      log: makeLog('test', 'silent'),
    })
    let ssoStopped: Promise<void> | undefined
    stopSso = () => (ssoStopped ??= ssoRunning.stop())
    stops.push(
      () => gateway.stop(),
      () => direct.stop(),
      () => guestsRunning.stop(),
      stopSso,
      () => bus.stop(),
      () => mongo.close(),
      () => nats.close(),
    )
    ;({ auth_token: token, account_id } = await clientOf(bus, accounts).bootstrap({ body: { slug: 'away' } }))
    base = gateway.url
    const event = await send('POST', 'events.json', { title: 'Fair', account_id })
    path = `events/${event.body._id}`
  })
  afterEach(async () => {
    mongo.thaw()
    for (const stop of stops.splice(0)) await stop()
  })

  const send = (
    method: string,
    path: string,
    body?: object,
    { auth = token, at = base, ...init }: RequestInit & { auth?: string; at?: string } = {},
  ): Promise<Answer> => call(at, auth, method, path, body, init)

  /** Checks that an answer is 503, while the store does not answer. */
  async function expectUnavailable(answer: Promise<Answer>): Promise<void> {
    const { status, headers } = await answer
    expect([status, headers.get('retry-after')]).toEqual([503, '1'])
  }

  test(
    'a database that does not answer leads to 503 at the deadline, and to success once it answers',
    slow,
    async () => {
      expect((await send('GET', `${path}/guests.json`)).status).toBe(200)
      mongo.freeze()
      await Promise.all([
        expectUnavailable(send('GET', `${path}/guests.json`)),
        expectUnavailable(send('GET', `${path}/guest_fields.xml`)),
        expectUnavailable(send('POST', `${path}/guest_categories.json`, { name: 'Press' })),
        expectUnavailable(send('PUT', `${path}.json`, { title: 'Other' })),
      ])
      const ready = async () => {
        const answer = await fetch(`${base}/readyz`)
        return [answer.status, await answer.json()]
      }
      const services = expect.objectContaining({ guests: false, sso: true })
      await expect.poll(ready).toEqual([503, { status: 'unavailable', services }])
      mongo.thaw()
      await expect.poll(async () => (await send('GET', `${path}/guest_fields.json`)).status).toBe(200)
    },
  )

  test('a request with an Idempotency-Key is done once, however often it is retried meanwhile', slow, async () => {
    const key = { 'idempotency-key': 'frozen' }
    const body = { key: 'size', label: 'Size', type: 'text' }
    mongo.freeze()
    await expectUnavailable(send('POST', `${path}/guest_fields.json`, body, { headers: key }))
    mongo.thaw()
    await expect
      // The first try may have claimed the key, and holds it for a while.
      .poll(async () => (await send('POST', `${path}/guest_fields.json`, body, { headers: key })).status)
      .toBe(201)
    const fields = await send('GET', `${path}/guest_fields.json`)
    expect(fields.body.map((field: { key: string }) => field.key)).toEqual(['size'])
  })

  test('without the bus requests get 503 at once; a token revoked meanwhile gets 403 afterwards', slow, async () => {
    const doomed = (await send('POST', 'tokens.json', { name: 'doomed', scope: 'admin' })).body
    expect((await send('GET', 'me.json', undefined, { auth: doomed.token })).status).toBe(200)
    nats.cut()
    await expect.poll(async () => (await send('GET', 'me.json', undefined, { auth: doomed.token })).status).toBe(503)
    await expectUnavailable(send('GET', `${path}/guest_fields.xml`))
    expect((await fetch(`${base}/livez`)).status).toBe(200)
    expect((await fetch(`${base}/readyz`)).status).toBe(503)
    const revoked = await send('DELETE', `tokens/${doomed._id}.json`, undefined, { at: directBase })
    expect(revoked.status).toBe(204)
    nats.mend()
    const seen: number[] = []
    await expect
      .poll(
        async () => seen.push((await send('GET', 'me.json', undefined, { auth: doomed.token })).status) && seen.at(-1),
      )
      .toBe(403)
    expect(seen).not.toContain(200)
    expect((await send('GET', `${path}/guest_fields.json`)).status).toBe(200)
  })

  test('without the sso service a cached token is accepted, and another one gets 503, never 403', slow, async () => {
    expect((await send('GET', `${path}/guest_fields.json`)).status).toBe(200)
    await stopSso()
    await expectUnavailable(send('GET', `${path}/guest_fields.json`, undefined, { auth: 'gh_unknown' }))
    expect((await send('GET', `${path}/guest_fields.json`)).status).toBe(200)
  })

  test('without single sign-on browsers get a page and apps get JSON, with Retry-After', slow, async () => {
    await stopSso()
    for (const [accept, type] of [
      ['text/html,*/*', 'text/html; charset=utf-8'],
      ['*/*', 'application/json; charset=utf-8'],
    ] as const) {
      const answer = await fetch(`${base}/sso/acme/oauth/authorize`, { headers: { accept } })
      const { headers, status } = answer
      expect([status, headers.get('content-type'), headers.get('retry-after')]).toEqual([503, type, '1'])
      if (!type.startsWith('text/html')) continue
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/)
      expect(headers.get('x-frame-options')).toBe('DENY')
    }
  })
})
