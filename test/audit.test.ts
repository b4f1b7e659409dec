// @module-tag slow
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { EMPTY } from '@gatehouse/proto/bus/messages.ts'
import { auditRecords } from '@gatehouse/sso/resources'
import { MongoClient, ObjectId } from 'mongodb'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { startKillable } from './harness/killable.ts'
import { startReplica } from './harness/replica.ts'
import { sharedSystem } from './harness/shared-system.ts'
import { type System, startSystem, type TestAccount } from './harness/system.ts'
import { TestEvent } from './harness/test-event.ts'
import { deep } from './rounds.ts'

/* It takes some twenty seconds: processes are killed and started, and a record is delivered when its service looks for what was left. */

const system = await sharedSystem()
let other: TestAccount
let testEvent: TestEvent
beforeAll(async () => {
  other = await system.account('elsewhere')
  testEvent = await TestEvent.open(system)
})

const newId = (): string => new ObjectId().toHexString()

interface Act {
  action: string
  resource_id: string
  [name: string]: unknown
}

/** The acts of a filter, newest first. */
const acts = async (filter: string, token = system.auth_token): Promise<Act[]> =>
  (await system.api('GET', `audit_records.json?kind=act&${filter}`, undefined, { token })).body

test('an act is recorded once: who, what, when, from where', async () => {
  const me = (await system.api('GET', 'me.json')).body
  const before = Date.now()
  const point = await testEvent.point('Secret name')
  await testEvent.change(`accesspoints/${point}.json`, { name: 'Another secret', foo: 'ignored' })
  await testEvent.remove(`accesspoints/${point}.json`)
  const recorded = () => acts(`resource_id=${point}`)
  await expect.poll(async () => (await recorded()).length).toBe(3)
  const found = await recorded()
  expect(found.map(({ action, changed_fields }) => [action, changed_fields])).toEqual([
    ['checkin.accesspoints.delete', []],
    ['checkin.accesspoints.update', ['name']],
    ['checkin.accesspoints.create', []],
  ])
  expect(found[1]).toMatchObject({
    account_id: system.account_id,
    kind: 'act',
    event_id: testEvent.id,
    token_id: me.token_id,
    token_name: me.name,
    address: '127.0.0.1',
    items: null,
    outcome: 'done',
    contact_id: null,
  })
  expect(Date.parse(String(found[2]?.created_at))).toBeGreaterThanOrEqual(before)
  expect(JSON.stringify(found)).not.toContain('secret')
})

test('a record names the fields of a change and no values, not even under names that a client made up', async () => {
  const { _id } = (await system.api('POST', 'contacts.json', { email: 'ada@example.org' })).body
  const change = { first_name: 'Countess', password: 'analytical engine', is_blocked: false }
  expect((await system.api('PUT', `contacts/${_id}.json`, change)).status).toBe(204)
  const update = async () => (await acts(`resource_id=${_id}&action=sso.contacts.update`))[0]
  await expect.poll(update).toMatchObject({ changed_fields: ['first_name', 'is_blocked', 'password'] })
  expect(JSON.stringify(await update())).not.toMatch(/Countess|analytical|ada@/)
  expect((await system.api('PUT', `contacts/${_id}.json`, { 'ada@example.org lives here': 'x' })).status).toBe(204)
  await expect.poll(async () => (await acts(`resource_id=${_id}&action=sso.contacts.update`)).length).toBe(2)
  expect(JSON.stringify(await acts(`resource_id=${_id}`))).not.toContain('ada@')
})

