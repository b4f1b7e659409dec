import { DomainEvents } from '@gatehouse/proto/events/domain-events.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { natsUrlOf } from '@gatehouse/test/harness/nats-urls.ts'
import { startReceiver } from '@gatehouse/test/harness/receiver.ts'
import { storedText } from '@gatehouse/test/harness/stored-text.ts'
import { SECRETS_KEY, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { startService } from '../../services.ts'

const system = await startSystem()
// As in production: private addresses are refused.
const hooks = await startService('hooks', {
  mongodb_url: inject('mongodbUrl'),
  nats_url: natsUrlOf('hooks'),
  namespace: system.namespace,
  log_level: 'silent',
  deadline_ms: 30_000,
  secrets_key: SECRETS_KEY,
  gatehouse_allow_private_hooks: false,
})
const other = await system.account('other')
const testEvent = await TestEvent.open(system)
afterAll(async () => {
  await hooks.stop()
  await system.stop()
})

describe('webhooks', () => {
  test('are created, read, changed and deleted', async () => {
    const created = await system.api('POST', 'webhooks.json', { url: 'https://example.org/hook' })
    expect([created.status, created.body]).toEqual([
      201,
      {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        url: 'https://example.org/hook',
        event_types: [],
        access_statuses: [],
        event_id: null,
        payload: 'standard',
        is_enabled: true,
        account_id: system.account_id,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ])
    const path = `webhooks/${created.body._id}.json`
    const changes = { event_types: ['lead.created', 'guest.deleted'], event_id: testEvent.id, is_enabled: false }
    expect((await system.api('PUT', path, changes)).status).toBe(204)
    expect((await system.api('GET', path)).body).toMatchObject(changes)
    expect((await system.api('GET', 'webhooks.json')).body.map(({ _id }: { _id: string }) => _id)).toContain(
      created.body._id,
    )
    expect((await system.api('DELETE', path)).status).toBe(204)
    expect((await system.api('GET', path)).status).toBe(404)
  })

  test.each([
    ['no address', 'url', {}],
    ['an unknown type', 'event_types.0', { url: 'https://example.org', event_types: ['guest.eaten'] }],
    ['no event', 'event_id', { url: 'https://example.org', event_id: '' }],
    ['an unknown event', 'event_id', { url: 'https://example.org', event_id: 'f'.repeat(24) }],
  ])('refuse %s: 422 on %s', async (_, field, body) => {
    const answer = await system.api('POST', 'webhooks.json', body)
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]])
  })

  test('a stored badge hook does not reach a private address, neither by name nor by number', async () => {
    const target = await startReceiver()
    const log = makeLog('test', 'silent')
    const domain = new DomainEvents(system.bus, log)
    const { port } = new URL(target.url)
    for (const host of ['127.0.0.1', 'localhost']) {
      const own = await TestEvent.open(system, { badge_complete_hook_url: `http://${host}:${port}/badge` })
      const guest = await own.guest(await own.category(), 'ada')
      await domain.publish(
        { type: 'badge.completed', event_id: own.id, items: [{ _id: guest }] },
        crypto.randomUUID(),
        new Date(),
      )
      const attempts = async () => (await system.api('GET', `webhooks/${own.id}/deliveries.json`)).body
      await expect
        .poll(attempts)
        .toContainEqual(expect.objectContaining({ attempt_count: 1, state: 'pending', error: 'ERR_REFUSED_ADDRESS' }))
    }
    expect(target.received).toEqual([])
    domain.stop()
    await target.close()
  })

  test('refuse an event of another account, on update too', async () => {
    const event = await system.api(
      'POST',
      'events.json',
      { title: 'T', account_id: other.account_id },
      { token: other.auth_token },
    )
    const body = { url: 'https://example.org', event_id: event.body._id }
    expect((await system.api('POST', 'webhooks.json', body)).body.errors.event_id).toEqual([
      'is not an event of the account',
    ])
    const mine = await system.api('POST', 'webhooks.json', { url: 'https://example.org' })
    const update = await system.api('PUT', `webhooks/${mine.body._id}.json`, { event_id: event.body._id })
    expect(update.body.errors.event_id).toEqual(['is not an event of the account'])
  })

  test('the secret belongs to the account, stays the same, and is stored sealed', async () => {
    const mine = await system.api('GET', 'webhook_secret.json')
    expect(mine.body).toEqual({ secret: expect.stringMatching(/^whsec_/), previous_expires_at: null })
    expect((await system.api('GET', 'webhook_secret.json')).body.secret).toBe(mine.body.secret)
    const xml = await system.api('GET', 'webhook_secret.xml')
    expect(xml.text).toContain(`<webhook-secret><secret>${mine.body.secret}</secret>`)
    const theirs = await system.api('GET', 'webhook_secret.json', undefined, { token: other.auth_token })
    expect(theirs.body.secret).not.toBe(mine.body.secret)
    expect(await storedText(inject('mongodbUrl'), system.namespace)).not.toContain(mine.body.secret.slice(6))
  })

  test('concurrent first reads give the same secret, and no concurrent roll is lost', async () => {
    const third = await system.account('third')
    const init = { token: third.auth_token }
    const ask = (method: string) => system.api(method, 'webhook_secret.json', undefined, init)
    const first = await Promise.all(Array.from({ length: 10 }, () => ask('GET')))
    expect(new Set(first.map(({ body }) => body.secret)).size).toBe(1)
    const rolled = await Promise.all(Array.from({ length: 4 }, () => ask('POST')))
    const secrets = rolled.map(({ body }) => body.secret)
    expect(new Set([...secrets, first[0]?.body.secret]).size).toBe(5)
    expect(secrets).toContain((await ask('GET')).body.secret)
  })
})
