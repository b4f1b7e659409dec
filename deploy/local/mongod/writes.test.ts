import { slow } from '@gatehouse/test/rounds.ts'
import { type Collection, MongoBulkWriteError, MongoClient, MongoServerError } from 'mongodb'
import { afterAll, beforeEach, expect, inject, test } from 'vitest'

interface Item {
  _id: string | number
  // biome-ignore lint/suspicious/noExplicitAny: each test has fields of its own
  [field: string]: any
}

let items: Collection<Item>
let round = 0

const client = await MongoClient.connect(inject('mongodbUrl'))
beforeEach(() => {
  items = client.db('mongod-writes').collection(`items${round++}`)
})
afterAll(async () => {
  await client.db('mongod-writes').dropDatabase()
  await client.close()
})

async function failureOf(work: Promise<unknown>): Promise<MongoServerError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(MongoServerError)
  return error as MongoServerError
}

test('inserted documents are found, changed, counted and deleted', async () => {
  expect((await items.insertOne({ _id: 'a', name: 'Ada' })).insertedId).toBe('a')
  await items.insertMany([
    { _id: 'b', name: 'Bo', n: 1 },
    { _id: 'c', name: 'Cy', n: 2 },
  ])
  expect(await items.findOne({ _id: 'b' })).toEqual({ _id: 'b', name: 'Bo', n: 1 })
  const sorted = items.find({ n: { $gte: 1 } }, { projection: { _id: 1 }, sort: { n: -1 } })
  expect(await sorted.toArray()).toEqual([{ _id: 'c' }, { _id: 'b' }])
  expect(await items.updateOne({ _id: 'b' }, { $inc: { n: 10 } })).toMatchObject({ matchedCount: 1, modifiedCount: 1 })
  expect(await items.replaceOne({ _id: 'c' }, { name: 'Cyd', n: 3 })).toMatchObject({ modifiedCount: 1 })
  expect(await items.updateMany({}, { $set: { seen: true } })).toMatchObject({ matchedCount: 3, modifiedCount: 3 })
  expect(await items.countDocuments({ n: { $gt: 2 } })).toBe(2)
  expect(await items.estimatedDocumentCount()).toBe(3)
  expect((await items.distinct('name')).sort()).toEqual(['Ada', 'Bo', 'Cyd'])
  expect(await items.deleteMany({ n: { $exists: true } })).toMatchObject({ deletedCount: 2 })
  expect(await items.deleteOne({ _id: 'a' })).toMatchObject({ deletedCount: 1 })
  expect(await items.findOne({})).toBeNull()
})

test('every BSON type and any text comes back as it went in', async () => {
  const { Binary, Decimal128, Long, ObjectId, Timestamp } = await import('bson')
  const document = {
    _id: 'types',
    text: 'Zoë Ångström ⚡ 東京 "quoted" \u0001',
    id: new ObjectId(),
    date: new Date('2024-02-29T12:34:56.789Z'),
    big: Long.fromString('9007199254740993'),
    decimal: Decimal128.fromString('1234.5678'),
    bytes: new Binary(Buffer.from([0, 1, 127, 128, 255])),
    pattern: /^a.*z$/i,
    stamp: new Timestamp({ t: 1, i: 2 }),
    nothing: null,
    nested: { list: [1, 'two', { three: 3.5 }, []], yes: true },
  }
  await items.insertOne(document)
  expect(await items.findOne({ _id: 'types' }, { promoteLongs: false })).toEqual(document)
})

test('a bulk of 5,000 documents goes in, with the counts of each kind of write', async () => {
  const result = await items.bulkWrite(
    [
      ...Array.from({ length: 5_000 }, (_, n) => ({ insertOne: { document: { _id: n, n } } })),
      { updateMany: { filter: { n: { $lt: 10 } }, update: { $set: { low: true } } } },
      { updateOne: { filter: { _id: 'new' }, update: { $set: { n: -1 } }, upsert: true } },
      { deleteOne: { filter: { _id: 4_999 } } },
    ],
    { ordered: false },
  )
  expect(result).toMatchObject({ insertedCount: 5_000, modifiedCount: 10, upsertedCount: 1, deletedCount: 1 })
  expect(await items.countDocuments()).toBe(5_000)
})

