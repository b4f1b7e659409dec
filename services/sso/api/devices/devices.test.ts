import { createHash } from 'node:crypto'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { storedText } from '@gatehouse/test/harness/stored-text.ts'
import type { Answer, System, TestAccount } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { rounds, slow } from '@gatehouse/test/rounds.ts'
import { type Collection, MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { StoredDevice } from './store.ts'

const REVOKED = { error: 'The device is revoked' }
const WRONG_CODE = { error: 'The code is not valid: it is wrong, used or too old' }
const MINUTE_MS = 60_000

describe('devices', () => {
  const mongo = new MongoClient(inject('mongodbUrl'))
  let system: System
  let stored: Collection<StoredDevice>
  let other: TestAccount
  let testEvent: TestEvent
  let point: string

  beforeAll(async () => {
    system = await sharedSystem()
    stored = mongo.db(`${system.namespace}_sso`).collection('devices')
    other = await system.account('other')
    testEvent = await TestEvent.open(system)
    point = await testEvent.point()
  })
  afterAll(async () => {
    await system?.stop()
    await mongo.close()
  })

  const make = (fields: object = {}): Promise<Answer['body']> =>
    testEvent.make('devices.json', { name: 'Phone', ...fields })
  const exchange = (code: string, init: { base?: string; headers?: Record<string, string> } = {}): Promise<Answer> =>
    system.api('POST', 'device_codes/exchange.json', undefined, {
      token: '',
      ...init,
      headers: { authorization: `Bearer ${code}`, ...init.headers },
    })
  /** Makes a device and returns what it gets for its code. */
  async function enrol(fields: object = {}): Promise<Answer['body']> {
    const { status, text, body } = await exchange((await make(fields)).code)
    expect(status, text).toBe(201)
    return body
  }
  const shown = (id: string): Promise<Answer['body']> => testEvent.read(`devices/${id}.json`)
  const use = (token: string, base = system.url, path = 'accesspoints.json'): Promise<Answer> =>
    testEvent.api('GET', path, undefined, { token, base })

  describe('creating', () => {
    test('answers 201 with a code, its address and its QR code, which are shown once', async () => {
      const before = Date.now()
      const { code, url, qr_code, ...device } = await make({ name: 'North 1', accesspoint_ids: [point] })
      expect(code).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/)
      expect(url).toBe(`${system.url}/scanner/#${code}`)
      expect(qr_code).toMatch(/^<svg .+<\/svg>\s*$/s)
      expect(device).toEqual({
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        name: 'North 1',
        kind: 'scanner',
        accesspoint_ids: [point],
        event_id: testEvent.id,
        code_expires_at: expect.stringMatching(/Z$/),
        enrolled_at: null,
        last_seen_at: null,
        battery_level: null,
        queue_length: null,
        app_version: null,
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
      })
      const minutes = (Date.parse(device.code_expires_at) - before) / MINUTE_MS
      expect(minutes).toBeGreaterThan(9.9)
      expect(minutes).toBeLessThan(10.5)
      expect(await shown(device._id)).toEqual(device)
      expect((await testEvent.read('devices.json')).at(-1)).toEqual(device)
    })

    test('needs a name, and check-in points of the event only: 422', async () => {
      const elsewhere = await (await TestEvent.open(system)).point()
      for (const accesspoint_ids of [[elsewhere], [point, 'x'], ['f'.repeat(24)]]) {
        const { status, body } = await testEvent.api('POST', 'devices.json', { accesspoint_ids })
        expect([status, body]).toEqual([
          422,
          { errors: { name: ["can't be blank"], accesspoint_ids: ['must be check-in points of the event'] } },
        ])
      }
    })

    test('stores neither code nor token, and of the code no hash that could be found by trying', slow, async () => {
      const { code, ...device } = await make()
      const { token } = (await exchange(code)).body
      const hashes = [code, code.replace('-', '')].map((each) => createHash('sha256').update(each).digest('hex'))
      const text = await storedText(inject('mongodbUrl'), system.namespace)
      expect(text).toContain(device._id)
      expect(text).toContain(createHash('sha256').update(token).digest('hex'))
      for (const secret of [code, code.replace('-', ''), token, ...hashes]) expect(text).not.toContain(secret)
    })

    test('is for an admin of the event, whose token may be bound to it', slow, async () => {
      const fields = { name: 'bound', scope: 'admin', event_id: testEvent.id }
      const { token } = (await system.api('POST', 'tokens.json', fields)).body
      expect((await testEvent.api('POST', 'devices.json', { name: 'Phone' }, { token })).status).toBe(201)
      expect((await testEvent.api('GET', 'devices.json', undefined, { token: other.auth_token })).status).toBe(404)
    })
  })

  describe('a code', () => {
    test('is exchanged for the token of a door device of the event, once', async () => {
      const { code, _id } = await make({ name: 'North 2' })
      const { status, body } = await exchange(code)
      expect([status, body]).toEqual([
        201,
        {
          _id,
          name: 'North 2',
          event_id: testEvent.id,
          accesspoint_ids: [],
          token: expect.stringMatching(/^gh_device_[\w-]{43}$/),
          server_time: expect.stringMatching(/Z$/),
        },
      ])
      const me = await system.api('GET', 'me.json', undefined, { token: body.token })
      expect(me.body).toMatchObject({ token_id: _id, name: 'North 2', scope: 'door', event_id: testEvent.id })
      expect((await use(body.token)).status).toBe(200)
      expect((await use(body.token, system.url, 'devices.json')).status).toBe(403)
      const again = await exchange(code)
      expect([again.status, again.body]).toEqual([401, WRONG_CODE])
      expect(await shown(_id)).toMatchObject({ code_expires_at: null, enrolled_at: expect.stringMatching(/Z$/) })
    })

    test.each([
      ['small letters', (code: string) => code.toLowerCase()],
      ['no dash', (code: string) => code.replace('-', '')],
    ])('may be typed with %s', async (_how, typed) => {
      expect((await exchange(typed((await make()).code))).status).toBe(201)
    })

    test('may stand in the path; the answer may be XML', async () => {
      const { code } = await make()
      const answer = await system.api('POST', `device_codes/${code}/exchange.xml`, undefined, { token: '' })
      expect(answer.status, answer.text).toBe(201)
      expect(answer.text).toMatch(/<device><_id>.+<token>gh_device_[\w-]{43}<\/token>/s)
    })

    test('of which 20 are exchanged at once at two gateways gives one token', slow, async () => {
      for (let round = 0; round < rounds(3, 50); round++) {
        const { code, _id } = await make()
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, nth) => exchange(code, { base: system.urls[nth % 2] as string })),
        )
        const won = answers.filter(({ status }) => status === 201)
        expect(won).toHaveLength(1)
        for (const answer of answers)
          if (answer !== won[0]) expect([answer.status, answer.body]).toEqual([401, WRONG_CODE])
        expect((await use(won[0]?.body.token)).status).toBe(200)
        await testEvent.remove(`devices/${_id}.json`)
      }
    })

    test('is not lost with its answer: the same Idempotency-Key gets the same token', async () => {
      const { code } = await make()
      const headers = { 'idempotency-key': crypto.randomUUID() }
      const first = await exchange(code, { headers })
      const again = await exchange(code, { headers, base: system.urls[1] as string })
      expect([again.status, again.body.token]).toEqual([201, first.body.token])
      expect((await exchange(code, { headers: { 'idempotency-key': crypto.randomUUID() } })).status).toBe(401)
    })

    test('is not lost with a process that died before it answered: the same key gets another token', async () => {
      const { code, _id } = await make()
      const headers = { 'idempotency-key': crypto.randomUUID() }
      const first = (await exchange(code, { headers })).body.token
      await mongo.db(`${system.namespace}_sso`).collection('idempotency_keys').deleteMany({})
      const { status, body } = await exchange(code, { headers })
      expect(status).toBe(201)
      expect((await use(body.token)).status).toBe(200)
      expect((await use(first)).status).toBe(401)
      expect((await shown(_id)).enrolled_at).not.toBeNull()
    })

    test('is worth nothing after ten minutes', async () => {
      const { code, _id } = await make()
      await stored.updateOne({ _id }, { $set: { code_expires_at: new Date(Date.now() - 1) } })
      expect((await exchange(code)).status).toBe(401)
      expect((await shown(_id)).code_expires_at).toBeNull()
    })

    test('that is wrong or exchanged for the first time does not make gateways forget the tokens that they know', async () => {
      const { token } = await enrol()
      expect((await use(token)).status).toBe(200)
      await stored.updateOne(
        { token_hash: createHash('sha256').update(token).digest('hex') },
        { $unset: { token_hash: '' } },
      )
      for (const wrong of ['CDFH-2345', 'x', '%00']) expect((await exchange(wrong)).status).toBe(401)
      await enrol()
      expect((await use(token)).status).toBe(200)
    })
  })

  describe('rolling the code', () => {
    test('leaves the token in use until the new code is exchanged; who still has it then is revoked', async () => {
      const { _id, token } = await enrol()
      const rolled = await testEvent.api('POST', `devices/${_id}/roll_code.json`)
      expect([rolled.status, rolled.body._id]).toEqual([200, _id])
      for (const base of system.urls) expect((await use(token, base)).status).toBe(200)
      const { body } = await exchange(rolled.body.code)
      expect(body._id).toBe(_id)
      for (const base of system.urls) {
        expect((await use(body.token, base)).status).toBe(200)
        const former = await use(token, base)
        expect([former.status, former.body]).toEqual([401, REVOKED])
      }
    })

    test('gives a code that is good for the hours asked for, a week at most, and is longer', async () => {
      const { _id } = await make()
      const before = Date.now()
      const { body } = await testEvent.api('POST', `devices/${_id}/roll_code.json`, { code_hours: 24 })
      expect(body.code).toMatch(/^([A-Z2-9]{4}-){2}[A-Z2-9]{4}$/)
      const hours = (Date.parse(body.code_expires_at) - before) / (60 * MINUTE_MS)
      expect(hours).toBeGreaterThan(23.9)
      expect(hours).toBeLessThan(24.1)
      expect((await exchange(body.code)).body._id).toBe(_id)
      expect((await exchange(body.code)).status).toBe(401)
      for (const code_hours of [0, 169, 1.5, 'x'])
        expect((await testEvent.api('POST', `devices/${_id}/roll_code.json`, { code_hours })).status).toBe(422)
    })

    test('makes the code before worthless at once', async () => {
      const { _id, code } = await make()
      const rolled = (await testEvent.api('POST', `devices/${_id}/roll_code.json`)).body
      expect((await exchange(code)).status).toBe(401)
      expect((await exchange(rolled.code)).status).toBe(201)
    })

    test('keeps what the device sent before: a batch sent again under the new token is counted once', async () => {
      const { _id, token } = await enrol()
      const items = [{ accesspoint_id: point, guest_uid: 'nobody', access_stamp: '2026-05-01T08:30:00.250Z' }]
      const send = (by: string): Promise<Answer> =>
        testEvent.api('POST', 'access_controls/batch_create.json', items, { token: by })
      const first = await send(token)
      const { code } = (await testEvent.api('POST', `devices/${_id}/roll_code.json`)).body
      const again = await send((await exchange(code)).body.token)
      expect([again.status, again.body]).toEqual([201, first.body])
    })
  })

  describe('revoking', () => {
    test('answers 204, once, and makes an open code worthless', async () => {
      const { _id, code } = await make()
      const answer = await testEvent.api('DELETE', `devices/${_id}.json`)
      expect([answer.status, answer.text]).toEqual([204, ''])
      for (const [method, path] of [
        ['DELETE', `devices/${_id}.json`],
        ['GET', `devices/${_id}.json`],
        ['POST', `devices/${_id}/roll_code.json`],
      ] as const)
        expect((await testEvent.api(method, path)).status).toBe(404)
      expect((await exchange(code)).status).toBe(401)
      expect((await testEvent.read('devices.json')).map((device: { _id: string }) => device._id)).not.toContain(_id)
    })

    test(
      'is effective at each gateway, also while the token is in use, and for good; the device is told so',
      slow,
      async () => {
        const { _id, token } = await enrol()
        const seen = system.urls.map((): number[] => [])
        let stop = false
        const users = system.urls.map(async (base, index) => {
          while (!stop) seen[index]?.push((await use(token, base)).status)
        })
        const fewest = (status: number) => Math.min(...seen.map((each) => each.filter((one) => one === status).length))
        await expect.poll(() => fewest(200)).toBeGreaterThan(5)
        await testEvent.remove(`devices/${_id}.json`)
        await expect.poll(() => fewest(401)).toBeGreaterThan(5)
        stop = true
        await Promise.all(users)
        for (const each of seen) expect(new Set(each.slice(each.indexOf(401)))).toEqual(new Set([401]))
        const told = await use(token)
        expect([told.status, told.body]).toEqual([401, REVOKED])
        expect((await use(token, system.url, 'accesspoints.xml')).text).toContain(
          '<error>The device is revoked</error>',
        )
        expect((await use('gh_device_unknown')).status).toBe(403)
      },
    )

    test('is effective at each gateway also if the first try died before its announcement and the second is 404', async () => {
      const { _id, token } = await enrol()
      for (const base of system.urls) expect((await use(token, base)).status).toBe(200)
      await stored.updateOne({ _id }, { $set: { revoked_at: new Date() } })
      for (const base of system.urls) expect((await use(token, base)).status).toBe(200)
      expect((await testEvent.api('DELETE', `devices/${_id}.json`)).status).toBe(404)
      for (const base of system.urls) expect((await use(token, base)).status).toBe(401)
    })
  })

  test('a revoked one is forgotten after 90 days', async () => {
    const indexes = await stored.indexes()
    expect(indexes.find(({ key }) => key.revoked_at === 1)?.expireAfterSeconds).toBe(90 * 86_400)
  })

  describe('updating', () => {
    test('changes name and check-in points, the latter at once at each gateway', async () => {
      const second = await testEvent.point('Second')
      const { _id, token } = await enrol({ accesspoint_ids: [point] })
      const reached = async (base: string): Promise<string[]> =>
        (await use(token, base)).body.map((each: { _id: string }) => each._id)
      for (const base of system.urls) expect(await reached(base)).toEqual([point])
      await testEvent.change(`devices/${_id}.json`, { name: 'Renamed', accesspoint_ids: [second] })
      for (const base of system.urls) expect(await reached(base)).toEqual([second])
      expect(await shown(_id)).toMatchObject({ name: 'Renamed', accesspoint_ids: [second] })
      const wrong = await testEvent.api('PUT', `devices/${_id}.json`, { accesspoint_ids: ['x'] })
      expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['accesspoint_ids']])
    })
  })

  describe('a heartbeat', () => {
    const beat = (token: string, report: object): Promise<Answer> =>
      system.api('PUT', 'devices/heartbeat.json', report, { token })

    test('stores what the device reports, and tells it the time and what it is', async () => {
      const { _id, token } = await enrol({ name: 'North 3', accesspoint_ids: [point] })
      const before = Date.now()
      const { status, body } = await beat(token, { battery_level: 83, queue_length: 4, app_version: '1.2.3' })
      const { server_time, ...identity } = body
      expect([status, identity]).toEqual([
        200,
        { _id, name: 'North 3', event_id: testEvent.id, accesspoint_ids: [point] },
      ])
      expect(Date.parse(server_time)).toBeGreaterThanOrEqual(before)
      expect(Date.parse(server_time)).toBeLessThanOrEqual(Date.now())
      const { last_seen_at, ...device } = await shown(_id)
      expect(device).toMatchObject({ battery_level: 83, queue_length: 4, app_version: '1.2.3' })
      expect(Date.parse(last_seen_at)).toBeGreaterThanOrEqual(before)
    })

    test('is stored at most every five seconds, however often it comes', async () => {
      const { _id, token } = await enrol()
      await beat(token, { queue_length: 1 })
      for (let n = 2; n < 5; n++) expect((await beat(token, { queue_length: n })).status).toBe(200)
      expect((await shown(_id)).queue_length).toBe(1)
      await stored.updateOne({ _id }, { $set: { last_seen_at: new Date(Date.now() - 5_000) } })
      await beat(token, { queue_length: 9 })
      expect(await shown(_id)).toMatchObject({ queue_length: 9, battery_level: null })
    })

    const selfTest = { tested_at: '2026-09-17T07:12:00.000Z', camera: 'passed', sound: 'failed' }
    const untested = {
      vibration: 'skipped',
      network: 'skipped',
      clock: 'skipped',
      guest_list: 'skipped',
      code: 'skipped',
    }

    test('says how the device’s last test of itself ended, also right after another heartbeat and until the next test', async () => {
      const { _id, token } = await enrol()
      expect(await shown(_id)).not.toHaveProperty('self_test')
      await beat(token, { queue_length: 1 })
      expect((await beat(token, { self_test: selfTest })).status).toBe(200)
      expect((await shown(_id)).self_test).toEqual({ ...selfTest, ...untested })
      await stored.updateOne({ _id }, { $set: { last_seen_at: new Date(Date.now() - 5_000) } })
      await beat(token, { queue_length: 2 })
      expect(await shown(_id)).toMatchObject({ queue_length: 2, self_test: selfTest })
      const later = { ...selfTest, tested_at: '2026-09-17T07:20:00.000Z', sound: 'passed', code: 'passed' }
      await beat(token, { self_test: later })
      expect((await testEvent.read('devices.json')).at(-1).self_test).toEqual({ ...untested, ...later })
    })

    test('with a self-test whose time is missing, or with another outcome than the three, is 422 and stores nothing', async () => {
      const { _id, token } = await enrol()
      const wrong: [unknown, object][] = [
        [{ ...selfTest, tested_at: undefined }, { 'self_test.tested_at': ["can't be blank"] }],
        [
          { ...selfTest, tested_at: 'today', code: 'ok' },
          {
            'self_test.tested_at': ['is not a valid date-time'],
            'self_test.code': ['is not one of passed, failed, skipped'],
          },
        ],
        ['passed', { self_test: ['is not an object'] }],
        [null, { self_test: ['is not an object'] }],
        [[selfTest], { self_test: ['is not an object'] }],
      ]
      for (const [self_test, errors] of wrong) {
        const { status, body } = await beat(token, { queue_length: 3, self_test })
        expect([status, body]).toEqual([422, { errors }])
      }
      expect(await shown(_id)).toMatchObject({ last_seen_at: null, queue_length: null })
      expect(await shown(_id)).not.toHaveProperty('self_test')
    })

    test('a phone that takes the place of another has not been tested', async () => {
      const { _id, token } = await enrol()
      await beat(token, { self_test: selfTest })
      const { code } = (await testEvent.api('POST', `devices/${_id}/roll_code.json`)).body
      expect((await shown(_id)).self_test).toMatchObject(selfTest)
      expect((await exchange(code)).status).toBe(201)
      expect(await shown(_id)).not.toHaveProperty('self_test')
    })

    test('of another token tells the time and stores nothing', async () => {
      const { body } = await system.api('POST', 'tokens.json', { name: 'Tablet', scope: 'door' })
      const answer = await beat(body.token, { queue_length: 1 })
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          _id: body._id,
          name: 'Tablet',
          event_id: null,
          accesspoint_ids: [],
          server_time: expect.stringMatching(/Z$/),
        },
      ])
      expect(await stored.countDocuments({ _id: body._id })).toBe(0)
    })
  })
})
