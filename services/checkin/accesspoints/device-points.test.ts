import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { Answer } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { beforeAll, describe, expect, test } from 'vitest'

const system = await sharedSystem()

const POINTS = { width: '1', height: '1', lines: [] }
const BOUND = { error: 'The device is bound to other check-in points' }
const ELSEWHERE = { errors: { accesspoint_id: ['is not a check-in point of the device'] } }

describe('a device that is bound to check-in points', () => {
  let testEvent: TestEvent
  let own: string
  let foreign: string
  let token: string

  beforeAll(async () => {
    testEvent = await TestEvent.open(system)
    const category = await testEvent.category()
    ;[own, foreign] = [await testEvent.point('Own'), await testEvent.point('Foreign')]
    for (const point of [own, foreign]) await testEvent.link(category, point)
    for (const uid of ['ada', 'grace']) await testEvent.guest(category, uid)
    const { code } = await testEvent.make('devices.json', { name: 'Phone', accesspoint_ids: [own] })
    const headers = { authorization: `Bearer ${code}` }
    token = (await system.api('POST', 'device_codes/exchange.json', undefined, { token: '', headers })).body.token
    await testEvent.scan(foreign, 'grace')
    await testEvent.make('signatures.json', { accesspoint_id: foreign, guest_uid: 'grace', points: POINTS })
  })

  const ask = (method: string, path: string, body?: unknown): Promise<Answer> =>
    testEvent.api(method, path, body, { token })
  const at = (accesspoint_id: string, guest_uid = 'ada'): object => ({ accesspoint_id, guest_uid })
  /** The check-in points in a list. */
  const pointsIn = async (path: string, field = 'accesspoint_id'): Promise<string[]> => {
    const { status, text, body } = await ask('GET', path)
    expect(status, text).toBe(200)
    return body.map((each: Record<string, string>) => each[field])
  }

  test('scans and signs there, and nowhere else: 403, and nothing is stored', async () => {
    expect((await ask('POST', 'access_controls.json', at(own))).body.access_status).toBe(0)
    expect((await ask('POST', 'signatures.json', { ...at(own), points: POINTS })).status).toBe(201)
    for (const point of [foreign, 'f'.repeat(24)]) {
      const scan = await ask('POST', 'access_controls.json', at(point))
      expect([scan.status, scan.body]).toEqual([403, BOUND])
      const signature = await ask('POST', 'signatures.json', { ...at(point), points: POINTS })
      expect([signature.status, signature.body]).toEqual([403, BOUND])
    }
    expect((await testEvent.all('access_controls.json')).map(({ accesspoint_id }) => accesspoint_id)).toEqual([
      own,
      foreign,
    ])
    expect((await testEvent.all('signatures.json')).map(({ accesspoint_id }) => accesspoint_id)).toEqual([own, foreign])
  })

  test('gets an error for each item of a batch elsewhere; the others are stored', async () => {
    for (const path of ['access_controls', 'signatures']) {
      const items = [at(own), at(foreign), {}].map((each) => ({ ...each, points: POINTS }))
      const { status, body } = await ask('POST', `${path}/batch_create.json`, items)
      expect(status).toBe(422)
      expect(body[0]).toMatchObject({ accesspoint_id: own })
      expect(body[1]).toEqual(ELSEWHERE)
      expect(Object.keys(body[2].errors)).toContain('accesspoint_id')
    }
  })

  test('sees these check-in points, their links, check-ins and signatures alone', async () => {
    await ask('POST', 'access_controls.json', { ...at(own), decided_offline: 3 })
    await testEvent.scan(foreign, 'grace', { decided_offline: 3 })
    expect(await pointsIn('accesspoints.json', '_id')).toEqual([own])
    expect((await ask('GET', `accesspoints/${own}.json`)).status).toBe(200)
    expect((await ask('GET', `accesspoints/${foreign}.json`)).status).toBe(404)
    for (const path of ['guest_category_accesspoints', 'access_controls', 'access_controls', 'signatures'])
      expect(new Set(await pointsIn(`${path}.json`))).toEqual(new Set([own]))
    expect(await pointsIn('access_controls.json?conflicts=true')).toEqual([own])
    expect(await pointsIn(`guest_category_accesspoints.json?accesspoint_id=${foreign}`)).toEqual([])
    const pages = [
      await pointsIn('access_controls.json?per_page=1'),
      await pointsIn('access_controls.json?per_page=1&page=2'),
    ]
    expect(pages).toEqual([[own], [own]])
    expect(await pointsIn('access_controls.json?page=9')).toEqual([])
  })

  test('lists the check-ins of a guest at its own points alone; who is not bound finds all of them, and none of another event', async () => {
    const stamp = (second: number): string => `2026-05-01T08:30:0${second}.000Z`
    const scan = (point: string, second: number, decided_offline?: number) =>
      testEvent.scan(point, 'filtered', { access_stamp: stamp(second), decided_offline })
    const [first, second, third] = [await scan(own, 1, 0), await scan(foreign, 2), await scan(own, 3)]
    const path = 'access_controls.json?guest_uid=filtered'
    const other = await TestEvent.open(system)
    expect(await other.read(path)).toEqual([])
    expect(await testEvent.read(path)).toEqual([third, second, first])
    expect(await testEvent.read(`${path}&per_page=1&page=2`)).toEqual([second])
    expect(await testEvent.read(`${path}&conflicts=true`)).toEqual([first])
    expect((await ask('GET', path)).body).toEqual([third, first])
    expect(await testEvent.read('access_controls.json?guest_uid=filtere')).toEqual([])
    expect(Object.keys(await testEvent.refused(`${path}&guest_uid=ada`, undefined, 'GET'))).toEqual(['guest_uid'])
  })
})
