import { OwnDatabase } from '@gatehouse/test/harness/own-database.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CategoryKey } from '../guest-categories/store.ts'
import { GuestCategoryStore } from '../guest-categories/store.ts'
import { BY_LONG_NAME, BY_NAME } from '../guests/indexes.ts'
import { GuestStore } from '../guests/store.ts'
import type { NewGuest } from '../guests/stored-guest.ts'
import { testCategory } from '../test-category.ts'
import { testGuest } from '../test-guest.ts'
import type { BadgeOrder, Place } from './resource.ts'
import { BadgeOrderStore, type Ordered } from './store.ts'

const EVENT = 'event'
const MOMENT = new Date('2027-01-01T00:00:00Z')

describe('orders of badges', () => {
  const database = new OwnDatabase()
  const { db } = database
  const guests = new GuestStore(db)
  const categories = new GuestCategoryStore(db)
  const orders = new BadgeOrderStore(db)
  let made = 0

  beforeAll(async () => {
    await Promise.all([guests.prepare(), categories.prepare()])
    await orders.prepare()
  })
  beforeEach(async () => {
    await Promise.all([db.collection('guests').deleteMany({}), db.collection('guest_categories').deleteMany({})])
  })

  async function guest(fields: Partial<NewGuest> = {}): Promise<string> {
    const _id = `guest-${String(made++).padStart(6, '0')}`
    await guests.insert(testGuest({ _id, event_id: EVENT, created_at: MOMENT, updated_at: MOMENT, ...fields }))
    return _id
  }

  async function category(_id: string, badges_due: Date, badge_enabled = true): Promise<CategoryKey> {
    await categories.insert(testCategory({ _id, event_id: EVENT, badge_enabled, badges_due }))
    return { _id, event_id: EVENT }
  }

  async function orderAll(key: CategoryKey): Promise<Ordered[]> {
    const done: Ordered[] = []
    for await (const each of orders.orderCategory(key)) done.push(each)
    return done
  }

  test('are listed in the order in which they became due, each once, even if many became due at the same moment', async () => {
    const expected: string[] = []
    for (let index = 0; index < 40; index++) {
      const badge_due = new Date(MOMENT.getTime() + Math.floor(index / 15) * 1000)
      expected.push(await guest({ badge_due, badge_order: 1, event_id: `event-${index % 3}` }))
      await guest()
    }
    const walked: string[] = []
    let after: BadgeOrder | undefined
    do {
      const page = await orders.due(after, 7)
      walked.push(...page.map(({ guest_id }) => guest_id))
      after = page.at(-1)
    } while (after)
    expect(walked).toEqual(expected)
  })

  test('are found by their index, which holds only guests who wait for a badge', slow, async () => {
    const due = await guest({ badge_due: MOMENT, badge_order: 1 })
    for (let index = 0; index < 300; index++) await guest()
    const [, plans] = await database.plansOf(() => orders.due({ event_id: EVENT, guest_id: '', due: MOMENT }, 5))
    expect(plans).toHaveLength(2)
    for (const { read, ...plan } of plans) {
      expect(plan).toEqual({ indexes: ['badge_due_1__id_1'], sorts: false })
      expect(read).toBeLessThanOrEqual(1)
    }
    expect(await orders.due(undefined, 5)).toEqual([{ event_id: EVENT, guest_id: due, due: MOMENT }])
  })

  test('only the latest one is ended, and only once', async () => {
    const id = await guest({ badge_due: MOMENT, badge_order: 2 })
    expect(await orders.complete(EVENT, id, 1, true)).toBeNull()
    expect(await orders.complete('other', id, 2, true)).toBeNull()
    const ended = await Promise.all(Array.from({ length: 8 }, () => orders.complete(EVENT, id, 2, true)))
    expect(ended.filter((each) => each !== null)).toHaveLength(1)
    const [stored] = await orders.guests(EVENT, [id])
    expect([stored?.badge_completed, stored?.badge_due]).toEqual([true, undefined])
    expect(await orders.due(undefined, 5)).toEqual([])
  })

  test('of a category reach all its guests and no others, and increment their order numbers', async () => {
    const key = await category('press', new Date())
    const mine = await Promise.all(
      Array.from({ length: 3 }, () => guest({ guest_category_id: 'press', badge_order: 4 })),
    )
    await guest({ guest_category_id: 'crew' })
    const done = await orderAll(key)
    expect(done.flatMap((each) => each.guests.map(({ _id }) => _id)).sort()).toEqual(mine)
    expect((await orders.due(undefined, 9)).map(({ guest_id }) => guest_id)).toEqual(mine)
    expect((await orders.guests(EVENT, mine)).map(({ badge_order }) => badge_order)).toEqual([5, 5, 5])
    // The entry is gone: nothing is left to do.
    expect(await orderAll(key)).toEqual([])
  })

  test('a category without badges has none', async () => {
    await guest({ guest_category_id: 'press' })
    expect(await orderAll(await category('press', new Date(), false))).toEqual([])
    expect(await orders.due(undefined, 5)).toEqual([])
  })

  test('interrupted orders are taken over after a while, by one process only', async () => {
    const key = await category('left', new Date(Date.now() - 60_000))
    await category('in-work', new Date())
    const taken = await Promise.all(Array.from({ length: 6 }, () => orders.takeAbandoned()))
    expect(taken.filter((each) => each !== null)).toEqual([key])
  })

  describe('guests by name', () => {
    const press = { event_id: EVENT, guest_category_ids: ['press'], checked_in: undefined }
    const named = (last_name: string, fields: Partial<NewGuest> = {}): Promise<string> =>
      guest({ guest_category_id: 'press', last_name, ...fields })

    test('come page by page, each once, however many have the same name', async () => {
      const expected: string[] = []
      for (const last_name of ['Bell', 'bell', 'Bell', 'Curie', 'Zuse']) expected.push(await named(last_name))
      expected.unshift(await named('Ada'))
      await named('Other', { guest_category_id: 'crew' })
      await named('Other', { event_id: 'other' })
      await named('Erased', { uid: 'erased-1' })
      const walked: string[] = []
      let after: Place | undefined
      do {
        const page = await orders.byName(press, after, 2)
        walked.push(...page.map(({ _id }) => _id))
        const last = page.at(-1)
        after = last && { sort_name: last.sort_name, id: last._id }
      } while (after)
      expect(walked).toEqual(expected)
      expect(await orders.count(press)).toBe(expected.length)
    })

    test('are found by the index by name, and no more of them are read than a page has', slow, async () => {
      for (let index = 0; index < 200; index++) await named(`Guest${String(index).padStart(3, '0')}`)
      const after = { sort_name: (await orders.byName(press, undefined, 100)).at(-1)?.sort_name ?? '', id: '' }
      const [page, plans] = await database.plansOf(() => orders.byName(press, after, 10))
      expect(page).toHaveLength(10)
      for (const { read, ...plan } of plans) {
        expect(plan).toEqual({ indexes: [BY_NAME], sorts: false })
        expect(read).toBeLessThanOrEqual(10)
      }
    })

    test('have a longest name, which is that of a guest of the event', async () => {
      await named('Ada')
      const longest = await named('Featherstonehaugh')
      await named('Featherstonehaugh-Cholmondeley', { event_id: 'other' })
      expect(await orders.longestName(EVENT)).toBe(longest)
      expect(await orders.longestName('none')).toBeNull()
    })

    test('the longest of many names is found by its index, and no other guest is read', async () => {
      const longest = await named('Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh')
      await named('Wolfeschlegelsteinhausenbergerdorff')
      const [found, [plan]] = await database.plansOf(() => orders.longestName(EVENT))
      expect([found, plan]).toEqual([longest, { indexes: [BY_LONG_NAME], sorts: false, read: 1 }])
    })
  })
})
