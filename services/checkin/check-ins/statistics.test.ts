import { compareCounts, recountOf } from '@gatehouse/cli/demo/recount.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { Answer } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { checkIns } from './resource.ts'

const system = await sharedSystem()

describe('counts and statistics of check-ins', () => {
  let testEvent: TestEvent
  let listed: Answer['body'][]
  let statistics: Answer['body']

  beforeAll(async () => {
    testEvent = await TestEvent.open(system)
    const categories = [await testEvent.category('A'), await testEvent.category('B')]
    const points = [await testEvent.point('X'), await testEvent.point('Y'), await testEvent.point('Z')]
    const [a, b] = categories as [string, string]
    const [x, y] = points as [string, string]
    const { _id: hall } = await testEvent.make('areas.json', { name: 'Hall', capacity: 9 })
    await testEvent.change(`accesspoints/${y}.json`, { area_id: hall })
    await testEvent.change(`accesspoints/${points[2]}.json`, { area_id: hall, direction: 'out' })
    await testEvent.link(a, x, 1)
    await testEvent.link(a, y)
    await testEvent.link(b, x)
    for (let n = 0; n < 12; n++)
      await testEvent.guest(categories[n % 2] as string, `guest ${n}`, { party_size: 1 + (n % 4) })

    // Uneven, but always the same.
    let seed = 7
    const next = (limit: number): number => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % limit
    }
    const scans = Array.from({ length: 1_500 }, () => ({
      accesspoint_id: points[next(3)] as string,
      guest_uid: `guest ${next(15)}`,
      persons: 1 + next(3),
      // The first stamps lie more than a day before the last.
      access_stamp: new Date(Date.UTC(2026, 4, 1) + next(30 * 3_600) * 1_000).toISOString(),
    }))
    const singles = scans.splice(0, 60)
    await Promise.all([
      ...singles.map(({ accesspoint_id, guest_uid, ...fields }) => testEvent.scan(accesspoint_id, guest_uid, fields)),
      ...[0, 1, 2].map((part) =>
        testEvent.make('access_controls/batch_create.json', scans.slice(part * 480, (part + 1) * 480)),
      ),
    ])
    for (const { _id } of (await testEvent.all('access_controls.json')).filter((_, n) => n % 97 === 0)) {
      await testEvent.remove(`access_controls/${_id}.json`)
    }
    listed = await testEvent.all('access_controls.json')
    statistics = await testEvent.read('statistics.json')
  })

  test('are those of the listed check-ins: by status, check-in point, category and minute of the last day', async () => {
    const guests = await testEvent.all('guests.json')
    const categories = await testEvent.read('guest_categories.json')
    const expected = recountOf(
      listed,
      guests,
      categories.map(({ _id }: { _id: string }) => _id),
      { points: await testEvent.read('accesspoints.json'), areas: await testEvent.read('areas.json') },
    )
    expect(compareCounts('statistics', expected, statistics).differences).toEqual([])
    const [{ inside_count, capacity, peak_count }] = statistics.by_area
    expect([capacity, inside_count < peak_count, statistics.inside_count > 0]).toEqual([9, true, true])
    expect(await testEvent.read('areas.json')).toMatchObject([{ inside_count, capacity: 9 }])
    expect(statistics.by_status.map(({ access_status }: Answer['body']) => access_status)).toEqual([0, 1, 2, 3])
    for (const { count } of statistics.by_status) expect(count).toBeGreaterThan(0)
    const minutes = statistics.timeline.map(({ minute }: { minute: string }) => minute)
    expect(minutes).toEqual(minutes.toSorted())
    expect(minutes.length).toBeLessThan(listed.length)
    expect(listed.length).toBeGreaterThan(1_400)
    expect((await system.api('GET', `events/${testEvent.id}.json`)).body.check_in_count).toBe(listed.length)
  })

  test('a stamp ahead of the server’s clock moves no window: it counts at its receipt, and is marked', async () => {
    const own = await TestEvent.open(system)
    const point = await own.point()
    const ahead = new Date(Date.now() + 2 * 86_400_000).toISOString()
    const before = await own.scan(point, 'ada')
    const marked = await own.scan(point, 'bob', { access_stamp: ahead })
    const item = { accesspoint_id: point, guest_uid: 'eve', access_stamp: ahead }
    const [ofBatch] = await own.make('access_controls/batch_create.json', [item])
    expect([before, marked, ofBatch].map((each) => each.stamped_ahead)).toEqual([undefined, true, true])
    expect(marked.access_stamp).toBe(ahead)
    const stored = await own.read('access_controls.json')
    expect(stored.map((each: Answer['body']) => each.stamped_ahead)).toEqual([true, true, undefined])
    const minutes = [before, marked, ofBatch].map(({ created_at }) => `${created_at.slice(0, 16)}:00.000Z`)
    const counts = Map.groupBy(minutes, (minute) => minute)
    expect((await own.read('statistics.json')).timeline).toEqual(
      [...counts].map(([minute, each]) => ({ minute, granted: 0, refused: each.length })),
    )
  })

  test('an event without check-ins has all statuses at 0 and empty lists', async () => {
    const empty = await TestEvent.open(system)
    expect(await empty.read('statistics.json')).toMatchObject({
      check_in_count: 0,
      signature_count: 0,
      checked_in_guest_count: 0,
      inside_count: 0,
      by_area: [],
      by_status: [0, 1, 2, 3].map((access_status) => ({ access_status, count: 0 })),
      by_accesspoint: [],
      timeline: [],
    })
  })

  test('counts answers for many events at once, in the order of the request, with 0 for those without any', async () => {
    const client = clientOf(system.bus, checkIns)
    const empty = await TestEvent.open(system)
    const counts = await client.counts({ body: { event_ids: [empty.id, testEvent.id, 'nobody'] } })
    expect(counts).toEqual([
      { event_id: empty.id, check_in_count: 0, signature_count: 0 },
      { event_id: testEvent.id, check_in_count: listed.length, signature_count: 0 },
      { event_id: 'nobody', check_in_count: 0, signature_count: 0 },
    ])
    expect(await client.counts({ body: { event_ids: [] } })).toEqual([])
  })
})
