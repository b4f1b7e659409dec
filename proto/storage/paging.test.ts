// @module-tag slow
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { storedPage } from './paging.ts'

interface Thing {
  _id: string
  event_id: string
  name: string
}

const THINGS = 300

const client = new MongoClient(inject('mongodbUrl'))
const db = client.db(`test-${crypto.randomUUID()}`)
const things = db.collection<Thing>('things')
const id = (number: number): string => String(number).padStart(24, '0')

beforeAll(async () => {
  await things.createIndex({ event_id: 1, _id: 1 })
  // 27 MB: more than the 16 MB of one answer.
  const name = 'x'.repeat(90_000)
  await things.insertMany(Array.from({ length: THINGS }, (_, number) => ({ _id: id(number), event_id: 'event', name })))
})
afterAll(async () => {
  await db.dropDatabase()
  await client.close()
})

test.each([
  [1, 300],
  [1, 500],
  [2, 250],
])('page %i of %i things holds all that it should, however large they are', async (page, per_page) => {
  const found = await storedPage(things, { event_id: 'event' }, { _id: 1 }, { page, per_page })
  const wanted = Array.from({ length: THINGS }, (_, number) => id(number))
  expect(found.each('_id')).toEqual(wanted.slice((page - 1) * per_page, page * per_page))
  expect(found.decoded().at(-1)?.name).toHaveLength(90_000)
})
