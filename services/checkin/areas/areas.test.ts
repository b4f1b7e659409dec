import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { beforeAll, describe, expect, test } from 'vitest'

const system = await sharedSystem()

describe('areas', () => {
  let testEvent: TestEvent

  beforeAll(async () => {
    testEvent = await TestEvent.open(system)
  })

  const areaOf = async (point: string): Promise<string | null> =>
    (await testEvent.read(`accesspoints/${point}.json`)).area_id

  test('creation answers 201 with the whole area', async () => {
    const area = await testEvent.make('areas.json', { name: 'Hall', capacity: 200 })
    expect(Object.keys(area)).toEqual([
      '_id',
      'name',
      'capacity',
      'inside_count',
      'event_id',
      'created_at',
      'updated_at',
    ])
    expect(area).toMatchObject({ name: 'Hall', capacity: 200, inside_count: 0, event_id: testEvent.id })
    expect(await testEvent.read(`areas/${area._id}.json`)).toEqual(area)
    expect((await testEvent.make('areas.json', { name: 'Open air' })).capacity).toBe(null)
  })

  test('a capacity is null, 0 or more: 422 with the error on capacity', async () => {
    for (const capacity of [-1, 1.5, 'many'])
      expect(Object.keys(await testEvent.refused('areas.json', { name: 'Hall', capacity }))).toEqual(['capacity'])
    expect((await testEvent.make('areas.json', { name: 'Closed', capacity: 0 })).capacity).toBe(0)
  })

  test('the list has those of the event, oldest first; door tokens read and do not change them', async () => {
    const [mine, other] = [await TestEvent.open(system), await TestEvent.open(system)]
    await other.make('areas.json', { name: 'Elsewhere' })
    for (const name of ['One', 'Two']) await mine.make('areas.json', { name })
    const { token } = (await system.api('POST', 'tokens.json', { name: 'Door', scope: 'door' })).body
    const { body } = await mine.api('GET', 'areas.json', undefined, { token })
    expect(body).toMatchObject([{ name: 'One' }, { name: 'Two' }])
    expect(await mine.status('POST', 'areas.json', { name: 'Three' }, { token })).toBe(403)
  })

  test('an update changes the given fields; an area of another event is 404', async () => {
    const { _id } = await testEvent.make('areas.json', { name: 'Old', capacity: 5 })
    await testEvent.change(`areas/${_id}.json`, { name: 'New' })
    expect(await testEvent.read(`areas/${_id}.json`)).toMatchObject({ name: 'New', capacity: 5 })
    const other = await TestEvent.open(system)
    for (const [method, body] of [['GET'], ['PUT', { name: 'Mine' }], ['DELETE']] as const)
      expect(await other.status(method, `areas/${_id}.json`, body)).toBe(404)
  })

  test('a check-in point is in an area of its event, or in none; it leads in or out', async () => {
    const { _id: area_id } = await testEvent.make('areas.json', { name: 'Hall' })
    const point = await testEvent.make('accesspoints.json', { name: 'Exit', area_id, direction: 'out' })
    expect(point).toMatchObject({ area_id, direction: 'out' })
    const other = await TestEvent.open(system)
    const errors = { area_id: ['is not an area of the event'] }
    expect(await other.refused('accesspoints.json', { name: 'Door', area_id })).toEqual(errors)
    expect(await other.refused(`accesspoints/${await other.point()}.json`, { area_id }, 'PUT')).toEqual(errors)
    expect(Object.keys(await testEvent.refused('accesspoints.json', { name: 'Door', direction: 'up' }))).toEqual([
      'direction',
    ])
    await testEvent.change(`accesspoints/${point._id}.json`, { area_id: null })
    expect(await areaOf(point._id)).toBe(null)
  })

  test('a deleted area leaves its check-in points to the event as a whole', async () => {
    const [{ _id: area_id }, { _id: kept }] = [
      await testEvent.make('areas.json', { name: 'Gone' }),
      await testEvent.make('areas.json', { name: 'Kept' }),
    ]
    const inside = await testEvent.make('accesspoints.json', { name: 'Inside', area_id })
    const elsewhere = await testEvent.make('accesspoints.json', { name: 'Elsewhere', area_id: kept })
    await testEvent.remove(`areas/${area_id}.json`)
    expect([await areaOf(inside._id), await areaOf(elsewhere._id)]).toEqual([null, kept])
  })

  test('check-in points that go into an area while it is deleted end in none', async () => {
    for (let round = 0; round < 5; round++) {
      const { _id: area_id } = await testEvent.make('areas.json', { name: 'Race' })
      const points = await Promise.all([0, 1, 2].map(() => testEvent.point()))
      await Promise.all([
        ...points.map((point) => testEvent.api('PUT', `accesspoints/${point}.json`, { area_id })),
        testEvent.remove(`areas/${area_id}.json`),
      ])
      expect(await Promise.all(points.map(areaOf))).toEqual([null, null, null])
    }
  })
})
