import { entitlementOf, type GuestAccess } from '@gatehouse/door/decision.ts'
import { UTC_DAYS } from '@gatehouse/door/event-day.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { decisionVectors, play } from '@gatehouse/test/oracle/decision-vectors.ts'
import { HttpWorld } from '@gatehouse/test/oracle/http-world.ts'
import { byCost, slow } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freeSlots } from './decision.ts'

const system = await sharedSystem()

const ONCE = [true]
const ALWAYS = [false]

describe('the decision table', () => {
  // The rights of a guest at a point, and the statuses of its scans there, one after the other. The vectors have more of them.
  test.for<{ rule: string; link?: number; own?: boolean[]; statuses: number[] }>([
    { rule: 'no link and no privilege: no right', statuses: [2, 2] },
    { rule: 'link 0 and own always: always', link: 0, own: ALWAYS, statuses: [0, 0, 0] },
    { rule: 'link 3 and own once: three times', link: 3, own: ONCE, statuses: [0, 0, 0, 3] },
  ])('$rule', async ({ link, own = [], statuses }) => {
    const testEvent = await TestEvent.open(system)
    const [category, point, elsewhere] = [await testEvent.category(), await testEvent.point(), await testEvent.point()]
    if (link !== undefined) await testEvent.link(category, point, link)
    const privileges = own.map((access_once) => ({ accesspoint_id: point, access_once }))
    await testEvent.guest(category, 'ada', { access_privileges_attributes: privileges })
    // Rights at another point and scans of other guests have no effect.
    await testEvent.link(await testEvent.category(), point, -1)
    await testEvent.link(category, elsewhere, 1)
    await testEvent.guest(category, 'bob', { access_privileges_attributes: privileges })
    await testEvent.scan(elsewhere, 'ada')
    await testEvent.scan(point, 'bob')
    expect((await testEvent.scan(point, 'ADA')).access_status).toBe(1)
    for (const [turn, status] of statuses.entries()) {
      expect((await testEvent.scan(point, 'ada')).access_status, `scan ${turn + 1}`).toBe(status)
    }
    const items = statuses.map(() => ({ accesspoint_id: point, guest_uid: 'ada' }))
    const more = await testEvent.make('access_controls/batch_create.json', items)
    const last = statuses.at(-1)
    expect(more.map((each: { access_status: number }) => each.access_status)).toEqual(items.map(() => last))
  })

  test('the next scan sees a change of category, privileges or uid', async () => {
    const testEvent = await TestEvent.open(system)
    const [category, point] = [await testEvent.category(), await testEvent.point()]
    await testEvent.link(category, point)
    const guest = await testEvent.guest(category, 'ada')
    const privileges = [{ accesspoint_id: point, access_once: false }]
    expect((await testEvent.scan(point, 'ada')).access_status).toBe(0)
    for (const [change, status] of [
      [{ guest_category_id: await testEvent.category('No access') }, 2],
      [{ access_privileges_attributes: privileges }, 0],
      [{ access_privileges_attributes: [] }, 2],
      [{ uid: 'ada lovelace', access_privileges_attributes: privileges }, 1],
    ] as const) {
      await testEvent.change(`guests/${guest}.json`, change)
      expect((await testEvent.scan(point, 'ada')).access_status).toBe(status)
    }
    expect((await testEvent.scan(point, 'ada lovelace')).access_status).toBe(0)
  })

  test(
    'a new guest is let in by the first scan after its creation, even if its uid was refused just before',
    slow,
    async () => {
      const testEvent = await TestEvent.open(system)
      const [category, point] = [await testEvent.category(), await testEvent.point()]
      await testEvent.link(category, point, 1)
      for (let n = 0; n < 10; n++) {
        expect((await testEvent.scan(point, `new ${n}`)).access_status).toBe(1)
        await testEvent.guest(category, `new ${n}`)
        expect((await testEvent.scan(point, `new ${n}`)).access_status).toBe(0)
      }
    },
  )
})

describe('the door, and devices with its snapshots, decide as the vectors say', () => {
  // A new copy of an event answers a cursor of another process with a whole snapshot, so there is one.
  let withOneDoor: System
  beforeAll(async () => {
    withOneDoor = await startSystem()
  })
  afterAll(() => withOneDoor?.stop())
  for (const [vector, options] of byCost(decisionVectors, 20)) {
    test.concurrent(vector.name, options, async () => play(vector, await HttpWorld.open(withOneDoor, vector)))
  }
})

