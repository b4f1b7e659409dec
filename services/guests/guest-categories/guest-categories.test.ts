import { clientOf, createdId } from '@gatehouse/proto/bus/client.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { rounds, slow } from '@gatehouse/test/rounds.ts'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { guestCategories } from './resource.ts'

const system = await sharedSystem()

describe('guest categories', () => {
  let event: string

  beforeEach(async () => {
    event = await newEvent()
  })

  const newEvent = async (): Promise<string> => {
    const { body } = await system.api('POST', 'events.json', { title: 'Fair', account_id: system.account_id })
    return body._id
  }
  const path = (rest = ''): string => `events/${event}/guest_categories${rest}`
  const xml = (method: string, to: string, body: string): Promise<Answer> =>
    system.api(method, to, body, { headers: { 'content-type': 'application/xml; charset=utf-8' } })
  const made = async (to: string, fields: object): Promise<Answer['body']> => {
    const answer = await system.api('POST', to, fields)
    expect(answer.status, answer.text).toBe(201)
    return answer.body
  }
  const newCategory = (name = 'Press'): Promise<Answer['body']> => made(path('.json'), { name })
  const newGuest = (guest_category_id: string, fields: object = {}): Promise<Answer['body']> =>
    made(`events/${event}/guests.json`, { guest_category_id, last_name: 'Lovelace', ...fields })

  test('creation answers 201 with the category; flags are off and mappings empty unless given', async () => {
    const { status, body } = await system.api('POST', path('.json'), { name: 'Press', badge_enabled: 'true' })
    expect(status).toBe(201)
    expect(body).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: 'Press',
      badge_enabled: true,
      badge_qr_code_enabled: false,
      badge_ecard_in_qr_code_enabled: false,
      confirmation_email_enabled: false,
      rsvp_enabled: false,
      moderated_registrations_enabled: false,
      device_names_enabled: false,
      form_identity_mapping: {},
      form_checkin_point_mapping: {},
      event_id: event,
      guest_category_accesspoints: [],
      created_at: expect.stringMatching(/Z$/),
      updated_at: body.created_at,
    })
    expect((await system.api('GET', path(`/${body._id}.json`))).body).toEqual(body)
  })

  test('creation answers under guest_category and guest_categories, with and without events/', async () => {
    for (const to of [`events/${event}/guest_category`, `${event}/guest_category`, `${event}/guest_categories`]) {
      expect((await system.api('POST', `${to}.json`, { guest_category: { name: to } })).status).toBe(201)
      const document = await xml('POST', `${to}.xml`, `<guest-category><name>${to}</name></guest-category>`)
      expect(document.status).toBe(201)
      expect(document.text).toContain(`<name>${to}</name>`)
      expect(document.text).toContain('<guest-category-accesspoints type="array"/>')
    }
    expect((await system.api('GET', path('.json'))).body).toHaveLength(6)
  })

  test('creation takes a form with root[field]', async () => {
    const { status, body } = await system.api(
      'POST',
      path('.json'),
      'guest_category[name]=Crew&guest_category[rsvp_enabled]=1',
      {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
    )
    expect([status, body.name, body.rsvp_enabled]).toEqual([201, 'Crew', true])
  })

  test('a name is needed: 422 on name', async () => {
    const { status, body } = await system.api('POST', path('.json'), { badge_enabled: true })
    expect([status, body]).toEqual([422, { errors: { name: ["can't be blank"] } }])
    const document = await xml('POST', path('.xml'), '<guest-category><name> </name></guest-category>')
    expect(document.status).toBe(422)
    expect(document.text).toContain("<errors><error>Name can't be blank</error></errors>")
    const { _id } = await newCategory()
    expect((await system.api('PUT', path(`/${_id}.json`), { name: '' })).status).toBe(422)
  })

  test('the old names wufoo_… of the mappings are read and never sent', async () => {
    const { status, body } = await system.api('POST', path('.json'), {
      name: 'Press',
      wufoo_identity_mapping: { last_name: 'Field1' },
      wufoo_checkin_point_mapping: { Field2: 'door' },
    })
    expect(status).toBe(201)
    expect(body.form_identity_mapping).toEqual({ last_name: 'Field1' })
    expect(body.form_checkin_point_mapping).toEqual({ Field2: 'door' })
    expect(Object.keys(body).filter((name) => name.startsWith('wufoo'))).toEqual([])
  })

  test.each(['form', 'wufoo'])('a %s mapping is read from XML and from a form, filled and empty', async (prefix) => {
    const inXml = (inside: string): string =>
      `<guest-category><name>Press</name><${prefix}-identity-mapping>${inside}</${prefix}-identity-mapping><${prefix}-checkin-point-mapping/></guest-category>`
    for (const [type, body, mapping] of [
      ['application/xml', inXml('<last-name>Field1</last-name>'), { last_name: 'Field1' }],
      ['application/xml', inXml(''), {}],
      ['application/xml', inXml('\n  '), {}],
      [
        'application/x-www-form-urlencoded',
        `name=Press&${prefix}_identity_mapping[last_name]=Field1&${prefix}_checkin_point_mapping=`,
        { last_name: 'Field1' },
      ],
      ['application/x-www-form-urlencoded', `name=Press&${prefix}_identity_mapping=`, {}],
    ] as const) {
      const answer = await system.api('POST', path('.json'), body, { headers: { 'content-type': type } })
      expect(answer.status, answer.text).toBe(201)
      expect(answer.body).toMatchObject({ form_identity_mapping: mapping, form_checkin_point_mapping: {} })
    }
    const wrong = await system.api('POST', path('.json'), { name: 'Press', [`${prefix}_identity_mapping`]: 'text' })
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['form_identity_mapping']])
  })

  test('a mapping with a name that the database would read as an operator is 422', async () => {
    const answer = await system.api('POST', path('.json'), { name: 'Press', form_identity_mapping: { $where: '1' } })
    expect(answer.status).toBe(422)
  })

  test('update answers 204 and changes the given fields only; with Prefer it shows the category', async () => {
    const category = await newCategory()
    const answer = await system.api('PUT', path(`/${category._id}.json`), { rsvp_enabled: true })
    expect([answer.status, answer.text]).toEqual([204, ''])
    const { body } = await system.api('GET', path(`/${category._id}.json`))
    expect(body).toEqual({ ...category, rsvp_enabled: true, updated_at: body.updated_at })
    expect(body.updated_at > category.updated_at).toBe(true)
    const document = await xml(
      'PUT',
      path(`/${category._id}.xml`),
      '<guest-category><name>Crew</name></guest-category>',
    )
    expect(document.status).toBe(204)
    const headers = { prefer: 'return=representation' }
    const shown = await system.api('PUT', path(`/${category._id}.json`), { badge_enabled: true }, { headers })
    expect([shown.status, shown.body.name, shown.body.rsvp_enabled]).toEqual([200, 'Crew', true])
  })

  test('its links are in the category, alone and in the list', async () => {
    const category = await newCategory()
    const { _id: other } = await newCategory('Crew')
    const point = await made(`${event}/accesspoints.json`, { name: 'Door' })
    const link = { guest_category_id: category._id, accesspoint_id: point._id, max_allowed_accesses: 1 }
    await made(`events/${event}/guest_category_accesspoints.json`, link)
    const read = await system.api('GET', path(`/${category._id}.json`))
    expect(read.body.guest_category_accesspoints).toEqual([link])
    const { body: list } = await system.api('GET', path('.json'))
    expect(list.map((each: Answer['body']) => [each._id, each.guest_category_accesspoints])).toEqual([
      [category._id, [link]],
      [other, []],
    ])
    const { text } = await system.api('GET', path('.xml'))
    expect(text).toContain(
      `<guest-category-accesspoints type="array"><guest-category-accesspoint><max-allowed-accesses type="integer">1</max-allowed-accesses>`,
    )
  })

  describe('links inside a category', () => {
    let doors: string[]

    beforeEach(async () => {
      doors = []
      for (const name of ['Front', 'Back']) doors.push((await made(`${event}/accesspoints.json`, { name }))._id)
    })

    const linksOf = async (id: string): Promise<[string, number][]> => {
      const { body } = await system.api('GET', path(`/${id}.json`))
      return body.guest_category_accesspoints.map((link: Answer['body']) => [
        link.accesspoint_id,
        link.max_allowed_accesses,
      ])
    }
    const scan = async (accesspoint_id: string, guest_uid: string): Promise<number> =>
      (await made(`${event}/access_controls.json`, { accesspoint_id, guest_uid })).access_status

    test('are created with it, shown in the answer, and known to the door; JSON, XML and forms', async () => {
      const [front, back] = doors
      const fields = {
        name: 'Press',
        guest_category_accesspoints: [
          { accesspoint_id: back, max_allowed_accesses: 1 },
          { accesspoint_id: front, access_once: 'false' },
        ],
      }
      const category = await made(path('.json'), { guest_category: fields })
      expect(category.guest_category_accesspoints).toEqual([
        { accesspoint_id: back, max_allowed_accesses: 1, guest_category_id: category._id },
        { accesspoint_id: front, max_allowed_accesses: -1, guest_category_id: category._id },
      ])
      expect((await system.api('GET', path(`/${category._id}.json`))).body).toEqual(category)
      await newGuest(category._id, { uid: 'ada' })
      expect([await scan(back as string, 'ada'), await scan(back as string, 'ada')]).toEqual([0, 3])
      const link = `<x><accesspoint-id>${front}</accesspoint-id><max-allowed-accesses type="integer">2</max-allowed-accesses></x>`
      const document = await xml(
        'POST',
        path('.xml'),
        `<guest-category><name>X</name><guest-category-accesspoints type="array">${link}</guest-category-accesspoints></guest-category>`,
      )
      expect(document.status, document.text).toBe(201)
      expect(document.text).toContain(`<accesspoint-id>${front}</accesspoint-id><guest-category-id>`)
      const list = 'guest_category[guest_category_accesspoints][]'
      const form = await system.api(
        'POST',
        path('.json'),
        `guest_category[name]=F&${list}[accesspoint_id]=${front}&${list}[max_allowed_accesses]=2&${list}[accesspoint_id]=${back}`,
        { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      )
      expect(await linksOf(form.body._id)).toEqual([
        [front, 2],
        [back, -1],
      ])
    })

    test('replace the current ones if given, from the next scan on; otherwise those stay', async () => {
      const [front = '', back = ''] = doors
      const fields = { name: 'Press', guest_category_accesspoints: [{ accesspoint_id: front }] }
      const { _id } = await made(path('.json'), fields)
      await newGuest(_id, { uid: 'ada' })
      expect([await scan(front, 'ada'), await scan(back, 'ada')]).toEqual([0, 2])
      const change = async (body: object) =>
        expect((await system.api('PUT', path(`/${_id}.json`), body)).status).toBe(204)
      await change({ guest_category_accesspoints: [{ accesspoint_id: back, max_allowed_accesses: 5 }] })
      expect([await scan(front, 'ada'), await scan(back, 'ada')]).toEqual([2, 0])
      await change({ name: 'Crew' })
      expect(await linksOf(_id)).toEqual([[back, 5]])
      const { body: links } = await system.api('GET', `events/${event}/guest_category_accesspoints.json`)
      await change({ guest_category_accesspoints: [{ accesspoint_id: back }, { accesspoint_id: front }] })
      const { body: after } = await system.api('GET', `events/${event}/guest_category_accesspoints.json`)
      expect(after.map(({ _id }: { _id: string }) => _id)).toContain(links[0]._id)
      const empty = '<guest-category><guest-category-accesspoints type="array"/></guest-category>'
      expect((await xml('PUT', path(`/${_id}.xml`), empty)).status).toBe(204)
      expect([await linksOf(_id), await scan(back, 'ada')]).toEqual([[], 2])
    })

    test('invalid links are refused together with all other errors, and nothing is created or changed', async () => {
      const [front] = doors
      const elsewhere = (await made(`${await newEvent()}/accesspoints.json`, { name: 'Door' }))._id
      const point = 'is not a check-in point of the event'
      const category = await made(path('.json'), {
        name: 'Press',
        guest_category_accesspoints: [{ accesspoint_id: front }],
      })
      const inPlace = (index: number, field: string) => `guest_category_accesspoints.${index}.${field}`
      for (const [links, errors] of [
        [[{ accesspoint_id: front }, { accesspoint_id: elsewhere }], { [inPlace(1, 'accesspoint_id')]: [point] }],
        [
          [{ accesspoint_id: front }, { accesspoint_id: front }],
          { [inPlace(1, 'accesspoint_id')]: ['is already linked to this guest category'] },
        ],
        [
          [{ accesspoint_id: front, max_allowed_accesses: -2 }, {}],
          {
            [inPlace(0, 'max_allowed_accesses')]: ['must be greater than or equal to -1'],
            [inPlace(1, 'accesspoint_id')]: ["can't be blank"],
          },
        ],
        ['x', { guest_category_accesspoints: ['is not a list'] }],
      ] as const) {
        const body = { name: ' ', guest_category_accesspoints: links }
        for (const [method, to] of [
          ['POST', path('.json')],
          ['PUT', path(`/${category._id}.json`)],
        ] as const) {
          const answer = await system.api(method, to, body)
          expect([answer.status, answer.body]).toEqual([422, { errors: { ...errors, name: ["can't be blank"] } }])
        }
      }
      expect((await system.api('GET', path('.json'))).body).toEqual([category])
    })

    test('two changes at once: the result is one of them as a whole', slow, async () => {
      const points = await Promise.all(
        Array.from({ length: 6 }, async () => (await made(`${event}/accesspoints.json`, { name: 'Door' }))._id),
      )
      const { _id } = await newCategory()
      const halves = [points.slice(0, 3), points.slice(3)]
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          system.api('PUT', path(`/${_id}.json`), {
            guest_category_accesspoints: halves[index % 2]?.map((accesspoint_id) => ({ accesspoint_id })),
          }),
        ),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
      const kept = (await linksOf(_id)).map(([point]) => point).sort()
      expect(halves.map((half) => half.toSorted())).toContainEqual(kept)
    })

    test('links that a process left behind are written by a retry, or by a read of the category', slow, async () => {
      const [front = ''] = doors
      const mongo = await MongoClient.connect(inject('mongodbUrl'))
      const stored = mongo.db(`${system.namespace}_guests`).collection<{ _id: string }>('guest_categories')
      const links = [{ accesspoint_id: front, max_allowed_accesses: -1 }]
      const leave = async (_id: string, since: Date, fields: object = { deleted: false }) =>
        stored.updateOne({ _id }, { $set: { links_due: { since, links }, ...fields } }, { upsert: true })
      const long = new Date(Date.now() - 60_000)

      const looked = await newCategory()
      await newGuest(looked._id, { uid: 'looked' })
      await leave(looked._id, long)
      expect(await linksOf(looked._id)).toEqual([[front, -1]])
      expect(await scan(front, 'looked')).toBe(0)

      const listed = await newCategory()
      await leave(listed._id, long)
      const { body: list } = await system.api('GET', path('.json'))
      expect(list[1].guest_category_accesspoints).toMatchObject(links)

      // A moment ago: the other request may still be running, but wants the same.
      const changed = await newCategory()
      await newGuest(changed._id, { uid: 'changed' })
      await leave(changed._id, new Date())
      const again = { guest_category_accesspoints: links }
      expect((await system.api('PUT', path(`/${changed._id}.json`), again)).status).toBe(204)
      expect(await scan(front, 'changed')).toBe(0)

      const idempotency_key = crypto.randomUUID()
      const body = { name: 'Press', ...again }
      const { token_id } = (await system.api('GET', 'me.json')).body
      const caller = { token_id, account_id: system.account_id, scope: 'admin' } as const
      const question = { params: { event_id: event }, body, caller, idempotency_key }
      const made = createdId(guestCategories, 'create', question)
      await leave(made, new Date(), { event_id: event, deleted: false, ...looked, _id: made })
      const answer = await system.api('POST', path('.json'), body, { headers: { 'idempotency-key': idempotency_key } })
      expect([answer.status, answer.body._id]).toEqual([201, made])
      expect(answer.body.guest_category_accesspoints).toMatchObject(links)
      await newGuest(made, { uid: 'made' })
      expect(await scan(front, 'made')).toBe(0)
      expect(await stored.countDocuments({ links_due: { $exists: true } })).toBe(0)
      await mongo.close()
    })
  })

  test('the list is an empty array at first, in JSON and XML', async () => {
    expect((await system.api('GET', path('.json'))).body).toEqual([])
    expect((await system.api('GET', path('.xml'))).text).toContain('<guest-categories type="array"/>')
  })

  test('an empty category is deleted with 204, and its links with it', async () => {
    const category = await newCategory()
    const point = await made(`${event}/accesspoints.json`, { name: 'Door' })
    await made(`events/${event}/guest_category_accesspoints.json`, {
      guest_category_id: category._id,
      accesspoint_id: point._id,
    })
    const answer = await system.api('DELETE', path(`/${category._id}.json`))
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await system.api('GET', path(`/${category._id}.json`))).status).toBe(404)
    expect((await system.api('DELETE', path(`/${category._id}.json`))).status).toBe(404)
    expect((await system.api('GET', path('.json'))).body).toEqual([])
    expect((await system.api('GET', `events/${event}/guest_category_accesspoints.json`)).body).toEqual([])
  })

  test('deletion with Prefer: return=representation answers 200 with the category', async () => {
    const { _id } = await newCategory()
    const headers = { prefer: 'return=representation' }
    const { status, body } = await system.api('DELETE', path(`/${_id}.json`), undefined, { headers })
    expect([status, body._id]).toEqual([200, _id])
  })

  test('a category with guests is not deleted: 409, in JSON and XML, and its links stay', async () => {
    const category = await newCategory()
    const point = await made(`${event}/accesspoints.json`, { name: 'Door' })
    await made(`events/${event}/guest_category_accesspoints.json`, {
      guest_category_id: category._id,
      accesspoint_id: point._id,
    })
    const guest = await newGuest(category._id)
    const answer = await system.api('DELETE', path(`/${category._id}.json`))
    expect([answer.status, answer.body]).toEqual([409, { error: 'The guest category has guests' }])
    const document = await system.api('DELETE', path(`/${category._id}.xml`))
    expect(document.status).toBe(409)
    expect(document.text).toContain('<errors><error>The guest category has guests</error></errors>')
    expect((await system.api('GET', path(`/${category._id}.json`))).body.guest_category_accesspoints).toHaveLength(1)
    await system.api('DELETE', `events/${event}/guests/${guest._id}.json`)
    expect((await system.api('DELETE', path(`/${category._id}.json`))).status).toBe(204)
  })

  test('a category whose guests have all moved away can be deleted, the one where they are now cannot', async () => {
    const [old, next] = [await newCategory('Old'), await newCategory('Next')]
    const guest = await newGuest(old._id)
    await system.api('PUT', `events/${event}/guests/${guest._id}.json`, { guest_category_id: next._id })
    expect((await system.api('DELETE', path(`/${next._id}.json`))).status).toBe(409)
    expect((await system.api('DELETE', path(`/${old._id}.json`))).status).toBe(204)
  })

  test('deletion against guests being created in it never leaves a guest in a deleted category', slow, async () => {
    for (let round = 0; round < rounds(10, 40); round++) {
      const { _id } = await newCategory(`Round ${round}`)
      const [deletion, ...creations] = await Promise.all([
        system.api('DELETE', path(`/${_id}.json`)),
        ...Array.from({ length: 4 }, () =>
          system.api('POST', `events/${event}/guests.json`, { guest_category_id: _id, last_name: 'Racer' }),
        ),
      ])
      const created = creations.filter(({ status }) => status === 201)
      const { body: guests } = await system.api('GET', `events/${event}/guests.json?category[]=${_id}`)
      const { body: left } = await system.api('GET', `events/${event}/guests.json?search=racer`)
      if (deletion.status === 204) {
        expect(created).toEqual([])
        expect(guests).toEqual([])
        expect(left).toEqual([])
        for (const { status, body } of creations) {
          expect([status, Object.keys(body.errors)]).toEqual([422, ['guest_category_id']])
        }
      } else {
        expect(deletion.status).toBe(409)
        expect(creations.map(({ status }) => status)).toEqual([201, 201, 201, 201])
        expect(guests).toHaveLength(4)
        await Promise.all(created.map(({ body }) => system.api('DELETE', `events/${event}/guests/${body._id}.json`)))
      }
    }
  })

  test('deletion against guests being moved into it never leaves a guest in a deleted category', slow, async () => {
    const { _id: home } = await newCategory('Home')
    const guests = await Promise.all([1, 2, 3].map(() => newGuest(home)))
    for (let round = 0; round < rounds(10, 40); round++) {
      const { _id } = await newCategory(`Round ${round}`)
      const [deletion, ...moves] = await Promise.all([
        system.api('DELETE', path(`/${_id}.json`)),
        ...guests.map((guest) =>
          system.api('PUT', `events/${event}/guests/${guest._id}.json`, { guest_category_id: _id }),
        ),
      ])
      const { body: inside } = await system.api('GET', `events/${event}/guests.json?category[]=${_id}`)
      if (deletion.status === 204) {
        expect(moves.map(({ status }) => status)).toEqual([422, 422, 422])
        expect(inside).toEqual([])
      } else {
        expect(deletion.status).toBe(409)
        expect(inside).toHaveLength(moves.filter(({ status }) => status === 204).length)
        await Promise.all(
          guests.map((guest) =>
            system.api('PUT', `events/${event}/guests/${guest._id}.json`, { guest_category_id: home }),
          ),
        )
      }
    }
    const { body } = await system.api('GET', `events/${event}/guests.json?category[]=${home}`)
    expect(body).toHaveLength(3)
  })

  test("an unknown id, and another event's category, are 404 and not known", async () => {
    const { _id } = await newCategory()
    const other = await newEvent()
    for (const to of [path('/unknown.json'), `events/${other}/guest_categories/${_id}.json`]) {
      expect((await system.api('GET', to)).status).toBe(404)
      expect((await system.api('PUT', to, { name: 'x' })).status).toBe(404)
      expect((await system.api('DELETE', to)).status).toBe(404)
    }
    const client = clientOf(system.bus, guestCategories)
    expect(await client.known({ body: { event_id: event, ids: [_id, 'unknown'] } })).toEqual({ ids: [_id] })
    expect(await client.known({ body: { event_id: other, ids: [_id] } })).toEqual({ ids: [] })
  })
})

describe('guest categories while the checkin service is away', () => {
  let system: System

  beforeAll(async () => {
    system = await startSystem({ checkins: 0 })
  })
  afterAll(() => system?.stop())

  test('a deletion that cannot delete the links is 503, hides the category, and can be retried', slow, async () => {
    const { body: event } = await system.api('POST', 'events.json', { title: 'Fair', account_id: system.account_id })
    const { body: category } = await system.api('POST', `events/${event._id}/guest_categories.json`, { name: 'Press' })
    const path = `events/${event._id}/guest_categories/${category._id}.json`
    expect((await system.api('PUT', path, { name: 'Crew' })).status).toBe(204)
    expect((await system.api('DELETE', path)).status).toBe(503)
    const guest = await system.api('POST', `events/${event._id}/guests.json`, {
      guest_category_id: category._id,
      last_name: 'Late',
    })
    expect(guest.status).toBe(422)
    // Not 404: what is left to do is still known.
    expect((await system.api('DELETE', path)).status).toBe(503)
  })
})
