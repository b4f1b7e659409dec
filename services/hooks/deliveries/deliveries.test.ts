import { settings, start } from '@gatehouse/hooks/service'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { DomainEvents } from '@gatehouse/proto/events/domain-events.ts'
import { readConfig } from '@gatehouse/proto/process/config.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { type Received, type Receiver, startReceiver } from '@gatehouse/test/harness/receiver.ts'
import { startReplica } from '@gatehouse/test/harness/replica.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { type Answer, SECRETS_KEY, type System, type TestAccount } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { MongoClient } from 'mongodb'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'

const system = await sharedSystem()

const DAY_MS = 24 * 3_600_000

test('by default attempts go on for a day', () => {
  const { hook_retry_delays } = readConfig({ hook_retry_delays: settings.hook_retry_delays }, {})
  const seconds = hook_retry_delays.split(',').reduce((sum, delay) => sum + Number(delay), 0)
  expect(seconds * 1_000).toBeGreaterThan(DAY_MS)
})

test('deliveries that would expire before their last attempt are refused at the start', () => {
  const config = readConfig(settings, { NATS_URL: 'nats://x', MONGODB_URL: 'mongodb://x', SECRETS_KEY })
  const [days, delays] = [2, '86400,57600']
  expect(() => start({ ...config, deliveries_kept_days: days, hook_retry_delays: delays })).toThrow(
    /^Configuration: HOOK_RETRY_DELAYS/,
  )
})

