// @module-tag slow
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ConsoleBrowser } from './console-browser.ts'

const system = await sharedSystem()

describe('the audit log', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(system)
  })
  afterEach(() => browser?.closePages())
  afterAll(() => browser?.close())

  const recorded = async (query: string, count: number): Promise<void> => {
    const read = async () => (await system.api('GET', `audit_records.json?${query}`)).body.length
    await expect.poll(read).toBe(count)
  }

  test('says who did what to what by name, at which event, with the rest on demand; what is deleted has no name', async () => {
    const event = await TestEvent.open(system, { title: 'Opening Night' })
    const vip = await event.category('VIP')
    await event.change(`guest_categories/${vip}.json`, { name: 'Press', badge_enabled: false })
    const { _id: gone } = await event.make('areas.json', { name: 'Terrace' })
    await event.remove(`areas/${gone}.json`)
    await recorded(`event_id=${event.id}`, 5)
    const page = await browser.open(`audit_records?event_id=${event.id}`)
    const log = page.locator('.audit')
    const sentence = log.getByText('changed the guest category “Press”: Name, Badge')
    await sentence.waitFor()
    await log.getByText('Opening Night').first().waitFor()
    await log.getByText(/deleted the area$/).waitFor()
    await sentence.click()
    await log.getByRole('link', { name: 'Press' }).click()
    await page.getByRole('heading', { name: 'Press' }).waitFor()
  })

  test('names rights by category and check-in point, campaigns by partner, and tokens', async () => {
    const event = await TestEvent.open(system)
    const [vip, door] = [await event.category('VIP'), await event.point('North gate')]
    await event.link(vip, door, 1)
    const partner_id = (await event.make('partners.json', { name: 'Northern Press', recipients_quota: 20 }))._id
    const gala = (await event.make('invitation_types.json', { name: 'Gala', guest_category_id: vip }))._id
    await event.make(`invitation_types/${gala}/partner_campaigns.json`, { partner_id, quota: 10 })
    const { body: token } = await system.api('POST', 'tokens.json', { name: 'Ticket shop', scope: 'read' })
    await recorded(`event_id=${event.id}`, 7)
    await recorded(`resource_id=${token._id}`, 1)
    const page = await browser.open('audit_records')
    const log = page.locator('.audit')
    await log.getByText('added a right “VIP · North gate”').waitFor()
    await log.getByText('added a campaign “Northern Press”').waitFor()
    await log.getByText('added the token “Ticket shop”').waitFor()
  })

  test('is filtered by who, by what it was done to and by time, and older records are shown on demand', async () => {
    const event = await TestEvent.open(system)
    for (let number = 0; number < 51; number++) await event.make('areas.json', { name: `Area ${number}` })
    await event.category('VIP')
    await recorded(`event_id=${event.id}`, 53)
    const page = await browser.open(`audit_records?event_id=${event.id}`)
    const rows = page.locator('.audit > li')
    await expect.poll(() => rows.count()).toBe(50)
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => rows.count()).toBe(53)
    await page.getByText('Filters (1)').click()
    await page.getByLabel('Action').selectOption({ label: 'Guest categories' })
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByLabel('Since').fill('2099-01-01T00:00')
    await page.getByText('No results.').waitFor()
    const organizer = await browser.open(`audit_records?event_id=${event.id}`, { role: 'organizer' })
    await organizer.locator('.audit > li').first().waitFor()
    expect(await organizer.getByLabel('Who').count()).toBe(0)
  })
})
