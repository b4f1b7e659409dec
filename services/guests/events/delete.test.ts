// @module-tag slow
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { Answer } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { MongoClient, ObjectId } from 'mongodb'
import { describe, expect, inject, test } from 'vitest'
import { serviceNames, services } from '../../services.ts'
import { eventData } from '../permissions.ts'
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

/** An event with something of everything. */
async function furnished(): Promise<{ event: TestEvent; door: string }> {
  const event = await TestEvent.open(system, { title: 'Gala & Ball', start_date: '2030-05-04T18:00:00Z' })
  const [category, door] = [await event.category('VIP'), await event.point('Main entrance')]
  await event.link(category, door)
  await event.make('areas.json', { name: 'Hall' })
  await event.make('guest_fields.json', { key: 'diet' })
  await event.make('badge_templates.json', { name: 'Card' })
  await event.guest(category, 'ada', { last_name: 'Lovelace', email: 'ada@example.org' })
  await event.scan(door, 'ada')
  await event.scan(door, 'stranger')
  await event.make('promo_codes.json', { text: 'EARLY' })
  await event.make('mailings.json', { name: 'Codes', subject: 'Yours', message: 'Hello' })
  const partner_id = (await event.make('partners.json', { name: 'Acme', recipients_quota: 5 }))._id
  const type = (await event.make('invitation_types.json', { name: 'Evening', guest_category_id: category }))._id
  await event.make(`invitation_types/${type}/partner_campaigns.json`, { partner_id, quota: 5 })
  const { access_token } = await event.make('exhibitors.json', { name: 'Stand 7', email: 'stand@example.org' })
  await system.api('POST', `devices/${access_token}/connections/batch_create.json`, [{ guest_uid: 'ada' }], {
    token: '',
  })
  const hook = { url: 'https://hooks.example.com/', event_types: ['guest.created'], event_id: event.id }
  expect((await system.api('POST', 'webhooks.json', hook)).status).toBe(201)
  const member = { email: `${crypto.randomUUID()}@example.org`, role: 'door_manager', event_id: event.id }
  expect((await system.api('POST', 'staff_members.json', member)).status).toBe(201)
  expect((await system.api('POST', 'tokens.json', { name: 'bound', scope: 'read', event_id: event.id })).status).toBe(
    201,
  )
  return { event, door }
}

const remove = (event: TestEvent, title: string, init: object = {}): Promise<Answer> =>
  system.api('DELETE', `events/${event.id}.json?${new URLSearchParams({ title })}`, undefined, init)

describe('an event that is deleted', () => {
  test('is gone at once, and soon everything of it, in each collection and in Redis', async () => {
    const { event } = await furnished()
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
    const { event, door } = await furnished()
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
    const { event } = await furnished()
    const copy = await event.make('copy.json', { title: 'Next' })
    const unfinished = await abandonedCopyOf(event.id)
    await remove(event, 'Gala & Ball')
    for (const id of [event.id, unfinished])
      await expect.poll(() => leftOf(system, id), { timeout: 120_000, interval: 1_000 }).toEqual([])
    expect((await system.api('GET', `events/${copy._id}/guest_categories.json`)).body).toMatchObject([{ name: 'VIP' }])
  })
})
