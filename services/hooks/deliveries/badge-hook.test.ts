import { type Received, startReceiver } from '@gatehouse/test/harness/receiver.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'

test('a guest with a new badge is posted to the event’s badge_complete_hook_url, with metadata and both links', async () => {
  const system = await sharedSystem()
  const target = await startReceiver()
  onTestFinished(() => target.close())
  const testEvent = await TestEvent.open(system, { badge_complete_hook_url: `${target.url}/badge` })
  const { _id: category } = await testEvent.make('guest_categories.json', { name: 'Visitors', badge_enabled: true })
  const guest = await testEvent.make('guests.json', {
    guest_category_id: category,
    last_name: 'Lovelace',
    guest_metadata: { diet: 'none' },
  })
  const [received] = (await target.until(({ length }) => length > 0)) as [Received]
  const secret = (await system.api('GET', 'webhook_secret.json')).body.secret
  expect(new Webhook(secret).verify(received.body, received.headers as Record<string, string>)).toMatchObject({
    _type: 'Guest',
    _id: guest._id,
    last_name: 'Lovelace',
    guest_metadata: [{ name: 'diet', value: 'none' }],
    badge_completed: true,
    badge_url: expect.stringMatching(/^https?:.+\.pdf$/),
    qrcode_url: guest.qrcode_url,
  })
  expect(received.path).toBe('/badge')
})
