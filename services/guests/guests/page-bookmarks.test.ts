import { after } from '@gatehouse/proto/storage/paging.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { PageBookmarks } from './page-bookmarks.ts'

interface Thing {
  _id: string
  event_id: string
  created_at: Date
}

const THINGS = 3_500
const START = Date.UTC(2027, 0, 1)
const BY_CREATION = 'event_id_1_created_at_-1__id_-1'

const client = new MongoClient(inject('mongodbUrl'))
const db = client.db(`test-${crypto.randomUUID()}`)
const things = db.collection<Thing>('things')
const bookmarks = new PageBookmarks(things, BY_CREATION)

/** Three at a time, so that their ids decide. */
function thingOf(number: number): Thing {
  const created_at = new Date(START + Math.floor(number / 3) * 1_000)
  return { _id: String(number).padStart(24, '0'), event_id: 'event', created_at }
}

beforeAll(async () => {
  await things.createIndex({ event_id: 1, created_at: -1, _id: -1 }, { name: BY_CREATION })
  await things.insertMany(Array.from({ length: THINGS }, (_, number) => thingOf(number)))
  await things.insertOne({ ...thingOf(0), _id: 'f'.repeat(24), event_id: 'other' })
})
afterAll(async () => {
  await db.dropDatabase()
  await client.close()
})

/** The id that a milestone leads to. Waits for the milestone: they are made in the background. */
async function led(skip: number): Promise<string | undefined> {
  const made = async () => {
    const milestone = await bookmarks.before('event', skip, -1)
    if (!milestone) throw new Error('none yet')
    return milestone
  }
  const found = await vi.waitFor(made, 60_000)
  expect(found.skip).toBeLessThan(500)
  const { position, skip: between } = found
  const [thing] = await things
    .find({
      event_id: 'event',
      $or: [
        { created_at: { $lt: position.created_at } },
        { created_at: position.created_at, _id: { $lt: position._id } },
      ],
    })
    .sort({ created_at: -1, _id: -1 })
    .skip(between)
    .limit(1)
    .toArray()
  return thing?._id
}

async function listed(): Promise<string[]> {
  const all = await things.find({ event_id: 'event' }).sort({ created_at: -1, _id: -1 }).toArray()
  return all.map(({ _id }) => _id)
}

async function expectTrue(): Promise<void> {
  const all = await listed()
  for (const skip of [1_600, 2_000, 2_501, all.length - 1, all.length])
    expect(await led(skip), String(skip)).toBe(all[skip])
}

test('a bookmark is near the page, and leads to it', slow, async () => {
  await expectTrue()
})

test('new ones leave the milestones true', async () => {
  const newer = Array.from({ length: 700 }, (_, number) => thingOf(THINGS + number))
  await things.insertMany(newer)
  for (const { created_at } of newer) bookmarks.invalidateFrom('event', created_at.getTime())
  await expectTrue()
})

test('one that goes, and one that comes among older ones, take the milestones after it along', async () => {
  const gone = thingOf(1_500)
  await things.deleteOne({ _id: gone._id })
  bookmarks.invalidateFrom('event', gone.created_at.getTime())
  await expectTrue()
  const late = { ...thingOf(100), _id: 'a'.repeat(24) }
  await things.insertOne(late)
  bookmarks.invalidateFrom('event', late.created_at.getTime())
  await expectTrue()
})

test('after a change of which nothing else is known, none is left', async () => {
  await things.deleteMany({ event_id: 'event', _id: { $lt: thingOf(50)._id } })
  bookmarks.invalidateFrom('event')
  await expectTrue()
})

test('a far page of a list without bookmarks waits for them; a near one does not', async () => {
  const own = new PageBookmarks(things, BY_CREATION, { far: 1_000 })
  expect(await own.before('event', 900, -1)).toBeUndefined()
  const all = await listed()
  const waiting = new PageBookmarks(things, BY_CREATION, { far: 1_000 })
  const found = await Promise.all([1_000, 2_000, all.length - 1].map((skip) => waiting.before('event', skip, -1)))
  for (const start of found) expect(start?.skip).toBeLessThan(500)
})

test('by another order they lead to pages from either end, and after any change none is left', async () => {
  const index = 'by name'
  await things.createIndex({ event_id: 1, name: 1, _id: 1 }, { name: index })
  await things.updateMany({ event_id: 'event' }, [{ $set: { name: { $substrCP: ['$_id', 22, 2] } } }])
  const byName = new PageBookmarks(things, index, { by: 'name', far: 1_000 })
  const all = { event_id: 'event' }
  const order = { name: 1, _id: 1 } as const
  const listed = (await things.find(all).sort(order).toArray()).map(({ _id }) => _id)
  for (const [way, ids] of [
    [1, listed],
    [-1, listed.toReversed()],
  ] as const)
    for (const skip of [1_000, 1_999, 2_500, listed.length - 1]) {
      const { position, skip: between } = (await byName.before('event', skip, way)) ?? {
        position: { _id: '' },
        skip: 0,
      }
      const rest = { $and: [all, after(way === 1 ? order : { name: -1, _id: -1 }, position)] }
      const [found] = await things
        .find(rest as never)
        .sort({ name: way, _id: way })
        .skip(between)
        .limit(1)
        .toArray()
      expect([between < 500, found?._id]).toEqual([true, ids[skip]])
    }
  byName.invalidateFrom('event')
  expect(await byName.before('event', 900, 1)).toBeUndefined()
})
