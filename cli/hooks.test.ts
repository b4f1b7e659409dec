import { printed } from '@gatehouse/test/harness/command-line.ts'
import { startReceiver } from '@gatehouse/test/harness/receiver.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import { MongoClient } from 'mongodb'
import { expect, inject, test } from 'vitest'

const system = await sharedSystem()

/** Runs `gatehouse hooks …` for the first account, and returns what it writes. */
function hooks(command: string, ...args: string[]): Promise<string> {
  return printed(system, 'hooks', command, '--account', system.slug, ...args)
}

test('the command line lists webhooks and their deliveries, and sends one again', async () => {
  const target = await startReceiver()
  const testEvent = await TestEvent.open(system)
  const { body: webhook } = await system.api('POST', 'webhooks.json', { url: target.url })
  await testEvent.scan(await testEvent.point(), 'nobody')
  await target.until(({ length }) => length >= 1)
  expect(await hooks('list')).toBe(`${webhook._id}\tenabled\t${target.url}\n`)
  await expect
    .poll(() => hooks('deliveries', '--webhook', webhook._id))
    .toMatch(/^[0-9a-f]{24}\tcheck_in\.created\tdelivered\t1\t204\n$/)
  const [delivery] = JSON.parse(await hooks('deliveries', '--webhook', webhook._id, '--json'))
  const before = target.received.length
  expect(await hooks('replay', '--webhook', webhook._id, delivery._id)).toBe(`${delivery._id} is sent again\n`)
  const received = await target.until(({ length }) => length > before)
  expect(new Set(received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([delivery._id]))
  await expect(hooks('deliveries', '--webhook', 'f'.repeat(24))).rejects.toThrow(/Not found/)
  await target.close()
})

test('what was stored is published once more for an event that exists, and an hour at most', async () => {
  const testEvent = await TestEvent.open(system)
  const republish = (event: string, until: string) =>
    printed(system, 'hooks', 'republish', '--event', event, '--since', '2026-05-01T08:00:00Z', '--until', until)
  await Promise.all([
    expect(republish(testEvent.id, '2026-05-01T09:00:00Z')).resolves.toMatch(/published again/),
    expect(republish(testEvent.id, '2026-05-01T09:00:01Z')).rejects.toThrow(/at most an hour/),
    expect(republish('f'.repeat(24), '2026-05-01T09:00:00Z')).rejects.toThrow(/There is no event/),
  ])
})

test('check-ins, new guests and leads that hooks has lost are delivered again, and no others', deep, async () => {
  const target = await startReceiver()
  const testEvent = await TestEvent.open(system)
  const event_types = ['guest.created', 'check_in.created', 'lead.created']
  const { body: webhook } = await system.api('POST', 'webhooks.json', {
    ...{ url: target.url, event_id: testEvent.id, event_types },
  })
  const since = new Date().toISOString()
  const category = await testEvent.category()
  await testEvent.guest(category, 'ada')
  await testEvent.scan(await testEvent.point(), 'ada')
  const exhibitor = await testEvent.make('exhibitors.json', { name: 'Acme' })
  const path = `devices/${exhibitor.access_token}/connections/batch_create.json`
  expect((await system.api('POST', path, [{ guest_uid: 'ada', author: 'Ann' }], { token: '' })).status).toBe(201)
  const first = await target.until(({ length }) => length >= 3)
  const ids = new Map(first.map(({ body, headers }) => [JSON.parse(body).type, headers['webhook-id']]))
  expect([...ids.keys()].sort()).toEqual([...event_types].sort())

  const mongo = await MongoClient.connect(inject('mongodbUrl'))
  const deliveries = mongo.db(`${system.namespace}_hooks`).collection('deliveries')
  const lost = { webhook_id: webhook._id, event_type: { $in: ['guest.created', 'lead.created'] } }
  await expect.poll(() => deliveries.countDocuments({ ...lost, state: 'delivered' })).toBe(2)
  await deliveries.deleteMany(lost)
  await mongo.close()
  const until = new Date(Date.now() + 1_000).toISOString()
  await printed(system, 'hooks', 'republish', '--event', testEvent.id, '--since', since, '--until', until)
  const again = (await target.until(({ length }) => length >= 5)).slice(3)
  expect(again.map(({ headers }) => headers['webhook-id']).sort()).toEqual(
    [ids.get('guest.created'), ids.get('lead.created')].sort(),
  )
  await target.close()
})
