import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

let client: MongoClient
const db = () => client.db('mongod-crud')

beforeAll(async () => {
  client = await MongoClient.connect(inject('mongodbUrl'))
  await db().dropDatabase()
})
afterAll(async () => {
  await db().dropDatabase()
  await client.close()
})

test('what is inserted is found, changed and deleted', async () => {
  const guests = db().collection<{ _id: string; name: string; n?: number }>('guests')
  expect((await guests.insertOne({ _id: 'a', name: 'Ada' })).insertedId).toBe('a')
  await guests.insertMany([
    { _id: 'b', name: 'Bo', n: 1 },
    { _id: 'c', name: 'Cy', n: 2 },
  ])
  expect(await guests.findOne({ _id: 'b' })).toEqual({ _id: 'b', name: 'Bo', n: 1 })
  expect(await guests.find({ n: { $gte: 1 } }).sort({ n: -1 }).project({ _id: 1 }).toArray()).toEqual([{ _id: 'c' }, { _id: 'b' }])
  expect((await guests.updateOne({ _id: 'b' }, { $inc: { n: 10 } })).modifiedCount).toBe(1)
  expect(await guests.findOneAndUpdate({ _id: 'b' }, { $inc: { n: 1 } }, { returnDocument: 'after' })).toMatchObject({ n: 12 })
  expect(await guests.countDocuments({})).toBe(3)
  expect((await guests.deleteMany({ n: { $exists: true } })).deletedCount).toBe(2)
  expect(await guests.distinct('name')).toEqual(['Ada'])
})
