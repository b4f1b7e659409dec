// @module-tag slow
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { rounds } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const ROUNDS = rounds(5, 80)
const MORNING = '2027-05-01T08:00:00.000Z'
const NEXT_DAY = '2027-05-02T08:00:00.000Z'

type Answer = Record<string, unknown> & { access_status: number; persons: number; _id: string }

describe('days and exits at two doors', () => {
  let system: System
  let event: TestEvent
  let category: string
  let daily: string
  let entrance: string
  let exit: string

  beforeAll(async () => {
    system = await startSystem({ checkins: 2 })
    event = await TestEvent.open(system)
    category = await event.category()
    ;[daily, entrance] = [await event.point(), await event.point()]
    exit = (await event.make('accesspoints.json', { name: 'Exit', direction: 'out' }))._id
    await event.link(category, daily, 1, { period: 'day' })
    await event.link(category, entrance, 1, { reentry: true })
  })
  afterAll(() => system?.stop())

  const guest = (uid: string, party_size = 1) => event.guest(category, uid, { party_size })
  const scan = (point: string, uid: string, fields: object = {}): Promise<Answer> => event.scan(point, uid, fields)
  const statuses = (answers: Answer[]) => answers.map(({ access_status }) => access_status).sort()

  test('scans at once on two days let in once each day', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const uid = `daily ${round}`
      await guest(uid)
      const stamps = [MORNING, NEXT_DAY].flatMap((day) => [0, 1, 2].map((n) => day.replace('.000', `.00${n}`)))
      const answers = await Promise.all(stamps.map((access_stamp) => scan(daily, uid, { access_stamp })))
      expect(statuses(answers)).toEqual([0, 0, 3, 3, 3, 3])
      const granted = answers.filter(({ access_status }) => access_status === 0)
      expect(new Set(granted.map(({ access_stamp }) => String(access_stamp).slice(0, 10))).size).toBe(2)
    }
  })

  test('a party that is scanned at once for 3, 2 and 1 persons never lets in five on a day', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const uid = `party ${round}`
      await guest(uid, 4)
      await scan(daily, uid, { persons: 4, access_stamp: MORNING })
      const answers = await Promise.all([3, 2, 1].map((persons) => scan(daily, uid, { persons })))
      const entered = answers.filter(({ access_status }) => access_status === 0)
      expect([3, 4]).toContain(entered.reduce((sum, { persons }) => sum + persons, 0))
    }
  })

  test('whoever came out once comes in once, however many scans there are at once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const uid = `again ${round}`
      await guest(uid)
      expect((await scan(entrance, uid)).access_status).toBe(0)
      for (let turn = 0; turn < 2; turn++) {
        expect(await scan(exit, uid)).toMatchObject({ access_status: 0, reason: null, direction: 'out', persons: 1 })
        expect(statuses(await Promise.all([1, 2, 3].map(() => scan(entrance, uid))))).toEqual([0, 3, 3])
      }
    }
  })

  test('entries and exits at once never leave more persons inside than the party has', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const uid = `crowd ${round}`
      await guest(uid, 4)
      const before = await event.read('statistics.json')
      const points = [entrance, exit, entrance, entrance, exit, entrance, entrance, entrance]
      await Promise.all(points.map((point) => scan(point, uid, { persons: 1 })))
      // Whoever is still outside may come in, and nobody else.
      let again = 0
      while ((await scan(entrance, uid, { persons: 1 })).access_status === 0) again++
      expect(again).toBeLessThan(4)
      const { inside_count } = await event.read('statistics.json')
      expect(inside_count - before.inside_count).toBe(4)
    }
  })

  test('an exit that is sent again is the same, with or without its number of persons', async () => {
    await guest('resent', 3)
    const headers = { 'idempotency-key': 'out' }
    const body = { accesspoint_id: exit, guest_uid: 'resent' }
    const first = await event.api('POST', 'access_controls.json', body, { headers })
    expect(first.body).toMatchObject({ direction: 'out', persons: 3 })
    const second = await event.api('POST', 'access_controls.json', body, { headers })
    expect([second.status, second.body._id]).toEqual([201, first.body._id])
  })

  test('a batch has entries and exits in the order of its stamps', async () => {
    await guest('late')
    const at = (hour: number) => `2027-06-01T0${hour}:00:00.000Z`
    const items = [
      { accesspoint_id: exit, guest_uid: 'late', access_stamp: at(2) },
      { accesspoint_id: entrance, guest_uid: 'late', access_stamp: at(3) },
      { accesspoint_id: entrance, guest_uid: 'late', access_stamp: at(1) },
      { accesspoint_id: entrance, guest_uid: 'late', access_stamp: at(4) },
    ]
    const stored: Answer[] = await event.make('access_controls/batch_create.json', items)
    expect(stored.map(({ access_status }) => access_status)).toEqual([0, 0, 0, 3])
  })

  test('the next scan sees that a day begins at another hour, and that the allowance is one for each day or for the event', async () => {
    const own = await TestEvent.open(system)
    const [visitors, door] = [await own.category(), await own.point()]
    const link = await own.link(visitors, door, 1, { period: 'day' })
    await own.guest(visitors, 'ada')
    const at = (access_stamp: string) => own.scan(door, 'ada', { access_stamp })
    expect((await at('2027-05-01T22:00:00.000Z')).access_status).toBe(0)
    expect((await at('2027-05-02T01:00:00.000Z')).access_status).toBe(0)
    const days = { day_starts_at: '03:00' }
    expect((await system.api('PUT', `events/${own.id}.json`, days)).status).toBe(204)
    expect((await at('2027-05-02T02:00:00.000Z')).access_status).toBe(3)
    expect((await at('2027-05-02T03:00:00.000Z')).access_status).toBe(0)
    await own.change(`guest_category_accesspoints/${link}.json`, { period: 'event' })
    expect((await at('2027-05-03T03:00:00.000Z')).access_status).toBe(3)
    await own.change(`guest_category_accesspoints/${link}.json`, { period: 'day' })
    expect((await at('2027-05-03T03:00:01.000Z')).access_status).toBe(0)
  })

  test('the next scan sees that a point is an exit, or of another area', async () => {
    const own = await TestEvent.open(system)
    const [visitors, door, side] = [await own.category(), await own.point(), await own.point()]
    await own.link(visitors, door, 1)
    await own.guest(visitors, 'ada')
    expect((await own.scan(side, 'ada')).access_status).toBe(2)
    await own.change(`accesspoints/${side}.json`, { direction: 'out' })
    expect(await own.scan(side, 'ada')).toMatchObject({ access_status: 0, direction: 'out' })
    const { _id: area_id } = await own.make('areas.json', { name: 'Lounge' })
    await own.change(`accesspoints/${side}.json`, { area_id })
    expect(await own.scan(side, 'ada')).toMatchObject({ access_status: 2, reason: 'no_right', direction: 'out' })
    await own.remove(`areas/${area_id}.json`)
    expect((await own.scan(side, 'ada')).access_status).toBe(0)
  })

  test('a day begins at an hour and minute of the clock', async () => {
    for (const day_starts_at of ['24:00', '4:00', '04:60', 'noon'])
      expect(Object.keys(await event.refused(`../${event.id}.json`, { day_starts_at }, 'PUT'))).toEqual([
        'day_starts_at',
      ])
  })
})
