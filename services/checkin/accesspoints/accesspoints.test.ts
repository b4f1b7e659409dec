import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { beforeAll, describe, expect, test } from 'vitest'

const system = await sharedSystem()

describe('check-in points', () => {
  let testEvent: TestEvent

  beforeAll(async () => {
    testEvent = await TestEvent.open(system)
  })

  test('creation answers 201 with the whole check-in point', async () => {
    const point = await testEvent.make('accesspoints.json', { name: 'Entrance' })
    expect(Object.keys(point)).toEqual([
      '_id',
      'name',
      'event_id',
      'guest_category_accesspoints',
      'created_at',
      'updated_at',
    ])
    expect(point).toMatchObject({ name: 'Entrance', event_id: testEvent.id, guest_category_accesspoints: [] })
    expect(point._id).toMatch(/^[0-9a-f]{24}$/)
    expect(point.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(await testEvent.read(`accesspoints/${point._id}.json`)).toEqual(point)
  })

  test('both spellings of the path create, flat and under the root key', async () => {
    for (const send of [testEvent.api.bind(testEvent), testEvent.short.bind(testEvent)]) {
      for (const body of [{ name: 'Room' }, { accesspoint: { name: 'Room' } }]) {
        const answer = await send('POST', 'accesspoints.json', body)
        expect([answer.status, answer.body.name, answer.body.event_id]).toEqual([201, 'Room', testEvent.id])
      }
    }
  })

  test('a name is required: 422 with the error on name, in JSON, XML and problem+json', async () => {
    for (const body of [{}, { name: '' }, { name: '  ' }, { name: null }, { accesspoint: {} }]) {
      const answer = await testEvent.api('POST', 'accesspoints.json', body)
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['name']])
    }
    const blank = await testEvent.api('POST', 'accesspoints.json', {})
    expect(blank.body).toEqual({ errors: { name: ["can't be blank"] } })
    const xml = await testEvent.xml('POST', 'accesspoints.xml', '<accesspoint><name></name></accesspoint>')
    expect(xml.status).toBe(422)
    expect(xml.text).toMatch(/<errors><error>Name can(&apos;|')t be blank<\/error><\/errors>$/)
    const problem = await testEvent.api(
      'POST',
      'accesspoints.json',
      {},
      { headers: { accept: 'application/problem+json' } },
    )
    expect(problem.headers.get('content-type')).toContain('application/problem+json')
    expect(problem.body).toMatchObject({
      status: 422,
      code: 'invalid',
      errors: { name: ["can't be blank"] },
      codes: { name: [{ code: 'blank' }] },
    })
  })

  test('a client cannot set the service’s own fields', async () => {
    const point = await testEvent.make('accesspoints.json', {
      name: 'Gate',
      _id: 'f'.repeat(24),
      event_id: 'e'.repeat(24),
      created_at: '2001-01-01T00:00:00Z',
      guest_category_accesspoints: [{ guest_category_id: 'x', accesspoint_id: 'y', max_allowed_accesses: 1 }],
    })
    expect(point._id).not.toBe('f'.repeat(24))
    expect(point).toMatchObject({ event_id: testEvent.id, guest_category_accesspoints: [] })
    expect(point.created_at > '2020').toBe(true)
  })

  test('the list has all check-in points of the event, oldest first, and none of another', async () => {
    const [mine, other] = [await TestEvent.open(system), await TestEvent.open(system)]
    expect(await mine.read('accesspoints.json')).toEqual([])
    await other.point('Elsewhere')
    for (const name of ['One', 'Two', 'Three']) await mine.point(name)
    const names = (await mine.read('accesspoints.json')).map(({ name }: { name: string }) => name)
    expect(names).toEqual(['One', 'Two', 'Three'])
  })

  test('a check-in point of another event, or an unknown one, is 404 on GET, PUT and DELETE', async () => {
    const other = await TestEvent.open(system)
    const strange = await other.point()
    for (const id of [strange, '0'.repeat(24), 'nonsense', '$gt']) {
      expect((await testEvent.api('GET', `accesspoints/${id}.json`)).status).toBe(404)
      expect((await testEvent.api('PUT', `accesspoints/${id}.json`, { name: 'Mine' })).status).toBe(404)
      expect((await testEvent.api('DELETE', `accesspoints/${id}.json`)).status).toBe(404)
    }
    expect((await other.read(`accesspoints/${strange}.json`)).name).toBe('Door')
  })

  test('an update answers 204 without a body, changes the given fields and updated_at', async () => {
    const id = await testEvent.point('Old')
    const before = await testEvent.read(`accesspoints/${id}.json`)
    const answer = await testEvent.api('PUT', `accesspoints/${id}.json`, { name: 'New' })
    expect([answer.status, answer.text]).toEqual([204, ''])
    const after = await testEvent.read(`accesspoints/${id}.json`)
    expect(after).toEqual({ ...before, name: 'New', updated_at: after.updated_at })
    expect(after.updated_at >= before.updated_at).toBe(true)
    await testEvent.change(`accesspoints/${id}.json`, {})
    expect((await testEvent.read(`accesspoints/${id}.json`)).name).toBe('New')
    expect((await testEvent.api('PUT', `accesspoints/${id}.json`, { name: ' ' })).status).toBe(422)
  })

  test('an update with Prefer: return=representation answers 200 with the check-in point', async () => {
    const id = await testEvent.point('Old')
    const answer = await testEvent.api(
      'PUT',
      `accesspoints/${id}.json`,
      { name: 'Shown' },
      { headers: { prefer: 'return=representation' } },
    )
    expect([answer.status, answer.body.name, answer.body._id]).toEqual([200, 'Shown', id])
  })

  test('guest_category_accesspoints shows the links of the point: three fields, output only', async () => {
    const [id, category] = [await testEvent.point(), await testEvent.category()]
    await testEvent.link(category, id, 3)
    const shown = [{ max_allowed_accesses: 3, accesspoint_id: id, guest_category_id: category }]
    expect((await testEvent.read(`accesspoints/${id}.json`)).guest_category_accesspoints).toEqual(shown)
    await testEvent.change(`accesspoints/${id}.json`, { guest_category_accesspoints: [] })
    expect((await testEvent.read(`accesspoints/${id}.json`)).guest_category_accesspoints).toEqual(shown)
    const listed = (await testEvent.read('accesspoints.json')).find(({ _id }: { _id: string }) => _id === id)
    expect(listed.guest_category_accesspoints).toEqual(shown)
  })

  test('a deletion answers 204 and deletes the links of the point; its check-ins stay', async () => {
    const own = await TestEvent.open(system)
    const [id, kept, category] = [await own.point(), await own.point('Kept'), await own.category()]
    await own.link(category, id)
    await own.link(category, kept)
    await own.guest(category, 'ada')
    const checkIn = await own.scan(id, 'ada')

    const answer = await own.api('DELETE', `accesspoints/${id}.json`)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await own.api('GET', `accesspoints/${id}.json`)).status).toBe(404)
    const links = await own.read('guest_category_accesspoints.json')
    expect(links.map((link: { accesspoint_id: string }) => link.accesspoint_id)).toEqual([kept])
    expect(await own.read('access_controls.json')).toEqual([checkIn])
    expect((await own.api('DELETE', `accesspoints/${id}.json`)).status).toBe(404)
    expect((await own.api('POST', 'access_controls.json', { accesspoint_id: id, guest_uid: 'ada' })).status).toBe(422)
  })

  test('XML: hyphens for underscores, _id kept, lists with type array, typed moments and numbers', async () => {
    const own = await TestEvent.open(system)
    const made = await own.xml(
      'POST',
      'accesspoints.xml',
      '<accesspoint><name>Caf&#233; &amp; Bar</name></accesspoint>',
    )
    expect(made.status).toBe(201)
    expect(made.headers.get('content-type')).toBe('application/xml; charset=utf-8')
    const [point] = await own.read('accesspoints.json')
    expect(point.name).toBe('Café & Bar')
    const category = await own.category()
    await own.link(category, point._id, 2)

    const { updated_at, created_at, _id } = point
    const element =
      `<accesspoint><_id>${_id}</_id><name>Café &amp; Bar</name><event-id>${own.id}</event-id>` +
      '<guest-category-accesspoints type="array"><guest-category-accesspoint>' +
      '<max-allowed-accesses type="integer">2</max-allowed-accesses>' +
      `<accesspoint-id>${_id}</accesspoint-id><guest-category-id>${category}</guest-category-id>` +
      '</guest-category-accesspoint></guest-category-accesspoints>' +
      `<created-at type="datetime">${created_at}</created-at><updated-at type="datetime">${updated_at}</updated-at></accesspoint>`
    const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
    expect((await own.xml('GET', `accesspoints/${_id}.xml`)).text).toBe(declaration + element)
    expect((await own.xml('GET', 'accesspoints.xml')).text).toBe(
      `${declaration}<accesspoints type="array">${element}</accesspoints>`,
    )
    const changed = await own.xml('PUT', `accesspoints/${_id}.xml`, '<accesspoint><name>Bar</name></accesspoint>')
    expect([changed.status, changed.text]).toEqual([204, ''])
    expect((await own.read(`accesspoints/${_id}.json`)).name).toBe('Bar')
    expect((await own.xml('DELETE', `accesspoints/${_id}.xml`)).status).toBe(204)
    expect((await own.xml('GET', 'accesspoints.xml')).text).toBe(`${declaration}<accesspoints type="array"/>`)
  })

  test('an Idempotency-Key makes one check-in point however often it is sent', async () => {
    const own = await TestEvent.open(system)
    const headers = { 'idempotency-key': 'point-1' }
    const first = await own.api('POST', 'accesspoints.json', { name: 'Once' }, { headers })
    const second = await own.api('POST', 'accesspoints.json', { name: 'Once' }, { headers })
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body).toEqual(first.body)
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(await own.read('accesspoints.json')).toHaveLength(1)
    expect((await own.api('POST', 'accesspoints.json', { name: 'Other' }, { headers })).status).toBe(422)
  })
})