test('refusals, scans and single guests leave no record; the deletions of a guest and of a check-in do', async () => {
  const [category, point] = [await testEvent.category(), await testEvent.point()]
  const guest = await testEvent.make('guests.json', { guest_category_id: category, last_name: 'A', uid: 'a' })
  await testEvent.change(`guests/${guest._id}.json`, { last_name: 'B' })
  const checkIn = await testEvent.scan(point, 'a')
  expect((await testEvent.api('POST', 'accesspoints.json', {})).status).toBe(422)
  expect((await testEvent.api('PUT', `accesspoints/${'0'.repeat(24)}.json`, { name: 'x' })).status).toBe(404)
  const since = new Date().toISOString()
  await testEvent.remove(`access_controls/${checkIn._id}.json`)
  await testEvent.remove(`guests/${guest._id}.json`)
  const recorded = () => acts(`event_id=${testEvent.id}&since=${since}`)
  await expect
    .poll(async () => (await recorded()).map(({ action }) => action))
    .toEqual(['guests.guests.delete', 'checkin.access_controls.delete'])
  for (const action of ['guests.guests.create', 'guests.guests.update', 'checkin.access_controls.create'])
    expect(await acts(`action=${action}`)).toEqual([])
  const points = await acts(`action=checkin.accesspoints&event_id=${testEvent.id}`)
  expect(points.every(({ resource_id }) => typeof resource_id === 'string' && !resource_id.startsWith('000'))).toBe(
    true,
  )
})

test('a batch is one act of its accepted items, and none if all are refused', async () => {
  const batch = (names: string[]) =>
    testEvent.api(
      'POST',
      'guest_fields/batch_create.json',
      names.map((key) => ({ key })),
    )
  expect((await batch(['', ''])).status).toBe(422)
  const { status, text } = await batch(['Diet', '', 'Shoe size'])
  expect(status, text).toBe(422)
  const recorded = async () =>
    (await acts(`event_id=${testEvent.id}&action=guests.guest_fields.batch_create`)).map(({ items }) => items)
  await expect.poll(recorded).toEqual([2])
})

test('the tries of a request under one Idempotency-Key are one act', async () => {
  const send = () =>
    testEvent.api('POST', 'accesspoints.json', { name: 'Once' }, { headers: { 'idempotency-key': 'act once' } })
  const answers = await Promise.all([send(), send(), send()])
  const made = answers.find(({ status }) => status === 201)
  expect((await send()).body).toEqual(made?.body)
  const recorded = () => acts(`resource_id=${made?.body._id}`)
  await expect.poll(async () => (await recorded()).length).toBe(1)
  await testEvent.change(`accesspoints/${made?.body._id}.json`, { name: 'Twice' })
  await expect.poll(async () => (await recorded()).length).toBe(2)
})

test('records are found by event, token, action and time, and those of another account never', async () => {
  const elsewhere = await system.api(
    'POST',
    'events.json',
    { title: 'B', account_id: other.account_id },
    {
      token: other.auth_token,
    },
  )
  const id = elsewhere.body._id
  await expect.poll(async () => (await acts(`event_id=${id}`, other.auth_token)).length).toBe(1)
  const [found] = await acts('action=guests', other.auth_token)
  expect(found).toMatchObject({ action: 'guests.events.create', resource_id: id, event_id: id })
  const token = `token_id=${found?.token_id}`
  for (const filter of [
    `event_id=${id}`,
    `resource_id=${id}`,
    token,
    `since=${found?.created_at}&action=guests.events`,
  ]) {
    const own = await acts(filter, other.auth_token)
    expect(
      own.map(({ _id }) => _id),
      filter,
    ).toContain(found?._id)
    const theirs = await acts(filter)
    expect(
      theirs.every(({ account_id }) => account_id === system.account_id),
      filter,
    ).toBe(true)
  }
  expect(await acts(`${token}&before=${found?.created_at}`, other.auth_token)).toEqual([])
  for (const action of ['guests.event', 'guests.events.creat', 'promo'])
    expect(await acts(`action=${action}`, other.auth_token)).toEqual([])
})

