import { natsUrlOf } from '@gatehouse/test/harness/nats-urls.ts'
import { SECRETS_KEY, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { startService } from '../../services.ts'

const PRIVATE = ['is not a public address']

const system = await startSystem({ guests: 0 })
// As in production: private addresses are refused.
const config = {
  mongodb_url: inject('mongodbUrl'),
  redis_url: inject('redisUrl'),
  namespace: system.namespace,
  log_level: 'silent',
  deadline_ms: 30_000,
  secrets_key: SECRETS_KEY,
  gatehouse_allow_private_hooks: false,
}
const services = await Promise.all([
  startService('guests', { ...config, nats_url: natsUrlOf('guests') }),
  startService('hooks', {
    ...config,
    nats_url: natsUrlOf('hooks'),
  }),
])
const testEvent = await TestEvent.open(system)
afterAll(async () => {
  await Promise.all((services ?? []).map((service) => service.stop()))
  await system.stop()
})

describe('badge_complete_hook_url and the url of webhooks', () => {
  test.each([
    ['loopback', 'http://127.0.0.1:9000/hook', PRIVATE],
    ['loopback as a number', 'http://2130706433/', PRIVATE],
    ['loopback in IPv6', 'http://[::1]/', PRIVATE],
    ['IPv4 inside IPv6', 'http://[::ffff:127.0.0.1]/', PRIVATE],
    ['the name of this machine', 'http://localhost/', PRIVATE],
    ['a name below it', 'https://hooks.LOCALHOST.:9000/hook', PRIVATE],
    ['a link-local address', 'http://169.254.169.254/latest/meta-data', PRIVATE],
    ['a private network', 'https://10.1.2.3/', PRIVATE],
    ['a user name', 'https://ada@example.org/', ["can't hold a user name or password"]],
    ['a password', 'https://a:b@example.org/', ["can't hold a user name or password"]],
    ['another scheme', 'ftp://example.org/', ['is not a web address']],
    ['no host', 'https://:80', ['is not a web address']],
  ])('both refuse %s with the same text: 422 on the field, on creation and update', async (_, url, words) => {
    const event = { title: 'Fair', account_id: system.account_id, badge_complete_hook_url: url }
    const webhook = await system.api('POST', 'webhooks.json', { url })
    expect([webhook.status, webhook.body]).toEqual([422, { errors: { url: words } }])
    for (const answer of [
      await system.api('POST', 'events.json', event),
      await system.api('PUT', `events/${testEvent.id}.json`, { badge_complete_hook_url: url }),
    ])
      expect([answer.status, answer.body]).toEqual([422, { errors: { badge_complete_hook_url: words } }])
  })

  test('one answer names all wrong fields of an event, in XML as sentences', async () => {
    const event = { account_id: 'x', badge_complete_hook_url: 'http://127.0.0.1/', platform_event_id: 'x' }
    const { body } = await system.api('POST', 'events.json', { title: 'Fair', ...event })
    expect(Object.keys(body.errors)).toEqual(Object.keys(event))
    const document = '<event><badge-complete-hook-url>http://127.0.0.1/</badge-complete-hook-url></event>'
    const { status, text } = await system.api('PUT', `events/${testEvent.id}.xml`, document, {
      headers: { 'content-type': 'application/xml' },
    })
    expect([status, text]).toEqual([
      422,
      expect.stringContaining('<error>Badge complete hook url is not a public address</error>'),
    ])
  })

  test('a public address is accepted, null and an empty text remove it', async () => {
    for (const url of ['https://example.org/badge', null, 'http://8.8.8.8/badge', '']) {
      await system.api('PUT', `events/${testEvent.id}.json`, { badge_complete_hook_url: url })
      const { body } = await system.api('GET', `events/${testEvent.id}.json`)
      expect(body.badge_complete_hook_url).toBe(url)
    }
  })
})
