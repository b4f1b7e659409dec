import { OwnDatabase } from '@gatehouse/test/harness/own-database.ts'
import type { QueryPlan } from '@gatehouse/test/harness/query-plans.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { BadgeStore } from './badges/store.ts'
import { FileStore } from './files/store.ts'
import { type Owner, ownersIn } from './owners.ts'
import { HeldPassStore } from './wallet-passes/updates/store.ts'

const OWNERS = 300

describe('data of guests', () => {
  const database = new OwnDatabase()
  const { db } = database
  const badges = new BadgeStore(db)
  const files = new FileStore(db)
  const passes = new HeldPassStore(db)

  const ownerOf = (index: number): Owner => ({
    event_id: `event-${index % 3}`,
    guest_id: `guest-${String(index).padStart(4, '0')}`,
  })

  beforeAll(async () => {
    await Promise.all([badges.prepare(), files.prepare(), passes.prepare()])
    for (let from = 0; from < OWNERS; from += 50) {
      await Promise.all(
        Array.from({ length: 50 }, async (_, index) => {
          const owner = ownerOf(from + index)
          const bytes = Buffer.from('%PDF-')
          const { event_id, guest_id } = owner
          await badges.put(event_id, [{ guest_id, version: 'v', badge_order: 1, bytes }])
          const file = { key: 'photo', filename: 'f.pdf', content_type: 'application/pdf', size: 5 }
          await passes.register(owner, `device-${owner.guest_id}`, 'f0'.repeat(16))
          await passes.hold(owner, `uid-${owner.guest_id}`, 'v', 'apple')
          await files.put({ ...owner, ...file, created_at: new Date(), bytes })
        }),
      )
    }
  })

  /** The plans of all queries that a run sends. */
  async function explained(run: () => Promise<unknown>): Promise<QueryPlan[]> {
    const [, plans] = await database.plansOf(run)
    expect(plans.length).toBeGreaterThan(0)
    return plans
  }

  test('is found by guest through the index', async () => {
    const { event_id, guest_id } = ownerOf(7)
    for (const run of [
      () => badges.bytes(event_id, guest_id),
      () => badges.ofGuests(event_id, [guest_id]),
      () => files.head(event_id, guest_id, 'photo'),
      () => files.get(event_id, guest_id, 'photo'),
      () => files.ofGuests(event_id, [guest_id]),
    ]) {
      for (const { read } of await explained(run)) expect(read).toBe(1)
    }
  })

  test('passes on phones are found by guest, uid and device through indexes', async () => {
    const owner = ownerOf(7)
    for (const run of [
      () => passes.get(owner),
      () => passes.ofUids(owner.event_id, [`uid-${owner.guest_id}`]),
      () => passes.devicesOf(owner),
      () => passes.changedOn(owner.event_id, `device-${owner.guest_id}`, new Date(0)),
    ]) {
      for (const { read } of await explained(run)) expect(read).toBe(1)
    }
  })

  test('passes on phones are walked page by page, each once and none beyond a page', async () => {
    const walked: string[] = []
    let last: Owner | undefined
    do {
      const page = await passes.after(last, 70)
      walked.push(...page.map(({ event_id, guest_id }) => `${event_id} ${guest_id}`))
      last = page.at(-1)
    } while (last)
    expect(walked).toEqual([...new Set(walked)].sort())
    expect(walked.length).toBe(OWNERS)
    for (const { read } of await explained(() => passes.after(ownerOf(30), 70))) expect(read).toBeLessThanOrEqual(70)
  })

  test.each(['badges', 'files'])('%s: each owner is listed once, in the order of an index', async (name) => {
    const collection = db.collection<Owner>(name)
    const walked: string[] = []
    let after: Owner | undefined
    do {
      const page = await ownersIn(collection, after, 70)
      walked.push(...page.map(({ event_id, guest_id }) => `${event_id} ${guest_id}`))
      after = page.at(-1)
    } while (after)
    expect(walked).toHaveLength(OWNERS)
    expect(walked).toEqual([...new Set(walked)].sort())
    for (const { sorts } of await explained(() => ownersIn(collection, ownerOf(100), 20))) expect(sorts).toBe(false)
  })

  test('the badge of the latest order stays, in whatever order badges are stored, also concurrently', async () => {
    for (let round = 0; round < 10; round++) {
      const event_id = `race-${round}`
      const ids = Array.from({ length: 4 }, (_, index) => `guest-${index}`)
      const put = (badge_order: number): Promise<void> =>
        badges.put(
          event_id,
          ids.map((guest_id) => {
            return { guest_id, version: `v${badge_order}`, badge_order, bytes: Buffer.from(`badge ${badge_order}`) }
          }),
        )
      await Promise.all([3, 1, 5, 2, 4].map(put))
      const heads = await badges.ofGuests(event_id, ids)
      expect(heads.map(({ version, badge_order }) => [version, badge_order])).toEqual(ids.map(() => ['v5', 5]))
      await put(4)
      for (const guest_id of ids)
        expect(Buffer.from((await badges.bytes(event_id, guest_id)) ?? []).toString()).toBe('badge 5')
    }
  })

  test('each of many badges is stored unless a later one exists', async () => {
    const badge = (guest_id: string, badge_order: number) => {
      return { guest_id, version: `v${badge_order}`, badge_order, bytes: Buffer.from('%PDF-') }
    }
    await badges.put('mixed', [badge('late', 9), badge('early', 1)])
    await badges.put('mixed', [badge('new', 2), badge('late', 2), badge('early', 2)])
    await badges.markPublished('mixed', [
      { guest_id: 'new', version: 'v2' },
      { guest_id: 'late', version: 'v2' },
    ])
    const heads = await badges.ofGuests('mixed', ['new', 'late', 'early'])
    expect(heads.map(({ guest_id, version, told }) => `${guest_id} ${version} ${told}`).sort()).toEqual([
      'early v2 false',
      'late v9 false',
      'new v2 true',
    ])
  })
})
