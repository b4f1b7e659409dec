// @module-tag slow
import { OwnDatabase } from '@gatehouse/test/harness/own-database.ts'
import type { QueryPlan } from '@gatehouse/test/harness/query-plans.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { testGuest } from '../test-guest.ts'
import { BY_PROMO_USE } from './promo-uses.ts'
import { GuestStore } from './store.ts'
import type { NewGuest } from './stored-guest.ts'

const USED = 100
const OTHERS = 400

describe('the uses of discount codes are found by their own index', () => {
  const database = new OwnDatabase()
  const { db } = database
  const store = new GuestStore(db)
  let count = 0

  beforeAll(async () => {
    await store.prepare()
    await Promise.all(Array.from({ length: OTHERS }, () => store.insert(newGuest())))
    for (const [_id, max_usage] of [
      ['limited', USED],
      ['open', -1],
      ['roomy', 1_000],
    ] as const) {
      // At once they would take each other's numbers.
      for (let use = 0; use < USED; use++) await store.insertUsing(newGuest(), { _id, text: 'TEXT', max_usage })
    }
  })

  function newGuest(): NewGuest {
    const number = count++
    const _id = number.toString(16).padStart(24, '0')
    return testGuest({ _id, last_name: `Last${number}`, uid: `uid-${number}` })
  }

  /** The queries of a run, explained: the index each walks, and how many documents it reads. */
  async function explained(run: () => Promise<unknown>): Promise<Pick<QueryPlan, 'indexes' | 'read'>[]> {
    const [, plans] = await database.plansOf(run)
    return plans.map(({ indexes, read }) => ({ indexes, read }))
  }

  test('how many there are', async () => {
    const [query, ...more] = await explained(() => store.countPromoUses(['limited', 'open']))
    expect(more).toEqual([])
    expect(query?.indexes).toEqual([BY_PROMO_USE])
    const counts = await store.countPromoUses(['limited', 'open', 'unused'])
    expect(counts).toEqual(
      new Map([
        ['limited', USED],
        ['open', USED],
      ]),
    )
  })

  test('a further use while there is plenty of room: one use is looked at', async () => {
    const [query, ...more] = await explained(() =>
      store.insertUsing(newGuest(), { _id: 'roomy', text: 'TEXT', max_usage: 1_000 }),
    )
    expect(more).toEqual([])
    expect(query).toEqual({ indexes: [BY_PROMO_USE], read: 1 })
  })

  test('a code that is used up: its own uses are counted', async () => {
    const [highest, counted, ...more] = await explained(async () => {
      expect(await store.insertUsing(newGuest(), { _id: 'limited', text: 'TEXT', max_usage: USED })).toBe(null)
    })
    expect(more).toEqual([])
    expect(highest).toEqual({ indexes: [BY_PROMO_USE], read: 1 })
    expect(counted?.indexes).toEqual([BY_PROMO_USE])
  })

  test('a code whose last number is taken while another one is free: its own uses are read', async () => {
    const first = await db.collection('guests').findOne({ event_id: 'event', promo_code_id: 'limited', promo_use: 1 })
    await store.delete('event', String(first?._id))
    const [, , all, ...more] = await explained(async () => {
      const guest = await store.insertUsing(newGuest(), { _id: 'limited', text: 'TEXT', max_usage: USED })
      expect(guest?.promo_use).toBe(1) // Explained afterwards, with it stored.
    })
    expect(more).toEqual([])
    expect(all).toEqual({ indexes: [BY_PROMO_USE], read: USED })
  })

  test('a code without limit, and a guest without code: nothing is looked at', async () => {
    expect(await explained(() => store.insertUsing(newGuest(), { _id: 'open', text: 'TEXT', max_usage: -1 }))).toEqual(
      [],
    )
    expect(await explained(() => store.insert(newGuest()))).toEqual([])
  })
})
