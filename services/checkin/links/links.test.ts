import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { slow } from '@gatehouse/test/rounds.ts'
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

  test('creation answers 201 with the record, in both spellings, flat and under the root key', slow, async () => {
    for (const send of [testEvent.api.bind(testEvent), testEvent.short.bind(testEvent)]) {
      for (const wrap of [(link: object) => link, (link: object) => ({ guest_category_accesspoint: link })]) {
        const link = { guest_category_id: category, accesspoint_id: await testEvent.point(), max_allowed_accesses: 1 }
        const answer = await send('POST', `${PATH}.json`, wrap(link))
        expect(answer.status, answer.text).toBe(201)
        expect(answer.body).toEqual({ ...link, _id: answer.body.id, id: answer.body.id })
        expect(answer.body.id).toMatch(/^[0-9a-f]{24}$/)
      }
    }
  })

  test('creation and lists speak XML', async () => {
    const own = await TestEvent.open(system)
    const [group, point] = [await own.category(), await own.point()]
    const document = `<guest-category-accesspoint><guest-category-id>${group}</guest-category-id><accesspoint-id>${point}</accesspoint-id><max-allowed-accesses type="integer">2</max-allowed-accesses></guest-category-accesspoint>`
    const made = await own.system.api('POST', `${own.id}/${PATH}.xml`, document, {
      headers: { 'content-type': 'application/xml' },
    })
    expect(made.status, made.text).toBe(201)
    const [{ id }] = await own.read(`${PATH}.json`)
    const element = `<guest-category-accesspoint><_id>${id}</_id><id>${id}</id><guest-category-id>${group}</guest-category-id><accesspoint-id>${point}</accesspoint-id><max-allowed-accesses type="integer">2</max-allowed-accesses></guest-category-accesspoint>`
    expect(made.text.split('\n')[1]).toBe(element)
    expect((await own.xml('GET', `${PATH}.xml`)).text.split('\n')[1]).toBe(
      `<guest-category-accesspoints type="array">${element}</guest-category-accesspoints>`,
    )
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
    expect(await ids('?guest_category_id=nobody')).toEqual([])
    expect(await ids(`?unknown=1`)).toHaveLength(3)
  })

  test('a query operator finds nothing', async () => {
    const answer = await testEvent.api('GET', `${PATH}.json?guest_category_id[$ne]=x`)
    expect(answer.status).toBe(200)
    const injected = await testEvent.api('GET', `${PATH}.json?guest_category_id=%7B%22%24ne%22%3A1%7D`)
    expect([injected.status, injected.body]).toEqual([200, []])
  })

  test('both ends are required and must be of the event', async () => {
    const other = await TestEvent.open(system)
    const [point, strangePoint, strangeCategory] = [
      await testEvent.point(),
      await other.point(),
      await other.category(),
    ]
    const refused = async (body: object): Promise<string[]> => {
      const answer = await testEvent.api('POST', `${PATH}.json`, body)
      expect(answer.status).toBe(422)
      return Object.keys(answer.body.errors).sort()
    }
    expect(await refused({})).toEqual(['accesspoint_id', 'guest_category_id'])
    expect(await refused({ guest_category_id: category })).toEqual(['accesspoint_id'])
    expect(await refused({ guest_category_id: category, accesspoint_id: strangePoint })).toEqual(['accesspoint_id'])
    expect(await refused({ guest_category_id: strangeCategory, accesspoint_id: point })).toEqual(['guest_category_id'])
    expect(await refused({ guest_category_id: strangeCategory, accesspoint_id: strangePoint })).toEqual([
      'accesspoint_id',
      'guest_category_id',
    ])
    const id = await testEvent.link(category, point)
    for (const ends of [{ accesspoint_id: strangePoint }, { guest_category_id: strangeCategory }]) {
      const answer = await testEvent.api('PUT', `${PATH}/${id}.json`, ends)
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, Object.keys(ends)])
    }
  })

  test('a second link of the same category and point is refused, on creation and on update', async () => {
    const [x, y] = [await testEvent.point(), await testEvent.point()]
    await testEvent.link(category, x, 1)
    const toY = await testEvent.link(category, y, 2)
    const second = await testEvent.api('POST', `${PATH}.json`, { guest_category_id: category, accesspoint_id: x })
    expect(second.status).toBe(422)
    expect(second.body).toEqual({ errors: { accesspoint_id: ['is already linked to this guest category'] } })
    expect((await testEvent.api('PUT', `${PATH}/${toY}.json`, { accesspoint_id: x })).status).toBe(422)
    const wrong = await testEvent.api('PUT', `${PATH}/${toY}.json`, { accesspoint_id: x, max_allowed_accesses: 'many' })
    expect(Object.keys(wrong.body.errors).sort()).toEqual(['accesspoint_id', 'max_allowed_accesses'])
    const [kept] = await testEvent.read(`${PATH}.json?accesspoint_id=${y}`)
    expect([kept.id, kept.max_allowed_accesses]).toEqual([toY, 2])
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
      const answer = await testEvent.api('POST', `${PATH}.json`, { ...body, max_allowed_accesses: wrong })
      expect([wrong, answer.status, Object.keys(answer.body.errors)]).toEqual([wrong, 422, ['max_allowed_accesses']])
    }
    expect((await testEvent.make(`${PATH}.json`, body)).max_allowed_accesses).toBe(-1)
    const text = await testEvent.make(`${PATH}.json`, {
      ...body,
      accesspoint_id: await testEvent.point(),
      max_allowed_accesses: '7',
    })
    expect(text.max_allowed_accesses).toBe(7)
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
    const document = `<guest-category-accesspoint><guest-category-id>${category}</guest-category-id><accesspoint-id>${await testEvent.point()}</accesspoint-id><access-once type="boolean">true</access-once></guest-category-accesspoint>`
    expect((await testEvent.xml('POST', `${PATH}.xml`, document)).text).toContain(
      '<max-allowed-accesses type="integer">1</max-allowed-accesses>',
    )
  })

  test('an update answers 204 without a body and leaves other fields', async () => {
    const point = await testEvent.point()
    const id = await testEvent.link(category, point, 3)
    const answer = await testEvent.api('PUT', `${PATH}/${id}.json`, { max_allowed_accesses: 5 })
    expect([answer.status, answer.text]).toEqual([204, ''])
    const [link] = await testEvent.read(`${PATH}.json?accesspoint_id=${point}`)
    expect(link).toEqual({ _id: id, id, guest_category_id: category, accesspoint_id: point, max_allowed_accesses: 5 })
    await testEvent.change(`${PATH}/${id}.json`, {})
    expect(await testEvent.read(`${PATH}.json?accesspoint_id=${point}`)).toEqual([link])
    const elsewhere = await testEvent.point()
    await testEvent.change(`${PATH}/${id}.json`, { accesspoint_id: elsewhere })
    expect(await testEvent.read(`${PATH}.json?accesspoint_id=${elsewhere}`)).toEqual([
      { ...link, accesspoint_id: elsewhere },
    ])
    const document =
      '<guest-category-accesspoint><max-allowed-accesses>1</max-allowed-accesses></guest-category-accesspoint>'
    expect((await testEvent.xml('PUT', `${PATH}/${id}.xml`, document)).status).toBe(204)
    expect((await testEvent.read(`${PATH}.json?accesspoint_id=${elsewhere}`))[0].max_allowed_accesses).toBe(1)
  })

  test('a deletion answers 204 without a body; a link of another event, or an unknown one, is 404', async () => {
    const point = await testEvent.point()
    const id = await testEvent.link(category, point)
    const other = await TestEvent.open(system)
    for (const strange of [id, '0'.repeat(24)]) {
      expect((await other.api('PUT', `${PATH}/${strange}.json`, { max_allowed_accesses: 9 })).status).toBe(404)
      expect((await other.api('DELETE', `${PATH}/${strange}.json`)).status).toBe(404)
    }
    const answer = await testEvent.api('DELETE', `${PATH}/${id}.json`)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(await testEvent.read(`${PATH}.json?accesspoint_id=${point}`)).toEqual([])
    expect((await testEvent.api('DELETE', `${PATH}/${id}.json`)).status).toBe(404)
    await testEvent.link(category, point)
  })

  test('the category shows its links, and loses them to a deleted point', async () => {
    const [group, point] = [await testEvent.category(), await testEvent.point()]
    await testEvent.link(group, point, 2)
    const links = async () => (await testEvent.read(`guest_categories/${group}.json`)).guest_category_accesspoints
    expect(await links()).toEqual([{ max_allowed_accesses: 2, accesspoint_id: point, guest_category_id: group }])
    await testEvent.remove(`accesspoints/${point}.json`)
    expect(await links()).toEqual([])
  })

  test('a deletion of a category deletes its links', async () => {
    const [group, point] = [await testEvent.category(), await testEvent.point()]
    await testEvent.link(group, point)
    await testEvent.remove(`guest_categories/${group}.json`)
    expect(await testEvent.read(`${PATH}.json?accesspoint_id=${point}`)).toEqual([])
  })
})
