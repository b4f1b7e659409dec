import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { beforeAll, describe, expect, test } from 'vitest'

const system = await sharedSystem()

const PATH = 'access_controls'

describe('check-ins', () => {
  let testEvent: TestEvent
  let category: string
  let point: string

  beforeAll(async () => {
    testEvent = await TestEvent.open(system)
    category = await testEvent.category()
    point = await testEvent.point()
    await testEvent.link(category, point)
    await testEvent.guest(category, 'ada')
  })

  test('creation answers 201 with the stored check-in', async () => {
    const checkIn = await testEvent.scan(point, 'ada', { access_stamp: '2026-05-01T10:00:00+02:00' })
    expect(checkIn).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      access_stamp: '2026-05-01T08:00:00.000Z',
      guest_uid: 'ada',
      access_status: 0,
      reason: null,
      persons: 1,
      accesspoint_id: point,
      event_id: testEvent.id,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: checkIn.created_at,
    })
    expect(await testEvent.all(`${PATH}.json`)).toContainEqual(checkIn)
  })

  test('a door token that is bound to the event reads, scans and signs there, and changes nothing', async () => {
    const bound = { name: 'Door', scope: 'door', event_id: testEvent.id }
    const { token } = (await system.api('POST', 'tokens.json', bound)).body
    const send = (method: string, path: string, body?: object) => testEvent.status(method, path, body, { token })
    const scan = { accesspoint_id: point, guest_uid: 'ada' }
    for (const path of ['accesspoints', PATH, 'signatures']) expect(await send('GET', `${path}.json`)).toBe(200)
    expect(await send('POST', `${PATH}.json`, scan)).toBe(201)
    const points = { width: '1', height: '1', lines: [] }
    expect(await send('POST', 'signatures.json', { ...scan, points })).toBe(201)
    expect(await send('POST', 'accesspoints.json', { name: 'New' })).toBe(403)
  })

  test('the server’s time stands in for an access_stamp that is missing, null or an empty string', async () => {
    const before = Date.now()
    for (const fields of [{}, { access_stamp: null }, { access_stamp: '' }]) {
      const { access_stamp, created_at } = await testEvent.scan(point, 'ada', fields)
      expect(access_stamp).toBe(created_at)
      expect(Date.parse(access_stamp)).toBeGreaterThanOrEqual(before - 1_000)
      expect(Date.parse(access_stamp)).toBeLessThanOrEqual(Date.now() + 1_000)
    }
  })

  test('access_stamp (device) and created_at (server) stay apart', async () => {
    const old = await testEvent.scan(point, 'ada', { access_stamp: '2001-02-03T04:05:06.789Z' })
    expect(old.access_stamp).toBe('2001-02-03T04:05:06.789Z')
    expect(Date.parse(old.created_at)).toBeGreaterThan(Date.parse('2020-01-01'))
  })

  test('a red check-in is stored and answers 201', async () => {
    const own = await TestEvent.open(system)
    const [group, door, closed] = [await own.category(), await own.point(), await own.point('Closed')]
    await own.link(group, door, 1)
    await own.guest(group, 'bob')
    const scans = [await own.scan(door, 'bob'), await own.scan(door, 'bob')]
    scans.push(await own.scan(closed, 'bob'), await own.scan(door, 'nobody'))
    expect(scans.map(({ access_status }) => access_status)).toEqual([0, 3, 2, 1])
    expect(await own.read(`${PATH}.json`)).toEqual(expect.arrayContaining(scans))
    expect(await own.read(`${PATH}.json`)).toHaveLength(4)
  })

  test('a check-in at a point of another event is 422 and not stored', async () => {
    const own = await TestEvent.open(system)
    for (const strange of [point, 'nowhere', '0'.repeat(24)]) {
      const errors = await own.refused(`${PATH}.json`, { accesspoint_id: strange, guest_uid: 'ada' })
      expect(errors).toEqual({ accesspoint_id: ['is not a check-in point of the event'] })
    }
    expect(await own.read(`${PATH}.json`)).toEqual([])
  })

  const scan = { guest_uid: 'ada' }
  const invalidStamps = ['yesterday', '2027-02-30', {}, 17, '2026-05-01T25:00:00Z', '+275760-09-14']

  test.each<[object, string[]]>([
    [{ accesspoint_id: undefined }, ['accesspoint_id', 'guest_uid']],
    [{ accesspoint_id: { $ne: '' }, guest_uid: { $ne: '' } }, ['accesspoint_id', 'guest_uid']],
    [{ guest_uid: '  ' }, ['guest_uid']],
    [{ guest_uid: 'x'.repeat(256) }, ['guest_uid']],
    [{ guest_uid: ['ada'] }, ['guest_uid']],
    ...invalidStamps.map((access_stamp): [object, string[]] => [{ ...scan, access_stamp }, ['access_stamp']]),
  ])('point and uid are required, and the stamp must be valid: %j is 422 on %j', async (fields, names) => {
    const errors = await testEvent.refused(`${PATH}.json`, { accesspoint_id: point, ...fields })
    expect(Object.keys(errors).sort()).toEqual(names)
  })

  test('a number as uid is the same as its digits', async () => {
    await testEvent.guest(category, '4711')
    expect(await testEvent.scan(point, 4711 as unknown as string)).toMatchObject({
      guest_uid: '4711',
      access_status: 0,
    })
  })

  test('the list has the highest access stamp first; ties come in the same order every time', async () => {
    const own = await TestEvent.open(system)
    const door = await own.point()
    const stamps = ['2026-05-01T08:00:00.000Z', '2026-05-01T10:00:00.000Z', '2026-05-01T09:00:00.000Z']
    for (const access_stamp of stamps) {
      const items = Array.from({ length: 7 }, (_, n) => ({ accesspoint_id: door, guest_uid: `u${n}`, access_stamp }))
      await own.make(`${PATH}/batch_create.json`, items)
    }
    const listed = await own.read(`${PATH}.json`)
    expect(listed.map((each: { access_stamp: string }) => each.access_stamp)).toEqual(
      [...stamps]
        .sort()
        .reverse()
        .flatMap((stamp) => Array(7).fill(stamp)),
    )
    expect(await own.read(`${PATH}.json`)).toEqual(listed)
    expect(await own.all(`${PATH}.json`, 2)).toEqual(listed)
  })

  test('a page has 500 check-ins, a greater per_page is 500, and the list ends with an empty array', slow, async () => {
    const own = await TestEvent.open(system)
    const door = await own.point()
    const items = Array.from({ length: 1_003 }, (_, n) => ({ accesspoint_id: door, guest_uid: `guest ${n}` }))
    await own.make(`${PATH}/batch_create.json`, items)
    const pages = []
    for (const page of [1, 2, 3, 4]) pages.push(await own.read(`${PATH}.json?page=${page}`))
    expect(pages.map(({ length }) => length)).toEqual([500, 500, 3, 0])
    expect(new Set(pages.flat().map(({ guest_uid }) => guest_uid)).size).toBe(1_003)
    expect(await own.read(`${PATH}.json`)).toEqual(pages[0])
    expect(await own.read(`${PATH}.json?page=2&per_page=3`)).toEqual(pages[0].slice(3, 6))
    for (const more of ['501', '1000', '99999999999999999999'])
      expect(await own.read(`${PATH}.json?page=2&per_page=${more}`)).toEqual(pages[1])
    expect(await own.read(`${PATH}.json?page=1000000`)).toEqual([])
    expect((await own.xml('GET', `${PATH}.xml?page=4`)).text).toContain('<access-controls type="array"/>')
  })

  test.each([PATH, 'guests', 'promo_codes', 'signatures'])(
    'a page or per_page of %s out of range is 422 with its name',
    async (list) => {
      for (const [name, values] of [
        ['page', ['0', '-1', 'one', '1.5', '', '99999999999999999999']],
        ['per_page', ['0', '-5', 'all', '', '500.5', '1e3']],
      ] as const)
        for (const value of values) {
          const errors = await testEvent.refused(`${list}.json?${name}=${value}`, undefined, 'GET')
          expect([value, Object.keys(errors)]).toEqual([value, [name]])
        }
      expect(await testEvent.status('GET', `${list}.json?page=1&page=2`)).toBe(422)
      expect(await testEvent.status('GET', `${list}.json?nonsense=1`)).toBe(200)
    },
  )

  test('a deletion is done once; a check-in of another event is 404', async () => {
    const other = await TestEvent.open(system)
    const { _id } = await testEvent.scan(point, 'ada')
    expect(await other.status('DELETE', `${PATH}/${_id}.json`)).toBe(404)
    await testEvent.remove(`${PATH}/${_id}.json`)
    expect(await testEvent.status('DELETE', `${PATH}/${_id}.json`)).toBe(404)
    expect((await testEvent.all(`${PATH}.json`)).map((each) => each._id)).not.toContain(_id)
  })

  test('deleting a granted check-in gives the access back, deleting a red one does not', async () => {
    const own = await TestEvent.open(system)
    const [group, door] = [await own.category(), await own.point()]
    await own.link(group, door, 1)
    await own.guest(group, 'bob')
    const [green, red] = [await own.scan(door, 'bob'), await own.scan(door, 'bob')]
    expect([green.access_status, red.access_status]).toEqual([0, 3])
    await own.remove(`${PATH}/${red._id}.json`)
    expect((await own.scan(door, 'bob')).access_status).toBe(3)
    await own.remove(`${PATH}/${green._id}.json`)
    expect((await own.scan(door, 'bob')).access_status).toBe(0)
    expect((await own.scan(door, 'bob')).access_status).toBe(3)
  })

  test('deleting a guest keeps its check-ins, and they still use the allowance of its uid', async () => {
    const own = await TestEvent.open(system)
    const [group, door] = [await own.category(), await own.point()]
    await own.link(group, door, 1)
    const guest = await own.guest(group, 'bob')
    const checkIn = await own.scan(door, 'bob')
    await own.remove(`guests/${guest}.json`)
    expect(await own.read(`${PATH}.json`)).toEqual([checkIn])
    expect((await own.scan(door, 'bob')).access_status).toBe(1)
    await own.guest(group, 'bob')
    expect((await own.scan(door, 'bob')).access_status).toBe(3)
  })

  test('any string is a uid: it comes back unchanged and belongs to one guest at most', slow, async () => {
    const own = await TestEvent.open(system)
    const [group, door] = [await own.category(), await own.point()]
    await own.link(group, door, 1)
    const uids = [
      ...['a\u0001b', 'a', 'x'.repeat(255), '🎟'.repeat(255), 'two\nlines', '$gt', '$where', '__proto__', 'constructor'],
      ...['a.b', 'a\u202ebc', 'é', 'e\u0301', 'le ad', 'A', '{"$ne":1}', '%00', 'a,1,2', 'x\u2028y'],
    ]
    for (const [index, uid] of uids.entries()) {
      if (index % 2 === 0) await own.guest(group, uid)
      const known = index % 2 === 0
      for (const status of known ? [0, 3] : [1, 1]) {
        expect([uid, await own.scan(door, uid)]).toEqual([
          uid,
          expect.objectContaining({ guest_uid: uid, access_status: status }),
        ])
      }
    }
    const items = uids.map((guest_uid) => ({ accesspoint_id: door, guest_uid }))
    const batch = await own.make(`${PATH}/batch_create.json`, items)
    expect(batch.map((each: { guest_uid: string }) => each.guest_uid)).toEqual(uids)
    expect(batch.map((each: { access_status: number }) => each.access_status)).toEqual(
      uids.map((_, index) => (index % 2 === 0 ? 3 : 1)),
    )
    expect((await own.xml('GET', `${PATH}.xml`)).status).toBe(200)
    const { by_status } = await own.read('statistics.json')
    expect(by_status.map(({ count }: { count: number }) => count)).toEqual([10, 27, 0, 20])
  })
})
