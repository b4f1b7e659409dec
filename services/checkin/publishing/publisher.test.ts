// @module-tag slow
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { unavailable } from '@gatehouse/proto/declaring/faults.ts'
import {
  DomainEvents,
  type DomainMessage,
  readDomainMessage,
  wantedTypes,
} from '@gatehouse/proto/events/domain-events.ts'
import type { OutboxEntry } from '@gatehouse/proto/events/outbox.ts'
import { managerOf, prepareStream, streamNameOf, subjectIn } from '@gatehouse/proto/events/streams.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { MongoClient } from 'mongodb'
import { afterAll, afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { type CheckIn, CheckInStore } from '../check-ins/store.ts'
import { type CheckInOutbox, checkInOutbox } from './outbox.ts'
import { CheckInPublisher } from './publisher.ts'

const log = makeLog('publisher-test', 'silent')
const EVENT = 'an-event'
const MINUTE = 60_000

describe('the publisher of check-ins', () => {
  const client = new MongoClient(inject('mongodbUrl'))
  let db: ReturnType<typeof client.db>
  let store: CheckInStore
  let bus: Bus
  let domain: DomainEvents
  let outbox: CheckInOutbox
  let publisher: CheckInPublisher
  let wanted: string[]
  let published: DomainMessage[]

  afterAll(() => client.close())
  beforeEach(async () => {
    ;[wanted, published] = [['check_in.created'], []]
    db = client.db(`test-${crypto.randomUUID()}`)
    store = new CheckInStore(db)
    await store.prepare()
    bus = await connectBus({ servers: inject('natsUrl'), namespace: `test-${crypto.randomUUID()}`, name: 'test', log })
    bus.serve('hooks.wanted', 'hooks', async () => ({ body: Buffer.from(JSON.stringify({ types: wanted })) }))
    await prepareStream(bus, 'domain')
    bus.connection.subscribe(subjectIn(bus, 'domain', EVENT), {
      callback: (_error, { data }) => void published.push(readDomainMessage(data) as DomainMessage),
    })
    await bus.flush()
    domain = new DomainEvents(bus, log)
    outbox = opened()
    await outbox.prepare()
    publisher = new CheckInPublisher(outbox)
  })
  afterEach(async () => {
    await publisher.stop()
    await outbox.stop()
    await bus.stop(async () => domain.stop())
    await db.dropDatabase()
  })

  function opened(): CheckInOutbox {
    return checkInOutbox({ db, domain, log }, store)
  }

  const entries = () => db.collection<OutboxEntry>('outbox')
  const checkIn = (_id: string, at = new Date()): CheckIn => {
    const moments = { access_stamp: at, created_at: at, updated_at: at }
    return { _id, event_id: EVENT, accesspoint_id: 'door', guest_uid: _id, access_status: 1, ...moments }
  }
  const enter = async (_id: string, storing: () => Promise<unknown> = async () => {}) => {
    const at = new Date()
    const window = publisher.windowAt(EVENT, at)
    try {
      await window?.begin()
      const entered = checkIn(_id, at)
      await store.insert([entered])
      await storing()
      window?.complete([entered])
    } catch (error) {
      window?.abandon()
      throw error
    }
  }
  const publishedIds = () => published.flatMap(({ items }) => items.map(({ _id }) => _id))

  test('has an outbox entry on disk while check-ins are stored, and deletes it when they are published', async () => {
    let during = 0
    await enter('ada', async () => {
      during = await entries().countDocuments()
    })
    expect(during).toBe(1)
    await expect.poll(publishedIds).toEqual(['ada'])
    await expect.poll(() => entries().countDocuments()).toBe(0)
  })

  test('uses few entries and messages for hundreds at once, and publishes each once', async () => {
    const ids = Array.from({ length: 300 }, (_, index) => `guest-${index}`)
    const during: number[] = []
    const look = async () => void during.push(await entries().countDocuments())
    await Promise.all(ids.map((id) => enter(id, look)))
    await publisher.stop()
    expect(publishedIds().toSorted()).toEqual(ids.toSorted())
    // Two if they arrive as a window ends.
    expect(Math.max(...during)).toBeLessThanOrEqual(2)
    expect(published.length).toBeLessThan(100)
    await expect.poll(() => entries().countDocuments()).toBe(0)
  })

  test('leaves out no check-in and leaves no entry behind from window to window', async () => {
    const ids: string[] = []
    for (const end = Date.now() + 5_000; Date.now() < end; ) {
      const id = `guest-${ids.length}`
      ids.push(id)
      await enter(id)
    }
    await publisher.stop()
    expect(publishedIds()).toEqual(ids)
    await expect.poll(() => entries().countDocuments()).toBe(0)
  })

  test('writes and publishes nothing if no check-ins are wanted', async () => {
    wanted = []
    bus.announce(wantedTypes, [])
    await expect.poll(() => domain.wants('check_in.created')).toBe(false)
    let during = 0
    await enter('ada', async () => {
      during = await entries().countDocuments()
    })
    await publisher.stop()
    expect([during, published]).toEqual([0, []])
  })

  test('keeps the entry if it is unknown what was stored, and the check-ins can be read from the store', async () => {
    const lost = enter('ada', async () => {
      throw unavailable()
    })
    await expect(lost).rejects.toMatchObject({ code: 'unavailable' })
    await enter('bob')
    await publisher.stop()
    expect(publishedIds()).toEqual(['bob'])
    const [entry] = await entries().find().toArray()
    expect(entry).toMatchObject({ type: 'check_in.created', event_id: EVENT, items: [] })
    expect((await store.arrivedWithin(EVENT, entry?.at as Date, entry?.until as Date)).map(({ _id }) => _id)).toContain(
      'ada',
    )
  })

  test('publishes once what the stream does not take for a while, and leaves no entry behind', async () => {
    const manager = await managerOf(bus)
    const limit = (max_msg_size: number) => manager.streams.update(streamNameOf(bus, 'domain'), { max_msg_size })
    await limit(1)
    await Promise.all(['ada', 'bob'].map((id) => enter(id)))
    await expect.poll(() => new Set(publishedIds())).toEqual(new Set(['ada', 'bob']))
    expect((await manager.streams.info(streamNameOf(bus, 'domain'))).state.messages).toBe(0)
    await limit(-1)
    await expect.poll(() => entries().countDocuments()).toBe(0)
    expect((await manager.streams.info(streamNameOf(bus, 'domain'))).state.messages).toBe(1)
    expect(new Set(publishedIds())).toEqual(new Set(['ada', 'bob']))
  })

  test('publishes what was stored within a time once more, and nothing else', async () => {
    const at = new Date(Date.now() - MINUTE / 2)
    const after = (ms: number) => new Date(at.getTime() + ms)
    await store.insert([checkIn('before', after(-2_000)), checkIn('ada', at), checkIn('eve', after(3_000))])
    await store.insert([checkIn('after', after(6_000))])
    await publisher.republish(EVENT, at, after(3_001))
    outbox.start()
    // One message for each window.
    await expect.poll(() => publishedIds().toSorted()).toEqual(['ada', 'eve'])
  })

  test('publishes a deletion that a process left behind, and none that did not happen', async () => {
    const at = new Date(Date.now() - MINUTE)
    // Not before the first answer is there: until then all types are wanted, and the answer may be an earlier one.
    await expect.poll(() => domain.wants('guest.created')).toBe(false)
    wanted.push('check_in.deleted')
    bus.announce(wantedTypes, wanted)
    await expect.poll(() => domain.wants('check_in.deleted')).toBe(true)
    const [ada, bob] = [checkIn('ada', at), checkIn('bob', at)]
    await store.insert([{ ...ada }, { ...bob }])
    await store.delete(ada)
    const left = { type: 'check_in.deleted', event_id: EVENT, at } as const
    const items = [ada, bob].map((item) => ({ ...left, _id: item._id, items: [item] }))
    await db.collection<OutboxEntry<CheckIn>>('outbox').insertMany(items)
    outbox.start()
    await expect.poll(publishedIds).toEqual(['ada'])
    await expect.poll(async () => (await entries().find().toArray()).map(({ _id }) => _id)).toEqual(['bob'])
  })

  test('publishes once what several processes left behind of a window, and again only if there is more', async () => {
    const at = new Date(Date.now() - MINUTE)
    const until = new Date(at.getTime() + 2_000)
    await store.insert([checkIn('before', new Date(at.getTime() - 1)), checkIn('ada', at)])
    await store.insert([checkIn('eve', new Date(until.getTime() - 1)), checkIn('after', until)])
    const left = { type: 'check_in.created', event_id: EVENT, items: [], at, until } as const
    await entries().insertMany(['one', 'other'].map((_id) => ({ _id, ...left })))
    outbox.start()
    const other = opened()
    other.start()
    await expect.poll(() => published.length).toBeGreaterThan(1)
    for (const { items } of published) expect(items.map(({ _id }) => _id)).toEqual(['ada', 'eve'])
    expect(new Set(published.map(({ id }) => id)).size).toBe(1)
    // More may still come: the entries are due again when they are twice as old.
    const kept = await entries().find().toArray()
    expect(kept.length).toBe(2)
    await expect
      .poll(async () =>
        (await entries().find().toArray()).every(({ retry_at }) => (retry_at?.getTime() ?? 0) > Date.now()),
      )
      .toBe(true)
    await store.insert([checkIn('late', new Date(at.getTime() + 1))])
    // Again and again: a process that is still at work on one postpones it.
    const age = () =>
      entries().updateMany({}, { $set: { at: new Date(at.getTime() - 11 * MINUTE) }, $unset: { retry_at: 1 } })
    await expect.poll(async () => (await age()).matchedCount).toBe(0)
    expect(publishedIds()).toContain('late')
    await other.stop()
  })
})
