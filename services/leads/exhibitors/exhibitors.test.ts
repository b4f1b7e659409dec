import { createHash } from 'node:crypto'
import { planOf, type QueryPlan } from '@gatehouse/test/harness/query-plans.ts'
import { startReplica } from '@gatehouse/test/harness/replica.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { storedText } from '@gatehouse/test/harness/stored-text.ts'
import type { Answer } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { MongoClient } from 'mongodb'
import { afterAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { LeadStore } from '../connections/store.ts'
import { ExhibitorStore } from './store.ts'

const system = await sharedSystem()

const TOKEN = /^gh_exhibitor_[\w-]{43}$/
const NOBODY = 'f'.repeat(24)

/** Another process of the leads service, beside the one of the system: they share the work. */

const second = await startReplica('leads', system)
const testEvent = await TestEvent.open(system)
const mongo = await MongoClient.connect(inject('mongodbUrl'))
afterAll(async () => {
  await mongo.close()
  await second.stop()
})

const newExhibitor = (fields: object = {}, where = testEvent): Promise<Answer['body']> =>
  where.make('exhibitors.json', { name: 'Acme', ...fields })
/** What a token is answered: 201 with an empty list while it is good. */
const statusOf = async (access_token: string): Promise<number> =>
  (await system.api('POST', `devices/${access_token}/connections/batch_create.json`, [], { token: '' })).status

describe('exhibitors', () => {
  test('creation answers 201 with the access token, shown this once and stored as its SHA-256 only', slow, async () => {
    const exhibitor = await newExhibitor({ email: 'stand@acme.example' })
    expect(exhibitor).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: 'Acme',
      email: 'stand@acme.example',
      meta_data: {},
      event_id: testEvent.id,
      created_at: expect.stringMatching(/Z$/),
      updated_at: exhibitor.created_at,
      access_token: expect.stringMatching(TOKEN),
    })
    const { access_token, ...made } = exhibitor
    const shown = { ...made, lead_count: 0 }
    expect(await testEvent.read(`exhibitors/${exhibitor._id}.json`)).toEqual(shown)
    const list = await testEvent.api('GET', 'exhibitors.json')
    expect(list.body).toContainEqual(shown)
    expect(list.text).not.toMatch(/access_token|token_hash|deleted/)
    const stored = await storedText(inject('mongodbUrl'), system.namespace)
    expect(stored).toContain(createHash('sha256').update(access_token).digest('hex'))
    expect(stored).not.toContain(access_token.slice(-43))
  })

  test('a name is needed and an e-mail must be one: 422 on the field', async () => {
    for (const name of [undefined, '', ' ', null, {}]) {
      const answer = await testEvent.api('POST', 'exhibitors.json', { name })
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['name']])
    }
    const answer = await testEvent.api('POST', 'exhibitors.json', { name: 'x', email: 'nobody' })
    expect([answer.status, answer.body]).toEqual([422, { errors: { email: ['is not valid'] } }])
    expect((await newExhibitor({ email: null })).email).toBeNull()
  })

  test('meta_data is a free object of 64 KiB at most: kept at creation, replaced by an update, shown in JSON and XML', async () => {
    const { _id, meta_data } = await newExhibitor({ meta_data: { hall: 3, tags: ['new', { x: null }] } })
    expect(meta_data).toEqual({ hall: 3, tags: ['new', { x: null }] })
    await testEvent.change(`exhibitors/${_id}.json`, { name: 'Acme & co' })
    expect((await testEvent.read('exhibitors.json')).find((each: Answer['body']) => each._id === _id)).toMatchObject({
      name: 'Acme & co',
      meta_data,
    })
    const element = '<exhibitor><meta-data><stand>B7</stand><size type="integer">4</size></meta-data></exhibitor>'
    expect((await testEvent.xml('PUT', `exhibitors/${_id}.xml`, element)).status).toBe(204)
    expect((await testEvent.read(`exhibitors/${_id}.json`)).meta_data).toEqual({ stand: 'B7', size: 4 })
    expect((await testEvent.api('GET', `exhibitors/${_id}.xml`)).text).toContain(
      '<meta-data><stand>B7</stand><size type="float">4</size></meta-data>',
    )
    const deep = JSON.parse(`${'{"a":'.repeat(9)}1${'}'.repeat(9)}`)
    for (const wrong of [3, true, null, [], 'x'.repeat(65_536), { a: 'x'.repeat(65_536) }, { $where: 1 }, deep]) {
      const { status, body } = await testEvent.api('PUT', `exhibitors/${_id}.json`, { meta_data: wrong })
      expect([status, Object.keys(body.errors)]).toEqual([422, ['meta_data']])
    }
  })

  test.each(['Hall 3, stand B7', '{"stand": "B7"}', ' <b>', '', 'é 🎟'])(
    'meta_data may be a text, %j, which is kept as it came',
    async (meta_data) => {
      const made = await newExhibitor({ meta_data })
      expect(made.meta_data).toBe(meta_data)
      const listed = await testEvent.read('exhibitors.json')
      expect(listed.find(({ _id }: Answer['body']) => _id === made._id).meta_data).toBe(meta_data)
      const xml = await testEvent.xml(
        'PUT',
        `exhibitors/${made._id}.xml`,
        '<exhibitor><meta-data>B 8</meta-data></exhibitor>',
      )
      expect(xml.status).toBe(204)
      expect((await testEvent.api('GET', `exhibitors/${made._id}.xml`)).text).toContain('<meta-data>B 8</meta-data>')
    },
  )

  test('an exhibitor that is older than meta_data has an empty one', async () => {
    const { _id } = await newExhibitor()
    const mongo = await MongoClient.connect(inject('mongodbUrl'))
    const stored = mongo.db(`${system.namespace}_leads`).collection<{ _id: string }>('exhibitors')
    await stored.updateOne({ _id }, { $unset: { meta_data: 1 } })
    await mongo.close()
    expect((await testEvent.read(`exhibitors/${_id}.json`)).meta_data).toEqual({})
    expect((await testEvent.read('exhibitors.json')).at(-1).meta_data).toEqual({})
    await testEvent.change(`exhibitors/${_id}.json`, { name: 'Old' })
  })

  test("the list has only the event's exhibitors, in the order of their creation", async () => {
    const [one, other] = [await TestEvent.open(system), await TestEvent.open(system)]
    expect(await one.read('exhibitors.json')).toEqual([])
    const made = []
    for (const name of ['c', 'a', 'b']) made.push((await newExhibitor({ name }, one))._id)
    await newExhibitor({}, other)
    expect((await one.read('exhibitors.json')).map(({ _id }: { _id: string }) => _id)).toEqual(made)
  })

  test("another event's exhibitor, and an unknown one, are 404 for every action", async () => {
    const other = await TestEvent.open(system)
    const { _id, access_token } = await newExhibitor()
    for (const id of [_id, NOBODY]) {
      for (const [method, path] of [
        ['GET', `exhibitors/${id}.json`],
        ['PUT', `exhibitors/${id}.json`],
        ['DELETE', `exhibitors/${id}.json`],
        ['POST', `exhibitors/${id}/roll_token.json`],
        ['GET', `exhibitors/${id}/connections.json`],
        ['GET', `exhibitors/${id}/connections.csv`],
      ] as const) {
        expect((await other.api(method, path, method === 'PUT' ? { name: 'x' } : undefined)).status, path).toBe(404)
      }
    }
    expect(await statusOf(access_token)).toBe(201)
  })

  test('an update changes the given fields only, and not the token', async () => {
    const { access_token, ...before } = await newExhibitor({ email: 'a@b.example' })
    await testEvent.change(`exhibitors/${before._id}.json`, {
      name: 'Renamed',
      access_token: 'mine',
      token_hash: 'mine',
    })
    const after = await testEvent.read(`exhibitors/${before._id}.json`)
    expect(after).toEqual({ ...before, lead_count: 0, name: 'Renamed', updated_at: after.updated_at })
    expect(await statusOf(access_token)).toBe(201)
  })

  test('a rolled token is refused from the answer on, in every process, and the new one accepted', slow, async () => {
    const { _id, access_token } = await newExhibitor()
    // Both processes have seen the token.
    for (let n = 0; n < 20; n++) expect(await statusOf(access_token)).toBe(201)
    let last = access_token
    for (let n = 0; n < 3; n++) {
      const rolled = await testEvent.api('POST', `exhibitors/${_id}/roll_token.json`)
      expect([rolled.status, rolled.body._id]).toEqual([200, _id])
      expect(rolled.body.access_token).toMatch(TOKEN)
      const old = await Promise.all(Array.from({ length: 20 }, () => statusOf(last)))
      expect(new Set(old)).toEqual(new Set([401]))
      const fresh = await Promise.all(Array.from({ length: 20 }, () => statusOf(rolled.body.access_token)))
      expect(new Set(fresh)).toEqual(new Set([201]))
      last = rolled.body.access_token
    }
  })

  test('a retry of a creation or a roll with its Idempotency-Key shows the same token, which is valid', async () => {
    const send = (path: string, body?: object): Promise<Answer> =>
      testEvent.api('POST', path, body, { headers: { 'idempotency-key': `key-${path}-${testEvent.id}` } })
    const [first, again] = [
      await send('exhibitors.json', { name: 'Once' }),
      await send('exhibitors.json', { name: 'Once' }),
    ]
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([201, first.text, 'true'])
    const path = `exhibitors/${first.body._id}/roll_token.json`
    const [rolled, repeated] = [await send(path), await send(path)]
    expect(repeated.body.access_token).toBe(rolled.body.access_token)
    expect(await statusOf(rolled.body.access_token)).toBe(201)
    expect(await statusOf(first.body.access_token)).toBe(401)
  })

  test('rolled by many at once, one token is left', async () => {
    const { _id } = await newExhibitor()
    const rolled = await Promise.all(
      Array.from({ length: 10 }, () => testEvent.api('POST', `exhibitors/${_id}/roll_token.json`)),
    )
    const statuses = await Promise.all(rolled.map(({ body }) => statusOf(body.access_token)))
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
  })

  describe('deleting one', () => {
    const leadsOf = (exhibitor_id: string) =>
      mongo.db(`${system.namespace}_leads`).collection('leads').countDocuments({ exhibitor_id })

    async function withLeads(uids: string[]): Promise<Answer['body']> {
      const exhibitor = await newExhibitor()
      const items = uids.map((guest_uid) => ({ guest_uid, author: 'Ann' }))
      const path = `devices/${exhibitor.access_token}/connections/batch_create.json`
      expect((await system.api('POST', path, items, { token: '' })).status).toBe(201)
      return exhibitor
    }

    test('deletes its leads and not those of others; its token is refused', async () => {
      const category = await testEvent.category()
      for (const uid of ['d1', 'd2']) await testEvent.guest(category, uid)
      const [gone, stays] = [await withLeads(['d1', 'd2']), await withLeads(['d1'])]
      const answer = await testEvent.api('DELETE', `exhibitors/${gone._id}.json`)
      expect([answer.status, answer.text]).toEqual([204, ''])
      expect(await statusOf(gone.access_token)).toBe(401)
      expect((await testEvent.api('DELETE', `exhibitors/${gone._id}.json`)).status).toBe(404)
      expect([await leadsOf(gone._id), await leadsOf(stays._id)]).toEqual([0, 1])
      expect(await statusOf(stays.access_token)).toBe(201)
    })

    test('when interrupted is finished by a retry, and by the next start of the service', async () => {
      const category = await testEvent.category()
      for (const uid of ['e1', 'e2']) await testEvent.guest(category, uid)
      const db = mongo.db(`${system.namespace}_leads`)
      const store = new ExhibitorStore(db)
      const [asked, started] = [await withLeads(['e1', 'e2']), await withLeads(['e1'])]
      for (const { _id, access_token } of [asked, started]) {
        // As far as a process comes that dies after its first step.
        await store.markDeleted(testEvent.id, _id)
        expect(await statusOf(access_token)).toBe(401)
        expect((await testEvent.api('GET', `exhibitors/${_id}.json`)).status).toBe(404)
        expect(await leadsOf(_id)).toBeGreaterThan(0)
      }
      expect((await testEvent.api('DELETE', `exhibitors/${asked._id}.json`)).status).toBe(204)
      expect([await leadsOf(asked._id), await leadsOf(started._id)]).toEqual([0, 1])
      const third = await startReplica('leads', system)
      await third.stop()
      expect(await leadsOf(started._id)).toBe(0)
      expect(await db.collection<{ _id: string }>('exhibitors').countDocuments({ _id: started._id })).toBe(0)
    })

    test('while leads are created, none is left behind and none is answered as stored', async () => {
      const category = await testEvent.category()
      const uids = Array.from({ length: 40 }, (_, n) => `race-${n}`)
      await Promise.all(uids.map((uid) => testEvent.guest(category, uid)))
      const { _id, access_token } = await newExhibitor()
      const path = `devices/${access_token}/connections/batch_create.json`
      const sending = uids.map((guest_uid) => system.api('POST', path, [{ guest_uid, author: 'Ann' }], { token: '' }))
      const deletion = testEvent.api('DELETE', `exhibitors/${_id}.json`)
      const statuses = (await Promise.all(sending)).map(({ status }) => status)
      expect((await deletion).status).toBe(204)
      expect(new Set([...statuses, 201, 401])).toEqual(new Set([201, 401]))
      expect(await leadsOf(_id)).toBe(0)
    })
  })

  test('each query is served by an index', slow, async () => {
    const client = new MongoClient(inject('mongodbUrl'), { monitorCommands: true })
    const db = client.db(`test-${crypto.randomUUID()}`)
    onTestFinished(async () => {
      await db.dropDatabase()
      await client.close()
    })
    const store = new ExhibitorStore(db)
    await store.prepare()
    await new LeadStore(db).prepare()
    const now = new Date()
    const inserts = Array.from({ length: 300 }, (_, n) => {
      const at = new Date(now.getTime() + n)
      return store.insert({
        _id: n.toString(16).padStart(24, '0'),
        name: 'Acme',
        email: null,
        meta_data: {},
        event_id: `event-${n % 3}`,
        created_at: at,
        updated_at: at,
        token_hash: `hash-${n}`,
        deleted: n === 7,
      })
    })
    await Promise.all(inserts)
    const plans: Record<string, QueryPlan> = {}
    let last: Record<string, unknown> = {}
    client.on('commandStarted', ({ command }) => {
      if (command.find) last = command
    })
    for (const [name, ask] of Object.entries({
      list: () => store.ofEvent('event-1'),
      token: () => store.findByToken('hash-8'),
      halfDeleted: () => store.halfDeleted(),
    })) {
      await ask()
      plans[name] = await planOf(db, last)
    }
    expect(plans).toEqual({
      list: { indexes: ['event_id_1_created_at_1__id_1'], sorts: false, read: 100 },
      token: { indexes: ['token_hash_1'], sorts: false, read: 1 },
      halfDeleted: { indexes: ['deleted_1'], sorts: false, read: 1 },
    })
  })
})
