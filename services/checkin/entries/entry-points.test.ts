import { openStore, type Store } from '@gatehouse/proto/storage/mongo.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { StoredAccesspoint } from '../accesspoints/store.ts'
import type { CheckIn } from '../check-ins/store.ts'
import { EntryPoints } from './entry-points.ts'
import { FirstEntries } from './first-entries.ts'

describe('first entries', async () => {
  const system = await sharedSystem()
  let store: Store
  let event: TestEvent
  let category: string
  let points: EntryPoints
  let entries: FirstEntries

  beforeAll(async () => {
    store = await openStore(inject('mongodbUrl'), system.namespace, 'checkin')
    points = new EntryPoints(store.db)
    entries = new FirstEntries(store.db, points)
    event = await TestEvent.open(system)
    category = await event.category()
  })
  afterAll(() => store?.close())

  /** Lets a new guest in at a new point. */
  const comeIn = async (uid: string): Promise<{ door: string; at: string }> => {
    const door = await event.point()
    await event.link(category, door, 1)
    await event.guest(category, uid)
    return { door, at: (await event.scan(door, uid)).access_stamp }
  }
  const firstOf = async (uid: string) => (await entries.of(event.id, [uid])).get(uid)?.at.toISOString()

  test('stay those at a point that is deleted', async () => {
    const { door, at } = await comeIn('deleted')
    expect(await firstOf('deleted')).toBe(at)
    await event.remove(`accesspoints/${door}.json`)
    expect(await firstOf('deleted')).toBe(at)
  })

  test('are found at points that were deleted before these were noted, by one search', async () => {
    const { door, at } = await comeIn('unnoted')
    await points.forget(event.id)
    const accesspoints = store.db.collection<StoredAccesspoint>('accesspoints')
    await accesspoints.findOneAndDelete({ _id: door, event_id: event.id })
    expect(await firstOf('unnoted')).toBe(at)
    // What was found is noted: a check-in that nobody noted is not looked for again.
    const known = await points.of(event.id)
    expect(known).toContain(door)
    const at_unknown: CheckIn = {
      ...{ _id: `${event.id} unknown`, event_id: event.id, accesspoint_id: 'unknown', guest_uid: 'unknown', slot: 1 },
      ...{ access_status: 0, access_stamp: new Date(), created_at: new Date(), updated_at: new Date() },
    }
    await store.db.collection<CheckIn>('access_controls').insertOne(at_unknown)
    expect(await points.of(event.id)).toEqual(known)
    // Until an archive has brought some.
    await points.forget(event.id)
    expect(await points.of(event.id)).toEqual(expect.arrayContaining([...known, 'unknown']))
  })

  test('of another system are found at a point that is not here', async () => {
    const before = await points.of(event.id)
    await points.noteUnknown(event.id, ['there', ...before])
    expect((await points.of(event.id)).toSorted()).toEqual([...before, 'there'].toSorted())
  })
})
