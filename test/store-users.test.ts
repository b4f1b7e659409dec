import { Redis } from 'ioredis'
import { type Db, MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { serviceNames, services } from '../services/services.ts'
import { storeUsersOf } from '../services/store-users.ts'

const NAMESPACE = `users-${crypto.randomUUID().slice(0, 8)}`
const REFUSED = /not authorized/
const ofMongodb = Object.keys(inject('mongodbUrls'))
const ofRedis = Object.keys(inject('redisUrls'))
/** Containers and stores of your own have one user. */
const hasUsers = ofMongodb.every((name) => new URL(inject('mongodbUrls')[name] ?? '').username === name)

test('each service with the address of a store has a user there, with a database or keys of its own', () => {
  const { mongodb, redis } = storeUsersOf('ns')
  const having = (credential: 'MONGODB_URL' | 'REDIS_URL') =>
    serviceNames.filter((name) => services[name].credentials.includes(credential))
  expect(mongodb).toEqual(Object.fromEntries(having('MONGODB_URL').map((name) => [name, `ns_${name}`])))
  expect(Object.keys(redis)).toEqual(having('REDIS_URL'))
  for (const patterns of Object.values(redis)) {
    expect(patterns.length).toBeGreaterThan(0)
    for (const pattern of patterns) expect(pattern).toMatch(/^ns:\{/)
  }
})

describe.runIf(hasUsers)('a user of MongoDB', () => {
  const clients: Record<string, MongoClient> = {}
  const ownDb = (name: string): Db => (clients[name] as MongoClient).db(`${NAMESPACE}_${name}`)

  beforeAll(async () => {
    for (const name of ofMongodb) clients[name] = await MongoClient.connect(inject('mongodbUrls')[name] ?? '')
    await Promise.all(
      ofMongodb.map((name) =>
        ownDb(name)
          .collection('things')
          .insertMany([{ n: 1 }, { n: 2 }]),
      ),
    )
  })
  afterAll(async () => {
    await using admin = await MongoClient.connect(inject('mongodbUrl'))
    for (const name of ofMongodb) await admin.db(`${NAMESPACE}_${name}`).dropDatabase()
    for (const client of Object.values(clients)) await client.close()
  })

  test.each(ofMongodb)('%s: works in its own database, and in that of no other', async (name) => {
    const things = ownDb(name).collection('things')
    await things.createIndex({ n: 1 }, { unique: true })
    expect(await things.find({}, { batchSize: 1 }).toArray()).toHaveLength(2)
    for (const other of [...ofMongodb.filter((each) => each !== name), 'mail', 'gateway']) {
      const db = clients[name]?.db(`${NAMESPACE}_${other}`) as Db
      await expect(db.collection('things').findOne()).rejects.toThrow(REFUSED)
      await expect(db.collection('things').insertOne({})).rejects.toThrow(REFUSED)
      await expect(db.listCollections().toArray()).rejects.toThrow(REFUSED)
    }
  })

  test('does not get into another database by a command of its own, nor by a cursor', async () => {
    const guests = ownDb('guests')
    const into = { db: `${NAMESPACE}_sso`, coll: 'things' }
    const things = guests.collection('things')
    await expect(things.aggregate([{ $merge: { into } }]).toArray()).rejects.toThrow(REFUSED)
    await expect(things.aggregate([{ $out: into }]).toArray()).rejects.toThrow(REFUSED)
    // Words of a search are no stages.
    expect(await things.aggregate([{ $match: { word: '$out' } }]).toArray()).toEqual([])
    await expect(clients.guests?.db('admin').admin().listDatabases()).rejects.toThrow(REFUSED)
    await expect(guests.dropDatabase()).rejects.toThrow(REFUSED)
    const rename = { renameCollection: `${NAMESPACE}_sso.things`, to: `${NAMESPACE}_guests.mine` }
    await expect(clients.guests?.db('admin').command(rename)).rejects.toThrow(REFUSED)
    const { cursor } = await ownDb('sso').command({ find: 'things', batchSize: 1 }, { promoteLongs: false })
    await expect(guests.command({ getMore: cursor.id, collection: 'things' })).rejects.toThrow(
      /cursor id \d+ not found/,
    )
    expect((await guests.command({ killCursors: 'things', cursors: [cursor.id] })).cursorsKilled).toEqual([])
    const rest = await ownDb('sso').command({ getMore: cursor.id, collection: 'things' })
    expect(rest.cursor.nextBatch).toHaveLength(1)
  })

  test('is refused with the password of another, and like one whose name nobody has', async () => {
    const messageFor = async (user: string, password: string) => {
      const url = new URL(inject('mongodbUrls').guests ?? '')
      url.username = user
      url.password = password
      return MongoClient.connect(url.href).catch(({ message }: Error) => message)
    }
    const { password } = new URL(inject('mongodbUrls').sso ?? '')
    expect(await messageFor('guests', password)).toBe('Authentication failed.')
    expect(await messageFor('nobody', password)).toBe('Authentication failed.')
  })
})

describe.runIf(hasUsers)('a user of Redis', () => {
  const clients: Record<string, Redis> = {}
  beforeAll(() => {
    for (const name of ofRedis) clients[name] = new Redis(inject('redisUrls')[name] ?? '')
  })
  afterAll(() => {
    for (const client of Object.values(clients)) client.disconnect()
  })

  /** A key of each user that no other has. */
  const OWN: Record<string, string> = { checkin: '{e}:entered:p', mail: '{mail}:partner:p' }

  test.each(ofRedis)('%s: works with its own keys, and with those of no other', async (name) => {
    const redis = clients[name] as Redis
    for (const [owner, key] of Object.entries(OWN)) {
      const own = `${NAMESPACE}:${key}`
      const read = redis.eval('return redis.call("EXISTS", KEYS[1])', 1, own)
      const written = redis.sadd(own, 'x')
      if (owner === name) expect(await Promise.all([read, written, redis.del(own)])).toEqual([0, 1, 1])
      else for (const each of [read, written]) await expect(each).rejects.toThrow(/NOPERM|[Nn]o permissions/)
    }
    for (const command of ['keys *', 'scan 0', 'flushall', 'config get *', 'acl list']) {
      const [first = '', ...rest] = command.split(' ')
      await expect(redis.call(first, ...rest)).rejects.toThrow(/NOPERM/)
    }
  })

  test('the changes of events are those of guests and checkin, and not of mail', async () => {
    const key = `${NAMESPACE}:{e}:changes`
    expect(await clients.guests?.rpush(key, 'x')).toBe(1)
    expect(await clients.checkin?.lrange(key, 0, -1)).toEqual(['x'])
    await expect(clients.mail?.lrange(key, 0, -1)).rejects.toThrow(/NOPERM/)
    await clients.guests?.del(key)
  })
})
