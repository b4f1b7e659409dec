import { clientOf } from '@gatehouse/proto/calls.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/system.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { guestCategories } from './resource.ts'

describe('guest categories', () => {
  let system: System
  let event: string

  beforeAll(async () => {
    system = await startSystem()
  })
  afterAll(() => system?.stop())
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

  test('a mapping with a name that a database would read as an operator is 422', async () => {
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

  test('its links stand in the category, alone and in the list', async () => {
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

  test('links inside a category are output only', async () => {
    const fields = { name: 'Press', guest_category_accesspoints: [{ accesspoint_id: 'x', max_allowed_accesses: 1 }] }
    expect((await made(path('.json'), fields)).guest_category_accesspoints).toEqual([])
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

  test('a category whose guests have all moved away can be deleted, the one they moved to can not', async () => {
    const [old, next] = [await newCategory('Old'), await newCategory('Next')]
    const guest = await newGuest(old._id)
    await system.api('PUT', `events/${event}/guests/${guest._id}.json`, { guest_category_id: next._id })
    expect((await system.api('DELETE', path(`/${next._id}.json`))).status).toBe(409)
    expect((await system.api('DELETE', path(`/${old._id}.json`))).status).toBe(204)
  })

  test('deletion against guests being created in it never leaves a guest in a deleted category', async () => {
    for (let round = 0; round < 40; round++) {
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

  test('deletion against guests being moved into it never leaves a guest in a deleted category', async () => {
    const { _id: home } = await newCategory('Home')
    const guests = await Promise.all([1, 2, 3].map(() => newGuest(home)))
    for (let round = 0; round < 40; round++) {
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

  test('a deletion that could not delete the links is 503, hides the category, and can be taken up again', async () => {
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