test('a taken _id answers 11000 with its pattern and value', async () => {
  await items.insertOne({ _id: 'a' })
  const failure = await failureOf(items.insertOne({ _id: 'a' }))
  expect(failure).toMatchObject({ code: 11000, keyPattern: { _id: 1 }, keyValue: { _id: 'a' } })
  expect(failure.message).toMatch(/E11000 .* index: _id_ /)
})

test('an ordered bulk stops at the first duplicate, an unordered one goes on', async () => {
  const batch = () => [{ _id: 1 }, { _id: 2 }, { _id: 1 }, { _id: 3 }]
  const ordered = await failureOf(items.insertMany(batch()))
  expect(ordered).toBeInstanceOf(MongoBulkWriteError)
  expect((ordered as MongoBulkWriteError).result.insertedCount).toBe(2)
  expect(await items.distinct('_id')).toEqual([1, 2])

  await items.deleteMany({})
  const unordered = (await failureOf(items.insertMany(batch(), { ordered: false }))) as MongoBulkWriteError
  expect([unordered.writeErrors].flat()).toMatchObject([{ index: 2, code: 11000 }])
  expect(unordered.result.insertedCount).toBe(3)
  expect(await items.distinct('_id')).toEqual([1, 2, 3])
})

test('a unique index refuses updates, replacements and findAndModify as well, naming itself', async () => {
  await items.createIndex({ email: 1 }, { unique: true, name: 'email_once' })
  await items.insertMany([
    { _id: 'a', email: 'a@x' },
    { _id: 'b', email: 'b@x' },
  ])
  const take = { $set: { email: 'a@x' } }
  for (const work of [
    () => items.insertOne({ _id: 'c', email: 'a@x' }),
    () => items.updateOne({ _id: 'b' }, take),
    () => items.replaceOne({ _id: 'b' }, { email: 'a@x' }),
    () => items.findOneAndUpdate({ _id: 'b' }, take),
    () => items.updateOne({ _id: 'd' }, take, { upsert: true }),
    () => items.bulkWrite([{ updateOne: { filter: { _id: 'b' }, update: take } }]),
  ]) {
    const failure = await failureOf(work())
    expect(failure.code).toBe(11000)
    expect(failure.message).toContain('index: email_once')
  }
})

test('a partial unique index covers only documents that match its filter', async () => {
  const key = { event: 1, point: 1, uid: 1, slot: 1 } as const
  await items.createIndex(key, { unique: true, partialFilterExpression: { access_status: 0 }, name: 'slots' })
  const scan = { event: 'e', point: 'p', uid: 'u', slot: 1 }
  await items.insertMany([
    { _id: 1, ...scan, access_status: 3 },
    { _id: 2, ...scan, access_status: 3 },
    { _id: 3, ...scan, access_status: 0 },
  ])
  const batch = [
    { _id: 4, ...scan, access_status: 0 },
    { _id: 5, ...scan, slot: 2, access_status: 0 },
  ]
  const failure = (await failureOf(items.insertMany(batch, { ordered: false }))) as MongoBulkWriteError
  expect([failure.writeErrors].flat()[0]?.err).toMatchObject({ index: 0, code: 11000 })
  expect((await items.distinct('_id')).sort()).toEqual([1, 2, 3, 5])
})

test('of many sessions that insert the same key at once exactly one succeeds', async () => {
  await items.createIndex({ key: 1 }, { unique: true })
  for (let key = 0; key < 5; key++) {
    const tries = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) => items.insertOne({ _id: `${key}-${n}`, key })),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of tries) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 11000 })
  }
})

test('of batches with the same keys in opposite order each key goes in once', async () => {
  await items.createIndex({ key: 1 }, { unique: true })
  const keys = Array.from({ length: 50 }, (_, key) => key)
  const batches = [keys, keys.toReversed(), keys, keys.toReversed()].map((list, batch) =>
    list.map((key) => ({ _id: `${batch}-${key}`, key })),
  )
  const outcomes = await Promise.allSettled(batches.map((batch) => items.insertMany(batch, { ordered: false })))
  for (const outcome of outcomes)
    if (outcome.status === 'rejected')
      for (const { code } of [(outcome.reason as MongoBulkWriteError).writeErrors].flat()) expect(code).toBe(11000)
  expect((await items.distinct('key')).length).toBe(50)
  expect(await items.countDocuments()).toBe(50)
})

