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

  test('creation answers 201 with the stored check-in, flat and wrapped, in both spellings', async () => {
    for (const send of [testEvent.api.bind(testEvent), testEvent.short.bind(testEvent)]) {
      for (const wrap of [(scan: object) => scan, (scan: object) => ({ access_control: scan })]) {
        const scan = { accesspoint_id: point, guest_uid: 'ada', access_stamp: '2026-05-01T10:00:00+02:00' }
        const answer = await send('POST', `${PATH}.json`, wrap(scan))
        expect(answer.status, answer.text).toBe(201)
        expect(answer.body).toEqual({
          _id: expect.stringMatching(/^[0-9a-f]{24}$/),
          access_stamp: '2026-05-01T08:00:00.000Z',
          guest_uid: 'ada',
          access_status: 0,
          accesspoint_id: point,
          event_id: testEvent.id,
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          updated_at: answer.body.created_at,
        })
        expect(await testEvent.all(`${PATH}.json`)).toContainEqual(answer.body)
      }
    }
  })

  test('an access_stamp of null or an empty string counts as missing', async () => {
    for (const access_stamp of [null, '']) {
      const { status, body } = await testEvent.api('POST', `${PATH}.json`, {
        accesspoint_id: point,
        guest_uid: 'ada',
        access_stamp,
      })
      expect([status, body.access_stamp]).toEqual([201, body.created_at])
    }
  })

  test('creation and list speak XML', async () => {
    const own = await TestEvent.open(system)
    const door = await own.point()
    const document = `<access-control><accesspoint-id>${door}</accesspoint-id><guest-uid>Zo&#235; &lt;1&gt;</guest-uid><access-stamp type="datetime">2026-05-01T08:00:00Z</access-stamp></access-control>`
    const made = await own.xml('POST', `${PATH}.xml`, document)
    expect(made.status, made.text).toBe(201)
    const [{ _id, created_at, updated_at }] = await own.read(`${PATH}.json`)
    const element =
      `<access-control><_id>${_id}</_id><access-stamp type="datetime">2026-05-01T08:00:00.000Z</access-stamp>` +
      '<guest-uid>Zoë &lt;1&gt;</guest-uid><access-status type="integer">1</access-status>' +
      `<accesspoint-id>${door}</accesspoint-id><event-id>${own.id}</event-id>` +
      `<created-at type="datetime">${created_at}</created-at><updated-at type="datetime">${updated_at}</updated-at></access-control>`
    expect(made.text.split('\n')[1]).toBe(element)
    expect((await own.xml('GET', `${PATH}.xml`)).text.split('\n')[1]).toBe(
      `<access-controls type="array">${element}</access-controls>`,
    )
    expect((await own.xml('DELETE', `${PATH}/${_id}.xml`)).status).toBe(204)
    expect((await own.xml('GET', `${PATH}.xml`)).text.split('\n')[1]).toBe('<access-controls type="array"/>')
  })

  test('the server’s time stands in for a missing access_stamp', async () => {
    const before = Date.now()
    const { access_stamp, created_at } = await testEvent.scan(point, 'ada')
    expect(access_stamp).toBe(created_at)
    expect(Date.parse(access_stamp)).toBeGreaterThanOrEqual(before - 1_000)
    expect(Date.parse(access_stamp)).toBeLessThanOrEqual(Date.now() + 1_000)
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
      const answer = await own.api('POST', `${PATH}.json`, { accesspoint_id: strange, guest_uid: 'ada' })
      expect(answer.status).toBe(422)
      expect(answer.body).toEqual({ errors: { accesspoint_id: ['is not a check-in point of the event'] } })
    }
    const xml = await own.xml(
      'POST',
      `${PATH}.xml`,
      `<access-control><accesspoint-id>${point}</accesspoint-id><guest-uid>ada</guest-uid></access-control>`,
    )
    expect([xml.status, xml.text.split('\n')[1]]).toEqual([
      422,
      '<errors><error>Accesspoint is not a check-in point of the event</error></errors>',
    ])
    expect(await own.read(`${PATH}.json`)).toEqual([])
  })

  test('point and uid are required, and the stamp must be valid: 422 with each field', async () => {
    const refused = async (body: unknown): Promise<string[]> => {
      const answer = await testEvent.api('POST', `${PATH}.json`, body)
      expect(answer.status, answer.text).toBe(422)
      return Object.keys(answer.body.errors).sort()
    }
    expect(await refused({})).toEqual(['accesspoint_id', 'guest_uid'])
    expect(await refused({ accesspoint_id: point, guest_uid: '  ' })).toEqual(['guest_uid'])
    expect(await refused({ accesspoint_id: point, guest_uid: 'x'.repeat(256) })).toEqual(['guest_uid'])
    expect(await refused({ accesspoint_id: point, guest_uid: ['ada'] })).toEqual(['guest_uid'])
    expect(await refused({ accesspoint_id: { $ne: '' }, guest_uid: { $ne: '' } })).toEqual([
      'accesspoint_id',
      'guest_uid',
    ])
    for (const stamp of ['yesterday', '2027-02-30', {}, 17, '2026-05-01T25:00:00Z', '+275760-09-14']) {
      expect(await refused({ accesspoint_id: point, guest_uid: 'ada', access_stamp: stamp })).toEqual(['access_stamp'])
    }
    expect((await testEvent.api('POST', `${PATH}.json`, '{"accesspoint_id":')).status).toBe(400)
    expect((await testEvent.xml('POST', `${PATH}.xml`, '<access-control><guest-uid>')).status).toBe(400)
  })

  test('a client cannot set status, ids and slot, and the slot is never sent', async () => {
    const sent = { access_status: 0, _id: 'f'.repeat(24), slot: 99, event_id: 'x', created_at: '2001-01-01T00:00:00Z' }
    const checkIn = await testEvent.scan(point, 'stranger', sent)
    expect(checkIn).toMatchObject({ access_status: 1, event_id: testEvent.id })
    expect(checkIn._id).not.toBe(sent._id)
    expect(checkIn).not.toHaveProperty('slot')
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

  test('a page or per_page out of range is 422 with its name', async () => {
    for (const wrong of ['0', '-1', 'one', '1.5', '', '99999999999999999999']) {
      const answer = await testEvent.api('GET', `${PATH}.json?page=${wrong}`)
      expect([wrong, answer.status, Object.keys(answer.body.errors)]).toEqual([wrong, 422, ['page']])
    }
    for (const wrong of ['0', '-5', 'all', '', '500.5', '1e3']) {
      const answer = await testEvent.api('GET', `${PATH}.json?per_page=${wrong}`)
      expect([wrong, answer.status, Object.keys(answer.body.errors)]).toEqual([wrong, 422, ['per_page']])
    }
    expect((await testEvent.api('GET', `${PATH}.json?page=1&page=2`)).status).toBe(422)
    expect((await testEvent.api('GET', `${PATH}.json?nonsense=1`)).status).toBe(200)
  })

  test('a deletion answers 204 without a body, once; a check-in of another event is 404', async () => {
    const other = await TestEvent.open(system)
    const { _id } = await testEvent.scan(point, 'ada')
    expect((await other.api('DELETE', `${PATH}/${_id}.json`)).status).toBe(404)
    expect((await testEvent.api('DELETE', `${PATH}/nonsense.json`)).status).toBe(404)
    const answer = await testEvent.short('DELETE', `${PATH}/${_id}.json`)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await testEvent.api('DELETE', `${PATH}/${_id}.json`)).status).toBe(404)
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
      'a\u0001b',
      'a',
      'x'.repeat(255),
      '🎟'.repeat(255),
      'two\nlines',
      '$gt',
      '$where',
      '__proto__',
      'constructor',
      'a.b',
      'a\u202ebc',
      'é',
      'e\u0301',
      'le ad',
      'A',
      '{"$ne":1}',
      '%00',
      'a,1,2',
      'x\u2028y',
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
