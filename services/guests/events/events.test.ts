import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { planOf } from '@gatehouse/test/harness/query-plans.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { type Document, MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { events } from './resource.ts'
import { EventStore } from './store.ts'

const system = await sharedSystem()

describe('events', () => {
  const xml = (method: string, path: string, body: string, headers = {}): Promise<Answer> =>
    system.api(method, path, body, { headers: { 'content-type': 'application/xml; charset=utf-8', ...headers } })

  const newEvent = async (fields: object = {}): Promise<Answer['body']> => {
    const answer = await system.api('POST', 'events.json', {
      event: { title: 'Fair', account_id: system.account_id, ...fields },
    })
    expect(answer.status, answer.text).toBe(201)
    return answer.body
  }

  const made = async (path: string, body: object): Promise<Answer['body']> => {
    const answer = await system.api('POST', path, body)
    expect(answer.status, answer.text).toBe(201)
    return answer.body
  }

  test('creation with the root key event answers 201 and echoes the fields', async () => {
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
    expect(status).toBe(201)
    expect(body).toMatchObject({
      ...fields,
      start_date: '2027-05-01T07:00:00.000Z',
      end_date: '2027-05-03T18:00:00.000Z',
      guest_count: 0,
      check_in_count: 0,
      signature_count: 0,
    })
    expect(body._id).toMatch(/^[0-9a-f]{24}$/)
  })

  test('creation takes a flat body, XML with root event, and a form', async () => {
    const flat = await system.api('POST', 'events.json', { title: 'Flat', account_id: system.account_id })
    expect([flat.status, flat.body.title]).toEqual([201, 'Flat'])

    const document = await xml(
      'POST',
      'events.xml',
      `<?xml version="1.0"?><event><title>Élan &amp; co</title><plan>pro</plan><network-enabled type="boolean">false</network-enabled><start-date type="datetime">2027-05-01T09:00:00Z</start-date><account-id>${system.account_id}</account-id></event>`,
    )
    expect(document.status).toBe(201)
    expect(document.text).toContain('<title>Élan &amp; co</title>')
    expect(document.text).toContain('<network-enabled type="boolean">false</network-enabled>')
    expect(document.text).toContain('<start-date type="datetime">2027-05-01T09:00:00.000Z</start-date>')
    expect(document.text).toContain('<guest-count type="integer">0</guest-count>')
    expect(document.text).toContain('<badge-complete-hook-url nil="true"/>')

    const form = await system.api('POST', 'events.json', `event[title]=Form&event[account_id]=${system.account_id}`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([form.status, form.body.title]).toEqual([201, 'Form'])
  })

  test('account_id must be the account of the caller: 422 on account_id', async () => {
    const other = await system.account('elsewhere')
    const foreign = await system.api('POST', 'events.json', { event: { title: 'X', account_id: other.account_id } })
    expect(foreign.status).toBe(422)
    expect(Object.keys(foreign.body.errors)).toEqual(['account_id'])
    const missing = await system.api('POST', 'events.json', { event: { title: 'X' } })
    expect(missing.status).toBe(422)
    expect(missing.body.errors).toEqual({ account_id: ["can't be blank"] })
    const document = await xml('POST', 'events.xml', '<event><title>X</title></event>')
    expect(document.status).toBe(422)
    expect(document.text).toContain("<errors><error>Account can't be blank</error></errors>")
  })

  test('a title is needed, and a hook address must be one of the web', async () => {
    const { status, body } = await system.api('POST', 'events.json', {
      title: ' ',
      account_id: system.account_id,
      badge_complete_hook_url: 'javascript:alert(1)',
    })
    expect(status).toBe(422)
    expect(body.errors).toEqual({ title: ["can't be blank"], badge_complete_hook_url: ['is not valid'] })
  })

  test('the old name mobinetwork_enabled is read and never sent; network_enabled is true by default', async () => {
    const { _id, ...event } = await newEvent({ mobinetwork_enabled: 'false' })
    expect(event.network_enabled).toBe(false)
    expect(event).not.toHaveProperty('mobinetwork_enabled')
    await system.api('PUT', `events/${_id}.json`, { mobinetwork_enabled: true })
    expect((await system.api('GET', `events/${_id}.json`)).body.network_enabled).toBe(true)
    expect((await newEvent()).network_enabled).toBe(true)
    for (const type of ['', ' type="boolean"']) {
      const document = `<event><mobinetwork-enabled${type}>false</mobinetwork-enabled></event>`
      expect((await xml('PUT', `events/${_id}.xml`, document)).status).toBe(204)
      const answer = await system.api('GET', `events/${_id}.xml`)
      expect(answer.text).toContain('<network-enabled type="boolean">false</network-enabled>')
      expect(answer.text).not.toContain('mobinetwork')
      await system.api('PUT', `events/${_id}.json`, { network_enabled: true })
    }
  })

  test('fields that a client cannot set are ignored', async () => {
    const event = await newEvent({ guest_count: 7, _id: 'mine', created_at: '2001-01-01' })
    expect(event).toMatchObject({ guest_count: 0 })
    expect(event._id).not.toBe('mine')
    await system.api('PUT', `events/${event._id}.json`, { account_id: 'theirs', guest_count: 3 })
    expect((await system.api('GET', `events/${event._id}.json`)).body).toMatchObject({
      account_id: system.account_id,
      guest_count: 0,
      created_at: event.created_at,
    })
  })

  test('update answers 204 with an empty body and changes the given fields only', async () => {
    const event = await newEvent({ description: 'old', organizer: 'Ada' })
    const answer = await system.api('PUT', `events/${event._id}.json`, { title: 'New', description: null })
    expect([answer.status, answer.text]).toEqual([204, ''])
    const { body } = await system.api('GET', `events/${event._id}.json`)
    expect(body).toEqual({ ...event, title: 'New', description: null, updated_at: body.updated_at })
    expect(Date.parse(body.updated_at)).toBeGreaterThan(Date.parse(event.updated_at))
  })

  test('update takes XML, plan included', async () => {
    const { _id } = await newEvent()
    const answer = await xml('PUT', `events/${_id}.xml`, '<event><plan>basic</plan><locale>de</locale></event>')
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await system.api('GET', `events/${_id}.json`)).body).toMatchObject({ plan: 'basic', locale: 'de' })
  })

  test('update with Prefer: return=representation answers 200 with the event', async () => {
    const { _id } = await newEvent()
    const answer = await system.api(
      'PUT',
      `events/${_id}.json`,
      { title: 'Shown' },
      { headers: { prefer: 'return=representation' } },
    )
    expect([answer.status, answer.body.title, answer.body.guest_count]).toEqual([200, 'Shown', 0])
    const document = await xml('PUT', `events/${_id}.xml`, '<event><title>Seen</title></event>', {
      prefer: 'return=representation',
    })
    expect(document.status).toBe(200)
    expect(document.text).toContain('<title>Seen</title>')
  })

  test('an invalid update changes nothing', async () => {
    const event = await newEvent()
    const answer = await system.api('PUT', `events/${event._id}.json`, { title: '', start_date: 'soon' })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toEqual({ title: ["can't be blank"], start_date: ['is not a valid date-time'] })
    expect((await system.api('GET', `events/${event._id}.json`)).body).toEqual(event)
  })

  test('the list holds the events of the account, newest first, as an array in JSON and XML', async () => {
    const { account_id, auth_token } = await system.account('lister')
    const empty = await system.api('GET', 'events.json', undefined, { token: auth_token })
    expect(empty.body).toEqual([])
    const none = await system.api('GET', 'events.xml', undefined, { token: auth_token })
    expect(none.text).toContain('<events type="array"/>')
    for (const title of ['First', 'Second']) {
      await system.api('POST', 'events.json', { title, account_id }, { token: auth_token })
    }
    const { body } = await system.api('GET', 'events.json', undefined, { token: auth_token })
    expect(body.map(({ title }: { title: string }) => title)).toEqual(['Second', 'First'])
    const { text } = await system.api('GET', 'events.xml', undefined, { token: auth_token })
    expect(text).toMatch(/<events type="array"><event><_id>[0-9a-f]{24}<\/_id><title>Second<.*<title>First</s)
  })

  describe('search', () => {
    test('finds by the beginnings of words of title and organizer, whatever case, accents and signs, in JSON and XML', async () => {
      const { auth_token: token, account_id } = await system.account('searching')
      const made = async (title: string, organizer: string | null): Promise<string> =>
        (await system.api('POST', 'events.json', { title, organizer, account_id }, { token })).body._id
      const gala = await made("L'Été à Genève – Gala", 'Zoë Weiß')
      const testEvent = await made('Book fair 2027', null)
      const found = async (search: string): Promise<string[]> => {
        const { status, body } = await system.api(
          'GET',
          `events.json?search=${encodeURIComponent(search)}`,
          undefined,
          {
            token,
          },
        )
        expect(status).toBe(200)
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
      const xml = await system.api('GET', 'events.xml?search=book', undefined, { token })
      expect([xml.text.includes(testEvent), xml.text.includes(gala)]).toEqual([true, false])
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

  test("another account's event is answered like one that does not exist", async () => {
    const { _id } = await newEvent()
    const { auth_token: token } = await system.account('stranger')
    const { body: listed } = await system.api('GET', 'events.json', undefined, { token })
    expect(listed).toEqual([])
    for (const id of [_id, '0123456789abcdef01234567', 'nonsense']) {
      for (const [method, path, body] of [
        ['GET', `events/${id}.json`],
        ['GET', `events/${id}/statistics.json`],
        ['PUT', `events/${id}.json`, { title: 'Mine' }],
      ] as const) {
        const answer = await system.api(method, path, body, { token })
        expect([answer.status, answer.body]).toEqual([404, { error: 'Not found' }])
      }
    }
    expect((await system.api('GET', `events/${_id}.json`)).body.title).toBe('Fair')
  })

  test('a token that is bound to an event sees only that event, and cannot create any', async () => {
    const { _id } = await newEvent({ title: 'Bound' })
    const { _id: other } = await newEvent({ title: 'Not bound' })
    const { body } = await system.api('POST', 'tokens.json', { name: 'bound', scope: 'admin', event_id: _id })
    const { token } = body
    const list = await system.api('GET', 'events.json', undefined, { token })
    expect(list.body.map((event: { _id: string }) => event._id)).toEqual([_id])
    expect((await system.api('GET', `events/${_id}.json`, undefined, { token })).status).toBe(200)
    expect((await system.api('GET', `events/${other}.json`, undefined, { token })).status).toBe(403)
    const creation = { title: 'More', account_id: system.account_id }
    expect((await system.api('POST', 'events.json', creation, { token })).status).toBe(403)
  })

  test('a retry with the same Idempotency-Key makes no second event', async () => {
    const headers = { 'idempotency-key': 'event-1' }
    const send = (): Promise<Answer> =>
      system.api('POST', 'events.json', { title: 'Once', account_id: system.account_id }, { headers })
    const [first, second] = [await send(), await send()]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    const { body } = await system.api('GET', 'events.json')
    expect(body.filter(({ title }: { title: string }) => title === 'Once')).toHaveLength(1)
  })

  test('counts are of stored guests, check-ins and signatures, in the event and in the list', async () => {
    const { _id } = await newEvent({ title: 'Counted' })
    const category = await made(`events/${_id}/guest_categories.json`, { name: 'Press' })
    const point = await made(`${_id}/accesspoints.json`, { name: 'Door' })
    for (const uid of ['a', 'b', 'c']) {
      await made(`events/${_id}/guests.json`, { guest_category_id: category._id, uid })
    }
    // Refused ones count too.
    for (const guest_uid of ['a', 'nobody']) {
      await made(`${_id}/access_controls.json`, { accesspoint_id: point._id, guest_uid })
    }
    const points = { width: '10', height: '10', lines: [] }
    await made(`${_id}/signatures.json`, { accesspoint_id: point._id, guest_uid: 'a', points })
    const counts = { guest_count: 3, check_in_count: 2, signature_count: 1 }
    expect((await system.api('GET', `events/${_id}.json`)).body).toMatchObject(counts)
    const { body } = await system.api('GET', 'events.json')
    expect(body.find((event: { _id: string }) => event._id === _id)).toMatchObject(counts)
    const { text } = await system.api('GET', `events/${_id}.xml`)
    expect(text).toContain('<check-in-count type="integer">2</check-in-count>')
  })

  test('guest_count has changed when a guest was, at once', slow, async () => {
    const { _id } = await newEvent()
    const category = await made(`events/${_id}/guest_categories.json`, { name: 'Press' })
    const count = async (): Promise<number> => (await system.api('GET', `events/${_id}.json`)).body.guest_count
    for (let round = 1; round <= 8; round++) {
      const guest = await made(`events/${_id}/guests.json`, { guest_category_id: category._id, last_name: 'Guest' })
      expect(await count()).toBe(round)
      expect(await count()).toBe(round)
      await system.api('DELETE', `events/${_id}/guests/${guest._id}.json`)
      expect(await count()).toBe(round - 1)
      await made(`events/${_id}/guests.json`, { guest_category_id: category._id, last_name: 'Guest' })
    }
  })

  test('statistics count admitted guests once, in the category they are in now', async () => {
    const { _id } = await newEvent()
    const [press, crew, empty] = await Promise.all(
      ['Press', 'Crew', 'Empty'].map((name) => made(`events/${_id}/guest_categories.json`, { name })),
    )
    const point = await made(`${_id}/accesspoints.json`, { name: 'Door' })
    for (const category of [press, crew]) {
      await made(`events/${_id}/guest_category_accesspoints.json`, {
        guest_category_id: category._id,
        accesspoint_id: point._id,
      })
    }
    const guest = (uid: string, category: { _id: string }) =>
      made(`events/${_id}/guests.json`, { guest_category_id: category._id, uid })
    const moved = await guest('moved', press)
    const gone = await guest('gone', press)
    await guest('twice', press)
    await guest('absent', crew)
    for (const guest_uid of ['moved', 'gone', 'twice', 'twice', 'nobody']) {
      await made(`${_id}/access_controls.json`, { accesspoint_id: point._id, guest_uid })
    }
    await system.api('PUT', `events/${_id}/guests/${moved._id}.json`, { guest_category_id: crew._id })
    await system.api('DELETE', `events/${_id}/guests/${gone._id}.json`)

    const { status, body } = await system.api('GET', `events/${_id}/statistics.json`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      guest_count: 3,
      check_in_count: 5,
      signature_count: 0,
      checked_in_guest_count: 3,
      by_status: [
        { access_status: 0, count: 4 },
        { access_status: 1, count: 1 },
        { access_status: 2, count: 0 },
        { access_status: 3, count: 0 },
      ],
      by_accesspoint: [{ accesspoint_id: point._id, granted: 4, refused: 1, unique_guests: 3 }],
    })
    const counts = new Map(
      body.by_guest_category.map(({ guest_category_id, ...rest }: Answer['body']) => [guest_category_id, rest]),
    )
    expect(counts.get(press._id)).toEqual({ guest_count: 1, checked_in_guest_count: 1 })
    expect(counts.get(crew._id)).toEqual({ guest_count: 2, checked_in_guest_count: 1 })
    expect(counts.get(empty._id)).toEqual({ guest_count: 0, checked_in_guest_count: 0 })
    const { text } = await system.api('GET', `events/${_id}/statistics.xml`)
    expect(text).toContain('<statistics><guest-count type="integer">')
    expect(text).toContain('<by-guest-category type="array"><guest-category>')
  })

  test('platform_event_id is null unless given, and a blank one is none', async () => {
    expect((await newEvent()).platform_event_id).toBeNull()
    const platform = await newEvent({ title: 'Platform' })
    const { _id, platform_event_id } = await newEvent({ platform_event_id: platform._id })
    expect(platform_event_id).toBe(platform._id)
    for (const [body, kept] of [
      ['<event><title>Kept</title></event>', `<platform-event-id>${platform._id}</platform-event-id>`],
      ['<event><platform-event-id/></event>', '<platform-event-id nil="true"/>'],
    ] as const) {
      expect((await xml('PUT', `events/${_id}.xml`, body)).status).toBe(204)
      expect((await system.api('GET', `events/${_id}.xml`)).text).toContain(kept)
    }
  })

  test('platform_event_id must be another event of the account: 422, on creation and update', async () => {
    const { _id } = await newEvent()
    const other = await system.account('platform-owner')
    const theirs = await system.api(
      'POST',
      'events.json',
      { title: 'Theirs', account_id: other.account_id },
      { token: other.auth_token },
    )
    for (const platform_event_id of [theirs.body._id, 'unknown', _id]) {
      const errors = {
        platform_event_id: [platform_event_id === _id ? "can't be the event itself" : 'is not an event of the account'],
      }
      const changed = await system.api('PUT', `events/${_id}.json`, { platform_event_id })
      expect([changed.status, changed.body]).toEqual([422, { errors }])
      if (platform_event_id === _id) continue
      const body = { title: 'X', account_id: system.account_id, platform_event_id }
      const created = await system.api('POST', 'events.json', body)
      expect([created.status, created.body]).toEqual([422, { errors }])
    }
    expect((await system.api('GET', `events/${_id}.json`)).body.platform_event_id).toBeNull()
  })

  test('a token that is bound to an event cannot set a platform event, existing or not: 403; it may send the stored one, and remove it', async () => {
    const [{ _id }, platform, another] = [await newEvent(), await newEvent(), await newEvent()]
    const { token } = await made('tokens.json', { name: 'bound', scope: 'admin', event_id: _id })
    const change = (platform_event_id: string | null, init = {}): Promise<Answer> =>
      system.api('PUT', `events/${_id}.json`, { platform_event_id }, init)
    const stored = async (): Promise<string> => (await system.api('GET', `events/${_id}.json`)).body.platform_event_id
    for (const id of [platform._id, 'f'.repeat(24)]) {
      const refused = await change(id, { token })
      expect([refused.status, refused.body.error]).toEqual([403, expect.stringContaining('bound to one event')])
    }
    expect((await change(platform._id)).status).toBe(204)
    expect((await change(platform._id, { token })).status).toBe(204)
    expect((await change(another._id, { token })).status).toBe(403)
    expect(await stored()).toBe(platform._id)
    expect((await change(null, { token })).status).toBe(204)
    expect(await stored()).toBeNull()
  })

  test('a time zone is one of the IANA, Rails or Windows, kept as given; an end before the start is 422, also by a PUT of one of them', async () => {
    const event = await newEvent({
      timezone: 'Eastern Time (US & Canada)',
      start_date: '2026-05-04',
      end_date: '2026-05-05',
    })
    const put = async (fields: object): Promise<unknown> => {
      const answer = await system.api('PUT', `events/${event._id}.json`, fields)
      return answer.body || answer.status
    }
    expect(event.timezone).toBe('Eastern Time (US & Canada)')
    expect(await put({ timezone: 'W. Europe Standard Time' })).toBe(204)
    const unknown = { errors: { timezone: ['is not a time zone'] } }
    const wrongDates = { errors: { end_date: ["can't be before start_date"] } }
    expect(await put({ timezone: 'Mars/Olympus' })).toEqual(unknown)
    expect(await put({ end_date: '2026-05-03' })).toEqual(wrongDates)
    expect(await put({ start_date: '2026-05-06' })).toEqual(wrongDates)
    expect(await put({ start_date: '2026-05-06', end_date: '2026-05-07' })).toBe(204)
    expect(await put({ start_date: null, end_date: '2020-01-01' })).toBe(204)
    const { account_id } = system
    const given = { title: 'Fair', account_id, timezone: 'Mars', start_date: '2026-05-04', end_date: '2026-05-03' }
    const created = await system.api('POST', 'events.json', given)
    expect([created.status, created.body]).toEqual([422, { errors: { ...unknown.errors, ...wrongDates.errors } }])
  })

  test('an event of an older version keeps a time zone that nobody knows and dates in the wrong order until they change', async () => {
    const { _id } = await newEvent()
    const client = await MongoClient.connect(inject('mongodbUrl'))
    const stored = client.db(`${system.namespace}_guests`).collection<{ _id: string }>('events')
    const [start_date, end_date] = [new Date('2026-05-04'), new Date('2026-05-03')]
    await stored.updateOne({ _id }, { $set: { timezone: 'Mars', start_date, end_date } })
    await client.close()
    const put = async (fields: object): Promise<number> =>
      (await system.api('PUT', `events/${_id}.json`, fields)).status
    const { body } = await system.api('GET', `events/${_id}.json`)
    expect(body).toMatchObject({ timezone: 'Mars', end_date: '2026-05-03T00:00:00.000Z' })
    expect([await put({ title: 'New' }), await put(body), await put({ end_date: '2026-05-02' })]).toEqual([
      204, 204, 422,
    ])
  })

  test('other services get the settings for partner campaigns, and 404 for an event that does not exist', async () => {
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
    })
    await expect(client.campaign_terms({ body: { event_id: 'unknown' } })).rejects.toThrow('Not found')
  })

  test('other services get the owner of an event, and null for an event that does not exist', async () => {
    const { _id } = await newEvent()
    const client = clientOf(system.bus, events)
    expect(await client.owner({ body: { event_id: _id } })).toEqual({ account_id: system.account_id })
    expect(await client.owner({ body: { event_id: 'nonsense' } })).toEqual({ account_id: null })
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
