import { allowance } from '@gatehouse/door/decision.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { decisionVectors, play } from '@gatehouse/test/oracle/decision-vectors.ts'
import { HttpWorld } from '@gatehouse/test/oracle/http-world.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freeSlot } from './decision.ts'

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

  test('a guest with privileges at several points enters at each of them', async () => {
    const testEvent = await TestEvent.open(system)
    const points = [await testEvent.point(), await testEvent.point(), await testEvent.point()]
    const privileges = points.map((accesspoint_id) => ({ accesspoint_id, access_once: true }))
    await testEvent.guest(await testEvent.category(), 'ada', { access_privileges_attributes: privileges })
    const statuses: number[][] = []
    for (const point of points) {
      const checkIns = [await testEvent.scan(point, 'ada'), await testEvent.scan(point, 'ada')]
      statuses.push(checkIns.map(({ access_status }) => access_status))
    }
    expect(statuses).toEqual([
      [0, 3],
      [0, 3],
      [0, 3],
    ])
  })

  /** A guest of a category with a link, and how to scan and change it. */
  async function guestWith(limit: number) {
    const testEvent = await TestEvent.open(system)
    const [category, point] = [await testEvent.category(), await testEvent.point()]
    const link = await testEvent.link(category, point, limit)
    const guest = await testEvent.guest(category, 'ada')
    const ids: string[] = []
    return {
      testEvent,
      guest,
      point,
      category,
      limitTo: (max_allowed_accesses: number) =>
        testEvent.change(`guest_category_accesspoints/${link}.json`, { max_allowed_accesses }),
      unlink: () => testEvent.remove(`guest_category_accesspoints/${link}.json`),
      scans: async (count: number): Promise<number[]> => {
        const statuses: number[] = []
        for (let n = 0; n < count; n++) {
          const { _id, access_status } = await testEvent.scan(point, 'ada')
          if (access_status === 0) ids.push(_id)
          statuses.push(access_status)
        }
        return statuses
      },
      /** Deletes the nth granted check-in. */
      giveBack: (n: number) => testEvent.remove(`access_controls/${ids[n]}.json`),
    }
  }

  test('only granted check-ins use the allowance', async () => {
    const { scans, unlink, testEvent, category, point } = await guestWith(0)
    expect(await scans(3)).toEqual([3, 3, 3])
    await unlink()
    expect(await scans(2)).toEqual([2, 2])
    await testEvent.link(category, point, 2)
    expect(await scans(3)).toEqual([0, 0, 3])
  })

  test('a limit lowered below what is used refuses; raised again it grants what is left', async () => {
    const { scans, limitTo } = await guestWith(3)
    expect(await scans(3)).toEqual([0, 0, 0])
    await limitTo(1)
    expect(await scans(2)).toEqual([3, 3])
    await limitTo(4)
    expect(await scans(2)).toEqual([0, 3])
  })

  test('entries made without a limit count once a limit is set', async () => {
    const { scans, limitTo } = await guestWith(-1)
    expect(await scans(3)).toEqual([0, 0, 0])
    await limitTo(3)
    expect(await scans(1)).toEqual([3])
    await limitTo(5)
    expect(await scans(3)).toEqual([0, 0, 3])
    await limitTo(-1)
    expect(await scans(2)).toEqual([0, 0])
    await limitTo(6)
    expect(await scans(1)).toEqual([3])
    await limitTo(8)
    expect(await scans(2)).toEqual([0, 3])
  })

  test('an access given back is used again, whichever it was', slow, async () => {
    for (const first of [0, 1, 2]) {
      const { scans, giveBack } = await guestWith(3)
      expect(await scans(4)).toEqual([0, 0, 0, 3])
      await giveBack(first)
      expect(await scans(2)).toEqual([0, 3])
      await giveBack((first + 1) % 3)
      await giveBack((first + 2) % 3)
      expect(await scans(3)).toEqual([0, 0, 3])
    }
  })

  test('with a limit lowered over a gap, those above it still count', async () => {
    const { scans, giveBack, limitTo } = await guestWith(3)
    expect(await scans(3)).toEqual([0, 0, 0])
    await giveBack(0)
    await limitTo(2)
    expect(await scans(1)).toEqual([3])
    await giveBack(1)
    expect(await scans(2)).toEqual([0, 3])
  })

  test('an entry made without a limit, given back, no longer counts', async () => {
    const { scans, giveBack, limitTo } = await guestWith(-1)
    expect(await scans(2)).toEqual([0, 0])
    await limitTo(2)
    expect(await scans(1)).toEqual([3])
    await giveBack(0)
    expect(await scans(2)).toEqual([0, 3])
  })

  test('the next scan sees a change of category, privileges or uid', async () => {
    const { testEvent, guest, point, scans } = await guestWith(-1)
    const other = await testEvent.category('No access')
    expect(await scans(1)).toEqual([0])
    await testEvent.change(`guests/${guest}.json`, { guest_category_id: other })
    expect(await scans(1)).toEqual([2])
    const privileges = [{ accesspoint_id: point, access_once: false }]
    await testEvent.change(`guests/${guest}.json`, { access_privileges_attributes: privileges })
    expect(await scans(1)).toEqual([0])
    await testEvent.change(`guests/${guest}.json`, { access_privileges_attributes: [] })
    expect(await scans(1)).toEqual([2])
    await testEvent.change(`guests/${guest}.json`, { uid: 'ada lovelace', access_privileges_attributes: privileges })
    expect(await scans(1)).toEqual([1])
    expect((await testEvent.scan(point, 'ada lovelace')).access_status).toBe(0)
  })

  test(
    'a new guest is let in by the first scan after its creation, even if its uid was refused just before',
    slow,
    async () => {
      const { testEvent, category, point } = await guestWith(1)
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
  test.concurrent.each(decisionVectors.map((vector) => [vector.name, vector] as const))('%s', async (_name, vector) => {
    await play(vector, await HttpWorld.open(withOneDoor, vector))
  })
})

describe('allowance', () => {
  const links = new Map([['x', new Map([['visitors', 2]])]])
  test('belongs to the guest’s category and the point', () => {
    const visitor = { guest_category_id: 'visitors', access_privileges: [] }
    expect(allowance(links, visitor, 'x')).toBe(2)
    expect(allowance(links, visitor, 'y')).toBeUndefined()
    expect(allowance(links, { ...visitor, guest_category_id: 'press' }, 'x')).toBeUndefined()
    const own = [{ accesspoint_id: 'y', access_once: false }]
    expect(allowance(links, { ...visitor, access_privileges: own }, 'x')).toBe(2)
    expect(allowance(links, { ...visitor, access_privileges: own }, 'y')).toBe(-1)
  })
})

describe('the next free slot', () => {
  test('is the lowest free one, as long as the allowance is not used up', () => {
    expect(freeSlot(new Set(), 0, 1)).toBe(1)
    expect(freeSlot(new Set([1, 2]), 2, 3)).toBe(3)
    expect(freeSlot(new Set([2, 3]), 2, 3)).toBe(1)
    expect(freeSlot(new Set([1, 2]), 2, 2)).toBeUndefined()
    expect(freeSlot(new Set([5]), 1, 1)).toBeUndefined()
    expect(freeSlot(new Set(), 1, 1)).toBeUndefined()
    expect(freeSlot(new Set([1]), 3, 4)).toBe(2)
    expect(freeSlot(new Set(), 0, 0)).toBeUndefined()
  })
})
