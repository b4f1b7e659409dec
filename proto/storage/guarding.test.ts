// @module-tag slow
import { OwnDatabase } from '@gatehouse/test/harness/own-database.ts'
import { expect, test } from 'vitest'
import { guarded } from './guarding.ts'

test('each write that names an event is refused, and reads and other writes are not', async () => {
  const { db } = new OwnDatabase()
  const closed = new Set<string>()
  const things = guarded(db, (event_id) => {
    if (closed.has(event_id)) throw new Error('closed')
  }).collection<{ _id: string; event_id: string; n?: number }>('things')
  const [one, other] = [
    { _id: '1', event_id: 'a' },
    { _id: '2', event_id: 'b' },
  ]
  await things.insertMany([one, other])
  closed.add('a')
  const set = { $set: { n: 1 } }
  const writes = [
    () => things.insertOne({ _id: '3', event_id: 'a' }),
    () => things.insertMany([other, { _id: '3', event_id: 'a' }]),
    () => things.updateOne(one, set),
    () => things.updateMany({ event_id: 'a' }, set),
    () => things.replaceOne(one, one),
    () => things.deleteOne(one),
    () => things.deleteMany({ event_id: 'a' }),
    () => things.findOneAndUpdate(one, set),
    () => things.findOneAndReplace(one, one),
    () => things.findOneAndDelete(one),
    () => things.bulkWrite([{ deleteOne: { filter: other } }, { updateOne: { filter: one, update: set } }]),
    () => things.bulkWrite([{ insertOne: { document: { _id: '3', event_id: 'a' } } }]),
    () => things.bulkWrite([{ replaceOne: { filter: { _id: '1' }, replacement: one, upsert: true } }]),
  ]
  for (const write of writes) await expect(write(), `${write}`).rejects.toThrow('closed')
  expect(await things.find({ event_id: 'a' }).toArray()).toEqual([one])
  await things.updateOne(other, set)
  expect(await things.findOneAndUpdate({ _id: '2' }, { $set: { n: 2 } }, { returnDocument: 'after' })).toMatchObject({
    n: 2,
  })
})
