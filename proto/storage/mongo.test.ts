import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { proxyTo } from '@gatehouse/test/harness/tcp-proxy.ts'
import { deep, slow } from '@gatehouse/test/rounds.ts'
import { expect, inject, onTestFinished, test } from 'vitest'
import { expireAfterDays, insertEachOnce, openStore } from './mongo.ts'

/** A store behind a proxy that keeps to itself what `swallows` says, and how often it did. */
async function proxied(swallows: (bytes: Buffer | string) => boolean) {
  const { hostname, port, host } = new URL(inject('mongodbUrl'))
  const sockets: Socket[] = []
  let swallowed = 0
  const between = createServer((client) => {
    const server = connect(Number(port), hostname)
    sockets.push(client, server)
    for (const [from, to] of [[client, server] as const, [server, client] as const]) {
      from.on('error', () => {}).on('close', () => to.destroy())
      from.on('data', (bytes) => {
        if (swallows(bytes)) swallowed++
        else to.write(bytes)
      })
    }
  }).listen(0, '127.0.0.1')
  await once(between, 'listening')
  const { port: ownPort } = between.address() as AddressInfo
  const store = await openStore(inject('mongodbUrl').replace(host, `127.0.0.1:${ownPort}`), 'mongo', 'test')
  return {
    store,
    swallowed: () => swallowed,
    close: async () => {
      await store.close()
      for (const socket of sockets) socket.destroy()
      between.close()
    },
  }
}

test('an operation on a connection that died unnoticed fails, and the next works; so does a ping', deep, async () => {
  let swallows = false
  const { store, close } = await proxied(() => swallows)
  const find = () => store.db.collection('any').findOne()
  try {
    await Promise.all([find(), store.ping()])
    swallows = true
    await Promise.all([expect(find()).rejects.toThrow(), expect(store.ping()).rejects.toThrow()])
    swallows = false
    await Promise.all([find(), store.ping()])
  } finally {
    await close()
  }
})

test('a ping is answered while requests hold all connections of the store', async () => {
  const { store, swallowed, close } = await proxied((bytes) => bytes.includes('held-for-ever'))
  onTestFinished(() => close())
  const requests = Array.from({ length: 20 }, () => store.db.collection('held-for-ever').findOne())
  for (const request of requests) request.catch(() => {})
  await expect.poll(swallowed).toBe(16)
  await Promise.all([store.ping(), store.ping()])
  // No request gave up its connection meanwhile: another one would have taken it.
  expect(swallowed()).toBe(16)
})

test('a ping is answered once the store is back, though the first one failed without it', slow, async () => {
  const proxy = await proxyTo(inject('mongodbUrl'))
  const store = await openStore(proxy.url, `mongo-${crypto.randomUUID()}`, 'test')
  onTestFinished(async () => {
    await store.close()
    await proxy.close()
  })
  proxy.cut()
  await expect(store.ping()).rejects.toThrow()
  proxy.mend()
  await expect.poll(() => store.ping()).toBeUndefined()
})

test('inserting many gives each stored document, or undefined if another has its place', async () => {
  const store = await openStore(inject('mongodbUrl'), `mongo-${crypto.randomUUID()}`, 'test')
  onTestFinished(async () => {
    await store.db.dropDatabase()
    await store.close()
  })
  const things = store.db.collection<{ _id: string; name: string }>('things')
  await things.createIndex({ name: 1 }, { unique: true })
  await things.insertOne({ _id: '1', name: 'one' })
  const given = [
    { _id: '1', name: 'one, tried again' },
    { _id: '2', name: 'one' },
    { _id: '3', name: 'three' },
    { _id: '4', name: 'three' },
  ]
  const [again, taken, ...rest] = await insertEachOnce(things, given)
  expect([again, taken]).toEqual([{ _id: '1', name: 'one' }, undefined])
  // Of two in one go either may have been the first.
  expect(rest.filter(Boolean)).toHaveLength(1)
  expect(await things.countDocuments()).toBe(2)
  expect(await insertEachOnce(things, [{ _id: '5', name: 'five' }])).toEqual([{ _id: '5', name: 'five' }])
})

test('documents expire after the days that were set last, whether the collection exists or not', async () => {
  const store = await openStore(inject('mongodbUrl'), `mongo-${crypto.randomUUID()}`, 'test')
  onTestFinished(async () => {
    await store.db.dropDatabase()
    await store.close()
  })
  const notes = store.db.collection('notes')
  const seconds = async () => (await notes.indexes()).flatMap(({ expireAfterSeconds }) => expireAfterSeconds ?? [])
  for (const days of [30, 30, 7, 3_650]) {
    await expireAfterDays(store.db, 'notes', 'created_at', days)
    expect(await seconds()).toEqual([days * 86_400])
  }
})
