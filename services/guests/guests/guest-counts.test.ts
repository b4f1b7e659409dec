// @module-tag slow
import { recountOf } from '@gatehouse/cli/demo/recount.ts'
import { OwnDatabase } from '@gatehouse/test/harness/own-database.ts'
import { planOf } from '@gatehouse/test/harness/query-plans.ts'
import { cases } from '@gatehouse/test/rounds.ts'
import fc from 'fast-check'
import type { Document } from 'mongodb'
import { beforeAll, describe, expect, test } from 'vitest'
import { GuestCounts } from './guest-counts.ts'
import type { StoredGuest } from './stored-guest.ts'

const BY_UID = 'event_id_1_uid_1'
const RANGE_SIZE = 10

interface Step {
  do: 'come' | 'go' | 'move' | 'ask' | 'unheard'
  count: number
  which: number
}

const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom('come', 'come', 'come', 'go', 'move', 'move', 'ask', 'unheard'),
  count: fc.integer({ min: 1, max: 30 }),
  which: fc.nat(10_000),
})

describe('guests counted by ranges of uids', () => {
  const database = new OwnDatabase()
  const { db } = database
  const guests = db.collection<StoredGuest>('guests')
  let made = 0

  beforeAll(async () => {
    await guests.createIndex({ event_id: 1, uid: 1 }, { unique: true })
  })

  const eventOf = ({ filter, pipeline }: Document): unknown => (filter ?? pipeline?.[0]?.$match)?.event_id

  async function come(event_id: string, uids: string[], guest_category_id: string): Promise<void> {
    const documents = uids.map((uid) => ({ _id: `${event_id} ${uid}`, event_id, uid, guest_category_id }))
    await guests.insertMany(documents as unknown as StoredGuest[])
  }

  async function recounted(event_id: string): Promise<Map<string, number>> {
    const all = await guests.find({ event_id }).toArray()
    const categories = new Set(all.map(({ guest_category_id }) => guest_category_id))
    const { by_guest_category } = recountOf([], all, [...categories])
    return new Map(by_guest_category.map(({ guest_category_id, guest_count }) => [guest_category_id, guest_count]))
  }

  async function expectExact(event_id: string, guestCounts: GuestCounts): Promise<void> {
    const counted = [...(await guestCounts.counts(event_id))].filter(([, count]) => count > 0)
    expect(new Map(counted)).toEqual(await recounted(event_id))
  }

  test('after any coming, going and moving the counts are those of the stored guests', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }), async (steps) => {
        const event_id = `event ${made++}`
        const guestCounts = new GuestCounts(guests, BY_UID, RANGE_SIZE)
        const uids: string[] = []
        for (const { do: what, count, which } of steps) {
          const category = `category ${which % 3}`
          const uid = uids[which % Math.max(1, uids.length)]
          const asking = which % 2 ? guestCounts.counts(event_id) : undefined
          asking?.catch(() => {})
          if (what === 'come') {
            // All over the index, beyond the letters that one byte holds too.
            const fresh = Array.from(
              { length: count },
              (_, n) => `${['a', 'ü', '\u{1F600}', '￿', 'z'][n % 5]}${which}-${made++}`,
            )
            await come(event_id, fresh, category)
            uids.push(...fresh)
            guestCounts.invalidate(event_id, fresh)
          }
          if (what === 'go' && uid) {
            await guests.deleteOne({ event_id, uid })
            uids.splice(uids.indexOf(uid), 1)
            guestCounts.invalidate(event_id, [uid])
          }
          if (what === 'move' && uid) {
            await guests.updateOne({ event_id, uid }, { $set: { guest_category_id: category } })
            guestCounts.invalidate(event_id, [uid])
          }
          if (what === 'unheard') guestCounts.invalidateAll()
          await asking
          if (what === 'ask') await expectExact(event_id, guestCounts)
        }
        await expectExact(event_id, guestCounts)
      }),
      { ...cases(8, 80), interruptAfterTimeLimit: 120_000, markInterruptAsFailure: false },
    )
  })

  test('once all are counted, after a change only its range is read again, by the index', async () => {
    const event_id = 'read'
    const uids = Array.from({ length: 95 }, (_, n) => `uid ${String(n).padStart(3, '0')}`)
    await come(event_id, uids, 'category')
    const guestCounts = new GuestCounts(guests, BY_UID, RANGE_SIZE)
    // A property that was interrupted goes on for a while, with events of its own.
    const reads = async (): Promise<Document[]> => {
      const [, queries] = await database.queriesOf(() => guestCounts.counts(event_id))
      return queries.filter((query) => eventOf(query) === event_id)
    }
    await reads()
    // While ranges are counted in the background, requests are answered by an aggregation.
    await expect.poll(reads).toEqual([])
    expect(await recounted(event_id)).toEqual(await guestCounts.counts(event_id))
    guestCounts.invalidate(event_id, ['uid 042', 'uid 043', 'uid 0435'])
    const again = await reads()
    expect(again.map(({ filter }) => filter)).toEqual([{ event_id, uid: { $gte: 'uid 040', $lt: 'uid 050' } }])
    expect(await planOf(db, again[0] as Document)).toEqual({ indexes: [BY_UID], sorts: false, read: 10 })
  })

  test('calls at the same time share a count, and none gets a count that began before the call', async () => {
    const event_id = 'shared'
    const guestCounts = new GuestCounts(guests, BY_UID, RANGE_SIZE)
    for (let round = 0; round < 20; round++) {
      const early = guestCounts.counts(event_id)
      await come(event_id, [`uid ${round}`], 'category')
      guestCounts.invalidate(event_id, [`uid ${round}`])
      const late = await Promise.all(Array.from({ length: 5 }, () => guestCounts.counts(event_id)))
      expect(late.map((counts) => counts.get('category'))).toEqual(Array(5).fill(round + 1))
      await early
    }
  })
})
