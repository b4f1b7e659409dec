// @module-tag slow
import { recountOf } from '@gatehouse/cli/demo/recount.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { openStore, type Store } from '@gatehouse/proto/storage/mongo.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { proxyTo, type TcpProxy } from '@gatehouse/test/harness/tcp-proxy.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { cases } from '@gatehouse/test/rounds.ts'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { AccesspointStore, type StoredAccesspoint } from '../accesspoints/store.ts'
import { AreaStore, type StoredArea } from '../areas/store.ts'
import { statisticsOf } from '../check-ins/statistics.ts'
import { type CheckIn, CheckInStore } from '../check-ins/store.ts'
import { EventTotals } from './event-totals.ts'
import { LateChanges } from './late-changes.ts'
import { Sealer } from './sealer.ts'
import { SegmentStore } from './segments.ts'

const POINTS = ['door', 'lounge', 'stage']
const UIDS = Array.from({ length: 12 }, (_, n) => `guest ${n}`)
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** Few check-ins, so there are many segments. */
const SEGMENT = 20

interface Step {
  do: 'insert' | 'again' | 'remove' | 'pass' | 'move' | 'guest' | 'area' | 'restart' | 'ask'
  rows: { uid: number; point: number; status: number; ago: number; isExit?: boolean }[]
  ms: number
  which: number
}

const ago = fc.constantFrom(
  0,
  0,
  SECOND,
  4 * SECOND,
  20 * SECOND,
  10 * MINUTE,
  5 * HOUR,
  30 * HOUR,
  -3 * SECOND,
  -2 * HOUR,
)
const row = fc.record({
  uid: fc.nat(UIDS.length - 1),
  point: fc.nat(2),
  status: fc.constantFrom(0, 0, 0, 1, 2, 3),
  ago,
  isExit: fc.boolean(),
})
const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom(
    'insert',
    'insert',
    'insert',
    'again',
    'remove',
    'pass',
    'pass',
    'move',
    'guest',
    'area',
    'area',
    'restart',
    'ask',
  ),
  rows: fc.array(row, { minLength: 1, maxLength: 40 }),
  ms: fc.constantFrom(SECOND, 10 * SECOND, 40 * SECOND, 3 * MINUTE, 3 * MINUTE, HOUR),
  which: fc.nat(10_000),
})

