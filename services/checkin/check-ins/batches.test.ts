import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep, slow } from '@gatehouse/test/rounds.ts'
import { beforeEach, describe, expect, test } from 'vitest'

const system = await sharedSystem()

const BATCH = 'access_controls/batch_create'

interface Item {
  _id?: string
  guest_uid?: string
  access_status?: number
  errors?: Record<string, string[]>
}

describe('batches of check-ins', () => {
  let testEvent: TestEvent
  let point: string

  beforeEach(async () => {
    testEvent = await TestEvent.open(system)
    point = await testEvent.point()
    const category = await testEvent.category()
    await testEvent.link(category, point, 2)
    for (const uid of ['ada', 'bob']) await testEvent.guest(category, uid)
  })

  const item = (guest_uid: unknown, fields: object = {}): object => ({ accesspoint_id: point, guest_uid, ...fields })
  const kindOf = (each: Item): unknown =>
    each.errors ? Object.keys(each.errors) : [each.guest_uid, each.access_status]

  test('the answer is 201 with the created items in the submitted order if all are stored; an item may have its root key', async () => {
    const created = await testEvent.make(`${BATCH}.json`, [
      item('nobody'),
      { access_control: item('bob') },
      item('ada'),
    ])
    expect(created.map(kindOf)).toEqual([
      ['nobody', 1],
      ['bob', 0],
      ['ada', 0],
    ])
    expect(await testEvent.read('access_controls.json')).toEqual(expect.arrayContaining(created))
  })

  test('the answer is 422 with the submitted length and order if one item fails, and the good items are stored', async () => {
    const submitted = [
      item('ada'),
      { guest_uid: 'ada' },
      item('bob', { access_stamp: 'yesterday' }),
      item('nobody'),
      { accesspoint_id: 'nowhere', guest_uid: 'bob' },
      null,
      'scan',
      17,
      [],
      {},
      item(''),
      item({ $gt: '' }),
      item('bob', { access_stamp: '2027-02-31T00:00:00Z' }),
      item('bob'),
    ]
    const answer = await testEvent.api('POST', `${BATCH}.json`, submitted)
    expect(answer.status).toBe(422)
    expect(answer.body.map(kindOf)).toEqual([
      ['ada', 0],
      ['accesspoint_id'],
      ['access_stamp'],
      ['nobody', 1],
      ['accesspoint_id'],
      ['base'],
      ['base'],
      ['base'],
      ['base'],
      ['accesspoint_id', 'guest_uid'],
      ['guest_uid'],
      ['guest_uid'],
      ['access_stamp'],
      ['bob', 0],
    ])
    expect(answer.body[4]).toEqual({ errors: { accesspoint_id: ['is not a check-in point of the event'] } })
    const kept = answer.body.filter((each: Item) => !each.errors)
    const stored = await testEvent.read('access_controls.json')
    expect(stored).toHaveLength(kept.length)
    expect(stored).toEqual(expect.arrayContaining(kept))
  })

  test('a bad item never blocks another, wherever it stands', slow, async () => {
    for (const place of [0, 250, 499]) {
      const items = Array.from({ length: 500 }, (_, n) => (n === place ? {} : item(`u${n}`)))
      const answer = await testEvent.api('POST', `${BATCH}.json`, items)
      expect(answer.status).toBe(422)
      expect(answer.body).toHaveLength(500)
      expect(answer.body.flatMap((each: Item, n: number) => (each.errors ? [n] : []))).toEqual([place])
    }
    expect(await testEvent.all('access_controls.json')).toHaveLength(3 * 499)
  })

  test('a batch of only bad items is 422 and stores nothing; an empty one is 201', async () => {
    const answer = await testEvent.api('POST', `${BATCH}.json`, [{}, {}])
    expect([answer.status, answer.body.length]).toEqual([422, 2])
    expect(await testEvent.make(`${BATCH}.json`, [])).toEqual([])
    const xml = await testEvent.xml('POST', `${BATCH}.xml`, '<access-controls type="array"></access-controls>')
    expect([xml.status, xml.text.split('\n')[1]]).toEqual([201, '<access-controls type="array"/>'])
    expect(await testEvent.read('access_controls.json')).toEqual([])
  })

  test('a body that is no array is 422, one that is no JSON 400, another type 415', async () => {
    for (const body of ['{}', 'null', '"scan"', '7', '{"access_controls":7}', '']) {
      const answer = await testEvent.api('POST', `${BATCH}.json`, body)
      expect([body, answer.status, answer.body]).toEqual([body, 422, { errors: { base: ['is not a list'] } }])
    }
    expect((await testEvent.api('POST', `${BATCH}.json`, '[{')).status).toBe(400)
    const csv = await testEvent.api('POST', `${BATCH}.json`, 'ada', { headers: { 'content-type': 'text/csv' } })
    expect(csv.status).toBe(415)
    expect(await testEvent.read('access_controls.json')).toEqual([])
  })

  test('the allowance holds within a batch: exactly as many are granted as allowed', async () => {
    const created = await testEvent.make(
      `${BATCH}.json`,
      Array.from({ length: 50 }, () => item('ada')),
    )
    const statuses = created.map((each: Item) => each.access_status)
    expect(statuses.filter((status: number) => status === 0)).toHaveLength(2)
    expect(statuses.filter((status: number) => status === 3)).toHaveLength(48)
  })

  test(
    'a batch of 10,000, half of it sent twice, stores each item once and answers each in its place',
    deep,
    async () => {
      const own = await TestEvent.open(system)
      const [category, door] = [await own.category(), await own.point()]
      await own.link(category, door, 1)
      for (let n = 0; n < 20; n++) await own.guest(category, `guest ${n}`)
      const stamp = (n: number): string => new Date(Date.UTC(2027, 4, 1) + n * 1_000).toISOString()
      const scans = Array.from({ length: 5_000 }, (_, n) => ({
        accesspoint_id: door,
        guest_uid: `guest ${n % 2_500}`,
        access_stamp: stamp(n),
      }))
      const items = scans.flatMap((scan, n) => [scan, scans[(n * 7 + 1) % 5_000] as (typeof scans)[0]])
      const created = await own.make(`${BATCH}.json`, items)
      expect(created).toHaveLength(10_000)
      for (const [index, { guest_uid, access_stamp }] of created.entries()) {
        expect({ guest_uid, access_stamp }).toEqual({
          guest_uid: items[index]?.guest_uid,
          access_stamp: items[index]?.access_stamp,
        })
      }
      const stored = await own.all('access_controls.json')
      expect(stored).toHaveLength(5_000)
      const byId = new Map(stored.map((checkIn) => [checkIn._id, checkIn]))
      for (const checkIn of created) expect(byId.get(checkIn._id)).toEqual(checkIn)
      expect(stored.filter(({ access_status }) => access_status === 0)).toHaveLength(20)
      expect((await own.read('statistics.json')).check_in_count).toBe(5_000)
    },
  )

  test('XML: the errors of an item stand in its place as full sentences', async () => {
    const good = `<access-control><accesspoint-id>${point}</accesspoint-id><guest-uid>ada</guest-uid></access-control>`
    const document = `<access-controls type="array">${good}<access-control><guest-uid>bob</guest-uid></access-control>${good}<access-control/></access-controls>`
    const answer = await testEvent.xml('POST', `${BATCH}.xml`, document)
    expect(answer.status).toBe(422)
    const elements = [...answer.text.matchAll(/<(access-control|errors)>(.*?)<\/\1>/gs)].map(([, name]) => name)
    expect(elements).toEqual(['access-control', 'errors', 'access-control', 'errors'])
    expect(answer.text).toMatch(/<errors><error>Accesspoint can(&apos;|')t be blank<\/error><\/errors>/)
    expect(await testEvent.read('access_controls.json')).toHaveLength(2)
  })
})
