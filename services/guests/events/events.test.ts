import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { planOf } from '@gatehouse/test/harness/query-plans.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { type Document, MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { events } from './resource.ts'
import { EventStore } from './store.ts'

const system = await sharedSystem()

const XML = { headers: { 'content-type': 'application/xml; charset=utf-8' } }

describe('events', () => {
  const newEvent = async (fields: object = {}): Promise<Answer['body']> => {
    const { id } = await TestEvent.open(system, fields)
    return read(id)
  }
  const put = (id: string, fields: object | string, init = {}): Promise<Answer> =>
    system.api('PUT', `events/${id}.json`, fields, init)
  const read = async (id: string): Promise<Answer['body']> => (await system.api('GET', `events/${id}.json`)).body
  const refused = async (fields: object): Promise<object> => {
    const { status, body } = await system.api('POST', 'events.json', { account_id: system.account_id, ...fields })
    expect(status).toBe(422)
    return body.errors
  }

  const boundToken = async (event_id: string): Promise<string> =>
    (await system.api('POST', 'tokens.json', { name: 'bound', scope: 'admin', event_id })).body.token

  test('creation answers 201 and echoes the fields', async () => {
    const fields = {
      title: 'Fair of books',
      description: 'Three days',
      locale: 'fr',
      organizer: 'Ada',
      network_enabled: false,
      start_date: '2027-05-01T09:00:00+02:00',
      end_date: '2027-05-03T18:00:00Z',
      timezone: 'Europe/Paris',
      badge_complete_hook_url: 'https://example.org/hook',
      reply_to_email: 'fair@example.org',
      account_id: system.account_id,
    }
    const { status, body } = await system.api('POST', 'events.json', { event: fields })
    expect([status, body]).toMatchObject([
      201,
      {
        ...fields,
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        start_date: '2027-05-01T07:00:00.000Z',
        end_date: '2027-05-03T18:00:00.000Z',
        guest_count: 0,
        check_in_count: 0,
        signature_count: 0,
      },
    ])
  })

  test('account_id must be the account of the caller, a title is needed, and a hook address must be one of the web', async () => {
    const { account_id } = await system.account('elsewhere')
    expect(await refused({ title: 'X', account_id })).toEqual({ account_id: ['is not your account'] })
    expect(await refused({ title: 'X', account_id: undefined })).toEqual({ account_id: ["can't be blank"] })
    expect(await refused({ title: ' ', badge_complete_hook_url: 'javascript:alert(1)' })).toEqual({
      title: ["can't be blank"],
      badge_complete_hook_url: ['is not a web address'],
    })
  })

  test('a day starts at a time of the day, HH:MM, 00:00 by default; services learn it with the zone as the IANA names it', async () => {
    expect((await newEvent()).day_starts_at).toBe('00:00')
    const { _id, day_starts_at } = await newEvent({ day_starts_at: '23:59', timezone: 'W. Europe Standard Time' })
    expect(day_starts_at).toBe('23:59')
    for (const wrong of ['24:00', '6:00', '06:60', '06:00:00', 'noon', 6])
      expect(Object.keys(await refused({ title: 'X', day_starts_at: wrong }))).toEqual(['day_starts_at'])
    await put(_id, { day_starts_at: '06:00' })
    const rule = await clientOf(system.bus, events).day_rule({ body: { event_id: _id } })
    expect(rule).toEqual({ timezone: 'Europe/Berlin', day_starts_at: '06:00' })
  })

  test('the old name mobinetwork_enabled is read and never sent; network_enabled is true by default', async () => {
    expect((await newEvent()).network_enabled).toBe(true)
    const { _id, ...event } = await newEvent({ mobinetwork_enabled: 'false' })
    expect(event.network_enabled).toBe(false)
    expect(event).not.toHaveProperty('mobinetwork_enabled')
    for (const type of ['', ' type="boolean"']) {
      await put(_id, { mobinetwork_enabled: true })
      expect((await read(_id)).network_enabled).toBe(true)
      const document = `<event><mobinetwork-enabled${type}>false</mobinetwork-enabled></event>`
      expect((await put(_id, document, XML)).status).toBe(204)
      expect((await read(_id)).network_enabled).toBe(false)
    }
  })

  test('update answers 204 with an empty body and changes the given fields only', async () => {
    const event = await newEvent({ description: 'old', organizer: 'Ada' })
    const { status, text } = await put(event._id, { title: 'New', description: null })
    expect([status, text]).toEqual([204, ''])
    const body = await read(event._id)
    expect(body).toEqual({ ...event, title: 'New', description: null, updated_at: body.updated_at })
    expect(Date.parse(body.updated_at)).toBeGreaterThan(Date.parse(event.updated_at))
  })

  test('an invalid update changes nothing', async () => {
    const event = await newEvent()
    const answer = await put(event._id, { title: '', start_date: 'soon' })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toEqual({ title: ["can't be blank"], start_date: ['is not a valid date-time'] })
    expect(await read(event._id)).toEqual(event)
  })

  test('the list holds the events of the account, newest first, as an array in JSON and XML', async () => {
    const { account_id, auth_token: token } = await system.account('lister')
    const list = async (format: string) => (await system.api('GET', `events.${format}`, undefined, { token })).body
    expect(await list('json')).toEqual([])
    expect(await list('xml')).toContain('<events type="array"/>')
    for (const title of ['First', 'Second']) await system.api('POST', 'events.json', { title, account_id }, { token })
    expect(await list('json')).toMatchObject([{ title: 'Second' }, { title: 'First' }])
    expect(await list('xml')).toMatch(
      /<events type="array"><event><_id>[0-9a-f]{24}<\/_id><title>Second<.*<title>First</s,
    )
  })

  describe('search', () => {
    test('finds by the beginnings of words of title and organizer, whatever case, accents and signs', async () => {
      const { auth_token: token, account_id } = await system.account('searching')
      const made = async (title: string, organizer: string | null): Promise<string> =>
        (await system.api('POST', 'events.json', { title, organizer, account_id }, { token })).body._id
      const gala = await made("L'Été à Genève – Gala", 'Zoë Weiß')
      const testEvent = await made('Book fair 2027', null)
      const found = async (search: string): Promise<string[]> => {
        const path = `events.json?search=${encodeURIComponent(search)}`
        const { body } = await system.api('GET', path, undefined, { token })
        return body.map(({ _id }: { _id: string }) => _id)
      }
      for (const [search, ids] of [
        ['', [testEvent, gala]],
        [' ', [testEvent, gala]],
        ['GENEVE gal', [gala]],
        ['lete', [gala]],
        ["l'été", [gala]],
        ['ete weiss', [gala]],
        ['zoe', [gala]],
        ['fair boo', [testEvent]],
        ['air', []],
        ['fair gala', []],
        ['(.*', []],
      ] as const) {
        expect([search, await found(search)]).toEqual([search, ids])
      }
      expect((await system.api('GET', 'events.json?search=2027')).body).toEqual([])
      const long = await system.api('GET', `events.json?search=${'x'.repeat(501)}`)
      expect([long.status, Object.keys(long.body.errors)]).toEqual([422, ['search']])
    })

    test('reads only the events of the account, by an index', slow, async () => {
      const client = await MongoClient.connect(inject('mongodbUrl'), { monitorCommands: true })
      const db = client.db(`test-${crypto.randomUUID()}`)
      try {
        const store = new EventStore(db)
        await store.prepare()
        const event = { ...(await newEvent()), start_date: null, end_date: null, created_at: new Date() }
        const inserts = Array.from({ length: 300 }, (_, n) =>
          store.insert({ ...event, _id: `event-${n}`, account_id: `account-${n % 30}` }),
        )
        await Promise.all(inserts)
        const sent: Document[] = []
        client.on('commandStarted', ({ command }) => {
          if (command.find) sent.push(command)
        })
        expect(await store.ofAccount('account-7')).toHaveLength(10)
        expect(await planOf(db, sent[0] as Document)).toEqual({
          indexes: ['account_id_1_created_at_-1__id_-1'],
          sorts: false,
          read: 10,
        })
      } finally {
        await db.dropDatabase()
        await client.close()
      }
    })
  })

  test('a token that is bound to an event sees only that event, and cannot create any', async () => {
    const [{ _id }, { _id: other }] = [await newEvent(), await newEvent()]
    const token = await boundToken(_id)
    const send = (method: string, path: string, fields?: object) => system.api(method, path, fields, { token })
    expect((await send('GET', 'events.json')).body).toMatchObject([{ _id }])
    expect((await send('GET', `events/${_id}.json`)).status).toBe(200)
    expect((await send('GET', `events/${other}.json`)).status).toBe(403)
    const creation = { title: 'More', account_id: system.account_id }
    expect((await send('POST', 'events.json', creation)).status).toBe(403)
  })

  test('counts are of stored guests, check-ins and signatures, in the event and in the list', async () => {
    const event = await TestEvent.open(system)
    const [category, point] = [await event.category(), await event.point()]
    for (const uid of ['a', 'b', 'c']) await event.guest(category, uid)
    // Refused ones count too.
    for (const uid of ['a', 'nobody']) await event.scan(point, uid)
    const points = { width: '10', height: '10', lines: [] }
    await event.make('signatures.json', { accesspoint_id: point, guest_uid: 'a', points })
    const counts = { guest_count: 3, check_in_count: 2, signature_count: 1 }
    expect(await read(event.id)).toMatchObject(counts)
    const { body } = await system.api('GET', 'events.json')
    expect(body.find(({ _id }: { _id: string }) => _id === event.id)).toMatchObject(counts)
  })

  test('guest_count has changed when a guest was, at once', slow, async () => {
    const event = await TestEvent.open(system)
    const category = await event.category()
    const count = async (): Promise<number> => (await read(event.id)).guest_count
    for (let round = 1; round <= 8; round++) {
      const guest = await event.guest(category, 'guest')
      expect(await count()).toBe(round)
      expect(await count()).toBe(round)
      await event.remove(`guests/${guest}.json`)
      expect(await count()).toBe(round - 1)
      await event.guest(category, `guest ${round}`)
    }
  })

  test('statistics count admitted guests once, in the category they are in now', async () => {
    const event = await TestEvent.open(system)
    const [press, crew, empty] = [await event.category('Press'), await event.category('Crew'), await event.category()]
    const point = await event.point()
    for (const category of [press, crew]) await event.link(category, point)
    const [moved, gone] = [await event.guest(press, 'moved'), await event.guest(press, 'gone')]
    await event.guest(press, 'twice')
    await event.guest(crew, 'absent')
    for (const uid of ['moved', 'gone', 'twice', 'twice', 'nobody']) await event.scan(point, uid)
    await event.change(`guests/${moved}.json`, { guest_category_id: crew })
    await event.remove(`guests/${gone}.json`)

    const statistics = await event.read('statistics.json')
    expect(statistics).toMatchObject({
      guest_count: 3,
      check_in_count: 5,
      signature_count: 0,
      checked_in_guest_count: 3,
      person_count: 3,
      by_status: [
        { access_status: 0, count: 4 },
        { access_status: 1, count: 1 },
        { access_status: 2, count: 0 },
        { access_status: 3, count: 0 },
      ],
      by_accesspoint: [{ accesspoint_id: point, granted: 4, refused: 1, unique_guests: 3, person_count: 3 }],
    })
    const byId = (one: { guest_category_id: string }, other: { guest_category_id: string }) =>
      one.guest_category_id < other.guest_category_id ? -1 : 1
    expect(statistics.by_guest_category.toSorted(byId)).toEqual(
      [
        { guest_category_id: press, guest_count: 1, checked_in_guest_count: 1, person_count: 1 },
        { guest_category_id: crew, guest_count: 2, checked_in_guest_count: 1, person_count: 1 },
        { guest_category_id: empty, guest_count: 0, checked_in_guest_count: 0, person_count: 0 },
      ].toSorted(byId),
    )
  })

  test('platform_event_id is null unless given, and a blank one is none', async () => {
    const platform = await newEvent()
    expect(platform.platform_event_id).toBeNull()
    const { _id, platform_event_id } = await newEvent({ platform_event_id: platform._id })
    expect(platform_event_id).toBe(platform._id)
    for (const [inside, kept] of [
      ['<title>Kept</title>', platform._id],
      ['<platform-event-id/>', null],
    ] as const) {
      expect((await put(_id, `<event>${inside}</event>`, XML)).status).toBe(204)
      expect((await read(_id)).platform_event_id).toBe(kept)
    }
  })

  test('platform_event_id must be another event of the account: 422, on creation and update', async () => {
    const { _id } = await newEvent()
    const { account_id, auth_token: token } = await system.account('platform-owner')
    const theirs = await system.api('POST', 'events.json', { title: 'Theirs', account_id }, { token })
    for (const platform_event_id of [theirs.body._id, 'unknown']) {
      const errors = { platform_event_id: ['is not an event of the account'] }
      expect((await put(_id, { platform_event_id })).body).toEqual({ errors })
      expect(await refused({ title: 'X', platform_event_id })).toEqual(errors)
    }
    const itself = { errors: { platform_event_id: ["can't be the event itself"] } }
    expect((await put(_id, { platform_event_id: _id })).body).toEqual(itself)
    expect((await read(_id)).platform_event_id).toBeNull()
  })

  test('a token that is bound to an event cannot set a platform event, existing or not: 403; it may send the stored one, and remove it', async () => {
    const [{ _id }, platform, another] = [await newEvent(), await newEvent(), await newEvent()]
    const bound = { token: await boundToken(_id) }
    const change = (platform_event_id: string | null, init = {}) => put(_id, { platform_event_id }, init)
    for (const id of [platform._id, 'f'.repeat(24)]) {
      const { status, body } = await change(id, bound)
      expect([status, body.error]).toEqual([403, expect.stringContaining('bound to one event')])
    }
    expect((await change(platform._id)).status).toBe(204)
    expect((await change(platform._id, bound)).status).toBe(204)
    expect((await change(another._id, bound)).status).toBe(403)
    expect((await read(_id)).platform_event_id).toBe(platform._id)
    expect((await change(null, bound)).status).toBe(204)
    expect((await read(_id)).platform_event_id).toBeNull()
  })

  test('a time zone is one of the IANA, Rails or Windows, kept as given; an end before the start is 422, also by a PUT of one of them', async () => {
    const timezone = 'Eastern Time (US & Canada)'
    const event = await newEvent({ timezone, start_date: '2026-05-04', end_date: '2026-05-05' })
    expect(event.timezone).toBe(timezone)
    const unknown = { timezone: ['is not a time zone'] }
    const wrongDates = { end_date: ["can't be before start_date"] }
    for (const [fields, errors] of [
      [{ timezone: 'W. Europe Standard Time' }, undefined],
      [{ timezone: 'Mars/Olympus' }, unknown],
      [{ end_date: '2026-05-03' }, wrongDates],
      [{ start_date: '2026-05-06' }, wrongDates],
      [{ start_date: '2026-05-06', end_date: '2026-05-07' }, undefined],
      [{ start_date: null, end_date: '2020-01-01' }, undefined],
    ] as const) {
      const { status, body } = await put(event._id, fields)
      expect([fields, status, body.errors]).toEqual([fields, errors ? 422 : 204, errors])
    }
    const given = { title: 'Fair', timezone: 'Mars', start_date: '2026-05-04', end_date: '2026-05-03' }
    expect(await refused(given)).toEqual({ ...unknown, ...wrongDates })
  })

  test('an event of an older version keeps a time zone that nobody knows and dates in the wrong order until they change', async () => {
    const { _id } = await newEvent()
    const client = await MongoClient.connect(inject('mongodbUrl'))
    const stored = client.db(`${system.namespace}_guests`).collection<{ _id: string }>('events')
    const [start_date, end_date] = [new Date('2026-05-04'), new Date('2026-05-03')]
    await stored.updateOne({ _id }, { $set: { timezone: 'Mars', start_date, end_date } })
    await client.close()
    const event = await read(_id)
    expect(event).toMatchObject({ timezone: 'Mars', end_date: '2026-05-03T00:00:00.000Z' })
    const statuses = []
    for (const fields of [{ title: 'New' }, event, { end_date: '2026-05-02' }])
      statuses.push((await put(_id, fields)).status)
    expect(statuses).toEqual([204, 204, 422])
  })

  test('other services get the owner of an event and its settings for partner campaigns; null and 404 if it does not exist', async () => {
    const platform = await newEvent()
    const settings = {
      organizer: 'Acme Events',
      location: 'Halle 3',
      locale: 'fr',
      start_date: '2030-05-04T09:00:00.000Z',
      end_date: '2030-05-05T18:00:00.000Z',
      timezone: 'Europe/Paris',
      platform_event_id: platform._id,
      reply_to_email: 'fair@example.org',
    }
    const { _id } = await newEvent(settings)
    const client = clientOf(system.bus, events)
    expect(await client.campaign_terms({ body: { event_id: _id } })).toEqual({
      ...settings,
      title: 'Fair',
      account_id: system.account_id,
      start_date: new Date(settings.start_date),
      end_date: new Date(settings.end_date),
      archived: false,
    })
    await expect(client.campaign_terms({ body: { event_id: 'unknown' } })).rejects.toThrow('Not found')
    expect(await client.owner({ body: { event_id: _id } })).toEqual({
      account_id: system.account_id,
      archived: false,
    })
    expect(await client.owner({ body: { event_id: 'nonsense' } })).toEqual({ account_id: null, archived: false })
  })
})

describe('events while the checkin service is away', () => {
  let system: System

  beforeAll(async () => {
    system = await startSystem({ checkins: 0 })
  })
  afterAll(() => system?.stop())

  test('an update is stored and answered 204; answers with counts are 503 with Retry-After', slow, async () => {
    const path = 'events.json'
    const creation = await system.api('POST', path, { title: 'Alone', account_id: system.account_id })
    expect(creation.status).toBe(201)
    const { _id } = creation.body
    expect((await system.api('PUT', `events/${_id}.json`, { title: 'Changed' })).status).toBe(204)
    const read = await system.api('GET', `events/${_id}.json`)
    expect(read.status).toBe(503)
    expect(read.headers.get('retry-after')).toBe('1')
  })
})
