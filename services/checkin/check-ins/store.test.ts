import { OwnDatabase } from '@gatehouse/test/harness/own-database.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { BY_SLOT } from './indexes.ts'
import { type CheckIn, CheckInStore } from './store.ts'

const TIMES = 300
const GUESTS = 20

describe('the slots that guests have taken at a point', () => {
  const database = new OwnDatabase()
  const { db } = database
  const store = new CheckInStore(db)
  const uids = Array.from({ length: GUESTS }, (_, n) => `uid ${n}`)

  beforeAll(async () => {
    await store.prepare()
    const now = new Date()
    const stamps = { access_stamp: now, created_at: now, updated_at: now }
    const granted = uids.flatMap((guest_uid) =>
      Array.from({ length: TIMES }, (_, n): CheckIn => {
        const _id = `${guest_uid} ${n}`
        const slot = n === 0 ? 1 : _id
        return { _id, event_id: 'event', accesspoint_id: 'door', guest_uid, access_status: 0, slot, ...stamps }
      }),
    )
    for (let from = 0; from < granted.length; from += 500) await store.insert(granted.slice(from, from + 500))
  })

  test('the first slot costs one document for each guest, however often they came', async () => {
    const [taken, [plan]] = await database.plansOf(() => store.taken('event', 'door', [...uids, 'nobody'], { slot: 1 }))
    expect([...taken.keys()].sort()).toEqual([...uids].sort())
    for (const { slots } of taken.values()) expect(slots).toEqual(new Set([1]))
    expect(plan?.indexes).toEqual([BY_SLOT])
    expect(plan?.read).toBeLessThanOrEqual(GUESTS)
  })

  test('all slots are read by the same index, and only those of the given guests', async () => {
    const [taken, [plan]] = await database.plansOf(() => store.taken('event', 'door', uids.slice(0, 2)))
    expect([...taken.values()].map(({ moves }) => moves.length)).toEqual([TIMES, TIMES])
    expect(plan?.indexes).toEqual([BY_SLOT])
    expect(plan?.read).toBeLessThanOrEqual(2 * TIMES)
  })

  test('at several points are read at once by the same index, and only those of the given guests', async () => {
    const [found, [plan]] = await database.plansOf(() => store.slotsAt('event', ['door', 'gate'], uids.slice(0, 2)))
    expect(found).toEqual(new Map([['door', new Map(uids.slice(0, 2).map((uid) => [uid, new Set([1])]))]]))
    expect(plan?.indexes).toEqual([BY_SLOT])
    expect(plan?.read).toBeLessThanOrEqual(2 * TIMES)
  })

  test('no query is made without guests', async () => {
    expect(await database.queriesOf(() => store.taken('event', 'door', []))).toEqual([new Map(), []])
  })
})

describe('check-ins that are stored at once', () => {
  const { db } = new OwnDatabase()

  test('those of another time arrive one after the other', async () => {
    const store = new CheckInStore(db)
    await store.prepare()
    const stamps = { access_stamp: new Date(0), created_at: new Date(0), updated_at: new Date(0) }
    const ids = ['first', 'second', 'third']
    await store.insert(
      ids.map((_id) => ({
        _id,
        event_id: 'event',
        accesspoint_id: 'door',
        guest_uid: _id,
        access_status: 0,
        ...stamps,
      })),
    )
    const stored = await store.findMany(ids)
    const [first = 0, ...others] = ids.map((id) => stored.get(id)?.arrived_at?.getTime() ?? Number.NaN)
    expect(others).toEqual([first + 1, first + 2])
  })
})

describe('the check-ins that were received within a time', () => {
  const database = new OwnDatabase()
  const { db } = database
  const store = new CheckInStore(db)
  const SECOND = 1_000
  /** When all of them are stored. */
  const now = Date.now()
  const at = (ms: number) => new Date(now + ms)

  beforeAll(async () => {
    await store.prepare()
  })

  const came = (created_at: Date, access_stamp = created_at, event_id = 'event'): CheckIn => ({
    _id: crypto.randomUUID(),
    event_id,
    accesspoint_id: 'door',
    guest_uid: 'ada',
    access_status: 1,
    access_stamp,
    created_at,
    updated_at: created_at,
  })

  test('are found whatever their stamp and however long they took, and no others', async () => {
    const range = [at(-2 * SECOND), at(0)] as const
    const within = [
      came(at(-2 * SECOND)),
      came(at(-1)),
      came(at(-1), at(-3_600 * SECOND)),
      came(at(-SECOND), at(4 * SECOND)),
      came(at(-SECOND), at(-4 * SECOND)),
      came(at(-SECOND), at(60 * SECOND)),
    ]
    const without = [came(at(-2 * SECOND - 1)), came(at(0)), came(at(-SECOND), at(-SECOND), 'other')]
    await store.insert([...within, ...without])
    // Received a while ago, and stamped now.
    const [from, until] = [at(-30 * SECOND), at(-28 * SECOND)]
    const slow = came(at(-29 * SECOND), at(0))
    await store.insert([slow])
    const idsOf = (found: CheckIn[]) => new Set(found.map(({ _id }) => _id))
    expect(idsOf(await store.arrivedWithin('event', ...range))).toEqual(idsOf(within))
    expect(idsOf(await store.arrivedWithin('event', from, until))).toEqual(idsOf([slow]))
  })

  test('are read along two indexes, and only those that arrived at about that time', slow, async () => {
    const many = Array.from({ length: 2_000 }, (_, index) => came(at(-SECOND), at(-index * SECOND), 'large'))
    await store.insert(many)
    const indexes = [['event_id_1_access_stamp_-1__id_-1'], ['event_id_1_arrived_at_1']]
    const arrived = (from: number, until: number) =>
      database.plansOf(() => store.arrivedWithin('large', at(from * SECOND), at(until * SECOND)))
    const [found, plans] = await arrived(-2, 0)
    expect(found).toHaveLength(2_000)
    expect(plans.map((plan) => plan.indexes)).toEqual(indexes)
    const [none, others] = await arrived(-600, -598)
    expect(none).toEqual([])
    expect(others.map((plan) => plan.indexes)).toEqual(indexes)
    expect(others.every(({ read }) => read < 100)).toBe(true)
  })
})
