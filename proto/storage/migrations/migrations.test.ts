// @module-tag slow
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { proxyTo } from '@gatehouse/test/harness/tcp-proxy.ts'
import { killPoints } from '@gatehouse/test/rounds.ts'
import { type Collection, type Document, MongoClient } from 'mongodb'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import type { Migration } from './migration.ts'
import { Migrations } from './migrations.ts'
import type { StoredProgress } from './progress.ts'

/** A document whose form follows from a rule. */
interface Thing {
  _id: string
  form: string
  /** How often it was brought up to date. */
  times: number
}

const THINGS = 45
const BATCH = 10
const log = makeLog('test', 'silent')
const client = new MongoClient(inject('mongodbUrl'), { monitorCommands: true })
const name = `test-${crypto.randomUUID()}`
const db = client.db(name)
const things: Collection<Thing> = db.collection('things')
const progresses: Collection<StoredProgress> = db.collection('migrations')
/** Where each batch was read from, by any process. */
let reads: string[] = []

beforeAll(() => {
  client.on('commandStarted', ({ command }) => {
    if (command.find === 'things' && command.hint) reads.push(command.filter._id.$gt)
  })
})
beforeEach(async () => {
  await Promise.all([things.deleteMany({}), progresses.deleteMany({})])
  await things.insertMany(Array.from({ length: THINGS }, (_, n) => ({ _id: idOf(n), form: 'first', times: 0 })))
  reads = []
})
afterAll(async () => {
  await db.dropDatabase()
  await client.close()
})

const idOf = (n: number): string => `thing-${String(n).padStart(3, '0')}`
/** Where the batches of a pass begin; the last one is empty. */
const PASS = ['', idOf(9), idOf(19), idOf(29), idOf(39), idOf(44)]

function toRule(rule: string): Migration<Thing> {
  return {
    name: 'things.form',
    collection: 'things',
    rule,
    fields: ['form'],
    change: ({ _id, form }) =>
      form === rule ? undefined : { filter: { _id, form }, update: { $set: { form: rule }, $inc: { times: 1 } } },
  }
}

/** A process of a version. */
function versionOf(rule: string, options: object = {}, migrations = [toRule(rule)]): Migrations {
  return new Migrations({ db, log, migrations, batchSize: BATCH, lookMs: 20, awayMs: 0, leaseMs: 60_000, ...options })
}

const progress = (): Promise<StoredProgress | null> => progresses.findOne({ _id: 'things.form' })
const done = (rule = 'second') => expect.poll(progress).toMatchObject({ rule, passes: 2 })
const countOf = (filter: Document): Promise<number> => things.countDocuments(filter)
const doneOnce = () => countOf({ form: 'second', times: 1 })

test('all documents are read in batches, twice, and then never again', async () => {
  const first = versionOf('second')
  first.start()
  await done()
  await first.stop()
  expect(await doneOnce()).toBe(THINGS)
  expect(reads).toEqual([...PASS, ...PASS])

  const again = versionOf('second')
  const looks: string[] = []
  client.on('commandSucceeded', ({ commandName }) => commandName === 'findAndModify' && looks.push(commandName))
  again.start()
  // It looks for work, more than once.
  await expect.poll(() => looks.length).toBeGreaterThan(1)
  await again.stop()
  expect(reads).toHaveLength(2 * PASS.length)
})

test('a new installation has nothing to migrate', async () => {
  await things.deleteMany({})
  const first = versionOf('second')
  first.start()
  await done()
  await first.stop()
  expect(reads).toEqual([])
})

test('a process goes on at once where another was stopped', async () => {
  const stopped = versionOf('second')
  const stopping = new Promise<void>((resolve) => {
    client.on('commandStarted', ({ command }) => {
      if (command.findAndModify === 'migrations' && command.update.$set?.last_id === idOf(19)) resolve(stopped.stop())
    })
  })
  stopped.start()
  await stopping
  expect(await doneOnce()).toBe(20)
  await expect.poll(progress).toMatchObject({ passes: 0, last_id: idOf(19), read: 20, changed: 20, holder: '' })

  reads = []
  const next = versionOf('second')
  next.start()
  await done()
  await next.stop()
  expect(reads).toEqual([...PASS.slice(2), ...PASS])
  expect(await doneOnce()).toBe(THINGS)
})

test('of several processes one at a time works, and each batch is read once', async () => {
  const several = [1, 2, 3].map(() => versionOf('second'))
  for (const each of several) each.start()
  await done()
  await Promise.all(several.map((each) => each.stop()))
  expect(reads).toEqual([...PASS, ...PASS])
  expect(await doneOnce()).toBe(THINGS)
})