test('as CSV, by pages; that export is recorded too', async () => {
  const csv = await system.api('GET', 'audit_records.csv?per_page=3&kind=act')
  expect([csv.status, csv.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  const [header, ...rows] = csv.text.trimEnd().split('\n')
  expect(header).toMatch(/^_id,created_at,kind,action,resource_id,event_id,token_id,token_name,/)
  expect(rows).toHaveLength(3)
  expect(rows[0]).toMatch(/^[0-9a-f]{24},\d{4}-.*Z,act,[a-z_.]+,/)
  await expect.poll(async () => (await acts('action=sso.audit_records.list')).length).toBe(1)
})

test('both attempts of a slow export over the bus are one act', async () => {
  const [token_id, first, second] = [newId(), newId(), newId()]
  const caller = { account_id: system.account_id, token_id, scope: 'admin' } as const
  const attempt = (act_id: string) => {
    const actor = { act_id, name: 'Office', address: '127.0.0.1' }
    return system.bus.call('sso.audit_records.list', { caller, actor, format: 'csv' }, EMPTY, true)
  }
  for (const act_id of [first, first, second]) await attempt(act_id)
  const recorded = async () => (await acts(`token_id=${token_id}`)).map(({ _id }) => _id)
  await expect.poll(recorded).toContain(second)
  expect(await recorded()).toEqual([second, first])
})

describe('an act that was answered is recorded', () => {
  const recordsOf = async (_id: string): Promise<unknown[]> =>
    (await acts(`resource_id=${_id}`)).map(({ action, outcome }) => [action, outcome])

  const recordsApart = async (apart: System, filter: string): Promise<unknown[]> =>
    (await apart.api('GET', `audit_records.json?${filter}`)).body.map(({ resource_id, outcome }: Act) => [
      resource_id,
      outcome,
    ])

  test('also if its process is killed at any answer of its store, and once', deep, async () => {
    const apart = await startSystem({ guests: 0 })
    const killable = await startKillable('guests', apart)
    onTestFinished(async () => {
      await killable.stop()
      await apart.stop()
    })
    const event = await TestEvent.open(apart)
    const category = await event.category()
    // A change has some five answers; later ones are of work in the background.
    for (let nth = 1; nth <= 8; nth++) {
      const cancel = await killable.killAtAnswer(nth)
      const answer = await killable.retry(event, 'PUT', `guest_categories/${category}.json`, { name: `After ${nth}` })
      expect(answer.status, answer.text).toBe(204)
      cancel()
    }
    const expected = Array(8).fill([category, 'done'])
    await expect.poll(() => recordsApart(apart, 'action=guests.guest_categories.update')).toEqual(expected)
  })

  test('when sso is back, if it was away', async () => {
    const apart = await startSystem()
    onTestFinished(() => apart.stop())
    const event = await TestEvent.open(apart)
    await apart.stopSso()
    const point = await event.point()
    const back = await startReplica('sso', apart)
    try {
      await expect.poll(() => recordsApart(apart, `resource_id=${point}`)).toEqual([[point, 'done']])
    } finally {
      await back.stop()
    }
  })

  test('as unknown, if its process died at work and nobody tried again; as done, if the request was repeated', async () => {
    const mongo = await MongoClient.connect(inject('mongodbUrl'))
    const [_id, resource_id] = ['a'.repeat(24), 'b'.repeat(24)]
    const act = {
      ...{ _id, account_id: system.account_id, action: 'checkin.accesspoints.delete', resource_id },
      ...{ event_id: testEvent.id, token_id: 'x', token_name: null, address: null, changed_fields: [], items: null },
      outcome: 'unknown',
      created_at: new Date(),
    } as const
    try {
      const notes = mongo.db(`${system.namespace}_checkin`).collection<typeof act & { due: Date }>('audit_notes')
      await notes.insertOne({ ...act, due: new Date() })
      await expect.poll(() => recordsOf(resource_id)).toEqual([[act.action, 'unknown']])
      await expect.poll(() => notes.countDocuments()).toBe(0)
    } finally {
      await mongo.close()
    }
    const { take } = clientOf(system.bus, auditRecords)
    await take({ body: [{ ...act, outcome: 'done' }] })
    await take({ body: [act] })
    expect(await recordsOf(resource_id)).toEqual([[act.action, 'done']])
  })
})
