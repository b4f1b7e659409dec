import { OwnDatabase } from '@gatehouse/test/harness/own-database.ts'
import { planOf, type QueryPlan } from '@gatehouse/test/harness/query-plans.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { cases, deep } from '@gatehouse/test/rounds.ts'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { BY_CONFLICT, BY_REFUSAL, BY_SLOT, BY_STAMP } from './indexes.ts'
import { type CheckInFilter, CheckInPages } from './listing.ts'
import { type CheckIn, CheckInStore } from './store.ts'

const SECOND = 1_000
const FIRST = 1_700_000_000_000
const page = { page: 1, per_page: 20 }

/** The check-in with a number; of three, two have the same stamp. */
function checkInOf(n: number, more: Partial<CheckIn> = {}): CheckIn {
  const at = new Date(FIRST + Math.floor(n / 1.5) * SECOND)
  const access_status = n % 4
  const _id = `${n}`.padStart(6, '0')
  return {
    ...{ _id, event_id: 'event', accesspoint_id: `door ${n % 3}`, guest_uid: `uid ${n % 50}`, access_status },
    ...(access_status === 0 && { slot: n % 8 ? _id : [2 * n + 1, 2 * n + 2] }),
    ...{ access_stamp: at, created_at: at, updated_at: at, ...more },
  }
}

describe('lists of check-ins', () => {
  const database = new OwnDatabase()
  const { db } = database
  const store = new CheckInStore(db)
  // The chunks are small.
  const pages = new CheckInPages(db, 7)
  const usual = new CheckInPages(db)
  const all = Array.from({ length: 900 }, (_, n) =>
    checkInOf(n, n % 10 === 1 ? { decided_offline: 0, is_conflict: true } : {}),
  )

  beforeAll(async () => {
    await store.prepare()
    await store.insert([...all, ...all.map((each) => ({ ...each, _id: `other ${each._id}`, event_id: 'other' }))])
  })

  /** Returns the page that a run reads, and the plans of the queries that find its ids. */
  async function planned<T>(run: () => Promise<T>): Promise<[list: T, plans: QueryPlan[]]> {
    const [list, queries] = await database.queriesOf(run)
    expect(Object.keys(queries.at(-1)?.filter)).toEqual(['_id'])
    return [list, await Promise.all(queries.slice(0, -1).map((query) => planOf(db, query)))]
  }

  /** The ids that a filter lets through, highest access stamp first. */
  function expected({ points, guest_uid, access_status, since, before }: CheckInFilter): string[] {
    return all
      .filter((each) => !points || points.includes(each.accesspoint_id))
      .filter((each) => guest_uid === undefined || each.guest_uid === guest_uid)
      .filter((each) => access_status === undefined || each.access_status === access_status)
      .filter(({ access_stamp }) => (!since || access_stamp >= since) && (!before || access_stamp < before))
      .sort((one, other) => Number(other.access_stamp) - Number(one.access_stamp) || (one._id < other._id ? 1 : -1))
      .map(({ _id }) => _id)
  }

  test('each page of any combination of filters is exact', async () => {
    const moment = fc.integer({ min: -10, max: 620 }).map((seconds) => new Date(FIRST + seconds * SECOND))
    const filters = fc.record(
      {
        points: fc.subarray(['door 0', 'door 1', 'door 2', 'no door']),
        guest_uid: fc.constantFrom('uid 7', 'uid 24', 'nobody'),
        access_status: fc.nat(3),
        since: moment,
        before: moment,
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 60 }), async (...given) => {
        const [filter, number, per_page] = given
        const list = await pages.page('event', filter, { page: number, per_page })
        expect(list.each('_id')).toEqual(expected(filter).slice((number - 1) * per_page, number * per_page))
      }),
      cases(60, 600),
    )
  })

  test('which devices decided otherwise read an index of these alone, whatever the filter', async () => {
    const [found, plans] = await database.plansOf(() => pages.conflicts('event', {}, page))
    expect(found.each('is_conflict')).toEqual(Array(20).fill(true))
    expect(plans.at(-1)).toMatchObject({ indexes: [BY_CONFLICT], sorts: false })
    expect(plans.at(-1)?.read).toBeLessThanOrEqual(21)
    const filter = { points: ['door 1'], guest_uid: 'uid 1', access_status: 1 }
    const conflicts = new Set(all.filter(({ is_conflict }) => is_conflict).map(({ _id }) => _id))
    const list = await pages.conflicts('event', filter, page)
    expect(list.each('_id')).toEqual(expected(filter).filter((_id) => conflicts.has(_id)))
  })

  test('at some points are read in the order of the list, and only so many as the page needs', async () => {
    const [found, plans] = await planned(() => pages.page('event', { points: ['door 1'] }, page))
    expect(found.each('_id')).toHaveLength(20)
    for (const { indexes, sorts } of plans) expect([indexes, sorts]).toEqual([[BY_STAMP], false])
    // Of chunks of 7, 14, 28 and 56, each to find its end and then its matches.
    expect(plans.reduce((sum, { read }) => sum + read, 0)).toBeLessThanOrEqual(2 * 105)
  })

  test('within a time read nothing else', async () => {
    const [since, before] = [new Date(FIRST + 10 * SECOND), new Date(FIRST + 20 * SECOND)]
    const [found, plans] = await planned(() => pages.page('event', { access_status: 3, since, before }, page))
    expect(found.each('_id')).toEqual(expected({ access_status: 3, since, before }))
    expect(plans.reduce((sum, { read }) => sum + read, 0)).toBeLessThan(50)
  })

  test('of a guest are read by indexes of which granted scans have no further one', async () => {
    const [found, plans] = await planned(() => usual.page('event', { guest_uid: 'uid 7' }, page))
    expect(found.each('_id')).toEqual(expected({ guest_uid: 'uid 7' }))
    expect(plans.flatMap(({ indexes }) => indexes).sort()).toEqual([BY_SLOT, BY_REFUSAL])
    expect(plans.reduce((sum, { read }) => sum + read, 0)).toBeLessThanOrEqual(18)
  })

  test('of a guest with very many are gone through in the order of the list', async () => {
    const many = Array.from({ length: 6_000 }, (_, n) =>
      checkInOf(n, { event_id: 'staff', guest_uid: 'staff', access_status: 2, _id: `staff ${n}` }),
    )
    await store.insert(many.map(({ slot: _, ...each }) => each))
    const [found, plans] = await planned(() => usual.page('staff', { guest_uid: 'staff' }, page))
    expect(found.each('access_stamp')).toEqual(found.each('access_stamp').sort((one, other) => +other - +one))
    expect(found.each('_id')).toHaveLength(20)
    expect(plans.flatMap(({ indexes }) => indexes)).toContain(BY_STAMP)
  })
})