describe('a guest’s right at a point', () => {
  const links = new Map([
    ['x', new Map([['visitors', { max_allowed_accesses: 2 }]])],
    ['early', new Map([['visitors', { max_allowed_accesses: -1, valid_from: 100, valid_until: 200 }]])],
    ['daily', new Map([['visitors', { max_allowed_accesses: 1, period: 'day' as const, reentry: true as const }]])],
  ])
  const accesspoints = new Set(['x', 'y', 'early', 'daily', 'exit'])
  const rules = { accesspoints, links, exits: new Set(['exit']), areaOf: new Map<string, string>(), day: UTC_DAYS }
  const visitor: GuestAccess = { guest_category_id: 'visitors', access_privileges: [] }
  const own = [{ accesspoint_id: 'y', access_once: false }]
  const NO_RIGHT = { access_status: 2, reason: 'no_right' }
  const rightOf = (guest: GuestAccess | undefined, point: string, at = 0) => entitlementOf(rules, guest, point, at)

  test('belongs to the guest’s category and the point', () => {
    expect(rightOf(visitor, 'x')).toEqual({ limit: 2 })
    expect(rightOf(visitor, 'y')).toEqual(NO_RIGHT)
    expect(rightOf({ ...visitor, guest_category_id: 'press' }, 'x')).toEqual(NO_RIGHT)
    expect(rightOf({ ...visitor, access_privileges: own }, 'x')).toEqual({ limit: 2 })
    expect(rightOf({ ...visitor, access_privileges: own }, 'y')).toEqual({ limit: -1 })
    expect(rightOf(undefined, 'x')).toEqual({ access_status: 1, reason: 'unknown_guest' })
  })

  test('covers the limit for each person of the party', () => {
    expect(rightOf({ ...visitor, party_size: 4 }, 'x')).toEqual({ limit: 8 })
    const once = [{ accesspoint_id: 'y', access_once: true }]
    expect(rightOf({ ...visitor, party_size: 4, access_privileges: once }, 'y')).toEqual({ limit: 4 })
    expect(rightOf({ ...visitor, party_size: 4, access_privileges: own }, 'y')).toEqual({ limit: -1 })
  })

  test('by a link begins and ends with its times, the end excluded; the guest’s own does not', () => {
    const tooEarly = { access_status: 2, reason: 'too_early', opens_at: 100 }
    const at = (moment: number, guest = visitor) => rightOf(guest, 'early', moment)
    expect([at(99), at(100), at(199)]).toEqual([tooEarly, { limit: -1 }, { limit: -1 }])
    expect(at(200)).toEqual({ access_status: 2, reason: 'too_late' })
    const guest = { ...visitor, access_privileges: [{ accesspoint_id: 'early', access_once: true }] }
    expect([at(99, guest), at(200, guest)]).toEqual([{ limit: 1 }, { limit: 1 }])
  })

  test('has the period and the re-entry of the link, unless the guest’s own right is more generous', () => {
    expect(rightOf(visitor, 'daily')).toEqual({ limit: 1, period: 'day', reentry: true })
    const guest = { ...visitor, access_privileges: [{ accesspoint_id: 'daily', access_once: false }] }
    expect(rightOf(guest, 'daily')).toEqual({ limit: -1 })
  })

  test('at an exit is that at any entrance of the area', () => {
    expect(rightOf(visitor, 'exit')).toEqual({ limit: -1 })
    expect(rightOf({ ...visitor, guest_category_id: 'press' }, 'exit')).toEqual(NO_RIGHT)
    const gone = {
      ...visitor,
      guest_category_id: 'press',
      access_privileges: [{ accesspoint_id: 'z', access_once: true }],
    }
    expect(rightOf(gone, 'exit')).toEqual(NO_RIGHT)
  })
})

test('free slots are the lowest ones that nobody has taken, one for each person', () => {
  expect(freeSlots(new Set(), 1)).toEqual([1])
  expect(freeSlots(new Set([1, 2]), 1)).toEqual([3])
  expect(freeSlots(new Set([2, 3]), 3)).toEqual([1, 4, 5])
})

test('the first free slot of any day is slot 1, and the others are those of the day', () => {
  const day = 2 ** 32
  expect(freeSlots(new Set(), 2, 1)).toEqual([1, day + 2])
  expect(freeSlots(new Set([1, 2]), 2, 1)).toEqual([day + 2, day + 3])
  expect(freeSlots(new Set([1, day + 2]), 1, 2)).toEqual([2 * day + 2])
})
