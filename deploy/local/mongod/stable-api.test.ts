import { type Document, MongoClient } from 'mongodb'
import { afterAll, expect, inject, test } from 'vitest'

const serverApi = { version: '1', strict: true, deprecationErrors: true } as const
const client = await MongoClient.connect(inject('mongodbUrl'), { serverApi })
const db = client.db('mongod-stable')
await db.dropDatabase()
await db.collection<{ _id: number; a: number }>('items').insertOne({ _id: 1, a: 1 })
afterAll(async () => {
  await db.dropDatabase()
  await client.close()
})

const index = (key: Document, options: Document = {}) => ({
  createIndexes: 'items',
  indexes: [{ key, name: `i${JSON.stringify(options)}`, ...options }],
})

test.each<Document>([
  { find: 'items', filter: { a: 1 }, sort: { a: 1 }, limit: 2, maxTimeMS: 1_000, comment: 'c' },
  { count: 'items', query: { a: 1 } },
  { aggregate: 'items', pipeline: [{ $match: { a: 1 } }], cursor: {} },
  { update: 'items', updates: [{ q: { _id: 1 }, u: { $set: { a: 2 } } }] },
  { findAndModify: 'items', query: { _id: 1 }, update: { $set: { a: 3 } }, new: true },
  { delete: 'items', deletes: [{ q: { _id: 2 }, limit: 1 }] },
  index({ a: 1 }, { unique: true, partialFilterExpression: { a: { $exists: true } } }),
  { listIndexes: 'items' },
  { collMod: 'items', index: { name: 'none', expireAfterSeconds: 5 } },
  { listCollections: 1 },
  { ping: 1 },
])('a strict client may send %j', async (command) => {
  const refused = await db.command(command).then(
    () => undefined,
    ({ code }: { code: number }) => code,
  )
  expect([322, 323, 40415]).not.toContain(refused)
})

test.each<[Document, number]>([
  [{ distinct: 'items', key: 'a' }, 323],
  [{ collStats: 'items' }, 323],
  [{ serverStatus: 1 }, 323],
  [{ find: 'items', filter: {}, tailable: true }, 323],
  [{ find: 'items', filter: {}, min: { a: 1 }, hint: { a: 1 } }, 323],
  [{ create: 'small', capped: true, size: 1_000 }, 323],
  [{ aggregate: 'items', pipeline: [{ $indexStats: {} }], cursor: {} }, 323],
  [{ aggregate: 'items', pipeline: [], cursor: {}, explain: true }, 323],
  [index({ b: 1 }, { sparse: true }), 323],
  [index({ b: 1 }, { background: true }), 323],
  [index({ b: 'text' }), 323],
  [{ find: 'items', filter: {}, orderBy: { a: 1 } }, 40415],
  [index({ b: 1 }, { uniqe: true }), 40415],
])('a strict client is refused %j with %i', async (command, code) => {
  await expect(db.command(command)).rejects.toMatchObject({ code })
})
