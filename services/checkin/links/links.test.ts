import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { beforeAll, describe, expect, test } from 'vitest'

const system = await sharedSystem()

const PATH = 'guest_category_accesspoints'

describe('guest category accesspoints', () => {
  let testEvent: TestEvent
  let category: string

  beforeAll(async () => {
    testEvent = await TestEvent.open(system)
    category = await testEvent.category()
  })

  test('creation answers 201 with the record', async () => {
    const fields = { guest_category_id: category, accesspoint_id: await testEvent.point(), max_allowed_accesses: 1 }
    const link = await testEvent.make(`${PATH}.json`, fields)
    expect(link).toEqual({
      ...fields,
      valid_from: null,
      valid_until: null,
      period: 'event',
      reentry: false,
      _id: link.id,
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
    })
  })

  test('the list has the links of the event, a category, a check-in point, or both; each with its id', async () => {
    const own = await TestEvent.open(system)
    const [a, b] = [await own.category('A'), await own.category('B')]
    const [x, y] = [await own.point('X'), await own.point('Y')]
    const [ax, ay, bx] = [await own.link(a, x), await own.link(a, y), await own.link(b, x)]
    const ids = async (query: string): Promise<string[]> =>
      (await own.read(`${PATH}.json${query}`)).map(({ id }: { id: string }) => id)
    expect(await ids('')).toEqual([ax, ay, bx])
    expect(await ids(`?guest_category_id=${a}`)).toEqual([ax, ay])
    expect(await ids(`?accesspoint_id=${x}`)).toEqual([ax, bx])
    expect(await ids(`?guest_category_id=${b}&accesspoint_id=${x}`)).toEqual([bx])
    expect(await ids(`?guest_category_id=${b}&accesspoint_id=${y}`)).toEqual([])
    for (const nobody of ['nobody', '%7B%22%24ne%22%3A1%7D'])
      expect(await ids(`?guest_category_id=${nobody}`)).toEqual([])
    for (const ignored of ['unknown=1', 'guest_category_id[$ne]=x']) expect(await ids(`?${ignored}`)).toHaveLength(3)
  })

  test('both ends are required and must be of the event', async () => {
    const other = await TestEvent.open(system)
    const point = await testEvent.point()
    const strange = { accesspoint_id: await other.point(), guest_category_id: await other.category() }
    const own = { accesspoint_id: point, guest_category_id: category }
    const { accesspoint_id, guest_category_id } = strange
    for (const [body, fields] of [
      [{}, ['accesspoint_id', 'guest_category_id']],
      [{ guest_category_id: category }, ['accesspoint_id']],
      [{ ...own, accesspoint_id }, ['accesspoint_id']],
      [{ ...own, guest_category_id }, ['guest_category_id']],
      [strange, ['accesspoint_id', 'guest_category_id']],
    ] as const) {
      expect(Object.keys(await testEvent.refused(`${PATH}.json`, body)).sort()).toEqual(fields)
    }
    const id = await testEvent.link(category, point)
    for (const ends of [{ accesspoint_id }, { guest_category_id }]) {
      const errors = await testEvent.refused(`${PATH}/${id}.json`, ends, 'PUT')
      expect(Object.keys(errors)).toEqual(Object.keys(ends))
    }
  })

  test('a second link of the same category and point is refused, on creation and on update', async () => {
    const [x, y] = [await testEvent.point(), await testEvent.point()]
    await testEvent.link(category, x, 1)
    const toY = await testEvent.link(category, y, 2)
    const errors = { accesspoint_id: ['is already linked to this guest category'] }
    const path = `${PATH}/${toY}.json`
    expect(await testEvent.refused(`${PATH}.json`, { guest_category_id: category, accesspoint_id: x })).toEqual(errors)
    expect(await testEvent.refused(path, { accesspoint_id: x }, 'PUT')).toEqual(errors)
    expect(await testEvent.refused(path, { accesspoint_id: x, max_allowed_accesses: 'many' }, 'PUT')).toEqual({
      ...errors,
      max_allowed_accesses: ['is not a whole number'],
    })
    const kept = await testEvent.read(`${PATH}.json?accesspoint_id=${y}`)
    expect(kept).toMatchObject([{ id: toY, max_allowed_accesses: 2 }])
  })

  test('two requests at once for the same pair make one link', async () => {
    const point = await testEvent.point()
    const body = { guest_category_id: category, accesspoint_id: point }
    const answers = await Promise.all(Array.from({ length: 10 }, () => testEvent.api('POST', `${PATH}.json`, body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(422)])
    expect(await testEvent.read(`${PATH}.json?accesspoint_id=${point}`)).toHaveLength(1)
  })

  test('max_allowed_accesses is a whole number from -1, and -1 by default', async () => {
    const point = await testEvent.point()
    const body = { guest_category_id: category, accesspoint_id: point }
    for (const wrong of [-2, 1.5, 'many', null, 1e9, {}]) {
      const errors = await testEvent.refused(`${PATH}.json`, { ...body, max_allowed_accesses: wrong })
      expect([wrong, Object.keys(errors)]).toEqual([wrong, ['max_allowed_accesses']])
    }
    expect((await testEvent.make(`${PATH}.json`, body)).max_allowed_accesses).toBe(-1)
    const text = { ...body, accesspoint_id: await testEvent.point(), max_allowed_accesses: '7' }
    expect((await testEvent.make(`${PATH}.json`, text)).max_allowed_accesses).toBe(7)
  })

  test('the old name access_once is read, true as 1 and false as -1, and never sent', async () => {
    for (const [once, limit] of [
      [true, 1],
      [false, -1],
      ['true', 1],
      ['false', -1],
      ['1', 1],
      ['0', -1],
    ]) {
      const body = { guest_category_id: category, accesspoint_id: await testEvent.point(), access_once: once }
      const link = await testEvent.make(`${PATH}.json`, body)
      expect(link.max_allowed_accesses).toBe(limit)
      expect(link).not.toHaveProperty('access_once')
      await testEvent.change(`${PATH}/${link.id}.json`, { access_once: limit === -1 })
      const [changed] = await testEvent.read(`${PATH}.json?accesspoint_id=${body.accesspoint_id}`)
      expect(changed.max_allowed_accesses).toBe(-Number(limit))
    }
    const point = await testEvent.point()
    const both = { guest_category_id: category, accesspoint_id: point, access_once: true, max_allowed_accesses: 4 }
    expect((await testEvent.make(`${PATH}.json`, both)).max_allowed_accesses).toBe(4)
  })

  test('an update leaves other fields', async () => {
    const [point, elsewhere] = [await testEvent.point(), await testEvent.point()]
    const id = await testEvent.link(category, point, 3)
    const change = async (fields: object, accesspoint_id = point) => {
      await testEvent.change(`${PATH}/${id}.json`, fields)
      return testEvent.read(`${PATH}.json?accesspoint_id=${accesspoint_id}`)
    }
    const times = { valid_from: null, valid_until: null, period: 'event', reentry: false }
    const link = { ...times, _id: id, id, guest_category_id: category, accesspoint_id: point, max_allowed_accesses: 5 }
    expect(await change({ max_allowed_accesses: 5 })).toEqual([link])
    expect(await change({})).toEqual([link])
    const moved = { ...link, accesspoint_id: elsewhere }
    expect(await change({ accesspoint_id: elsewhere }, elsewhere)).toEqual([moved])
  })

  test('a link is deleted once; one of another event is 404', async () => {
    const point = await testEvent.point()
    const id = await testEvent.link(category, point)
    const other = await TestEvent.open(system)
    expect(await other.status('PUT', `${PATH}/${id}.json`, { max_allowed_accesses: 9 })).toBe(404)
    expect(await other.status('DELETE', `${PATH}/${id}.json`)).toBe(404)
    await testEvent.remove(`${PATH}/${id}.json`)
    expect(await testEvent.read(`${PATH}.json?accesspoint_id=${point}`)).toEqual([])
    expect(await testEvent.status('DELETE', `${PATH}/${id}.json`)).toBe(404)
    await testEvent.link(category, point)
  })

  test('the category shows its links, and loses them to a deleted point', async () => {
    const [group, point] = [await testEvent.category(), await testEvent.point()]
    await testEvent.link(group, point, 2)
    const links = async () => (await testEvent.read(`guest_categories/${group}.json`)).guest_category_accesspoints
    const times = { valid_from: null, valid_until: null, period: 'event', reentry: false }
    expect(await links()).toEqual([
      { max_allowed_accesses: 2, ...times, accesspoint_id: point, guest_category_id: group },
    ])
    await testEvent.remove(`accesspoints/${point}.json`)
    expect(await links()).toEqual([])
  })
})
