import { planOf } from '@gatehouse/test/harness/query-plans.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { type Document, MongoClient } from 'mongodb'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import type { Bus } from '../bus/bus.ts'
import { connectBus } from '../bus/connecting.ts'
import { notFound } from '../declaring/faults.ts'
import { makeLog } from '../process/log.ts'
import { DomainEvents, type DomainMessage, readDomainMessage } from './domain-events.ts'
import { Outbox, type OutboxEntry } from './outbox.ts'
import { managerOf, prepareStream, streamNameOf, subjectIn } from './streams.ts'

const log = makeLog('outbox-test', 'silent')
const EVENT = 'an-event'
/** The thing of which nothing can be found out. */
const BROKEN = 'broken'
const MINUTE = 60_000

describe('an outbox', () => {
  const client = new MongoClient(inject('mongodbUrl'), { monitorCommands: true })
  const ends: (() => Promise<unknown>)[] = []
  const stored = new Map<string, { _id: string; name: string }>()
  let db: ReturnType<typeof client.db>
  let bus: Bus
  let domain: DomainEvents
  let wanted: string[]
  let published: DomainMessage[]
  let sent: Document[]

  beforeAll(() => {
    client.on('commandStarted', ({ command }) => sent.push(command))
  })
  afterAll(() => client.close())
  beforeEach(async () => {
    ;[wanted, published, sent] = [['guest.created'], [], []]
    stored.clear()
    db = client.db(`test-${crypto.randomUUID()}`)
    bus = await connectBus({ servers: inject('natsUrl'), namespace: `test-${crypto.randomUUID()}`, name: 'test', log })
    bus.serve('hooks.wanted', 'hooks', async () => ({ body: Buffer.from(JSON.stringify({ types: wanted })) }))
    await prepareStream(bus, 'domain')
    bus.connection.subscribe(subjectIn(bus, 'domain', EVENT), {
      callback: (_error, { data }) => void published.push(readDomainMessage(data) as DomainMessage),
    })
    await bus.flush()
    domain = new DomainEvents(bus, log)
  })
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end()
    await bus.stop(async () => domain.stop())
    await db.dropDatabase()
  })

  async function opened(
    log = makeLog('outbox-test', 'silent'),
    onceAs: (type: string, item: { _id: string }) => string | undefined = () => undefined,
  ): Promise<Outbox<{ _id: string }>> {
    const recover = async ({ items }: OutboxEntry) => {
      if (items[0]?._id === BROKEN) throw new Error('nothing can be found out')
      return items.flatMap(({ _id }) => stored.get(_id) ?? [])
    }
    const outbox = new Outbox<{ _id: string }>({ db, domain, log, recover, onceAs })
    await outbox.prepare()
    ends.push(() => outbox.stop())
    return outbox
  }

  const entries = () => db.collection<OutboxEntry>('outbox')
  const entryOf = (_id: string, ageMs: number): OutboxEntry => ({
    _id: `entry of ${_id}`,
    type: 'guest.created',
    event_id: EVENT,
    items: [{ _id }],
    at: new Date(Date.now() - ageMs),
  })
  const create = (outbox: Outbox<{ _id: string }>, _id: string, write: () => Promise<void> = async () => {}) =>
    outbox.publishing({ type: 'guest.created', event_id: EVENT, items: [{ _id }] }, write, () => [{ _id }])
  const publishedNames = () => published.flatMap(({ items }) => items.map(({ _id }) => _id))

  test('stores an entry before the write, and deletes it after publishing', async () => {
    const outbox = await opened()
    let during = 0
    await create(outbox, 'ada', async () => {
      during = await entries().countDocuments()
    })
    expect(during).toBe(1)
    await expect.poll(() => publishedNames()).toEqual(['ada'])
    await expect.poll(() => entries().countDocuments()).toBe(0)
  })

  test('stores nothing for a type without subscribers', async () => {
    wanted = []
    const outbox = await opened()
    await expect.poll(() => domain.wants('guest.created')).toBe(false)
    sent = []
    await create(outbox, 'ada')
    await outbox.stop()
    await bus.flush()
    expect([sent, published]).toEqual([[], []])
  })

  test('deletes the entry of a refused write, and publishes nothing', async () => {
    const outbox = await opened()
    const refused = create(outbox, 'ada', async () => {
      throw notFound()
    })
    await expect(refused).rejects.toThrow('Not found')
    await expect.poll(() => entries().countDocuments()).toBe(0)
    await bus.flush()
    expect(published).toEqual([])
  })

  test('after an error publishes items that turn out to be stored, as they are stored', slow, async () => {
    const outbox = await opened()
    outbox.start()
    const lost = create(outbox, 'ada', async () => {
      stored.set('ada', { _id: 'ada', name: 'Ada' })
      throw new Error('the answer was lost')
    })
    await expect(lost).rejects.toThrow('the answer was lost')
    await expect.poll(() => published).toMatchObject([{ items: [{ _id: 'ada', name: 'Ada' }] }])
    await expect.poll(() => entries().countDocuments()).toBe(0)
  })

  test(
    'publishes entries that a process left behind, waits ten minutes for writes that have not happened, and publishes under one id',
    slow,
    async () => {
      stored.set('done', { _id: 'done', name: 'Done' })
      await entries().insertMany([entryOf('done', MINUTE), entryOf('pending', MINUTE), entryOf('never', 11 * MINUTE)])
      const outboxes = [await opened(), await opened()]
      for (const outbox of outboxes) outbox.start()
      const left = async () => (await entries().find().toArray()).map(({ _id }) => _id)
      await expect.poll(left).toEqual(['entry of pending'])
      expect(new Set(published.map(({ id }) => id)).size).toBe(1)
      expect(published[0]).toMatchObject({
        type: 'guest.created',
        event_id: EVENT,
        items: [{ _id: 'done', name: 'Done' }],
      })
      expect(Date.now() - Date.parse(published[0]?.at as string)).toBeGreaterThan(MINUTE)
      stored.set('pending', { _id: 'pending', name: 'Pending' })
      await expect.poll(left).toEqual([])
      expect(new Set(publishedNames())).toEqual(new Set(['done', 'pending']))
    },
  )

  test('publishes what happens once under one id, whichever entries say so, and with whatever else they say', async () => {
    for (const _id of ['ada', 'bob', 'eve']) stored.set(_id, { _id, name: _id })
    const items = (...ids: string[]) => ids.map((_id) => ({ _id }))
    const entriesOf = [items('ada', 'bob'), items('ada'), items('bob', 'eve'), items('eve', 'gone')]
    await entries().insertMany(entriesOf.map((items, n) => ({ ...entryOf(`${n}`, 30 * MINUTE), items })))
    const outbox = await opened(log, (_type, { _id }) => (_id === 'eve' ? undefined : `once ${_id}`))
    outbox.start()
    await expect.poll(() => entries().countDocuments()).toBe(0)
    const idsOf = (_id: string) =>
      published.flatMap(({ id, items }) => (items.some((each) => each._id === _id) ? id : []))
    await expect.poll(() => ['ada', 'bob', 'eve'].map((_id) => idsOf(_id).length)).toEqual([2, 2, 2])
    expect(['ada', 'bob', 'eve'].map((_id) => new Set(idsOf(_id)).size)).toEqual([1, 1, 2])
    const { state } = await (await managerOf(bus)).streams.info(streamNameOf(bus, 'domain'))
    expect(state.messages).toBe(4)
  })

  test('publishes the others though one cannot be looked up, which stays', async () => {
    stored.set('done', { _id: 'done', name: 'Done' })
    await entries().insertMany([entryOf(BROKEN, 2 * MINUTE), entryOf('done', MINUTE)])
    const outbox = await opened()
    outbox.start()
    await expect.poll(() => publishedNames()).toEqual(['done'])
    await expect.poll(async () => (await entries().find().toArray()).map(({ _id }) => _id)).toEqual(['entry of broken'])
  })

  test('publishes the others however many cannot be looked up', async () => {
    stored.set('done', { _id: 'done', name: 'Done' })
    const broken = (index: number) => ({ ...entryOf(BROKEN, 2 * MINUTE), _id: `broken ${index}` })
    await entries().insertMany([...Array.from({ length: 150 }, (_, index) => broken(index)), entryOf('done', MINUTE)])
    const outbox = await opened()
    outbox.start()
    await expect.poll(() => publishedNames()).toEqual(['done'])
    await expect.poll(() => entries().countDocuments()).toBe(150)
  })

  test('retries failed entries after growing delays of at most an hour until they are published', slow, async () => {
    const tried = [{}, { failures: 3 }, { failures: 40 }].map((more, index) => {
      return { ...entryOf(BROKEN, MINUTE), _id: `broken ${index}`, ...more }
    })
    const hidden = { ...entryOf('late', MINUTE), failures: 5, retry_at: new Date(Date.now() + MINUTE) }
    await entries().insertMany([...tried, hidden])
    stored.set('late', { _id: 'late', name: 'Late' })
    const before = Date.now()
    const outbox = await opened()
    outbox.start()
    const found = () => entries().find({ 'items._id': BROKEN }).sort({ _id: 1 }).toArray()
    await expect.poll(async () => (await found()).map(({ failures }) => failures)).toEqual([1, 4, 41])
    const delays = (await found()).map(({ retry_at }) => (retry_at?.getTime() ?? 0) - before)
    // From then on when it failed, which may be later than `before`.
    for (const [index, seconds] of [5, 40, 3_600].entries()) {
      expect(delays[index]).toBeGreaterThanOrEqual(seconds * 1_000)
      expect(delays[index]).toBeLessThan(seconds * 1_000 + 20_000)
    }
    expect(published).toEqual([])
    await entries().updateOne({ _id: hidden._id }, { $set: { retry_at: new Date() } })
    await expect.poll(() => publishedNames()).toEqual(['late'])
    await expect.poll(() => entries().countDocuments({ _id: hidden._id })).toBe(0)
  })

  test('says as an error which entry it cannot tell, when that has failed for ten minutes', async () => {
    const lines: { level: number; entry?: string }[] = []
    const log = pino({ base: null }, { write: (line) => lines.push(JSON.parse(line)) })
    const failed = (times: number) => ({ ...entryOf(BROKEN, MINUTE), _id: `failed ${times}`, failures: times })
    await entries().insertMany([failed(6), failed(7)])
    const outbox = await opened(log)
    outbox.start()
    await expect.poll(() => lines.length).toBe(2)
    const { warn, error } = log.levels.values
    expect(lines.map(({ entry, level }) => [entry, level]).toSorted()).toEqual([
      ['failed 6', warn],
      ['failed 7', error],
    ])
    expect(await entries().countDocuments()).toBe(2)
  })

  test('finds entries by an index, in its order', async () => {
    const outbox = await opened()
    await entries().insertMany(Array.from({ length: 250 }, (_, index) => entryOf(`guest-${index}`, MINUTE - index)))
    for (let index = 0; index < 250; index++) stored.set(`guest-${index}`, { _id: `guest-${index}`, name: '' })
    sent = []
    outbox.start()
    await expect.poll(() => entries().countDocuments()).toBe(0)
    expect(new Set(publishedNames()).size).toBe(250)
    // An emptied table may be read whole. These are not due.
    await entries().insertMany(Array.from({ length: 250 }, (_, index) => entryOf(`later-${index}`, -MINUTE)))
    const query = sent.find(({ find, sort }) => find === 'outbox' && sort) as Document
    expect(await planOf(db, query)).toMatchObject({ indexes: ['at_1'], sorts: false })
  })
})
