// @module-tag slow
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { Answer } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { MongoClient, ObjectId } from 'mongodb'
import { describe, expect, inject, test } from 'vitest'
import { serviceNames, services } from '../../services.ts'
import { eventData } from '../permissions.ts'
import { furnished } from '../testing/furnished-event.ts'
import { leftOf } from '../testing/left-of-event.ts'

const system = await sharedSystem()

test('every service that holds data of events is asked', () => {
  const holders = serviceNames.filter((name) =>
    services[name].resources.some((each) => each.name === `${name}.event_data`),
  )
  expect(eventData.map(({ service }) => service).sort()).toEqual(holders.sort())
})

/** A copy of an event that a process has begun, which died long ago; the sweep finds it within half a minute. */
async function abandonedCopyOf(event_id: string): Promise<string> {
  await using client = await new MongoClient(inject('mongodbUrl')).connect()
  const events = client.db(`${system.namespace}_guests`).collection<{ _id: string; copying?: object }>('events')
  const _id = new ObjectId().toHexString()
  await events.insertOne({
    ...(await events.findOne({ _id: event_id })),
    _id,
    copying: { event_id, since: new Date(0) },
  })
  return _id
}

const remove = (event: TestEvent, title: string, init: object = {}): Promise<Answer> =>
  system.api('DELETE', `events/${event.id}.json?${new URLSearchParams({ title })}`, undefined, init)

describe('an event that is deleted', () => {
  test('is gone at once, and soon everything of it, in each collection and in Redis', async () => {
    const { event } = await furnished(system)
    expect((await leftOf(system, event.id)).length).toBeGreaterThan(15)
    expect((await remove(event, 'Gala & Ball')).status).toBe(204)
    for (const path of [`events/${event.id}.json`, `events/${event.id}/guests.json`])
      expect((await system.api('GET', path)).status).toBe(404)
    expect((await system.api('GET', 'events.json')).text).not.toContain(event.id)
    await expect.poll(() => leftOf(system, event.id), { timeout: 120_000, interval: 1_000 }).toEqual([])
  })

  test('needs its title: without it, or with another one, it stays', async () => {
    const event = await TestEvent.open(system, { title: 'Fair' })
    for (const [title, errors] of [
      ['fair', ['is not the title of the event']],
      ['', ["can't be blank"]],
    ] as const) {
      const { status, body } = await remove(event, title)
      expect([status, body]).toEqual([422, { errors: { title: errors } }])
    }
    expect((await system.api('GET', `events/${event.id}.json`)).status).toBe(200)
  })

  test('is not deleted by a token that is bound to it, nor by another account', async () => {
    const event = await TestEvent.open(system, { title: 'Fair' })
    const { token } = (await system.api('POST', 'tokens.json', { name: 'bound', scope: 'admin', event_id: event.id }))
      .body
    expect((await remove(event, 'Fair', { token })).status).toBe(403)
    const other = await system.account('other')
    expect((await remove(event, 'Fair', { token: other.auth_token })).status).toBe(404)
  })

  test('tells its devices that they are revoked, and stores nothing that they send later', async () => {
    const { event, door } = await furnished(system)
    const { code } = await event.make('devices.json', { name: 'North 1', accesspoint_ids: [door] })
    const { token } = (await system.api('POST', `device_codes/${code}/exchange.json`)).body
    const late = () =>
      event.api('POST', 'access_controls/batch_create.json', [{ accesspoint_id: door, guest_uid: 'ada' }], { token })
    expect((await late()).status).toBe(201)
    await remove(event, 'Gala & Ball')
    expect([401, 404]).toContain((await late()).status)
    await expect.poll(async () => (await late()).status).toBe(401)
    await expect.poll(() => leftOf(system, event.id), { timeout: 120_000, interval: 1_000 }).toEqual([])
  })

  test('takes copies along that are not complete yet, and leaves those that are', async () => {
    const { event } = await furnished(system)
    const copy = await event.make('copy.json', { title: 'Next' })
    const unfinished = await abandonedCopyOf(event.id)
    await remove(event, 'Gala & Ball')
    for (const id of [event.id, unfinished])
      await expect.poll(() => leftOf(system, id), { timeout: 120_000, interval: 1_000 }).toEqual([])
    expect((await system.api('GET', `events/${copy._id}/guest_categories.json`)).body).toMatchObject([{ name: 'VIP' }])
  })
})
