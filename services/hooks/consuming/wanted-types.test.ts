// @module-tag slow
import { managerOf, streamNameOf } from '@gatehouse/proto/events/streams.ts'
import { type Receiver, startReceiver } from '@gatehouse/test/harness/receiver.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let system: System
let target: Receiver

beforeAll(async () => {
  system = await startSystem({ with: ['hooks', 'hooks'], checkins: 2 })
  target = await startReceiver()
})
afterAll(async () => {
  await system?.stop()
  await target?.close()
})

test('events without subscribers are not published; from the first subscriber on all are', async () => {
  const testEvent = await TestEvent.open(system)
  const point = await testEvent.point()
  const manager = await managerOf(system.bus)
  const told = async () => (await manager.streams.info(streamNameOf(system.bus, 'domain'))).state.last_seq
  const category = await testEvent.category()
  let guests = 0
  const newGuest = () => testEvent.guest(category, `guest-${guests++}`)
  /** Waits until some scans and a guest publish nothing: then each process knows that there is no subscriber. */
  const quiet = () =>
    expect
      .poll(async () => {
        const before = await told()
        await Promise.all(Array.from({ length: 10 }, (_, index) => testEvent.scan(point, `quiet-${index}`)))
        await newGuest()
        return (await told()) - before
      })
      .toBe(0)

  for (let round = 0; round < 4; round++) {
    await quiet()
    const body = { url: target.url, event_types: ['check_in.created'], event_id: testEvent.id }
    const { body: webhook } = await system.api('POST', 'webhooks.json', body)
    const scans = await Promise.all(Array.from({ length: 6 }, (_, index) => testEvent.scan(point, `wanted-${index}`)))
    const ids = new Set(scans.map(({ _id }) => _id))
    await target.until((received) => ids.isSubsetOf(new Set(received.map(({ json }) => json.data._id))))
    // Another type still has no subscriber.
    const before = await told()
    await newGuest()
    expect(await told()).toBe(before)
    expect((await system.api('DELETE', `webhooks/${webhook._id}.json`)).status).toBe(204)
  }
})

test('a change of a webhook takes effect in all processes before it is answered', async () => {
  const testEvent = await TestEvent.open(system)
  const point = await testEvent.point()
  const own = await startReceiver()
  const body = { url: own.url, event_types: ['check_in.created'], event_id: testEvent.id }
  const { body: webhook } = await system.api('POST', 'webhooks.json', body)
  // Another webhook wants them all the time, so check-ins are always published.
  await system.api('POST', 'webhooks.json', { url: target.url, event_types: ['check_in.created'] })
  const wanted: string[] = []
  for (let round = 0; round < 6; round++) {
    for (const type of ['guest.created', 'check_in.created']) {
      const changed = await system.api('PUT', `webhooks/${webhook._id}.json`, { event_types: [type] })
      expect(changed.status).toBe(204)
      const { _id } = await testEvent.scan(point, `${round}-${type}`)
      if (type === 'check_in.created') wanted.push(_id)
      // The state of the webhook when the message is handled counts.
      await target.until((received) => received.some(({ json }) => json.data._id === _id))
      await own.until(({ length }) => length >= wanted.length)
    }
  }
  expect(own.received.map(({ json }) => json.data._id).toSorted()).toEqual(wanted.toSorted())
  await own.close()
})
