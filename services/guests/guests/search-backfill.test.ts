import { makeLog } from '@gatehouse/proto/process/log.ts'
import { ScopedCache } from '@gatehouse/proto/storage/scoped-cache.ts'
import { startReplica } from '@gatehouse/test/harness/replica.ts'
import { startSystem } from '@gatehouse/test/harness/system.ts'
import { proxyTo } from '@gatehouse/test/harness/tcp-proxy.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { type CommandStartedEvent, type Db, type Document, MongoClient } from 'mongodb'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { testGuest } from '../test-guest.ts'
import { SEARCH_RULE, searchWords } from './search.ts'
import { type Migration, SearchBackfill } from './search-backfill.ts'
import { GuestStore } from './store.ts'
import type { StoredGuest } from './stored-guest.ts'

const GUESTS = 95
const BATCH = 10
const log = makeLog('test', 'silent')

const guestsOf = (db: Db) => db.collection<StoredGuest>('guests')
const migrationsOf = (db: Db) => db.collection<Migration>('migrations')
const stateOf = (db: Db) => migrationsOf(db).findOne({ _id: 'guests.search_words' })
const outdate = async (db: Db): Promise<void> => {
  await guestsOf(db).updateMany({}, { $set: { search_words: ['old'] } })
  await migrationsOf(db).updateOne({ _id: 'guests.search_words' }, { $set: { rule: 'old' } })
}

test('guests who were stored with fewer words are found after the start of a service, and are not changed otherwise', async () => {
  const system = await startSystem()
  const client = new MongoClient(inject('mongodbUrl'))
  try {
    const db = client.db(`${system.namespace}_guests`)
    const testEvent = await TestEvent.open(system)
    // A new installation has nothing to renew.
    await expect.poll(() => stateOf(db)).toMatchObject({ passes: 2, last_id: '' })
    const _id = await testEvent.guest(await testEvent.category(), 'ada-1815')
    const path = `guests/${_id}.json`
    const before = await testEvent.read(path)
    await outdate(db)
    const find = () => testEvent.read('guests.json?search=ada').then((guests) => guests.length)
    expect(await find()).toBe(0)
    const replica = await startReplica('guests', system)
    await expect.poll(find).toBe(1)
    expect(await testEvent.read(path)).toEqual(before)
    await replica.stop()
  } finally {
    await client.close()
    await system.stop()
  }
})

describe('the renewal of search words', () => {
  const client = new MongoClient(inject('mongodbUrl'), { monitorCommands: true })
  const name = `test-${crypto.randomUUID()}`
  const db = client.db(name)
  let sent: Document[] = []

  beforeAll(async () => {
    const guests = new GuestStore(db, new ScopedCache())
    await guests.prepare()
    const all = Array.from({ length: GUESTS }, (_, n) => testGuest({ _id: idOf(n), last_name: `Visitor${n}` }))
    await guests.insertAll(all)
    client.on('commandStarted', ({ command }) => {
      if (command.find === 'guests') sent.push(command)
    })
  })
  beforeEach(async () => {
    await outdate(db)
    sent = []
  })
  afterAll(async () => {
    await db.dropDatabase()
    await client.close()
  })

  const idOf = (n: number) => `guest-${String(n).padStart(4, '0')}`
  const backfillOf = () => new SearchBackfill({ db, log, batchSize: BATCH, secondPassMs: 0 })
  const begins = () => sent.map(({ filter }) => filter._id?.$gt)
  const renewed = () => guestsOf(db).countDocuments({ search_words: { $ne: 'old' } })
  const done = () => expect.poll(() => stateOf(db)).toMatchObject({ rule: SEARCH_RULE, passes: 2 })

  test('reads all guests twice, in batches, and then no more', async () => {
    const first = backfillOf()
    first.start()
    await done()
    await first.stop()
    expect(await renewed()).toBe(GUESTS)
    const pass = ['', ...Array.from({ length: 9 }, (_, batch) => idOf(batch * BATCH + BATCH - 1))]
    expect(begins().slice(-20)).toEqual([...pass, ...pass])

    sent = []
    const again = new SearchBackfill({ db, log })
    const looks: unknown[] = []
    client.on('commandSucceeded', ({ commandName }) => commandName === 'find' && looks.push(commandName))
    again.start()
    // What is done, twice; guests would be read at once then.
    await expect.poll(() => looks).toHaveLength(2)
    await db.command({ ping: 1 })
    await again.stop()
    expect(sent).toEqual([])
  })

  test('goes on where another process was interrupted', async () => {
    const interrupted = backfillOf()
    const stopped = new Promise<void>((resolve) => {
      client.on('commandStarted', ({ command }) => {
        if (command.findAndModify !== 'migrations') return
        if (command.update.$max?.last_id === idOf(4 * BATCH - 1)) resolve(interrupted.stop())
      })
    })
    interrupted.start()
    await stopped
    expect(await renewed()).toBe(4 * BATCH)
    expect(await stateOf(db)).toMatchObject({ passes: 0, last_id: idOf(4 * BATCH - 1) })

    sent = []
    const next = backfillOf()
    next.start()
    await done()
    await next.stop()
    expect(begins()[0]).toBe(idOf(4 * BATCH - 1))
    expect(await renewed()).toBe(GUESTS)
  })

  test('by two processes at once renews every guest', async () => {
    const both = [backfillOf(), backfillOf()]
    for (const each of both) each.start()
    await done()
    await Promise.all(both.map((each) => each.stop()))
    expect(await renewed()).toBe(GUESTS)
  })

  test('leaves a guest as it is who has changed since it was read', async () => {
    const proxy = await proxyTo(inject('mongodbUrl'))
    const slow = new MongoClient(proxy.url, { monitorCommands: true })
    // Its first write waits until the guest is changed.
    const waiting = new Promise<void>((resolve) => {
      const look = ({ command }: CommandStartedEvent): void => {
        if (command.update !== 'guests') return
        slow.off('commandStarted', look)
        proxy.freeze()
        resolve()
      }
      slow.on('commandStarted', look)
    })
    // The second pass would put right what the first one does wrong.
    const backfill = new SearchBackfill({ db: slow.db(name), log, batchSize: BATCH })
    try {
      backfill.start()
      await waiting
      const store = new GuestStore(db, new ScopedCache())
      const guest = (await store.get('event', idOf(3))) as StoredGuest
      await store.update(guest, { last_name: 'Lovelace' })
      proxy.thaw()
      await expect.poll(() => stateOf(db)).toMatchObject({ passes: 1 })
      const changed = (await store.get('event', idOf(3))) as StoredGuest
      expect(changed).toMatchObject({ last_name: 'Lovelace', search_words: searchWords(changed) })
      expect(changed.search_words).toContain('lovelace')
    } finally {
      await backfill.stop()
      await slow.close()
      await proxy.close()
    }
  })
})
