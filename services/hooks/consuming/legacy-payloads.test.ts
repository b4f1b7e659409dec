// @module-tag slow
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { natsUrlOf } from '@gatehouse/test/harness/nats-urls.ts'
import { type Received, type Receiver, startReceiver } from '@gatehouse/test/harness/receiver.ts'
import { type Answer, SECRETS_KEY, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { MongoClient } from 'mongodb'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { startService } from '../../services.ts'

const METADATA = [{ name: 'diet', value: 'none' }]
const XML = { headers: { 'content-type': 'application/xml; charset=utf-8' } }

/** A guest as webhooks are told of it; when it came may be known by then or not. */
const toldOf = (guest: Answer['body']) => ({
  _type: 'Guest',
  ...guest,
  checked_in_at: expect.toBeOneOf([null, expect.any(String)]),
})

describe('webhooks with the payload legacy', () => {
  let system: System
  let guests: Running
  let target: Receiver
  let answers: (request: Received, nth: number) => { status: number }
  let testEvent: TestEvent
  let point: string
  let category: string
  let ada: Answer['body']

  const runGuests = (): Promise<Running> =>
    startService('guests', {
      mongodb_url: inject('mongodbUrl'),
      nats_url: natsUrlOf('guests'),
      redis_url: inject('redisUrl'),
      namespace: system.namespace,
      log_level: 'silent',
      deadline_ms: 30_000,
      secrets_key: SECRETS_KEY,
      public_url: system.url,
      gatehouse_allow_private_hooks: true,
    })

  beforeAll(async () => {
    system = await startSystem({ guests: 0, with: ['hooks', 'leads', 'badges'] })
    guests = await runGuests()
    target = await startReceiver((request, nth) => answers(request, nth))
  })
  afterAll(async () => {
    await guests?.stop()
    await system?.stop()
    await target?.close()
  })
  beforeEach(async () => {
    answers = () => ({ status: 204 })
    testEvent = await TestEvent.open(system)
    point = await testEvent.point()
    category = await testEvent.category()
    await testEvent.link(category, point, 1)
    await testEvent.guest(category, 'ada', { first_name: 'Ada', guest_metadata: METADATA })
    ;[ada] = await testEvent.read('guests.json?uid=ada&guest_metadata=true&qrcode_url=true')
  })
  afterEach(async () => {
    const { body } = await system.api('GET', 'webhooks.json')
    for (const { _id } of body) await system.api('DELETE', `webhooks/${_id}.json`)
    target.received.length = 0
  })

  async function webhook(fields: object = {}): Promise<string> {
    const made = { url: `${target.url}/legacy`, event_id: testEvent.id, payload: 'legacy', ...fields }
    const { status, text, body } = await system.api('POST', 'webhooks.json', made)
    expect(status, text).toBe(201)
    return body._id
  }

  /** The requests with an event type, once there are `count`. */
  const told = async (type: string, count = 1, path = '/legacy'): Promise<Received[]> => {
    const those = (all: Received[]): Received[] =>
      all.filter((each) => each.headers['gatehouse-event-type'] === type && each.path === path)
    return those(await target.until((all) => those(all).length >= count))
  }

  test('get each check-in of a batch by itself, at the top level, with its guest or null', slow, async () => {
    await webhook()
    const items = ['ada', 'ada', 'nobody'].map((guest_uid) => ({ accesspoint_id: point, guest_uid }))
    const batch: Answer['body'][] = await testEvent.make('access_controls/batch_create.json', items)
    const received = await told('check_in.created', 3)
    const bodies = new Map(received.map(({ json }) => [json._id, json]))
    for (const checkIn of batch) {
      const guest = checkIn.guest_uid === 'ada' ? toldOf(ada) : null
      expect(bodies.get(checkIn._id)).toEqual({ _type: 'AccessControl', ...checkIn, guest })
    }
    expect(ada.guest_metadata).toEqual(METADATA)
    const verifier = new Webhook((await system.api('GET', 'webhook_secret.json')).body.secret)
    for (const { headers, body } of received)
      expect(verifier.verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body))
  })

  test('get created, changed and deleted guests at the top level as Guest; the header has the event type', async () => {
    await webhook()
    const made = await testEvent.make('guests.json', {
      guest_category_id: category,
      uid: 'bob',
      guest_metadata: METADATA,
    })
    await testEvent.change(`guests/${made._id}.json`, { last_name: 'Builder' })
    await testEvent.remove(`guests/${made._id}.json`)
    const [[created], [updated], [deleted]] = [
      await told('guest.created'),
      await told('guest.updated'),
      await told('guest.deleted'),
    ]
    expect(created?.json).toEqual({ _type: 'Guest', ...made, guest_metadata: METADATA })
    expect(updated?.json).toMatchObject({ _type: 'Guest', _id: made._id, last_name: 'Builder', event_id: testEvent.id })
    expect(deleted?.json).toMatchObject({ _type: 'Guest', _id: made._id, uid: 'bob', guest_metadata: METADATA })
    expect(target.received.every(({ json }) => !('guest' in json))).toBe(true)
  })

  test('get a deleted check-in only if they name the event type', async () => {
    const all = await webhook({ url: `${target.url}/all` })
    await webhook({ event_types: ['check_in.deleted'] })
    const checkIn = await testEvent.scan(point, 'ada')
    await testEvent.remove(`access_controls/${checkIn._id}.json`)
    const [deleted] = await told('check_in.deleted')
    expect(deleted?.json).toEqual({ _type: 'AccessControl', ...checkIn, guest: toldOf(ada) })
    // Deliveries may come in any order, but those of an event are stored together.
    await told('check_in.created', 1, '/all')
    const { body } = await system.api('GET', `webhooks/${all}/deliveries.json`)
    expect(body.map((delivery: Answer['body']) => delivery.event_type)).toEqual(['check_in.created'])
  })

  test('get a nested guest of more than 16 KiB without metadata, and without other large fields if necessary', async () => {
    await webhook({ event_types: ['check_in.created'] })
    const metadata = (length: number) => ({ a: 'x'.repeat(length), b: 'x'.repeat(7_000) })
    const { guest_metadata: _, ...small } = ada
    for (const [uid, fields] of [
      // Fields for the search are not included.
      ['medium', { guest_metadata: metadata(8_200), position: Array.from({ length: 80 }, (_, n) => n + 10).join(' ') }],
      ['large', { guest_metadata: metadata(9_900) }],
      // Each becomes six characters of JSON.
      ['largest', { guest_metadata: metadata(9_900), message: '\u0001'.repeat(9_000) }],
    ] as const) {
      await testEvent.guest(category, uid, fields)
      await testEvent.scan(point, uid)
    }
    const received = await told('check_in.created', 3)
    const keys = new Map(received.map(({ json }) => [json.guest_uid, Object.keys(json.guest)]))
    expect(keys.get('medium')?.toSorted()).toEqual(['_type', ...Object.keys(ada)].toSorted())
    expect(keys.get('large')?.toSorted()).toEqual(['_type', ...Object.keys(small)].toSorted())
    const { message: __, access_privileges: ___, ...smallest } = small
    expect(keys.get('largest')?.toSorted()).toEqual(['_type', ...Object.keys(smallest)].toSorted())
  })

  test('hear of check-ins with the statuses of access_statuses alone, standard webhooks too; of all where it is empty', async () => {
    const legacy = await webhook({ access_statuses: [0], event_types: ['check_in.created'] })
    await webhook({ url: `${target.url}/standard`, payload: 'standard', access_statuses: ['1', 3] })
    const items = ['nobody', 'ada', 'ada'].map((guest_uid) => ({ accesspoint_id: point, guest_uid }))
    const batch: Answer['body'][] = await testEvent.make('access_controls/batch_create.json', items)
    const [granted] = await told('check_in.created')
    expect(granted?.json).toMatchObject({ access_status: 0, guest: { _type: 'Guest', uid: 'ada' } })
    const refused = await told('check_in.created', 2, '/standard')
    expect(refused.map(({ json }) => json.data.access_status).sort()).toEqual([1, 3])
    await system.api('PUT', `webhooks/${legacy}.json`, { access_statuses: [] })
    await testEvent.scan(point, 'nobody')
    expect((await told('check_in.created', 2))[1]?.json).toMatchObject({ access_status: 1, guest: null })
    const [, only] = batch
    expect((await told('check_in.created')).filter(({ json }) => json._id === only._id)).toHaveLength(1)
    for (const wrong of [[4], [-1], ['x'], [0, 1, 2, 3, 0]]) {
      const { status, body } = await system.api('PUT', `webhooks/${legacy}.json`, { access_statuses: wrong })
      expect([status, Object.keys(body.errors)[0]]).toEqual([422, expect.stringMatching(/^access_statuses/)])
    }
  })

  test('get XML where the path of the URL ends in .xml, which is signed as it is', async () => {
    await webhook({ url: `${target.url}/legacy.xml?key=1.json` })
    await webhook({ url: `${target.url}/standard.XML`, payload: 'standard', event_types: ['check_in.created'] })
    await webhook({ url: `${target.url}/json?as=.xml`, event_types: ['check_in.created'] })
    await testEvent.change(`guests/${ada._id}.json`, { position: 'R&D <lead>' })
    const [changed] = await told('guest.updated', 1, '/legacy.xml?key=1.json')
    expect(changed?.headers['content-type']).toBe('application/xml; charset=utf-8')
    expect(changed?.body).toMatch(/^<\?xml [^>]+>\s*<guest><_type>Guest<\/_type><_id>/)
    expect(changed?.body).toContain('<position>R&amp;D &lt;lead&gt;</position>')
    expect(changed?.body).toContain(
      '<guest-metadata type="array"><guest-metadatum><name>diet</name><value>none</value></guest-metadatum></guest-metadata>',
    )
    await testEvent.scan(point, 'ada')
    await testEvent.scan(point, 'nobody')
    const [granted, unknown] = await told('check_in.created', 2, '/legacy.xml?key=1.json')
    const bodies = [granted?.body, unknown?.body].toSorted()
    expect(bodies.join()).toMatch(
      /<access-control><_type>AccessControl<\/_type>.*<guest><_type>Guest<\/_type>.*<\/access-control>/s,
    )
    expect(bodies.join()).toContain('<access-status type="integer">1</access-status>')
    expect(bodies.join()).toContain('<guest nil="true"/></access-control>')
    const [standard] = await told('check_in.created', 2, '/standard.XML')
    expect(standard?.body).toMatch(
      /<event><type>check_in.created<\/type><timestamp type="datetime">[^<]+<\/timestamp>.*<data><_id>/s,
    )
    const [json] = await told('check_in.created', 1, '/json?as=.xml')
    expect([json?.headers['content-type'], json?.json._type]).toEqual(['application/json', 'AccessControl'])
    const verifier = new Webhook((await system.api('GET', 'webhook_secret.json')).body.secret)
    const headers = changed?.headers as Record<string, string>
    expect(() => verifier.verify(String(changed?.body), headers)).toThrow(SyntaxError)
  })

  test('get a lead as Connection, with its guest', async () => {
    await webhook()
    const { _id: exhibitor, access_token } = await testEvent.make('exhibitors.json', { name: 'Acme' })
    const path = `devices/${access_token}/connections/batch_create.json`
    await system.api('POST', path, [{ guest_uid: 'ada', author: 'Ann' }], { token: '' })
    const [lead] = await testEvent.read(`exhibitors/${exhibitor}/connections.json`)
    expect((await told('lead.created'))[0]?.json).toEqual({
      _type: 'Connection',
      ...lead,
      guest: toldOf(ada),
    })
  })

  test('get the guest of a completed badge with both links, as badge_complete_hook_url does', async () => {
    await webhook()
    await system.api('PUT', `events/${testEvent.id}.json`, { badge_complete_hook_url: `${target.url}/badge` })
    const { _id } = await testEvent.make('guest_categories.json', { name: 'Speakers', badge_enabled: true })
    const made = await testEvent.make('guests.json', {
      guest_category_id: _id,
      last_name: 'King',
      guest_metadata: METADATA,
    })
    const [[hook], [badge]] = [await told('badge.completed'), await told('badge.completed', 1, '/badge')]
    expect(hook?.json).toEqual(badge?.json)
    expect(hook?.json).toMatchObject({
      _type: 'Guest',
      _id: made._id,
      badge_completed: true,
      badge_url: expect.stringMatching(/^http.+\.pdf$/),
      qrcode_url: made.qrcode_url,
      guest_metadata: METADATA,
    })
  })

  test('each check-in is delivered once to a legacy and once to a standard webhook', async () => {
    const ids = [await webhook(), await webhook({ url: `${target.url}/standard`, payload: 'standard' })]
    const scanned = await testEvent.scan(point, 'ada')
    const [standard] = await told('check_in.created', 1, '/standard')
    const { type, timestamp, event_id, data } = standard?.json ?? {}
    expect({ type, event_id, data }).toEqual({ type: 'check_in.created', event_id: testEvent.id, data: scanned })
    expect(Date.parse(timestamp)).toBeGreaterThan(0)
    expect((await told('check_in.created'))[0]?.json).toMatchObject({ _id: scanned._id, guest: { uid: 'ada' } })
    for (const id of ids)
      await expect
        .poll(async () => (await system.api('GET', `webhooks/${id}/deliveries.json`)).body)
        .toMatchObject([{ state: 'delivered', event_type: 'check_in.created' }])
    expect(target.received.length).toBe(2)
  })

  test('retries and replays send the same body and webhook-id, although the guest has changed', async () => {
    answers = (_, nth) => ({ status: nth === 1 ? 500 : 204 })
    const id = await webhook({ event_types: ['check_in.created'] })
    await testEvent.scan(point, 'ada')
    await told('check_in.created', 2)
    await testEvent.change(`guests/${ada._id}.json`, { last_name: 'King' })
    const log = async () => (await system.api('GET', `webhooks/${id}/deliveries.json`)).body
    await expect.poll(log).toMatchObject([{ state: 'delivered', attempt_count: 2 }])
    const [{ _id }] = await log()
    await system.api('POST', `webhooks/${id}/deliveries/${_id}/replay.json`)
    const received = await told('check_in.created', 3)
    expect(new Set(received.map(({ body }) => body)).size).toBe(1)
    expect(new Set(received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([_id]))
  })

  test('never get a guest of another event or account with the same uid', async () => {
    const other = await system.account('other')
    const init = { token: other.auth_token }
    const body = { title: 'Theirs', account_id: other.account_id }
    const { _id: theirs } = (await system.api('POST', 'events.json', body, init)).body
    const kind = (await system.api('POST', `events/${theirs}/guest_categories.json`, { name: 'X' }, init)).body
    const eve = { guest_category_id: kind._id, uid: 'eve', last_name: 'Theirs' }
    expect((await system.api('POST', `events/${theirs}/guests.json`, eve, init)).status).toBe(201)
    const sibling = await TestEvent.open(system)
    await sibling.guest(await sibling.category(), 'eve')
    await webhook({ event_id: null })
    await testEvent.scan(point, 'eve')
    expect((await told('check_in.created'))[0]?.json).toMatchObject({ guest_uid: 'eve', guest: null })
  })

  test('wait while the guests service is away, and do not delay standard webhooks', async () => {
    await webhook({ event_types: ['check_in.created'] })
    await webhook({ url: `${target.url}/standard`, payload: 'standard', event_types: ['check_in.created'] })
    await testEvent.scan(point, 'ada')
    await told('check_in.created')
    await guests.stop()
    // The door has guest and event in its cache.
    await testEvent.scan(point, 'ada')
    await told('check_in.created', 2, '/standard')
    expect(target.received.filter(({ path }) => path === '/legacy')).toHaveLength(1)
    guests = await runGuests()
    const [, late] = await told('check_in.created', 2)
    expect(late?.json.guest).toEqual(toldOf(ada))
  })

  test('the payload is set on creation and update, in XML too; other values are 422, and the default is standard', async () => {
    const document = `<webhook><url>https://example.org/</url><payload>legacy</payload></webhook>`
    const created = await system.api('POST', 'webhooks.xml', document, XML)
    expect([created.status, created.text]).toEqual([201, expect.stringContaining('<payload>legacy</payload>')])
    const id = await webhook({ payload: undefined })
    const read = async (): Promise<string> => (await system.api('GET', `webhooks/${id}.json`)).body.payload
    expect(await read()).toBe('standard')
    expect((await system.api('PUT', `webhooks/${id}.json`, { payload: 'legacy' })).status).toBe(204)
    expect(await read()).toBe('legacy')
    const refused = await system.api('PUT', `webhooks/${id}.json`, { payload: 'ancient' })
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['payload']])
  })

  test('a webhook that was stored without a payload is standard', async () => {
    const id = await webhook({ url: `${target.url}/old` })
    const client = new MongoClient(inject('mongodbUrl'))
    try {
      const webhooks = client.db(`${system.namespace}_hooks`).collection<{ _id: string }>('webhooks')
      await webhooks.updateOne({ _id: id }, { $unset: { payload: 1 } })
    } finally {
      await client.close()
    }
    // All processes learn of the change.
    expect((await system.api('PUT', `webhooks/${id}.json`, { is_enabled: true })).status).toBe(204)
    expect((await system.api('GET', `webhooks/${id}.json`)).body.payload).toBe('standard')
    const scanned = await testEvent.scan(point, 'ada')
    expect((await told('check_in.created', 1, '/old'))[0]?.json.data).toEqual(scanned)
  })
})
