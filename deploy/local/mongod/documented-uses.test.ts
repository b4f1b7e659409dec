import { type Document, MongoClient } from 'mongodb'
import { afterAll, expect, inject, test } from 'vitest'

const client = await MongoClient.connect(inject('mongodbUrl'))
const db = client.db('mongod-uses')
await db.dropDatabase()
const items = db.collection<{ _id: number }>('items')
await items.insertOne({ _id: 1, a: 1, text: 'x', none: null, list: [1, 2] } as never)
afterAll(async () => {
  await db.dropDatabase()
  await client.close()
})

const index = (key: Document, options: Document = {}) => ({
  createIndexes: 'items',
  indexes: [{ key, name: 'new', ...options }],
})
const update = (u: Document, options: Document = {}) => ({
  update: 'items',
  updates: [{ q: { _id: 1 }, u, ...options }],
})
const find = (more: Document) => ({ find: 'items', filter: {}, ...more })
const aggregate = (...pipeline: Document[]) => ({ aggregate: 'items', pipeline, cursor: {} })
const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, 1]))

/** What MongoDB refuses, by the page of https://www.mongodb.com/docs/manual/ that says so. */
const REFUSED: Record<string, Document[]> = {
  'core/index-partial/': [
    index({ a: 1 }, { partialFilterExpression: { a: { $ne: 1 } } }),
    index({ a: 1 }, { partialFilterExpression: { a: { $nin: [1] } } }),
    index({ a: 1 }, { partialFilterExpression: { a: { $not: { $gt: 1 } } } }),
    index({ a: 1 }, { partialFilterExpression: { a: { $exists: false } } }),
    index({ a: 1 }, { partialFilterExpression: { a: { $regex: 'x' } } }),
    index({ a: 1 }, { partialFilterExpression: { a: 1 }, sparse: true }),
    index({ _id: 1 }, { partialFilterExpression: { a: 1 } }),
  ],
  'core/index-ttl/': [
    index({ a: 1, b: 1 }, { expireAfterSeconds: 1 }),
    index({ _id: 1 }, { expireAfterSeconds: 1 }),
    index({ a: 1 }, { expireAfterSeconds: -1 }),
  ],
  'reference/limits/': [index(fields(33)), find({ sort: fields(33) })],
  'reference/command/createIndexes/': [index({}), index({ a: 0 }), index({ $a: 1 }), index({ a: 1 }, { odd: 1 })],
  'reference/method/cursor.hint/': [find({ hint: 'none' }), find({ hint: { none: 1 } })],
  'reference/command/find/': [
    find({ skip: -1 }),
    find({ limit: -1 }),
    find({ batchSize: -1 }),
    find({ maxTimeMS: -1 }),
    find({ sort: { a: 2 } }),
    find({ odd: 1 }),
  ],
  'reference/operator/query/': [
    find({ filter: { a: { $odd: 1 } } }),
    find({ filter: { $odd: 1 } }),
    find({ filter: { a: { $in: 1 } } }),
    find({ filter: { $or: [] } }),
    find({ filter: { a: { $regex: '(' } } }),
  ],
  'reference/operator/aggregation/project/': [
    find({ projection: { a: 1, b: 0 } }),
    find({ projection: { a: 1, 'a.b': 1 } }),
    aggregate({ $project: {} }),
  ],
  'reference/command/aggregate/': [
    { aggregate: 'items', pipeline: [] },
    aggregate({ $odd: {} }),
    aggregate({ $match: {}, $limit: 1 }),
    aggregate({ $limit: 0 }),
    aggregate({ $sort: {} }),
    aggregate({ $group: { _id: 1, a: { $odd: 1 } } }),
  ],
  'core/document/#the-_id-field': [
    { insert: 'items', documents: [{ _id: [1] }] },
    { insert: 'items', documents: [{ _id: /x/ }] },
    update({ $set: { _id: 2 } }),
    update({ $unset: { _id: 1 } }),
    update({ _id: 2 }),
  ],
  'reference/operator/update/': [
    update({ $set: { a: 1 }, $inc: { a: 1 } }),
    update({ $set: { 'd.a': 1, d: {} } }),
    update({ $inc: { text: 1 } }),
    update({ $inc: { none: 1 } }),
    update({ $push: { text: 1 } }),
    update({ $addToSet: { text: 1 } }),
    update({ $set: { 'text.a': 1 } }),
    update({ $set: { 'none.a': 1 } }),
    update({ $set: { 'list.$': 1 } }),
    update({ $set: { '': 1 } }),
    update({ $odd: { a: 1 } }),
    update({ $set: { a: 1 } }, { arrayFilters: [{ x: 1 }] }),
    update({ a: 1 }, { multi: true }),
  ],
  'reference/command/findAndModify/': [
    { findAndModify: 'items', query: {}, remove: true, update: { $set: { a: 1 } } },
    { findAndModify: 'items', query: {}, remove: true, upsert: true },
    { findAndModify: 'items', query: {} },
  ],
}

const cases = Object.entries(REFUSED).flatMap(([page, commands]) => commands.map((command) => [page, command] as const))

test.each(cases)('as %s says, %j is refused', async (_page, command) => {
  const code = await db.command(command).then(
    ({ writeErrors }) => writeErrors?.[0]?.code,
    ({ code }: { code: number }) => code,
  )
  expect(code).toBeGreaterThan(0)
  expect(await items.findOne({ _id: 1 })).toMatchObject({ a: 1, text: 'x', none: null, list: [1, 2] })
})

test('a collection has 64 indexes at most', async () => {
  const make = (from: number, count: number) =>
    db.command({
      createIndexes: 'many',
      indexes: Array.from({ length: count }, (_, n) => ({ key: { [`f${from + n}`]: 1 }, name: `f${from + n}` })),
    })
  await make(0, 63)
  await expect(make(63, 1)).rejects.toMatchObject({ code: 67 })
})