test('a process that dies at any answer of the store leaves its work to another, and each document is changed once', async () => {
  for (const nth of killPoints(40)) {
    await Promise.all([things.updateMany({}, { $set: { form: 'first', times: 0 } }), progresses.deleteMany({})])
    const proxy = await proxyTo(inject('mongodbUrl'))
    const cut = new MongoClient(proxy.url, { serverSelectionTimeoutMS: 100 })
    await cut.connect()
    let left: number = nth
    let isDead = false
    proxy.watch(() => {
      if (--left > 0) return true
      // The store has acted; the process never learns it, and can do nothing more.
      isDead = true
      proxy.cut()
      return false
    })
    const dying = versionOf('second', { db: cut.db(name) })
    dying.start()
    await expect.poll(async () => isDead || (await progress())?.passes === 2, { interval: 5 }).toBe(true)
    const other = versionOf('second', { leaseMs: 60_000 })
    // Instead of waiting for the end of its lease.
    await progresses.updateOne({}, { $set: { held_until: new Date(0) } })
    other.start()
    await done()
    await Promise.all([dying.stop(), other.stop()])
    await cut.close()
    await proxy.close()
    expect(await doneOnce(), `killed at answer ${nth}`).toBe(THINGS)
    if (!isDead) return
  }
})

test('no other process works before the lease of a silent one ends, and one does then', async () => {
  const proxy = await proxyTo(inject('mongodbUrl'))
  const silent = new MongoClient(proxy.url)
  const rule = toRule('second')
  const frozen = Promise.withResolvers<void>()
  // In its second batch.
  const change: typeof rule.change = (thing) => {
    if (thing._id === idOf(12)) {
      proxy.freeze()
      frozen.resolve()
    }
    return rule.change(thing)
  }
  const paused = versionOf('second', { db: silent.db(name), leaseMs: 400 }, [{ ...rule, change }])
  let held: Date | undefined
  const other = versionOf('second')
  try {
    paused.start()
    await frozen.promise
    held = (await progress())?.held_until
    let readAt: number | undefined
    client.on('commandStarted', ({ command }) => {
      if (command.find === 'things') readAt ??= Date.now()
    })
    other.start()
    await done()
    expect(readAt).toBeGreaterThanOrEqual(held?.getTime() ?? Number.NaN)
    // What the silent one had begun comes late, and changes nothing.
    proxy.thaw()
    await paused.stop()
    expect(await doneOnce()).toBe(THINGS)
    expect(await progress()).toMatchObject({ passes: 2 })
  } finally {
    await Promise.all([paused.stop(), other.stop()])
    await silent.close()
    await proxy.close()
  }
})

test.each([
  ['which has another rule', [toRule('first')]],
  ['which does not know the migration', []],
])('the last pass waits for the end of a process %s, and does what that has stored', async (_, migrations) => {
  // Longer than a busy machine keeps the old process from looking.
  const times = { awayMs: 2_000 }
  const old = versionOf('first', times, migrations)
  old.start()
  const before = versionOf('second', times)
  const next = versionOf('second', times)
  try {
    if (migrations.length > 0) await done('first')
    before.start()
    next.start()
    await expect.poll(progress).toMatchObject({ rule: 'second', passes: 1 })
    const due = await progress()
    // As long as the old one looks, what is due is put off.
    await expect
      .poll(async () => (await progress())?.due_at.getTime())
      .toBeGreaterThan((due?.due_at.getTime() ?? 0) + times.awayMs)
    expect(await progress()).toMatchObject({ passes: 1 })
    await things.insertOne({ _id: idOf(12.5), form: 'first', times: 0 })
    await old.stop()
    await done()
    expect(await doneOnce()).toBe(THINGS + 1)
  } finally {
    await Promise.all([old, before, next].map((each) => each.stop()))
  }
})

test('when no process of a rule runs any more, that of the others applies again', async () => {
  // Longer than a busy machine keeps either process from looking.
  const times = { awayMs: 2_000 }
  const old = versionOf('first', times)
  const tried = versionOf('second', times)
  try {
    old.start()
    await done('first')
    tried.start()
    await expect.poll(() => countOf({ form: 'second' })).toBe(THINGS)
    expect(await progress()).toMatchObject({ rule: 'second' })
    await tried.stop()
    await done('first')
    expect(await countOf({ form: 'first' })).toBe(THINGS)
  } finally {
    await Promise.all([old.stop(), tried.stop()])
  }
})