describe('the filters of the list of check-ins (docs/interface.md 8.17)', async () => {
  const system = await sharedSystem()
  const PATH = 'access_controls'
  let own: TestEvent
  let doors: string[]
  const stamps = [1, 2, 3, 4, 5, 6].map((minute) => `2026-05-01T10:0${minute}:00.000Z`)

  beforeAll(async () => {
    own = await TestEvent.open(system)
    const category = await own.category()
    doors = [await own.point(), await own.point()]
    for (const door of doors) await own.link(category, door, 1)
    for (const uid of ['ada', 'bob']) await own.guest(category, uid)
    const items = stamps.map((access_stamp, n) => ({
      ...{ access_stamp, guest_uid: n % 2 ? 'ada' : 'bob', accesspoint_id: doors[n < 4 ? 0 : 1] },
    }))
    await own.make(`${PATH}/batch_create.json`, items)
  })

  const minutesOf = async (query: string): Promise<number[]> => {
    const list = await own.read(`${PATH}.json?${query}`)
    return list.map(({ access_stamp }: { access_stamp: string }) => stamps.indexOf(access_stamp) + 1)
  }

  test('hold together, in JSON and XML', async () => {
    for (const [query, found] of [
      ['', [6, 5, 4, 3, 2, 1]],
      ['guest_uid=ada', [6, 4, 2]],
      ['guest_uid=%20ada%20', [6, 4, 2]],
      [`accesspoint_id=${doors[1]}`, [6, 5]],
      [`accesspoint_id=${'0'.repeat(24)}`, []],
      ['access_status=3', [4, 3]],
      ['access_status=', [6, 5, 4, 3, 2, 1]],
      [`since=${stamps[2]}`, [6, 5, 4, 3]],
      [`before=${stamps[2]}`, [2, 1]],
      [`since=${Date.parse(stamps[1] as string) / 1_000}&before=${Date.parse(stamps[4] as string) / 1_000}`, [4, 3, 2]],
      [`guest_uid=ada&accesspoint_id=${doors[0]}&access_status=0&since=${stamps[0]}&before=${stamps[5]}`, [2]],
      ['access_status=0&per_page=3&page=2', [1]],
      ['conflicts=true&access_status=0', []],
    ] as const)
      expect([query, await minutesOf(query)]).toEqual([query, found])
    const { status, text } = await own.xml('GET', `${PATH}.xml?access_status=3&guest_uid=ada`)
    expect([status, text.match(/<access-control>/g)?.length]).toEqual([200, 1])
  })

  test('name what they cannot be: 422', async () => {
    for (const [name, values] of [
      ['accesspoint_id', ['x'.repeat(256)]],
      ['guest_uid', ['x'.repeat(256)]],
      ['access_status', ['4', '-1', 'granted', '1.5']],
      ['since', ['yesterday', '2026-13-01']],
      ['before', ['never']],
    ] as const)
      for (const value of values) {
        const { status, body } = await own.api('GET', `${PATH}.json?${name}=${encodeURIComponent(value)}`)
        expect([value, status, Object.keys(body.errors)]).toEqual([value, 422, [name]])
      }
  })
})

describe('an event with 300,000 check-ins', () => {
  const database = new OwnDatabase()
  const store = new CheckInStore(database.db)
  const pages = new CheckInPages(database.db)

  test('answers a rare filter within the deadline, three at once', deep, async () => {
    await store.prepare()
    for (let from = 0; from < 300_000; from += 5_000) {
      const chunk = Array.from({ length: 5_000 }, (_, n) => checkInOf(from + n, { guest_uid: `uid ${from + n}` }))
      await store.insert(chunk)
    }
    const begun = performance.now()
    const rare = [{ points: ['no door'] }, { points: ['door 1'], access_status: 9 }, { points: ['nowhere'] }]
    const took = await Promise.all(
      rare.map(async (filter) => {
        expect((await pages.page('event', filter, page)).documents).toEqual([])
        return Math.round(performance.now() - begun)
      }),
    )
    const list = await pages.page('event', { access_status: 1 }, { page: 150, per_page: 500 })
    expect(list.documents).toHaveLength(500)
    expect(Math.max(...took)).toBeLessThan(5_000)
  })
})
