import { randomUUID } from 'node:crypto'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { Answer } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { beforeEach, describe, expect, test } from 'vitest'

const system = await sharedSystem()

const PATH = 'access_controls'
const BATCH = `${PATH}/batch_create`
const STAMP = '2026-05-01T08:00:00.000Z'

describe('check-ins sent again', () => {
  let testEvent: TestEvent
  let point: string
  let category: string
  /** A key that no other test uses. */
  let key: string

  beforeEach(async () => {
    key = randomUUID()
    testEvent = await TestEvent.open(system)
    point = await testEvent.point()
    category = await testEvent.category()
    await testEvent.link(category, point, 2)
    for (const uid of ['ada', 'bob']) await testEvent.guest(category, uid)
  })

  const keyed = (own: string): { headers: Record<string, string> } => ({ headers: { 'idempotency-key': own } })
  const scan = (guest_uid: string, fields: object = {}): object => ({ accesspoint_id: point, guest_uid, ...fields })
  const single = (own: string, body: object): Promise<Answer> => testEvent.api('POST', `${PATH}.json`, body, keyed(own))
  const replayed = ({ headers }: Answer): string | null => headers.get('idempotent-replayed')
  const stored = (): Promise<Answer['body'][]> => testEvent.all(`${PATH}.json`)

  async function tokenOf(scope: string): Promise<string> {
    const answer = await system.api('POST', 'tokens.json', { name: scope, scope })
    expect(answer.status, answer.text).toBe(201)
    return answer.body.token
  }

  describe('with an Idempotency-Key', () => {
    test('the same key and body give the first record again, which counts once', async () => {
      const first = await single(key, scan('ada'))
      const again = [await single(key, scan('ada')), await single(key, scan('ada'))]
      expect([first.status, replayed(first)]).toEqual([201, null])
      for (const answer of again)
        expect([answer.status, replayed(answer), answer.body]).toEqual([201, 'true', first.body])
      expect(await stored()).toEqual([first.body])
      expect((await testEvent.scan(point, 'ada')).access_status).toBe(0)
    })

    test('a red check-in is given again too, even if it would be green by now', async () => {
      const first = await single(key, scan('late'))
      expect(first.body.access_status).toBe(1)
      await testEvent.guest(category, 'late')
      expect((await single(key, scan('late'))).body).toEqual(first.body)
    })

    test('another body under the same key is 422 and stores nothing', async () => {
      await single(key, scan('ada', { access_stamp: STAMP }))
      for (const body of [scan('bob'), scan('ada', { access_stamp: '2026-05-01T08:00:01Z' })]) {
        const answer = await single(key, body)
        expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['idempotency_key']])
      }
      expect(await stored()).toHaveLength(1)
    })

    test('the key is the same across formats and spellings', async () => {
      const first = await single(key, scan('ada', { access_stamp: STAMP }))
      const document = `<access-control><accesspoint-id>${point}</accesspoint-id><guest-uid>ada</guest-uid><access-stamp>${STAMP}</access-stamp></access-control>`
      const xml = await testEvent.xml('POST', `${PATH}.xml`, document, { 'idempotency-key': key })
      expect([xml.status, replayed(xml)]).toEqual([201, 'true'])
      expect(xml.text).toContain(`<_id>${first.body._id}</_id>`)
      const short = await testEvent.short('POST', `${PATH}.json`, scan('ada', { access_stamp: STAMP }), keyed(key))
      expect([short.status, short.body]).toEqual([201, first.body])
      expect(await stored()).toHaveLength(1)
    })

    test('the same key is 422 in another event', async () => {
      await single(key, scan('ada'))
      const elsewhere = await TestEvent.open(system)
      const body = { accesspoint_id: await elsewhere.point(), guest_uid: 'ada' }
      expect((await elsewhere.api('POST', `${PATH}.json`, body, keyed(key))).status).toBe(422)
      expect(await elsewhere.read(`${PATH}.json`)).toEqual([])
    })

    test('many requests at once, over two services, make one record: the others get it or a 409', slow, async () => {
      for (let round = 0; round < 10; round++) {
        const own = await TestEvent.open(system)
        const body = { accesspoint_id: await own.point(), guest_uid: 'ada' }
        const answers = await Promise.all(
          Array.from({ length: 20 }, () => own.api('POST', `${PATH}.json`, body, keyed(`${key} ${round}`))),
        )
        for (const { status } of answers) expect([201, 409]).toContain(status)
        const ids = new Set(answers.filter(({ status }) => status === 201).map((answer) => answer.body._id))
        expect(ids.size).toBe(1)
        expect(await own.read(`${PATH}.json`)).toHaveLength(1)
      }
    })

    test('a batch under a key always has the same answer, its errors included; another batch is 422', async () => {
      const items = [scan('ada'), {}, scan('bob')]
      const first = await testEvent.api('POST', `${BATCH}.json`, items, keyed(key))
      const again = await testEvent.api('POST', `${BATCH}.json`, items, keyed(key))
      expect([first.status, replayed(first)]).toEqual([422, null])
      expect([again.status, replayed(again)]).toEqual([422, 'true'])
      expect(again.body).toEqual(first.body)
      expect(await stored()).toHaveLength(2)
      const other = await testEvent.api('POST', `${BATCH}.json`, [scan('ada')], keyed(key))
      expect([other.status, other.body]).toEqual([
        422,
        { errors: { idempotency_key: ['was already used for another request'] } },
      ])
    })

    test('a key of a single check-in is 422 for a batch of another guest, and the other way round', async () => {
      await single(key, scan('ada'))
      expect(await testEvent.status('POST', `${BATCH}.json`, [scan('bob')], keyed(key))).toBe(422)
      const other = randomUUID()
      await testEvent.api('POST', `${BATCH}.json`, [scan('ada')], keyed(other))
      expect((await single(other, scan('bob'))).status).toBe(422)
      expect(await stored()).toHaveLength(2)
    })
  })

  describe('in a batch, by token, point, uid and stamp', () => {
    test('an item sent again comes back unchanged and is not counted again', async () => {
      const items = [scan('ada', { access_stamp: STAMP }), scan('bob', { access_stamp: STAMP })]
      const first = await testEvent.make(`${BATCH}.json`, items)
      expect(await testEvent.make(`${BATCH}.json`, items)).toEqual(first)
      expect(await testEvent.make(`${BATCH}.json`, [...items].reverse())).toEqual([...first].reverse())
      expect(await stored()).toHaveLength(2)
      expect((await testEvent.scan(point, 'ada')).access_status).toBe(0)
      expect((await testEvent.scan(point, 'ada')).access_status).toBe(3)
    })

    test('another spelling of the same stamp is the same scan, also in XML and among new items', async () => {
      const [first] = await testEvent.make(`${BATCH}.json`, [scan('ada', { access_stamp: STAMP })])
      const same = scan('ada', { access_stamp: '2026-05-01T10:00:00+02:00' })
      const [bob, again] = await testEvent.make(`${BATCH}.json`, [scan('bob', { access_stamp: STAMP }), same])
      expect(again).toEqual(first)
      expect(bob.guest_uid).toBe('bob')
      const document = `<access-controls type="array"><access-control><accesspoint-id>${point}</accesspoint-id><guest-uid>ada</guest-uid><access-stamp>2026-05-01T08:00:00Z</access-stamp></access-control></access-controls>`
      expect((await testEvent.xml('POST', `${BATCH}.xml`, document)).text).toContain(`<_id>${first._id}</_id>`)
      expect(await stored()).toHaveLength(2)
    })

    test('another stamp, point or uid, and an item without a stamp, is another scan', async () => {
      const other = await testEvent.point()
      const items = [
        scan('ada', { access_stamp: STAMP }),
        scan('ada', { access_stamp: '2026-05-01T08:00:00.001Z' }),
        scan('bob', { access_stamp: STAMP }),
        { ...scan('ada', { access_stamp: STAMP }), accesspoint_id: other },
        scan('ada'),
        scan('ada'),
      ]
      const created = await testEvent.make(`${BATCH}.json`, items)
      expect(new Set(created.map(({ _id }: { _id: string }) => _id)).size).toBe(6)
      const [again] = await testEvent.make(`${BATCH}.json`, [scan('ada')])
      expect(created).not.toContainEqual(expect.objectContaining({ _id: again._id }))
    })

    test('another token is another scan', async () => {
      const items = [scan('ada', { access_stamp: STAMP })]
      const first = await testEvent.make(`${BATCH}.json`, items)
      const other = await testEvent.api('POST', `${BATCH}.json`, items, { token: await tokenOf('door') })
      expect(other.status).toBe(201)
      expect(other.body[0]._id).not.toBe(first[0]._id)
      expect(await stored()).toHaveLength(2)
      expect((await testEvent.scan(point, 'ada')).access_status).toBe(3)
    })

    test('a repeated item takes no access from a new one beside it', async () => {
      const link = (await testEvent.read('guest_category_accesspoints.json'))[0].id
      await testEvent.change(`guest_category_accesspoints/${link}.json`, { max_allowed_accesses: 1 })
      const items = [scan('ada'), scan('ada', { access_stamp: STAMP })]
      const [green, red] = await testEvent.make(`${BATCH}.json`, items)
      expect([green.access_status, red.access_status]).toEqual([0, 3])
      await testEvent.remove(`${PATH}/${green._id}.json`)
      const [again, fresh] = await testEvent.make(`${BATCH}.json`, [scan('ada', { access_stamp: STAMP }), scan('ada')])
      expect(again).toEqual(red)
      expect(fresh.access_status).toBe(0)
      expect((await testEvent.scan(point, 'ada')).access_status).toBe(3)
    })

    test('the same item twice inside one batch is one record, in both places', async () => {
      const item = scan('ada', { access_stamp: STAMP })
      const created = await testEvent.make(`${BATCH}.json`, [item, scan('bob', { access_stamp: STAMP }), item, item])
      expect(created).toHaveLength(4)
      expect(created[2]).toEqual(created[0])
      expect(created[3]).toEqual(created[0])
      expect(await stored()).toHaveLength(2)
      expect((await testEvent.scan(point, 'ada')).access_status).toBe(0)
    })

    test('a single check-in with the same stamp is another scan', async () => {
      const [batched] = await testEvent.make(`${BATCH}.json`, [scan('ada', { access_stamp: STAMP })])
      const alone = await testEvent.scan(point, 'ada', { access_stamp: STAMP })
      expect(alone._id).not.toBe(batched._id)
      expect(await stored()).toHaveLength(2)
    })

    test('a repeated item keeps its status, stamps and created_at even if the guest’s rights have changed', async () => {
      const items = [scan('ada', { access_stamp: STAMP }), scan('unknown', { access_stamp: STAMP })]
      const first = await testEvent.make(`${BATCH}.json`, items)
      expect(first.map((each: { access_status: number }) => each.access_status)).toEqual([0, 1])
      const [link] = await testEvent.read('guest_category_accesspoints.json')
      await testEvent.remove(`guest_category_accesspoints/${link.id}.json`)
      await testEvent.guest(category, 'unknown')
      expect(await testEvent.make(`${BATCH}.json`, items)).toEqual(first)
    })

    test('the same batch sent at once many times, over two services, stores each scan once', async () => {
      const items = Array.from({ length: 50 }, (_, n) => scan(n % 2 ? 'ada' : `u${n}`, { access_stamp: STAMP }))
      const answers = await Promise.all(Array.from({ length: 8 }, () => testEvent.api('POST', `${BATCH}.json`, items)))
      for (const answer of answers) {
        expect(answer.status, answer.text).toBe(201)
        expect(answer.body).toEqual(answers[0]?.body)
      }
      expect(await stored()).toHaveLength(26)
    })

    test('an item with a stamp is the same scan under every Idempotency-Key', async () => {
      const items = [scan('ada', { access_stamp: STAMP })]
      const first = await testEvent.api('POST', `${BATCH}.json`, items, keyed(key))
      const second = await testEvent.api('POST', `${BATCH}.json`, items, keyed(`${key} again`))
      expect(second.body).toEqual(first.body)
      expect(await stored()).toHaveLength(1)
    })

    test('a deleted check-in that is sent again is a new scan', async () => {
      const items = [scan('ada', { access_stamp: STAMP })]
      const [first] = await testEvent.make(`${BATCH}.json`, items)
      await testEvent.remove(`${PATH}/${first._id}.json`)
      const [again] = await testEvent.make(`${BATCH}.json`, items)
      expect([again._id, again.access_status]).toEqual([first._id, 0])
      expect(await stored()).toHaveLength(1)
    })
  })
})
