import { clientOf, createdId } from '@gatehouse/proto/bus/client.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { rounds, slow } from '@gatehouse/test/rounds.ts'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { guestCategories } from './resource.ts'

const system = await sharedSystem()

const PATH = 'guest_categories'
const LINKS = 'guest_category_accesspoints'
const FORM = { headers: { 'content-type': 'application/x-www-form-urlencoded' } }
const XML = { headers: { 'content-type': 'application/xml' } }

/** The times of a link without any. */
const ALWAYS = { valid_from: null, valid_until: null, period: 'event', reentry: false }

describe('guest categories', () => {
  let event: TestEvent

  beforeEach(async () => {
    event = await TestEvent.open(system)
  })

  const newCategory = (fields: object = {}): Promise<Answer['body']> =>
    event.make(`${PATH}.json`, { name: 'Press', ...fields })
  const read = (id: string): Promise<Answer['body']> => event.read(`${PATH}/${id}.json`)

  test('creation answers 201 with the category; flags are off and mappings empty unless given', async () => {
    const category = await newCategory({ badge_enabled: 'true' })
    expect(category).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: 'Press',
      badge_enabled: true,
      badge_qr_code_enabled: false,
      badge_ecard_in_qr_code_enabled: false,
      badge_template_id: null,
      confirmation_email_enabled: false,
      rsvp_enabled: false,
      moderated_registrations_enabled: false,
      device_names_enabled: false,
      walk_in_enabled: false,
      registration_enabled: false,
      registration_limit: null,
      registration_opens_at: null,
      registration_closes_at: null,
      registration_party_max: 1,
      registration_confirms_email: true,
      form_identity_mapping: {},
      form_checkin_point_mapping: {},
      event_id: event.id,
      guest_category_accesspoints: [],
      created_at: expect.stringMatching(/Z$/),
      updated_at: category.created_at,
    })
    expect(await read(category._id)).toEqual(category)
  })

  test('a registration page cannot close before it opens: 422, also against the stored time', async () => {
    const times = { registration_opens_at: '2026-08-01T08:00:00Z', registration_closes_at: '2026-07-01T08:00:00Z' }
    const problem = { registration_closes_at: ["can't be before registration_opens_at"] }
    expect(await event.refused(`${PATH}.json`, { name: 'Press', ...times })).toEqual(problem)
    const { _id } = await newCategory({ registration_opens_at: times.registration_opens_at })
    const { registration_closes_at } = times
    expect(await event.refused(`${PATH}/${_id}.json`, { registration_closes_at }, 'PUT')).toEqual(problem)
  })

  test('a name is needed: 422 on name, on creation and on update', async () => {
    const { _id } = await newCategory()
    for (const name of [undefined, ' ']) {
      expect(await event.refused(`${PATH}.json`, { name, badge_enabled: true })).toEqual({ name: ["can't be blank"] })
    }
    expect(await event.refused(`${PATH}/${_id}.json`, { name: '' }, 'PUT')).toEqual({ name: ["can't be blank"] })
  })

  test('the old names wufoo_… of the mappings are read and never sent', async () => {
    const category = await newCategory({
      wufoo_identity_mapping: { last_name: 'Field1' },
      wufoo_checkin_point_mapping: { Field2: 'door' },
    })
    expect(category).toMatchObject({
      form_identity_mapping: { last_name: 'Field1' },
      form_checkin_point_mapping: { Field2: 'door' },
    })
    expect(Object.keys(category).filter((name) => name.startsWith('wufoo'))).toEqual([])
  })

  test.each(['form', 'wufoo'])('a %s mapping is read from XML and from a form, filled and empty', async (prefix) => {
    const inXml = (inside: string): string =>
      `<guest-category><name>Press</name><${prefix}-identity-mapping>${inside}</${prefix}-identity-mapping><${prefix}-checkin-point-mapping/></guest-category>`
    const inForm = (first: string): string => `name=Press&${prefix}_identity_mapping${first}`
    const mapping = { last_name: 'Field1' }
    for (const [init, body, form_identity_mapping] of [
      [XML, inXml('<last-name>Field1</last-name>'), mapping],
      [XML, inXml(''), {}],
      [XML, inXml('\n  '), {}],
      [FORM, inForm(`[last_name]=Field1&${prefix}_checkin_point_mapping=`), mapping],
      [FORM, inForm('='), {}],
    ] as const) {
      const { status, body: made } = await event.api('POST', `${PATH}.json`, body, init)
      expect([status, made]).toMatchObject([201, { form_identity_mapping, form_checkin_point_mapping: {} }])
    }
    const wrong = await event.refused(`${PATH}.json`, { name: 'Press', [`${prefix}_identity_mapping`]: 'text' })
    expect(Object.keys(wrong)).toEqual(['form_identity_mapping'])
  })

  test('a mapping with a name that the database would read as an operator is 422', async () => {
    await event.refused(`${PATH}.json`, { name: 'Press', form_identity_mapping: { $where: '1' } })
  })

  test('update changes the given fields only', async () => {
    const category = await newCategory()
    await event.change(`${PATH}/${category._id}.json`, { rsvp_enabled: true })
    const changed = await read(category._id)
    expect(changed).toEqual({ ...category, rsvp_enabled: true, updated_at: changed.updated_at })
    expect(changed.updated_at > category.updated_at).toBe(true)
  })

  test('its links are in the category, alone and in the list', async () => {
    const [{ _id }, other, accesspoint_id] = [await newCategory(), await event.category(), await event.point()]
    await event.link(_id, accesspoint_id, 1)
    const links = [{ guest_category_id: _id, accesspoint_id, max_allowed_accesses: 1, ...ALWAYS }]
    expect((await read(_id)).guest_category_accesspoints).toEqual(links)
    const list = await event.read(`${PATH}.json`)
    expect(list.map((each: Answer['body']) => [each._id, each.guest_category_accesspoints])).toEqual([
      [_id, links],
      [other, []],
    ])
  })

  describe('links inside a category', () => {
    let front: string
    let back: string

    beforeEach(async () => {
      ;[front, back] = [await event.point('Front'), await event.point('Back')]
    })

    const linksOf = async (id: string): Promise<[string, number][]> =>
      (await read(id)).guest_category_accesspoints.map((link: Answer['body']) => [
        link.accesspoint_id,
        link.max_allowed_accesses,
      ])
    const scan = async (point: string, uid: string): Promise<number> => (await event.scan(point, uid)).access_status

    test('are created with it, shown in the answer, and known to the door; forms too', async () => {
      const category = await newCategory({
        [LINKS]: [
          { accesspoint_id: back, max_allowed_accesses: 1 },
          { accesspoint_id: front, access_once: 'false' },
        ],
      })
      expect(category.guest_category_accesspoints).toEqual([
        { accesspoint_id: back, max_allowed_accesses: 1, ...ALWAYS, guest_category_id: category._id },
        { accesspoint_id: front, max_allowed_accesses: -1, ...ALWAYS, guest_category_id: category._id },
      ])
      expect(await read(category._id)).toEqual(category)
      await event.guest(category._id, 'ada')
      expect([await scan(back, 'ada'), await scan(back, 'ada')]).toEqual([0, 3])
      const list = `guest_category[${LINKS}][]`
      const fields = `${list}[accesspoint_id]=${front}&${list}[max_allowed_accesses]=2&${list}[accesspoint_id]=${back}`
      const form = await event.api('POST', `${PATH}.json`, `guest_category[name]=F&${fields}`, FORM)
      expect(await linksOf(form.body._id)).toEqual([
        [front, 2],
        [back, -1],
      ])
    })

    test('replace the current ones if given, from the next scan on; otherwise those stay', async () => {
      const { _id } = await newCategory({ [LINKS]: [{ accesspoint_id: front }] })
      await event.guest(_id, 'ada')
      expect([await scan(front, 'ada'), await scan(back, 'ada')]).toEqual([0, 2])
      const change = (body: object) => event.change(`${PATH}/${_id}.json`, body)
      await change({ [LINKS]: [{ accesspoint_id: back, max_allowed_accesses: 5 }] })
      expect([await scan(front, 'ada'), await scan(back, 'ada')]).toEqual([2, 0])
      await change({ name: 'Crew' })
      expect(await linksOf(_id)).toEqual([[back, 5]])
      const ids = async () => (await event.read(`${LINKS}.json`)).map(({ id }: { id: string }) => id)
      const [kept] = await ids()
      await change({ [LINKS]: [{ accesspoint_id: back }, { accesspoint_id: front }] })
      expect(await ids()).toContain(kept)
      const empty = '<guest-category><guest-category-accesspoints type="array"/></guest-category>'
      expect((await event.xml('PUT', `${PATH}/${_id}.xml`, empty)).status).toBe(204)
      expect([await linksOf(_id), await scan(back, 'ada')]).toEqual([[], 2])
    })

    test('invalid links are refused together with all other errors, and nothing is created or changed', async () => {
      const elsewhere = await (await TestEvent.open(system)).point()
      const category = await newCategory({ [LINKS]: [{ accesspoint_id: front }] })
      for (const [links, errors] of [
        [
          [{ accesspoint_id: front }, { accesspoint_id: elsewhere }],
          { [`${LINKS}.1.accesspoint_id`]: ['is not a check-in point of the event'] },
        ],
        [
          [{ accesspoint_id: front }, { accesspoint_id: front }],
          { [`${LINKS}.1.accesspoint_id`]: ['is already linked to this guest category'] },
        ],
        [
          [{ accesspoint_id: front, max_allowed_accesses: -2 }, {}],
          {
            [`${LINKS}.0.max_allowed_accesses`]: ['must be greater than or equal to -1'],
            [`${LINKS}.1.accesspoint_id`]: ["can't be blank"],
          },
        ],
        ['x', { [LINKS]: ['is not a list'] }],
      ] as const) {
        const body = { name: ' ', [LINKS]: links }
        const all = { ...errors, name: ["can't be blank"] }
        expect(await event.refused(`${PATH}.json`, body)).toEqual(all)
        expect(await event.refused(`${PATH}/${category._id}.json`, body, 'PUT')).toEqual(all)
      }
      expect(await event.read(`${PATH}.json`)).toEqual([category])
    })

    test('two changes at once: the result is one of them as a whole', slow, async () => {
      const points = await Promise.all(Array.from({ length: 6 }, () => event.point()))
      const { _id } = await newCategory()
      const halves = [points.slice(0, 3), points.slice(3)]
      await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          event.change(`${PATH}/${_id}.json`, {
            [LINKS]: halves[index % 2]?.map((accesspoint_id) => ({ accesspoint_id })),
          }),
        ),
      )
      const kept = (await linksOf(_id)).map(([point]) => point).sort()
      expect(halves.map((half) => half.toSorted())).toContainEqual(kept)
    })

    test('links that a process left behind are written by a retry, or by a read of the category', slow, async () => {
      const mongo = await MongoClient.connect(inject('mongodbUrl'))
      const stored = mongo.db(`${system.namespace}_guests`).collection<{ _id: string }>('guest_categories')
      const links = [{ accesspoint_id: front, max_allowed_accesses: -1 }]
      const leave = async (_id: string, since: Date, fields: object = { deleted: false }) =>
        stored.updateOne({ _id }, { $set: { links_due: { since, links }, ...fields } }, { upsert: true })
      const long = new Date(Date.now() - 60_000)

      const looked = await newCategory()
      await event.guest(looked._id, 'looked')
      await leave(looked._id, long)
      expect(await linksOf(looked._id)).toEqual([[front, -1]])
      expect(await scan(front, 'looked')).toBe(0)

      const listed = await newCategory()
      await leave(listed._id, long)
      expect((await event.read(`${PATH}.json`))[1].guest_category_accesspoints).toMatchObject(links)

      // A moment ago: the other request may still be running, but wants the same.
      const changed = await newCategory()
      await event.guest(changed._id, 'changed')
      await leave(changed._id, new Date())
      const again = { guest_category_accesspoints: links }
      await event.change(`${PATH}/${changed._id}.json`, again)
      expect(await scan(front, 'changed')).toBe(0)

      const idempotency_key = crypto.randomUUID()
      const body = { name: 'Press', ...again }
      const { token_id } = (await system.api('GET', 'me.json')).body
      const caller = { token_id, account_id: system.account_id, scope: 'admin' } as const
      const question = { params: { event_id: event.id }, body, caller, idempotency_key }
      const made = createdId(guestCategories, 'create', question)
      await leave(made, new Date(), { event_id: event.id, deleted: false, ...looked, _id: made })
      const headers = { 'idempotency-key': idempotency_key }
      const answer = await event.api('POST', `${PATH}.json`, body, { headers })
      expect([answer.status, answer.body]).toMatchObject([201, { _id: made, guest_category_accesspoints: links }])
      await event.guest(made, 'made')
      expect(await scan(front, 'made')).toBe(0)
      expect(await stored.countDocuments({ links_due: { $exists: true } })).toBe(0)
      await mongo.close()
    })
  })

  test('an empty category is deleted, and its links with it', async () => {
    const category = await event.category()
    await event.link(category, await event.point())
    await event.remove(`${PATH}/${category}.json`)
    for (const method of ['GET', 'DELETE']) expect(await event.status(method, `${PATH}/${category}.json`)).toBe(404)
    expect(await event.read(`${PATH}.json`)).toEqual([])
    expect(await event.read(`${LINKS}.json`)).toEqual([])
  })

  test('a category with guests is not deleted: 409, in JSON and XML, and its links stay', async () => {
    const category = await event.category()
    await event.link(category, await event.point())
    const guest = await event.guest(category, 'ada')
    const answer = await event.api('DELETE', `${PATH}/${category}.json`)
    expect([answer.status, answer.body]).toEqual([409, { error: 'The guest category has guests' }])
    const document = await event.api('DELETE', `${PATH}/${category}.xml`)
    expect(document.status).toBe(409)
    expect(document.text).toContain('<errors><error>The guest category has guests</error></errors>')
    expect((await read(category)).guest_category_accesspoints).toHaveLength(1)
    await event.remove(`guests/${guest}.json`)
    await event.remove(`${PATH}/${category}.json`)
  })

  test('a category whose guests have all moved away can be deleted, the one where they are now cannot', async () => {
    const [old, next] = [await event.category('Old'), await event.category('Next')]
    const guest = await event.guest(old, 'ada')
    await event.change(`guests/${guest}.json`, { guest_category_id: next })
    expect(await event.status('DELETE', `${PATH}/${next}.json`)).toBe(409)
    await event.remove(`${PATH}/${old}.json`)
  })

  test('deletion against guests being created in it never leaves a guest in a deleted category', slow, async () => {
    for (let round = 0; round < rounds(10, 40); round++) {
      const category = await event.category()
      const [deletion, ...creations] = await Promise.all([
        event.api('DELETE', `${PATH}/${category}.json`),
        ...Array.from({ length: 4 }, () =>
          event.api('POST', 'guests.json', { guest_category_id: category, last_name: 'Racer' }),
        ),
      ])
      const created = creations.filter(({ status }) => status === 201)
      const guests = await event.read(`guests.json?category[]=${category}`)
      const left = await event.read('guests.json?search=racer')
      if (deletion.status === 204) {
        expect([created, guests, left]).toEqual([[], [], []])
        for (const { status, body } of creations) {
          expect([status, Object.keys(body.errors)]).toEqual([422, ['guest_category_id']])
        }
      } else {
        expect([deletion.status, created.length, guests.length]).toEqual([409, 4, 4])
        await Promise.all(created.map(({ body }) => event.remove(`guests/${body._id}.json`)))
      }
    }
  })

  test('deletion against guests being moved into it never leaves a guest in a deleted category', slow, async () => {
    const home = await event.category('Home')
    const guests = await Promise.all(['a', 'b', 'c'].map((uid) => event.guest(home, uid)))
    const move = (to: string) =>
      guests.map((guest) => event.api('PUT', `guests/${guest}.json`, { guest_category_id: to }))
    for (let round = 0; round < rounds(10, 40); round++) {
      const category = await event.category()
      const [deletion, ...moves] = await Promise.all([
        event.api('DELETE', `${PATH}/${category}.json`),
        ...move(category),
      ])
      const inside = await event.read(`guests.json?category[]=${category}`)
      if (deletion.status === 204) {
        expect(moves.map(({ status }) => status)).toEqual([422, 422, 422])
        expect(inside).toEqual([])
      } else {
        expect(deletion.status).toBe(409)
        expect(inside).toHaveLength(moves.filter(({ status }) => status === 204).length)
        await Promise.all(move(home))
      }
    }
    expect(await event.read(`guests.json?category[]=${home}`)).toHaveLength(3)
  })

  test("another event's category is 404 and not known, as an unknown one", async () => {
    const category = await event.category()
    const other = await TestEvent.open(system)
    for (const [method, body] of [['GET'], ['PUT', { name: 'x' }], ['DELETE']] as const)
      expect(await other.status(method, `${PATH}/${category}.json`, body)).toBe(404)
    const known = (event_id: string) =>
      clientOf(system.bus, guestCategories).known({ body: { event_id, ids: [category, 'unknown'] } })
    expect(await known(event.id)).toEqual({ ids: [category] })
    expect(await known(other.id)).toEqual({ ids: [] })
  })
})

describe('guest categories while the checkin service is away', () => {
  let system: System

  beforeAll(async () => {
    system = await startSystem({ checkins: 0 })
  })
  afterAll(() => system?.stop())

  test('a deletion that cannot delete the links is 503, hides the category, and can be retried', slow, async () => {
    const event = await TestEvent.open(system)
    const category = await event.category()
    const path = `${PATH}/${category}.json`
    await event.change(path, { name: 'Crew' })
    expect(await event.status('DELETE', path)).toBe(503)
    await event.refused('guests.json', { guest_category_id: category, last_name: 'Late' })
    // Not 404: what is left to do is still known.
    expect(await event.status('DELETE', path)).toBe(503)
  })
})
