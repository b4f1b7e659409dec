import type { System } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { expect } from 'vitest'

/** An event with something of everything; its guest tells of the check-in already. */
export async function furnished(
  system: System,
): Promise<{ event: TestEvent; category: string; door: string; guest: string }> {
  const event = await TestEvent.open(system, { title: 'Gala & Ball', start_date: '2030-05-04T18:00:00Z' })
  const [category, door] = [await event.category('VIP'), await event.point('Main entrance')]
  await event.link(category, door)
  await event.make('areas.json', { name: 'Hall' })
  await event.make('guest_fields.json', { key: 'diet' })
  await event.make('badge_templates.json', { name: 'Card' })
  const guest = await event.guest(category, 'ada', { last_name: 'Lovelace', email: 'ada@example.org' })
  await event.scan(door, 'ada')
  await event.scan(door, 'stranger')
  // The guests service hears of check-ins after they were answered.
  await expect.poll(async () => (await event.read(`guests/${guest}.json`)).checked_in_at).toBeTruthy()
  await event.make('promo_codes.json', { text: 'EARLY' })
  await event.make('mailings.json', { name: 'Codes', subject: 'Yours', message: 'Hello' })
  const partner_id = (await event.make('partners.json', { name: 'Acme', recipients_quota: 5 }))._id
  const type = (await event.make('invitation_types.json', { name: 'Evening', guest_category_id: category }))._id
  await event.make(`invitation_types/${type}/partner_campaigns.json`, { partner_id, quota: 5 })
  const { access_token } = await event.make('exhibitors.json', { name: 'Stand 7', email: 'stand@example.org' })
  const path = `devices/${access_token}/connections/batch_create.json`
  const leads = await system.api('POST', path, [{ guest_uid: 'ada', author: 'Ann' }], { token: '' })
  expect(leads.body[0].errors, leads.text).toBeUndefined()
  const hook = { url: 'https://hooks.example.com/', event_types: ['guest.created'], event_id: event.id }
  expect((await system.api('POST', 'webhooks.json', hook)).status).toBe(201)
  const member = { email: `${crypto.randomUUID()}@example.org`, role: 'door_manager', event_id: event.id }
  expect((await system.api('POST', 'staff_members.json', member)).status).toBe(201)
  const token = { name: 'bound', scope: 'read', event_id: event.id }
  expect((await system.api('POST', 'tokens.json', token)).status).toBe(201)
  return { event, category, door, guest }
}