test('racing upserts of one key leave one document and fail with 11000 at worst', async () => {
  await items.createIndex({ key: 1 }, { unique: true })
  const tries = await Promise.allSettled(
    Array.from({ length: 20 }, () => items.updateOne({ key: 'k' }, { $inc: { n: 1 } }, { upsert: true })),
  )
  for (const one of tries) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 11000 })
  const done = tries.filter(({ status }) => status === 'fulfilled').length
  expect(await items.find({}, { projection: { _id: 0 } }).toArray()).toEqual([{ key: 'k', n: done }])
})

test('racing conditional updates never go beyond the condition', async () => {
  await items.insertOne({ _id: 'code', used: 0, max: 7 })
  const take = () =>
    items.findOneAndUpdate(
      { _id: 'code', $expr: { $lt: ['$used', '$max'] } },
      [{ $set: { used: { $add: ['$used', 1] } } }],
      { returnDocument: 'after' },
    )
  const taken = (await Promise.all(Array.from({ length: 25 }, take))).filter(Boolean)
  expect(taken.map((document) => document?.used).sort()).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(await items.findOne({ _id: 'code' })).toMatchObject({ used: 7 })
})

test('findAndModify upserts, removes, sorts and projects', async () => {
  const after = { returnDocument: 'after', upsert: true } as const
  expect(await items.findOneAndUpdate({ _id: 'a' }, { $set: { n: 1 }, $setOnInsert: { m: 2 } }, after)).toEqual({
    _id: 'a',
    n: 1,
    m: 2,
  })
  await items.insertOne({ _id: 'b', n: 5 })
  expect(
    await items.findOneAndUpdate({}, { $inc: { n: 1 } }, { sort: { n: -1 }, projection: { n: 1, _id: 0 } }),
  ).toEqual({ n: 5 })
  expect(await items.findOneAndDelete({ _id: 'a' })).toMatchObject({ _id: 'a' })
  expect(await items.findOneAndReplace({ _id: 'b' }, { z: 1 }, { returnDocument: 'after' })).toEqual({ _id: 'b', z: 1 })
  expect(await items.findOneAndUpdate({ _id: 'none' }, { $set: { n: 1 } })).toBeNull()
})

interface Person {
  _id: string
  list: number[]
  people: { id: number; n: number; seen?: boolean }[]
}

test('arrays are pushed to, pulled from and updated by position', async () => {
  const items = client.db('mongod-writes').collection<Person>(`people${round}`)
  await items.insertOne({
    _id: 'a',
    list: [1, 2, 3],
    people: [
      { id: 1, n: 1 },
      { id: 2, n: 2 },
    ],
  })
  await items.updateOne({ _id: 'a' }, { $push: { list: { $each: [4, 5], $slice: -4 } }, $pull: { people: { id: 1 } } })
  await items.updateOne({ _id: 'a', 'people.id': 2 }, { $inc: { 'people.$.n': 10 } })
  await items.updateOne({ _id: 'a' }, { $set: { 'people.$[one].seen': true } }, { arrayFilters: [{ 'one.id': 2 }] })
  await items.updateOne({ _id: 'a' }, { $addToSet: { list: 2 } })
  expect(await items.findOne({ _id: 'a' })).toEqual({
    _id: 'a',
    list: [2, 3, 4, 5],
    people: [{ id: 2, n: 12, seen: true }],
  })
})

test('a document of more than 16 MB is refused, the next one is served', slow, async () => {
  const failure = await items
    .insertOne({ _id: 'big', text: 'x'.repeat(17 * 1024 ** 2) })
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Error)
  await items.insertOne({ _id: 'small' })
  await items.insertOne({ _id: 'large', text: 'x'.repeat(10 * 1024 ** 2) })
  expect((await items.findOne({ _id: 'large' }))?.text).toHaveLength(10 * 1024 ** 2)
})