describe('deliveries', () => {
  let other: TestAccount
  let testEvent: TestEvent
  let point: string
  let category: string
  const receivers: Receiver[] = []
  const made: string[] = []

  beforeAll(async () => {
    other = await system.account('other')
  })

  beforeEach(async () => {
    testEvent = await TestEvent.open(system)
    point = await testEvent.point()
    category = await testEvent.category()
    await testEvent.link(category, point, 1)
    await testEvent.guest(category, 'ada', { first_name: 'Ada', guest_metadata: { diet: 'none' } })
  })
  afterEach(async () => {
    for (const id of made.splice(0)) await system.api('DELETE', `webhooks/${id}.json`)
    for (const receiver of receivers.splice(0)) await receiver.close()
  })

  async function receiver(answer?: Parameters<typeof startReceiver>[0]): Promise<Receiver> {
    const started = await startReceiver(answer)
    receivers.push(started)
    return started
  }

  async function webhook(url: string, fields: object = {}): Promise<string> {
    const { status, text, body } = await system.api('POST', 'webhooks.json', { url, event_id: testEvent.id, ...fields })
    expect(status, text).toBe(201)
    made.push(body._id)
    return body._id
  }

  const secret = async (): Promise<string> => (await system.api('GET', 'webhook_secret.json')).body.secret
  const log = async (id: string): Promise<Answer['body'][]> =>
    (await system.api('GET', `webhooks/${id}/deliveries.json`)).body

  /** Waits until all `count` deliveries of a webhook have a state, and returns them. */
  async function settled(id: string, state: string, count = 1): Promise<Answer['body'][]> {
    for (let tries = 0; ; tries++) {
      const found = await log(id)
      if (found.length === count && found.every((each) => each.state === state)) return found
      if (tries === 400) throw new Error(`not ${count} ${state}: ${JSON.stringify(found)}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  test('check-ins and created, changed and deleted guests arrive once, signed, as in the API', slow, async () => {
    const target = await receiver()
    // An event of its own: that ada was created may be delivered after the webhook was.
    const fair = await TestEvent.open(system)
    const id = await webhook(`${target.url}/hook?a=b`, { event_id: fair.id })
    const [gate, visitors] = [await fair.point(), await fair.category()]
    await fair.link(visitors, gate, 1)
    const guest = await fair.make('guests.json', {
      guest_category_id: visitors,
      uid: 'bob',
      guest_metadata: { a: '1' },
    })
    const scanned = await fair.scan(gate, 'bob')
    await fair.change(`guests/${guest._id}.json`, { last_name: 'Builder' })
    await fair.remove(`guests/${guest._id}.json`)
    const received = await target.until(({ length }) => length >= 4)
    const byType = Object.fromEntries(received.map(({ json }) => [json.type, json]))
    expect(byType['check_in.created']).toEqual({
      type: 'check_in.created',
      timestamp: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      event_id: fair.id,
      data: scanned,
    })
    expect(byType['guest.created'].data).toEqual({ ...guest, guest_metadata: [{ name: 'a', value: '1' }] })
    expect(byType['guest.updated'].data).toMatchObject({ _id: guest._id, last_name: 'Builder' })
    expect(byType['guest.deleted'].data).toMatchObject({ _id: guest._id, uid: 'bob' })
    const verifier = new Webhook(await secret())
    for (const { headers, body, path } of received) {
      expect(path).toBe('/hook?a=b')
      expect(headers['content-type']).toBe('application/json')
      expect(verifier.verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body))
    }
    const delivered = await settled(id, 'delivered', 4)
    expect(new Set(delivered.map(({ _id }) => _id))).toEqual(
      new Set(received.map(({ headers }) => headers['webhook-id'])),
    )
    expect(target.received.length).toBe(4)
  })

  test.each([
    ['standard', '', { type: 'test', timestamp: expect.any(String), event_id: null }],
    ['legacy', '', { _type: 'Test' }],
    ['standard', '/hook.xml', '<event><type>test</type>'],
    ['legacy', '/hook.xml', '<test>'],
  ] as const)(
    'a test is delivered whatever the webhook wants, signed: %s%s (docs/interface.md 16.10)',
    async (payload, path, begins) => {
      const target = await receiver()
      const id = await webhook(target.url + path, { payload, event_id: null, event_types: ['lead.created'] })
      const answer = await system.api('POST', `webhooks/${id}/test.json`)
      expect([answer.status, answer.body]).toEqual([
        201,
        expect.objectContaining({ webhook_id: id, event_type: 'test', event_id: null }),
      ])
      const [sent] = await target.until(({ length }) => length === 1)
      expect(sent?.headers).toMatchObject({ 'gatehouse-event-type': 'test', 'webhook-id': answer.body._id })
      const about = { _id: answer.body._id, message: 'This is a test' }
      if (typeof begins === 'string') expect(sent?.body).toContain(begins)
      else expect(sent?.json).toEqual(payload === 'legacy' ? { ...begins, ...about } : { ...begins, data: about })
      const listed = async () => (await system.api('GET', `webhooks/${id}/deliveries.json`)).body
      await expect.poll(listed).toMatchObject([{ _id: answer.body._id, state: 'delivered', response_status: 204 }])
    },
  )

  test('a test of a disabled webhook fails and says why; nobody tests a webhook of another account', async () => {
    const target = await receiver()
    const id = await webhook(target.url, { is_enabled: false })
    await system.api('POST', `webhooks/${id}/test.json`)
    const listed = async () => (await system.api('GET', `webhooks/${id}/deliveries.json`)).body
    await expect.poll(listed).toMatchObject([{ state: 'failed', error: 'the webhook is disabled' }])
    expect((await system.api('POST', `webhooks/${id}/test.json`, undefined, { token: other.auth_token })).status).toBe(
      404,
    )
    expect([target.received.length, (await listed()).length]).toEqual([0, 1])
  })

  test('a refused check-in is delivered like any other, and each one of a batch', async () => {
    const target = await receiver()
    await webhook(target.url, { event_types: ['check_in.created'] })
    const items = [
      { accesspoint_id: point, guest_uid: 'ada' },
      { accesspoint_id: point, guest_uid: 'ada' },
      { accesspoint_id: point, guest_uid: 'nobody' },
    ]
    const batch = await testEvent.make('access_controls/batch_create.json', items)
    const received = await target.until(({ length }) => length >= 3)
    const byId = (list: { _id: string }[]) => list.toSorted((a, b) => a._id.localeCompare(b._id))
    expect(byId(received.map(({ json }) => json.data))).toEqual(byId(batch))
  })

  test('a scan that is repeated with its key or stamp is not delivered again', slow, async () => {
    const target = await receiver()
    const id = await webhook(target.url, { event_types: ['check_in.created'] })
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const scan = { accesspoint_id: point, guest_uid: 'ada' }
    for (let time = 0; time < 3; time++) await testEvent.api('POST', 'access_controls.json', scan, { headers })
    const stamped = [{ ...scan, access_stamp: '2026-05-01T08:00:00Z' }]
    for (let time = 0; time < 3; time++) await testEvent.make('access_controls/batch_create.json', stamped)
    await settled(id, 'delivered', 2)
    await testEvent.scan(point, 'last')
    await settled(id, 'delivered', 3)
    expect(target.received.length).toBe(3)
  })

  test('a webhook gets only its types and its event, and nothing while it is disabled', slow, async () => {
    const target = await receiver()
    const elsewhere = await TestEvent.open(system)
    const id = await webhook(target.url, { event_types: ['guest.created'] })
    await webhook(`${target.url}/all`, { event_id: null, is_enabled: false })
    await elsewhere.guest(await elsewhere.category(), 'eve')
    await testEvent.scan(point, 'ada')
    const guest = await testEvent.guest(category, 'bob')
    await target.until(({ length }) => length > 0)
    await settled(id, 'delivered')
    expect(target.received.map(({ json, path }) => [path, json.data._id])).toEqual([['/', guest]])
  })

  test('another account gets nothing', slow, async () => {
    const target = await receiver()
    const theirs = await system.api(
      'POST',
      'webhooks.json',
      { url: `${target.url}/theirs` },
      { token: other.auth_token },
    )
    const id = await webhook(`${target.url}/ours`, { event_types: ['check_in.created'] })
    await testEvent.scan(point, 'ada')
    await settled(id, 'delivered')
    expect(target.received.map(({ path }) => path)).toEqual(['/ours'])
    await system.api('DELETE', `webhooks/${theirs.body._id}.json`, undefined, { token: other.auth_token })
  })

  test('a receiver that fails thrice gets a fourth attempt, with the same id and a valid signature', slow, async () => {
    const target = await receiver((_request, nth) => ({ status: nth <= 3 ? 500 : 200 }))
    const id = await webhook(target.url, { event_types: ['check_in.created'] })
    const scanned = await testEvent.scan(point, 'ada')
    const [delivery] = await settled(id, 'delivered')
    expect(delivery).toMatchObject({ attempt_count: 4, response_status: 200, error: null, next_attempt_at: null })
    expect(target.received.length).toBe(4)
    expect(new Set(target.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([delivery._id]))
    const verifier = new Webhook(await secret())
    for (const { headers, body } of target.received) {
      expect(verifier.verify(body, headers as Record<string, string>)).toMatchObject({ data: scanned })
    }
  })

  test('a delivery given up after the last delay can be replayed, and is then logged as delivered', slow, async () => {
    let status = 503
    const target = await receiver(() => ({ status }))
    const id = await webhook(target.url, { event_types: ['check_in.created'] })
    await testEvent.scan(point, 'ada')
    const [delivery] = await settled(id, 'failed')
    expect(delivery).toMatchObject({ attempt_count: 6, response_status: 503 })
    status = 200
    const replayed = await system.api('POST', `webhooks/${id}/deliveries/${delivery._id}/replay.json`)
    expect([replayed.status, replayed.body.state, replayed.body.attempt_count]).toEqual([201, 'pending', 0])
    expect((await settled(id, 'delivered'))[0]).toMatchObject({ _id: delivery._id, attempt_count: 1 })
    const strange = await system.api('POST', `webhooks/${id}/deliveries/${'f'.repeat(24)}/replay.json`)
    expect(strange.status).toBe(404)
  })

  test('redirects are not followed', slow, async () => {
    const trap = await receiver()
    const target = await receiver(() => ({ status: 302, location: `${trap.url}/trap` }))
    const id = await webhook(target.url, { event_types: ['check_in.created'] })
    await testEvent.scan(point, 'ada')
    expect((await settled(id, 'failed'))[0].response_status).toBe(302)
    expect(trap.received).toEqual([])
  })

  test('410 disables the webhook and gives up its pending deliveries', slow, async () => {
    const target = await receiver(() => ({ status: 410 }))
    const id = await webhook(target.url, { event_types: ['check_in.created'] })
    await testEvent.scan(point, 'ada')
    expect((await settled(id, 'failed'))[0]).toMatchObject({ attempt_count: 1, response_status: 410 })
    const isEnabled = async () => (await system.api('GET', `webhooks/${id}.json`)).body.is_enabled
    await expect.poll(isEnabled).toBe(false)
    const other = await webhook((await receiver()).url, { event_types: ['check_in.created'] })
    await testEvent.scan(point, 'nobody')
    await settled(other, 'delivered')
    expect((await log(id)).length).toBe(1)
  })

  test('a slow receiver does not delay a fast one', async () => {
    const slow = await receiver(() => ({ status: 200, afterMs: 3_000 }))
    const fast = await receiver()
    await webhook(slow.url, { event_types: ['check_in.created'] })
    await webhook(fast.url, { event_types: ['check_in.created'] })
    const items = Array.from({ length: 60 }, (_, index) => ({ accesspoint_id: point, guest_uid: `guest-${index}` }))
    await testEvent.make('access_controls/batch_create.json', items)
    await fast.until(({ length }) => length === 60)
    expect(slow.received.length).toBeLessThan(30)
    expect(slow.mostAtOnce).toBeLessThanOrEqual(4)
  })

  describe('slow receivers', () => {
    test.each([
      ['of the same host, many requests at once', 4, 20],
      ['more than are served at once', 70, 2],
    ])('%s, do not delay others', slow, async (_, count, checkIns) => {
      // Slow receivers answer only after the fast one got its delivery.
      const fast = Promise.withResolvers<void>()
      const target = await receiver(async ({ path }) => {
        if (path === '/fast') fast.resolve()
        else await fast.promise
        return { status: 200 }
      })
      const elsewhere = await TestEvent.open(system)
      const door = await elsewhere.point()
      await webhook(`${target.url}/fast`, { event_id: elsewhere.id, event_types: ['check_in.created'] })
      await Promise.all(
        Array.from({ length: count }, () => webhook(`${target.url}/slow`, { event_types: ['check_in.created'] })),
      )
      const scans = Array.from({ length: checkIns }, (_, nth) => ({ accesspoint_id: point, guest_uid: `guest-${nth}` }))
      await testEvent.make('access_controls/batch_create.json', scans)
      await target.until(({ length }) => length >= Math.min(count * 4, 64))
      await elsewhere.scan(door, 'ada')
      await target.until((received) => received.some(({ path }) => path === '/fast'))
    })
  })

  test('a rolled secret signs beside the new one for a day', async () => {
    const before = await secret()
    const rolled = await system.api('POST', 'webhook_secret.json')
    expect(rolled.status).toBe(201)
    expect(rolled.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(rolled.body.secret).not.toBe(before)
    const until = Date.parse(rolled.body.previous_expires_at)
    expect(Math.abs(until - Date.now() - DAY_MS)).toBeLessThan(60_000)
    const target = await receiver()
    await webhook(target.url, { event_types: ['check_in.created'] })
    await testEvent.scan(point, 'ada')
    const [received] = (await target.until(({ length }) => length > 0)) as [Received]
    const headers = received.headers as Record<string, string>
    expect(headers['webhook-signature']?.split(' ').length).toBeGreaterThanOrEqual(2)
    for (const each of [before, rolled.body.secret])
      expect(new Webhook(each).verify(received.body, headers)).toBeTruthy()
    expect(() => new Webhook(`whsec_${Buffer.alloc(32).toString('base64')}`).verify(received.body, headers)).toThrow()
  })

  test('the delivery log belongs to its account and has pages', async () => {
    const target = await receiver()
    const id = await webhook(target.url, { event_types: ['check_in.created'] })
    await testEvent.scan(point, 'ada')
    await testEvent.scan(point, 'nobody')
    await settled(id, 'delivered', 2)
    for (const page of [1, 2])
      expect((await system.api('GET', `webhooks/${id}/deliveries.json?page=${page}&per_page=1`)).body.length).toBe(1)
    const theirs = { token: other.auth_token }
    expect((await system.api('GET', `webhooks/${id}/deliveries.json`, undefined, theirs)).status).toBe(404)
    const [delivery] = await log(id)
    const replay = `webhooks/${id}/deliveries/${delivery._id}/replay.json`
    expect((await system.api('POST', replay, undefined, theirs)).status).toBe(404)
  })

  test('deliveries expire after 30 days, or after those of DELIVERIES_KEPT_DAYS', async () => {
    const client = new MongoClient(inject('mongodbUrl'))
    onTestFinished(() => client.close())
    const stored = client.db(`${system.namespace}_hooks`).collection('deliveries')
    const seconds = async () => (await stored.indexes()).flatMap(({ expireAfterSeconds }) => expireAfterSeconds ?? [])
    expect(await seconds()).toEqual([30 * 86_400])
    const replica = await startReplica('hooks', system, { deliveries_kept_days: 7 })
    await replica.stop()
    expect(await seconds()).toEqual([7 * 86_400])
  })

  test('the event’s badge_complete_hook_url gets the guest of a completed badge', async () => {
    const target = await receiver((_request, nth) => ({ status: nth === 1 ? 500 : 200 }))
    await system.api('PUT', `events/${testEvent.id}.json`, { badge_complete_hook_url: `${target.url}/badge` })
    const [ada] = await testEvent.read('guests.json?uid=ada&guest_metadata=true')
    const item = { ...ada, badge_completed: true, badge_url: 'https://x/badge', qrcode_url: 'https://x/qr' }
    const { domain, close } = await domainOf(system)
    await domain.publish(
      { type: 'badge.completed', event_id: testEvent.id, items: [item] },
      crypto.randomUUID(),
      new Date(),
    )
    const received = await target.until(({ length }) => length >= 2)
    await close()
    expect(received.map(({ path }) => path)).toEqual(['/badge', '/badge'])
    expect(received[0]?.json).toEqual({ _type: 'Guest', ...item })
    const [first] = received as [Received]
    expect(new Webhook(await secret()).verify(first.body, first.headers as Record<string, string>)).toBeTruthy()
    expect(await settled(testEvent.id, 'delivered')).toMatchObject([
      { webhook_id: testEvent.id, event_type: 'badge.completed' },
    ])
  })
})

/** Publishes domain events as a service does. */
async function domainOf({ namespace }: System): Promise<{ domain: DomainEvents; close: () => Promise<void> }> {
  const log = makeLog('test', 'silent')
  const bus = await connectBus({ servers: inject('natsUrl'), namespace, name: 'test', log })
  const domain = new DomainEvents(bus, log)
  return { domain, close: () => bus.stop(async () => domain.stop()) }
}
