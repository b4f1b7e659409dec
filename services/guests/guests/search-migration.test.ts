// @module-tag slow
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { Migrations } from '@gatehouse/proto/storage/migrations/migrations.ts'
import type { StoredProgress } from '@gatehouse/proto/storage/migrations/progress.ts'
import { startReplica } from '@gatehouse/test/harness/replica.ts'
import { startSystem } from '@gatehouse/test/harness/system.ts'
import { proxyTo } from '@gatehouse/test/harness/tcp-proxy.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { type CommandStartedEvent, type Db, MongoClient } from 'mongodb'
import { expect, inject, test } from 'vitest'
import { testGuest } from '../test-guest.ts'
import { searchWords } from './search.ts'
import { searchMigration } from './search-migration.ts'
import { GuestStore } from './store.ts'
import type { StoredGuest } from './stored-guest.ts'

const guestsOf = (db: Db) => db.collection<StoredGuest>('guests')
const progressesOf = (db: Db) => db.collection<StoredProgress>('migrations')
const progress = (db: Db) => progressesOf(db).findOne({ _id: searchMigration.name })

test('guests who were stored with fewer words are found after the start of a service, and are not changed otherwise', async () => {
  const system = await startSystem()
  const client = new MongoClient(inject('mongodbUrl'))
  try {
    const db = client.db(`${system.namespace}_guests`)
    const testEvent = await TestEvent.open(system)
    // A new installation has nothing to renew.
    await expect.poll(() => progress(db)).toMatchObject({ passes: 2, last_id: '' })
    const _id = await testEvent.guest(await testEvent.category(), 'ada-1815')
    const path = `guests/${_id}.json`
    const before = await testEvent.read(path)
    await guestsOf(db).updateMany({}, { $set: { search_words: ['old'] } })
    await progressesOf(db).updateOne({ _id: searchMigration.name }, { $set: { rule: 'old' } })
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

test('the renewal of search words leaves a guest as it is who has changed since it was read', async () => {
  const client = new MongoClient(inject('mongodbUrl'))
  const db = client.db(`test-${crypto.randomUUID()}`)
  const proxy = await proxyTo(inject('mongodbUrl'))
  const slow = new MongoClient(proxy.url, { monitorCommands: true })
  const store = new GuestStore(db)
  const read = async (): Promise<StoredGuest> => (await store.get('event', 'ada')) as StoredGuest
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
  const log = makeLog('test', 'silent')
  // The second pass, which would put right what the first one does wrong, is a minute away.
  const migrations = new Migrations({ db: slow.db(db.databaseName), log, migrations: [searchMigration] })
  try {
    await store.prepare()
    await store.insertAll([testGuest({ _id: 'ada', last_name: 'Byron' })])
    await guestsOf(db).updateMany({}, { $set: { search_words: ['old'] } })
    migrations.start()
    await waiting
    await store.update(await read(), { last_name: 'Lovelace' })
    proxy.thaw()
    await expect.poll(() => progress(db)).toMatchObject({ passes: 1 })
    const changed = await read()
    expect(changed).toMatchObject({ last_name: 'Lovelace', search_words: searchWords(changed) })
    expect(changed.search_words).toContain('lovelace')
  } finally {
    await migrations.stop()
    await db.dropDatabase()
    await Promise.all([client.close(), slow.close()])
    await proxy.close()
  }
})
