import { deep, slow } from '@gatehouse/test/rounds.ts'
import { MongoClient } from 'mongodb'
import { afterAll, expect, inject, test } from 'vitest'

const client = await MongoClient.connect(inject('mongodbUrl'))
const db = client.db('mongod-indexes')
await db.dropDatabase()
afterAll(async () => {
  await db.dropDatabase()
  await client.close()
})

test('indexes are made, listed, made again without harm, and dropped', async () => {
  const items = db.collection('made')
  const make = () =>
    items.createIndexes([
      { key: { a: 1, b: -1 }, name: 'ab', unique: true, partialFilterExpression: { status: 0 } },
      { key: { at: 1 }, name: 'gone', expireAfterSeconds: 3_600 },
    ])
  expect(await make()).toEqual(['ab', 'gone'])
  await make()
  const listed = await items.indexes()
  expect(listed).toHaveLength(3)
  expect(listed).toContainEqual(
    expect.objectContaining({ name: 'ab', key: { a: 1, b: -1 }, unique: true, partialFilterExpression: { status: 0 } }),
  )
  expect(listed).toContainEqual(expect.objectContaining({ name: 'gone', expireAfterSeconds: 3_600 }))
  await db.command({ collMod: 'made', index: { name: 'gone', expireAfterSeconds: 60 } })
  expect(await items.indexes()).toContainEqual(expect.objectContaining({ name: 'gone', expireAfterSeconds: 60 }))
  await items.dropIndex('ab')
  expect((await items.indexes()).map(({ name }) => name)).toEqual(['_id_', 'gone'])
})

test('an index covers existing documents, and is built when the command is answered', async () => {
  const items = db.collection<{ _id: number; n: number }>('later')
  await items.insertMany(Array.from({ length: 2_000 }, (_, n) => ({ _id: n, n })))
  expect(await items.createIndex({ n: 1 }, { unique: true, name: 'n' })).toBe('n')
  await expect(items.insertOne({ _id: -1, n: 7 })).rejects.toMatchObject({ code: 11000 })
  const { queryPlanner } = await items.find({ n: 7 }).explain('queryPlanner')
  expect(JSON.stringify(queryPlanner.winningPlan)).toContain('"indexName":"n"')
})

test('a unique index over duplicates is refused with 11000', async () => {
  const items = db.collection<{ _id: number; n: number }>('twice')
  await items.insertMany([
    { _id: 1, n: 1 },
    { _id: 2, n: 1 },
  ])
  await expect(items.createIndex({ n: 1 }, { unique: true })).rejects.toMatchObject({ code: 11000 })
  expect(await items.indexes()).toHaveLength(1)
})

test('indexes of several collections are built at the same time', slow, async () => {
  await Promise.all(
    Array.from({ length: 6 }, async (_, n) => {
      const items = db.collection<{ _id: number }>(`side${n}`)
      await items.insertOne({ _id: 1 })
      await items.createIndexes([{ key: { a: 1 } }, { key: { b: 1 }, unique: true, sparse: true }])
      expect(await items.indexes()).toHaveLength(3)
    }),
  )
})

test.each(['empty', 'filled'])(
  'the same name for another key answers 86 or 85, in a collection that is %s',
  async (name) => {
    const items = db.collection(name)
    await items.createIndex({ a: 1 }, { name: 'x' })
    if (name === 'filled') await items.insertOne({ a: 1 })
    const failure = await items.createIndex({ b: 1 }, { name: 'x' }).catch((error) => error)
    expect([85, 86]).toContain(failure.code)
    expect(await items.createIndex({ a: 1 }, { name: 'x' })).toBe('x')
  },
)

test('a TTL index deletes only expired documents', deep, async () => {
  const items = db.collection<{ _id: string; at: Date }>('expiring')
  await items.createIndex({ at: 1 }, { expireAfterSeconds: 1 })
  await items.insertMany([
    { _id: 'old', at: new Date(Date.now() - 60_000) },
    { _id: 'new', at: new Date(Date.now() + 600_000) },
  ])
  await expect.poll(() => items.distinct('_id'), { timeout: 150_000, interval: 500 }).toEqual(['new'])
})

test('collections and databases are listed, measured and dropped', async () => {
  const items = db.collection<{ _id: number; text: string }>('measured')
  await items.insertMany(Array.from({ length: 100 }, (_, n) => ({ _id: n, text: 'x'.repeat(100) })))
  expect((await db.listCollections({ name: 'measured' }).toArray()).map(({ name }) => name)).toEqual(['measured'])
  const { databases } = await client.db().admin().listDatabases({ nameOnly: true })
  expect(databases.map(({ name }) => name)).toContain('mongod-indexes')
  expect(await db.command({ collStats: 'measured' })).toMatchObject({ ns: 'mongod-indexes.measured', nindexes: 1 })
  expect(await db.command({ dbStats: 1 })).toMatchObject({ db: 'mongod-indexes', ok: 1 })
  expect(await items.drop()).toBe(true)
  expect(await db.listCollections({ name: 'measured' }).toArray()).toEqual([])
  expect(await items.countDocuments()).toBe(0)
})
