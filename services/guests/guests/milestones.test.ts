import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { Milestones } from './milestones.ts'
import type { StoredGuest } from './store.ts'

const GUESTS = 3_500
const START = Date.UTC(2027, 0, 1)
const BY_CREATION = 'event_id_1_created_at_-1__id_-1'

const client = new MongoClient(inject('mongodbUrl'))
const db = client.db(`test-${crypto.randomUUID()}`)
const guests = db.collection<StoredGuest>('guests')
const milestones = new Milestones(guests, BY_CREATION)

/** Three at a time, so that their ids decide. */
function guestOf(number: number): StoredGuest {
  const created_at = new Date(START + Math.floor(number / 3) * 1_000)
  return { _id: String(number).padStart(24, '0'), event_id: 'event', created_at } as StoredGuest
}

beforeAll(async () => {
  await guests.createIndex({ event_id: 1, created_at: -1, _id: -1 }, { name: BY_CREATION })
  await guests.insertMany(Array.from({ length: GUESTS }, (_, number) => guestOf(number)))
  await guests.insertOne({ ...guestOf(0), _id: 'f'.repeat(24), event_id: 'other' })
})
afterAll(async () => {
  await db.dropDatabase()
  await client.close()
})

/** The id that a milestone leads to. Waits for the milestone: they are made in the background. */
async function led(skip: number): Promise<string | undefined> {
  const found = await vi.waitFor(async () => {
    const milestone = await milestones.before('event', skip)
    if (!milestone) throw new Error('none yet')
    return milestone
  })
  expect(found.skip).toBeLessThan(1_000)
  const { place, skip: between } = found
  const [guest] = await guests
    .find({
      event_id: 'event',
      $or: [{ created_at: { $lt: place.created_at } }, { created_at: place.created_at, _id: { $lt: place._id } }],
    })
    .sort({ created_at: -1, _id: -1 })
    .skip(between)
    .limit(1)
    .toArray()
  return guest?._id
}

async function listed(): Promise<string[]> {
  const all = await guests.find({ event_id: 'event' }).sort({ created_at: -1, _id: -1 }).toArray()
  return all.map(({ _id }) => _id)
}

async function expectTrue(): Promise<void> {
  const all = await listed()
  for (const skip of [1_600, 2_000, 2_501, all.length - 1, all.length])
    expect(await led(skip), String(skip)).toBe(all[skip])
}

test('a milestone is near the guest that is asked for, and leads to it', async () => {
  await expectTrue()
})

test('new guests leave the milestones true', async () => {
  const newer = Array.from({ length: 700 }, (_, number) => guestOf(GUESTS + number))
  await guests.insertMany(newer)
  for (const { created_at } of newer) milestones.moved('event', created_at.getTime())
  await expectTrue()
})

test('a guest that goes, and one that comes among older ones, take the milestones after it along', async () => {
  const gone = guestOf(1_500)
  await guests.deleteOne({ _id: gone._id })
  milestones.moved('event', gone.created_at.getTime())
  await expectTrue()
  const late = { ...guestOf(100), _id: 'a'.repeat(24) }
  await guests.insertOne(late)
  milestones.moved('event', late.created_at.getTime())
  await expectTrue()
})

test('after a change of which nothing else is known, none is left', async () => {
  await guests.deleteMany({ event_id: 'event', _id: { $lt: guestOf(50)._id } })
  milestones.moved('event')
  await expectTrue()
})
