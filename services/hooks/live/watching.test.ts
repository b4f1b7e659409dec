// @module-tag slow
import { wantedTypes } from '@gatehouse/proto/events/domain-events.ts'
import { KEPT_MS, subjectIn, WATCH_EVERY_MS } from '@gatehouse/proto/events/streams.ts'
import { LiveClient } from '@gatehouse/test/harness/live-client.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { jetstream } from '@nats-io/jetstream'
import { type Collection, MongoClient } from 'mongodb'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { WatchStore } from './store.ts'

const system = await sharedSystem()

interface Watch {
  _id: string
  until: Date
  gap?: string
}

const mongo = new MongoClient(inject('mongodbUrl'))
afterAll(() => mongo.close())

describe('a watched event', () => {
  let watches: Collection<Watch>
  const clients: LiveClient[] = []

  beforeAll(async () => {
    watches = mongo.db(`${system.namespace}_hooks`).collection('watches')
  })
  afterEach(() => {
    for (const client of clients.splice(0)) client.close()
  })

  async function open(testEvent: TestEvent, lastId = '', gateway = 0): Promise<LiveClient> {
    const url = `${system.urls[gateway]}/api/v1/events/${testEvent.id}/live?auth_token=${system.auth_token}`
    const client = await LiveClient.open(url, lastId ? { 'last-event-id': lastId } : {})
    clients.push(client)
    return client
  }

  /** Opens a feed, closes it after an event, and returns its last id. */
  async function left(testEvent: TestEvent, point: string): Promise<string> {
    const client = await open(testEvent)
    await testEvent.scan(point, 'seen')
    await client.until(() => client.happened.length > 0)
    client.close()
    return client.lastId as string
  }

  /** Ends the watch, as a day after the last feed. */
  async function runOut(testEvent: TestEvent): Promise<void> {
    await watches.updateOne({ _id: testEvent.id }, { $set: { until: new Date(0) } })
    system.bus.announce(wantedTypes, [])
    await system.bus.flush()
  }

  const heard = (client: LiveClient): string[] =>
    client.events.flatMap(({ event, data }) => (event === 'reset' ? 'reset' : (data?.data?.guest_uid ?? [])))

  test('is watched for a day after its last feed ends, whenever its watch was last extended', async () => {
    const testEvent = await TestEvent.open(system)
    await open(testEvent)
    const watch = await watches.findOne({ _id: testEvent.id })
    expect((watch?.until.getTime() ?? 0) - Date.now()).toBeGreaterThan(KEPT_MS + WATCH_EVERY_MS)
  })

  // A process that learns late that the watch has run out still publishes the scan: nothing is missed then, and no reset comes.
  test('a client that returns after a gap gets a reset, whatever has happened since', { retry: 2 }, async () => {
    const testEvent = await TestEvent.open(system)
    const point = await testEvent.point()
    const position = await left(testEvent, point)
    await runOut(testEvent)
    await testEvent.scan(point, 'missed')
    const second = await open(testEvent, position)
    await testEvent.scan(point, 'later')
    await second.until(() => heard(second).includes('later'))
    expect(heard(second)[0]).toBe('reset')
    // A client that returns from there on gets no reset.
    const third = await open(testEvent, second.lastId, 1)
    await testEvent.scan(point, 'last')
    await third.until(() => heard(third).includes('last'))
    expect(heard(third)).toEqual(['last'])
  })

  test('a client that is connected during a gap gets a reset as soon as the event is watched again', async () => {
    const testEvent = await TestEvent.open(system)
    const point = await testEvent.point()
    const first = await open(testEvent)
    await runOut(testEvent)
    await testEvent.scan(point, 'missed')
    await open(testEvent, '', 1)
    await first.until(() => heard(first).includes('reset'))
  })

  test('a client that returns while the event is watched, also to another gateway, gets no reset', async () => {
    const testEvent = await TestEvent.open(system)
    const point = await testEvent.point()
    const position = await left(testEvent, point)
    await testEvent.scan(point, 'missed')
    const second = await open(testEvent, position, 1)
    await second.until(() => heard(second).includes('missed'))
    expect(heard(second)).toEqual(['missed'])
  })

  test('events are shown however late they are published', async () => {
    const testEvent = await TestEvent.open(system)
    const client = await open(testEvent)
    const item = { _id: '0123456789abcdef01234567' }
    const at = new Date(Date.now() - 3_600_000).toISOString()
    const head = { id: crypto.randomUUID(), type: 'guest.created', event_id: testEvent.id, at }
    const message = [head, item].map((line) => JSON.stringify(line)).join('\n')
    await jetstream(system.bus.connection).publish(subjectIn(system.bus, 'domain', testEvent.id), message)
    await client.until(() => client.happened.length > 0)
    expect(client.happened[0]?.data).toEqual({
      type: 'guest.created',
      timestamp: at,
      event_id: testEvent.id,
      data: item,
    })
  })
})

describe('the watches collection', () => {
  const db = mongo.db(`test-${crypto.randomUUID()}`)
  const store = new WatchStore(db)
  const later = () => new Date(Date.now() + KEPT_MS)

  beforeAll(() => store.prepare())
  afterAll(() => db.dropDatabase())

  test('all that begin a watch concurrently get the same gap, until it is published', async () => {
    for (let round = 0; round < 10; round++) {
      const event = `event-${round}`
      const gaps = await Promise.all(Array.from({ length: 8 }, () => store.watch(event, later())))
      expect(gaps[0]).toEqual(expect.any(String))
      expect(new Set(gaps).size).toBe(1)
      // The process that had to publish it may have died.
      expect(await store.watch(event, later())).toBe(gaps[0])
      await store.markPublished(event, gaps[0] as string)
      expect(await store.watch(event, later())).toBeUndefined()
    }
  })

  test('a watch that has ended or is about to end begins again', async () => {
    for (const left of [-1_000, 0, 1_000]) {
      const before = await store.watch(`left-${left}`, new Date(Date.now() + left))
      await store.markPublished(`left-${left}`, before as string)
      const after = await store.watch(`left-${left}`, later())
      expect(after).toEqual(expect.any(String))
      expect(after).not.toBe(before)
    }
  })
})
