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
      'area_id',
      'direction',
      'signature_enabled',
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

  test('a name is required: 422 with the error on name, with its code in problem+json', async () => {
    const errors = { name: ["can't be blank"] }
    for (const body of [{}, { name: '' }, { name: '  ' }, { name: null }, { accesspoint: {} }])
      expect(Object.keys(await testEvent.refused('accesspoints.json', body))).toEqual(['name'])
    const headers = { accept: 'application/problem+json' }
    const problem = await testEvent.api('POST', 'accesspoints.json', {}, { headers })
    expect(problem.body).toMatchObject({ status: 422, code: 'invalid', errors, codes: { name: [{ code: 'blank' }] } })
  })

  test('the list has all check-in points of the event, oldest first, and none of another', async () => {
    const [mine, other] = [await TestEvent.open(system), await TestEvent.open(system)]
    expect(await mine.read('accesspoints.json')).toEqual([])
    await other.point('Elsewhere')
    for (const name of ['One', 'Two', 'Three']) await mine.point(name)
    expect(await mine.read('accesspoints.json')).toMatchObject([{ name: 'One' }, { name: 'Two' }, { name: 'Three' }])
  })

  test('a check-in point of another event is 404 on GET, PUT and DELETE', async () => {
    const other = await TestEvent.open(system)
    const strange = await other.point()
    for (const [method, body] of [['GET'], ['PUT', { name: 'Mine' }], ['DELETE']] as const)
      expect(await testEvent.status(method, `accesspoints/${strange}.json`, body)).toBe(404)
    expect((await other.read(`accesspoints/${strange}.json`)).name).toBe('Door')
  })

  test('an update changes the given fields and updated_at', async () => {
    const id = await testEvent.point('Old')
    const before = await testEvent.read(`accesspoints/${id}.json`)
    await testEvent.change(`accesspoints/${id}.json`, { name: 'New' })
    const after = await testEvent.read(`accesspoints/${id}.json`)
    expect(after).toEqual({ ...before, name: 'New', updated_at: after.updated_at })
    expect(after.updated_at >= before.updated_at).toBe(true)
    await testEvent.change(`accesspoints/${id}.json`, {})
    expect((await testEvent.read(`accesspoints/${id}.json`)).name).toBe('New')
    await testEvent.refused(`accesspoints/${id}.json`, { name: ' ' }, 'PUT')
  })

  test('guest_category_accesspoints shows the links of the point: five fields, output only', async () => {
    const [id, category] = [await testEvent.point(), await testEvent.category()]
    await testEvent.link(category, id, 3)
    const times = { valid_from: null, valid_until: null, period: 'event', reentry: false }
    const shown = [{ max_allowed_accesses: 3, ...times, accesspoint_id: id, guest_category_id: category }]
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

    await own.remove(`accesspoints/${id}.json`)
    for (const method of ['GET', 'DELETE']) expect(await own.status(method, `accesspoints/${id}.json`)).toBe(404)
    expect(await own.read('guest_category_accesspoints.json')).toMatchObject([{ accesspoint_id: kept }])
    expect(await own.read('access_controls.json')).toEqual([checkIn])
    await own.refused('access_controls.json', { accesspoint_id: id, guest_uid: 'ada' })
  })
})
