import { slow } from '@gatehouse/test/rounds.ts'
import { type Document, Long, MongoClient } from 'mongodb'
import { afterAll, expect, inject, test } from 'vitest'

const COUNT = 3_500

interface Guest {
  _id: number
  event: string
  uid: string
  tags: string[]
  status: number
}

const client = await MongoClient.connect(inject('mongodbUrl'))
const db = client.db('mongod-reads')
await db.dropDatabase()
const guests = db.collection<Guest>('guests')
await guests.createIndexes([
  { key: { event: 1, _id: 1 }, name: 'list' },
  { key: { event: 1, uid: 1 }, name: 'uid', unique: true },
  { key: { event: 1, tags: 1 }, name: 'tags' },
])
await guests.insertMany(
  Array.from({ length: COUNT }, (_, n) => ({
    _id: n,
    event: n % 2 ? 'odd' : 'even',
    uid: `u${n}`,
    tags: [`t${n % 100}`, 'all'],
    status: n % 4,
  })),
)
await db.collection<Document & { _id: number }>('names').insertMany([
  { _id: 0, name: 'granted' },
  { _id: 1, name: 'unknown' },
])
afterAll(async () => {
  await client.db('mongod-reads').dropDatabase()
  await client.close()
})

const numbers = (from: number, to: number, step = 1) =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, n) => from + n * step)

test('a cursor hands out more than 3,000 documents, once each and in order', slow, async () => {
  const found = await guests.find({}, { sort: { _id: 1 }, batchSize: 500 }).toArray()
  expect(found.map(({ _id }) => _id)).toEqual(numbers(0, COUNT))
  const unsorted = await guests.find({}, { batchSize: 700 }).toArray()
  expect(unsorted.map(({ _id }) => _id).sort((a, b) => a - b)).toEqual(numbers(0, COUNT))
  const indexed = await guests.find({ event: 'even' }, { sort: { _id: -1 }, batchSize: 300 }).toArray()
  expect(indexed.map(({ _id }) => _id)).toEqual(numbers(0, COUNT, 2).reverse())
  const multikey = await guests.find({ event: 'odd', tags: 'all' }, { batchSize: 300 }).toArray()
  expect(new Set(multikey.map(({ _id }) => _id)).size).toBe(COUNT / 2)
})

test('an aggregation cursor goes on over many batches', async () => {
  const rows = await guests.aggregate([{ $sort: { _id: -1 } }, { $project: { _id: 1 } }], { batchSize: 400 }).toArray()
  expect(rows.map(({ _id }) => _id)).toEqual(numbers(0, COUNT).reverse())
})

test('several cursors are read side by side', async () => {
  const cursors = numbers(0, 5).map(() => guests.find({}, { sort: { _id: 1 }, batchSize: 10 }))
  for (let n = 0; n < 50; n++) for (const cursor of cursors) expect((await cursor.next())?._id).toBe(n)
  for (const cursor of cursors) await cursor.close()
})

test('a killed cursor, and one that never was, answer 43', async () => {
  const db = client.db('mongod-reads')
  const { cursor } = await db.command({ find: 'guests', batchSize: 2, sort: { status: 1 } }, { promoteLongs: false })
  const killed = await db.command(
    { killCursors: 'guests', cursors: [cursor.id, Long.fromNumber(77)] },
    { promoteLongs: false },
  )
  expect([killed.cursorsKilled, killed.cursorsNotFound].map((ids) => ids.map(String))).toEqual([
    [String(cursor.id)],
    ['77'],
  ])
  for (const id of [cursor.id, Long.fromNumber(77)])
    await expect(db.command({ getMore: id, collection: 'guests' })).rejects.toMatchObject({ code: 43 })
})

test('skip and limit cut out a page', async () => {
  const page = await guests.find({ event: 'even' }, { sort: { _id: 1 }, skip: 1_000, limit: 500 }).toArray()
  expect(page.map(({ _id }) => _id)).toEqual(numbers(2_000, 3_000, 2))
})

test('$group, $facet and $lookup give correct results', async () => {
  const groups = await guests
    .aggregate([{ $match: { event: 'even' } }, { $group: { _id: '$status', n: { $sum: 1 } } }, { $sort: { _id: 1 } }])
    .toArray()
  expect(groups).toEqual([
    { _id: 0, n: 875 },
    { _id: 2, n: 875 },
  ])
  const [facets] = await guests
    .aggregate([
      { $facet: { total: [{ $count: 'n' }], first: [{ $sort: { _id: 1 } }, { $limit: 2 }, { $project: { _id: 1 } }] } },
    ])
    .toArray()
  expect(facets).toEqual({ total: [{ n: COUNT }], first: [{ _id: 0 }, { _id: 1 }] })
  const joined = await guests
    .aggregate([
      { $match: { _id: { $lt: 2 } } },
      { $lookup: { from: 'names', localField: 'status', foreignField: '_id', as: 'named' } },
      { $unwind: '$named' },
      { $project: { name: '$named.name' } },
      { $sort: { _id: 1 } },
    ])
    .toArray()
  expect(joined).toEqual([
    { _id: 0, name: 'granted' },
    { _id: 1, name: 'unknown' },
  ])
})

test.each<[string, Document, Document, string]>([
  ['by its key', { event: 'even', uid: 'u2' }, {}, 'uid'],
  ['by an array element', { event: 'even', tags: 't6' }, {}, 'tags'],
  ['by the start of an array element', { event: 'even', tags: /^t6/ }, {}, 'tags'],
  ['as a list in order', { event: 'even' }, { _id: 1 }, 'list'],
  ['as a list backwards', { event: 'even' }, { _id: -1 }, 'list'],
  ['as a list from a bookmark on', { event: 'even', _id: { $gt: 1_000 } }, { _id: 1 }, 'list'],
])('explain shows that documents are found %s', async (_, filter, sort, index) => {
  const { queryPlanner } = await guests.find(filter, { sort, limit: 50 }).explain('queryPlanner')
  const plan = JSON.stringify(queryPlanner.winningPlan)
  expect(plan).toContain('"IXSCAN"')
  expect(plan).toContain(`"indexName":"${index}"`)
  expect(plan).not.toMatch(/"(SORT|COLLSCAN)"/)
})

test('explain shows a scan of the collection and a sort where no index helps', async () => {
  const { queryPlanner, executionStats } = await guests
    .find({ status: 3 }, { sort: { uid: 1 } })
    .explain('executionStats')
  expect(JSON.stringify(queryPlanner.winningPlan)).toMatch(/"SORT".*"COLLSCAN"/)
  expect(executionStats).toMatchObject({ nReturned: COUNT / 4, totalDocsExamined: COUNT })
})

test('a read that takes longer than it may answers 50', async () => {
  const other = { $match: { $expr: { $ne: ['$uid', '$$uid'] } } }
  const slow = guests.aggregate(
    [
      { $lookup: { from: 'guests', let: { uid: '$uid' }, pipeline: [other, { $count: 'n' }], as: 'others' } },
      { $group: { _id: null, n: { $sum: { $size: '$others' } } } },
    ],
    { maxTimeMS: 50 },
  )
  await expect(slow.toArray()).rejects.toMatchObject({ code: 50 })
})