describe('event totals, with a clock that the test moves', () => {
  let system: System
  let store: Store
  let made = 0

  beforeAll(async () => {
    system = await startSystem({ checkins: 0 })
    store = await openStore(inject('mongodbUrl'), system.namespace, 'checkin')
    await new CheckInStore(store.db).prepare()
    await new SegmentStore(store.db).prepare()
    await new LateChanges(store.db).prepare()
  })
  afterAll(async () => {
    await store.close()
    await system.stop()
  })
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 4, 1, 8) })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const pass = (ms: number): void => void vi.setSystemTime(Date.now() + ms)

  function newTotals(): EventTotals {
    const segments = new SegmentStore(store.db, SEGMENT)
    return new EventTotals(segments, new LateChanges(store.db), new AccesspointStore(store.db), system.bus)
  }

  /** The id of a check-in point, of which each event has its own. */
  function pointOf(event_id: string, point: number): string {
    return `${event_id} ${POINTS[point]}`
  }

  /** The check-in points and areas of an event. */
  async function placesOf(event_id: string) {
    const [points, areas] = [new AccesspointStore(store.db), new AreaStore(store.db)]
    return { points: await points.ofEvent(event_id), areas: await areas.ofEvent(event_id) }
  }

  /** Moves a check-in point into one of two areas, or out of both. */
  async function moveToArea(event_id: string, point: number, area: number): Promise<void> {
    const times = { created_at: new Date(), updated_at: new Date() }
    const area_id = [null, `${event_id} hall`, `${event_id} bar`][area] ?? null
    const areas = store.db.collection<StoredArea>('areas')
    const points = store.db.collection<StoredAccesspoint>('accesspoints')
    const fields = { event_id, name: 'Area', capacity: 100, ...times }
    if (area_id) await areas.updateOne({ _id: area_id }, { $set: fields }, { upsert: true })
    const place = { event_id, name: 'Point', area_id, direction: 'in' as const, ...times }
    await points.updateOne({ _id: pointOf(event_id, point) }, { $set: place }, { upsert: true })
  }

  function checkIn(event_id: string, { uid, point, status, ago, isExit }: Step['rows'][number]): CheckIn {
    const [_id, now] = [`${event_id} ${made++}`, new Date()]
    return {
      _id,
      event_id,
      accesspoint_id: pointOf(event_id, point),
      guest_uid: UIDS[uid] as string,
      access_status: status,
      access_stamp: new Date(now.getTime() - ago),
      ...(status === 0 && { slot: _id }),
      ...(made % 3 > 0 && { persons: 1 + (made % 3) }),
      ...(isExit && { direction: 'out' as const }),
      created_at: now,
      updated_at: now,
    }
  }

  /** The statistics of the stored check-ins, counted one by one. */
  async function recounted(testEvent: TestEvent): Promise<object> {
    const all = await store.db.collection<CheckIn>('access_controls').find({ event_id: testEvent.id }).toArray()
    const guests = await testEvent.all('guests.json')
    const checkIns = all.map((each) => ({
      ...each,
      access_stamp: each.access_stamp.toISOString(),
      created_at: each.created_at.toISOString(),
    }))
    const places = await placesOf(testEvent.id)
    const categories = new Set(guests.map(({ guest_category_id }) => guest_category_id))
    const { guest_count: _, by_guest_category, ...counts } = recountOf(checkIns, guests, [...categories], places)
    return comparable({
      ...counts,
      checked_in_by_category: by_guest_category.map(({ guest_category_id, checked_in_guest_count, person_count }) => ({
        guest_category_id,
        count: checked_in_guest_count,
        person_count,
      })),
    })
  }

  async function counted(eventTotals: EventTotals, event_id: string, canWait = false): Promise<object> {
    const { areas } = await placesOf(event_id)
    const { signature_count: _, ...counts } = statisticsOf(await eventTotals.sums(event_id, canWait), 0, areas)
    return comparable({
      ...counts,
      timeline: counts.timeline.map((each) => ({ ...each, minute: each.minute.toISOString() })),
    })
  }

  /** Counts with their lists by name, since only that of minutes has an order, and without categories of which nobody was let in. */
  function comparable<
    T extends {
      by_accesspoint: { accesspoint_id: string }[]
      checked_in_by_category: { guest_category_id: string; count: number }[]
    },
  >({ by_accesspoint, checked_in_by_category, ...counts }: T): object {
    const entered = checked_in_by_category.filter(({ count }) => count > 0)
    return {
      ...counts,
      by_accesspoint: new Map(by_accesspoint.map((each) => [each.accesspoint_id, each])),
      checked_in_by_category: new Map(entered.map((each) => [each.guest_category_id, each])),
    }
  }

  async function expectExact(testEvent: TestEvent, eventTotals: EventTotals[]): Promise<void> {
    const expected = await recounted(testEvent)
    for (const each of eventTotals) {
      expect(await counted(each, testEvent.id)).toEqual(expected)
      expect(expected).toHaveProperty('check_in_count', await each.count(testEvent.id))
    }
  }

  test('two processes count the stored check-ins after any history of old and new check-ins, retries, deletions, exits, moved guests, parties, areas and restarts', async () => {
    const checkIns = new CheckInStore(store.db)
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }), async (steps) => {
        const testEvent = await TestEvent.open(system)
        const categories = [await testEvent.category(), await testEvent.category()]
        const guests = new Map<string, string>()
        const eventTotals = [newTotals(), newTotals()] as [EventTotals, EventTotals]
        const stored: CheckIn[] = []
        let last: CheckIn[] = []
        for (const { do: what, rows, ms, which } of steps) {
          const category = categories[which % 2] as string
          const uid = UIDS[which % UIDS.length] as string
          const guest = guests.get(uid)
          if (what === 'insert') {
            last = rows.map((each) => checkIn(testEvent.id, each))
            const asking = eventTotals[which % 2]?.sums(testEvent.id, which % 3 === 0)
            await checkIns.insert(last)
            await asking
            stored.push(...last)
          }
          if (what === 'again')
            expect((await checkIns.insert(last.map((each) => ({ ...each })))).conflicting.size).toBe(last.length)
          const gone = stored[which % Math.max(1, stored.length)]
          if (what === 'remove' && gone) {
            await checkIns.delete(gone)
            stored.splice(stored.indexOf(gone), 1)
            last = []
          }
          if (what === 'pass') pass(ms)
          if (what === 'move' && guest) {
            const changes = { guest_category_id: category, party_size: 1 + (which % 4) }
            await testEvent.change(`guests/${guest}.json`, changes)
          }
          if (what === 'guest') {
            if (guest) await testEvent.remove(`guests/${guest}.json`)
            if (guest) guests.delete(uid)
            else guests.set(uid, await testEvent.guest(category, uid))
          }
          if (what === 'area') await moveToArea(testEvent.id, which % POINTS.length, Math.trunc(which / 3) % 3)
          if (what === 'restart') eventTotals[which % 2] = newTotals()
          if (what === 'ask') await expectExact(testEvent, eventTotals)
        }
        await expectExact(testEvent, eventTotals)
        await expectExact(testEvent, [newTotals()])
      }),
      { ...cases(6, 60), interruptAfterTimeLimit: 160_000, markInterruptAsFailure: false },
    )
  })

  test('a caller who can wait has many check-ins read in chunks, and gets the same as an urgent one meanwhile', async () => {
    const testEvent = await TestEvent.open(system)
    const many = Array.from({ length: 2_300 }, (_, n) =>
      checkIn(testEvent.id, { uid: n % UIDS.length, point: n % 3, status: n % 4, ago: n }),
    )
    await new CheckInStore(store.db).insert(many)
    const expected = await recounted(testEvent)
    const eventTotals = newTotals()
    expect(await counted(eventTotals, testEvent.id, true)).toEqual(expected)
    expect(await Promise.all([counted(eventTotals, testEvent.id, true), counted(eventTotals, testEvent.id)])).toEqual([
      expected,
      expected,
    ])
  })

  /** Stores check-ins for some segments, and seals them. */
  async function sealed(): Promise<{ testEvent: TestEvent; eventTotals: EventTotals; first: CheckIn[] }> {
    const testEvent = await TestEvent.open(system)
    const checkIns = new CheckInStore(store.db)
    const first = Array.from({ length: 5 * SEGMENT }, (_, n) =>
      checkIn(testEvent.id, { uid: n % UIDS.length, point: n % 3, status: 0, ago: 4 * SECOND - n }),
    )
    await checkIns.insert(first)
    pass(3 * MINUTE)
    const eventTotals = newTotals()
    await expectExact(testEvent, [eventTotals])
    expect(await store.db.collection('check_in_segments').countDocuments({ event_id: testEvent.id })).toBeGreaterThan(2)
    return { testEvent, eventTotals, first }
  }

  async function over(proxy: TcpProxy): Promise<Store> {
    return openStore(proxy.url, system.namespace, 'checkin')
  }

  test('a check-in that is held up until long after its segment was sealed is counted once it is answered', async () => {
    const { testEvent, eventTotals } = await sealed()
    const proxy = await proxyTo(inject('mongodbUrl'))
    const held = await over(proxy)
    try {
      const checkIns = new CheckInStore(held.db)
      await checkIns.insert([checkIn(testEvent.id, { uid: 1, point: 1, status: 0, ago: 0 })])
      const others = Array.from({ length: 3 * SEGMENT }, () =>
        checkIn(testEvent.id, { uid: 2, point: 1, status: 0, ago: 0 }),
      )
      await new CheckInStore(store.db).insert(others)
      proxy.freeze()
      const late = checkIns.insert([checkIn(testEvent.id, { uid: 11, point: 2, status: 0, ago: 0 })])
      // The insert began before the clock went on.
      await new Promise((resolve) => setTimeout(resolve, 50))
      pass(4 * MINUTE)
      await expectExact(testEvent, [eventTotals, newTotals()])
      proxy.thaw()
      await late
      await expectExact(testEvent, [eventTotals, newTotals()])
    } finally {
      await held.close()
      await proxy.close()
    }
  })

  test('a check-in with an unknown result is counted if the database stores it after the sealing', async () => {
    const { testEvent, eventTotals } = await sealed()
    const proxy = await proxyTo(inject('mongodbUrl'))
    const held = await over(proxy)
    try {
      const checkIns = new CheckInStore(held.db)
      await checkIns.insert([checkIn(testEvent.id, { uid: 1, point: 1, status: 0, ago: 0 })])
      proxy.freeze()
      const lost = checkIn(testEvent.id, { uid: 11, point: 2, status: 0, ago: 0 })
      const late = checkIns.insert([lost])
      const failed = expect(late).rejects.toThrow()
      await new Promise((resolve) => setTimeout(resolve, 50))
      proxy.cut()
      await failed
      pass(4 * MINUTE)
      await expectExact(testEvent, [eventTotals])
      // The database stores it now.
      await store.db.collection<CheckIn>('access_controls').insertOne(lost)
      proxy.thaw()
      proxy.mend()
      await vi.waitFor(() => expectExact(testEvent, [eventTotals, newTotals()]), { timeout: 120_000, interval: 500 })
    } finally {
      await held.close()
      await proxy.close()
    }
  })

  test('all processes see a deletion once it is answered, however long the store took', async () => {
    const { testEvent, eventTotals, first } = await sealed()
    const proxy = await proxyTo(inject('mongodbUrl'))
    const held = await over(proxy)
    try {
      const checkIns = new CheckInStore(held.db)
      const [one, other] = first as [CheckIn, CheckIn]
      await checkIns.delete(one)
      await expectExact(testEvent, [eventTotals, newTotals()])
      const told = store.db.collection('late_changes').countDocuments({ event_id: testEvent.id })
      const before = await told
      proxy.freeze()
      const deletion = checkIns.delete(other)
      pass(SECOND)
      proxy.thaw()
      // The late change is recorded; the deletion itself is held up.
      await vi.waitFor(
        async () =>
          expect(await store.db.collection('late_changes').countDocuments({ event_id: testEvent.id })).toBe(before + 1),
        { interval: 1, timeout: 120_000 },
      )
      pass(5 * MINUTE)
      await eventTotals.sums(testEvent.id, false)
      await deletion
      await expectExact(testEvent, [eventTotals, newTotals()])
      pass(5 * MINUTE)
      await expectExact(testEvent, [eventTotals, newTotals()])
    } finally {
      await held.close()
      await proxy.close()
    }
  })

  test('check-ins that are read again for a deletion are still counted if older ones are sealed soon after', async () => {
    const testEvent = await TestEvent.open(system)
    const checkIns = new CheckInStore(store.db)
    const eventTotals = newTotals()
    await expectExact(testEvent, [eventTotals])
    pass(40 * SECOND)
    const some = Array.from({ length: 2 * SEGMENT }, (_, n) =>
      checkIn(testEvent.id, { uid: n % UIDS.length, point: n % 3, status: n % 4, ago: 0 }),
    )
    await checkIns.insert(some)
    pass(45 * SECOND)
    await checkIns.delete(some[0] as CheckIn)
    await expectExact(testEvent, [eventTotals])
    for (const seconds of [20, 10, 10, 10, 60, 60]) {
      pass(seconds * SECOND)
      await expectExact(testEvent, [eventTotals])
    }
  })

  test('a process whose clock is behind the sealing one counts the same', async () => {
    const testEvent = await TestEvent.open(system)
    const checkIns = new CheckInStore(store.db)
    const [behind, ahead] = [newTotals(), newTotals()]
    const comeIn = async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second++) {
        await checkIns.insert(
          Array.from({ length: SEGMENT / 2 }, (_, n) =>
            checkIn(testEvent.id, { uid: (second + n) % UIDS.length, point: n % 3, status: n % 4, ago: n }),
          ),
        )
        pass(SECOND)
      }
    }
    await comeIn(60)
    await expectExact(testEvent, [behind])
    await comeIn(40)
    await expectExact(testEvent, [behind])
    pass(90 * SECOND)
    await expectExact(testEvent, [ahead])
    const sealedTo = async (): Promise<number> => {
      const [last] = await store.db
        .collection('check_in_segments')
        .find({ event_id: testEvent.id })
        .sort({ from: -1 })
        .toArray()
      return last?.to.getTime()
    }
    const sealed = await sealedTo()
    pass(-5 * SECOND)
    expect(sealed).toBeGreaterThan(Date.now() - 2 * MINUTE)
    await expectExact(testEvent, [behind])
    expect(await sealedTo()).toBe(sealed)
    pass(3 * MINUTE)
    await expectExact(testEvent, [behind, ahead])
  })

  test('two processes that seal at once seal each segment once, without a gap', async () => {
    const { testEvent } = await sealed()
    const checkIns = new CheckInStore(store.db)
    for (let round = 0; round < 5; round++) {
      await checkIns.insert(
        Array.from({ length: 4 * SEGMENT }, (_, n) =>
          checkIn(testEvent.id, { uid: n % 12, point: 0, status: 0, ago: n }),
        ),
      )
      pass(3 * MINUTE)
      await Promise.all(Array.from({ length: 4 }, () => newTotals().count(testEvent.id)))
    }
    await expectExact(testEvent, [newTotals()])
    const segments = await store.db
      .collection('check_in_segments')
      .find({ event_id: testEvent.id })
      .sort({ from: 1 })
      .toArray()
    expect(segments.length).toBeGreaterThan(15)
    for (const [index, { from }] of segments.entries()) if (index > 0) expect(from).toEqual(segments[index - 1]?.to)
  })

  test('calls at once share a reading, and none gets one that began before it', async () => {
    const { testEvent, eventTotals } = await sealed()
    const checkIns = new CheckInStore(store.db)
    let count = await eventTotals.count(testEvent.id)
    for (let round = 0; round < 20; round++) {
      const early = eventTotals.count(testEvent.id)
      await checkIns.insert([checkIn(testEvent.id, { uid: 0, point: 0, status: 0, ago: 0 })])
      count++
      const late = await Promise.all(Array.from({ length: 5 }, () => eventTotals.count(testEvent.id)))
      expect(late).toEqual(Array(5).fill(count))
      expect([count - 1, count]).toContain(await early)
    }
  })

  test('check-ins are sealed after a while in the background', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
    const testEvent = await TestEvent.open(system)
    const eventTotals = newTotals()
    const rows = Array.from({ length: 3 * SEGMENT }, (_, n) => ({
      uid: n % 12,
      point: 0,
      status: 0,
      ago: 4 * SECOND - n,
    }))
    const checkIns = new CheckInStore(store.db)
    const sealer = new Sealer(eventTotals, checkIns, makeLog('test', 'silent'))
    await checkIns.insert(rows.map((each) => checkIn(testEvent.id, each)))
    const sealed = (): Promise<number> =>
      store.db.collection('check_in_segments').countDocuments({ event_id: testEvent.id })
    const soon = (): Promise<number> => {
      vi.advanceTimersByTime(MINUTE)
      return sealed()
    }
    expect(await sealed()).toBe(0)
    await expect.poll(soon, { interval: 100 }).toBeGreaterThan(1)
    sealer.stop()
    expect(await newTotals().count(testEvent.id)).toBe(rows.length)
  })

  test('the background seals check-ins in nearly the time in which they arrived, and events take turns', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
    const [testEvent, other] = [await TestEvent.open(system), await TestEvent.open(system)]
    const checkIns = new CheckInStore(store.db)
    for (let second = 0; second < 6; second++) {
      for (const { id } of [testEvent, other])
        await checkIns.insert(
          Array.from({ length: SEGMENT }, (_, n) => checkIn(id, { uid: n % 12, point: 0, status: 0, ago: n })),
        )
      pass(SECOND)
    }
    const eventTotals = newTotals()
    const sealer = new Sealer(eventTotals, checkIns, makeLog('test', 'silent'))
    // It is unknown how long the first segment took to arrive: it is sealed while hardly another check-in is old enough.
    pass(2 * MINUTE - 4.5 * SECOND)
    for (const { id } of [testEvent, other]) expect(await eventTotals.count(id)).toBe(6 * SEGMENT)
    pass(3 * MINUTE)

    const sealed = ({ id }: TestEvent) =>
      store.db.collection('check_in_segments').find({ event_id: id }).sort({ from: 1 }).toArray()
    const begun = performance.now()
    vi.advanceTimersByTime(MINUTE)
    // The check-ins of the last second do not fill a segment.
    await expect
      .poll(
        () => {
          pass(SECOND)
          return sealed(testEvent)
        },
        { interval: 50, timeout: 120_000 },
      )
      .toHaveLength(5)
    // Three pauses between four segments, of 0.8 s each.
    expect(performance.now() - begun).toBeGreaterThan(2_300)
    sealer.stop()
    const [others, all] = [await sealed(other), await sealed(testEvent)]
    expect(others[1]?.read_at.getTime()).toBeLessThan(all.at(-1)?.read_at.getTime())
    expect(await newTotals().count(testEvent.id)).toBe(6 * SEGMENT)
  })
})
