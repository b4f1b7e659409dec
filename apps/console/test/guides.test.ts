// @module-tag slow
import { join } from 'node:path'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ConsoleBrowser } from './console-browser.ts'

const system = await sharedSystem()
const { SCREENSHOTS } = process.env

const NAMES = [
  ['Ada', 'Lovelace', 'Analytical Society'],
  ['Grace', 'Hopper', 'Harbour Labs'],
  ['Emmy', 'Noether', 'Royal Institution'],
  ['Lise', 'Meitner', 'Northern Press'],
  ['Hedy', 'Lamarr', 'Meridian'],
  ['Rosalind', 'Franklin', 'Harbour Labs'],
] as const

/** An event as its organizer has it a day before. */
async function prepared(): Promise<TestEvent> {
  await system.api('PUT', 'account.json', { name: 'Acme Events', color: '#1f4fd8' })
  const event = await TestEvent.open(system, {
    title: 'Opening Night',
    location: 'Somerset House',
    start_date: '2026-12-03T18:00:00Z',
    timezone: 'Europe/London',
  })
  const [visitors, press] = [await event.category('Visitors'), await event.category('Press')]
  const [north, south] = [await event.point('North entrance'), await event.point('South entrance')]
  for (const point of [north, south]) await event.link(visitors, point, 1)
  await event.link(press, north, -1)
  for (const [first_name, last_name, company_name] of NAMES) {
    const email = `${first_name}.${last_name}@example.org`.toLowerCase()
    await event.guest(last_name === 'Meitner' ? press : visitors, last_name.toLowerCase(), {
      ...{ first_name, last_name, company_name, email },
    })
  }
  await event.make('badge_templates.json', {
    name: 'Lanyard card',
    ...{ width_mm: 86, height_mm: 54, shows_qr_code: true },
    lines: [
      { field: 'first_name', size: 20, weight: 'bold' },
      { field: 'last_name', size: 20, weight: 'bold' },
      { field: 'company_name', size: 12, weight: 'regular' },
    ],
  })
  await event.make('mailings.json', {
    name: 'Your code',
    subject: 'Your code for {{event_title}}',
    message:
      'Dear {{first_name|guest}},\n\nwe look forward to seeing you. Please show this code at the entrance:\n\n{{qrcode}}',
  })
  for (const uid of ['lovelace', 'hopper', 'lovelace', 'stranger']) await event.scan(north, uid)
  return event
}

describe('guides for organizers', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(system)
  })
  afterEach(() => browser?.closePages())
  afterAll(() => browser?.close())

  // Two seconds.
  test('in another language a guide says that it is in English, and names pages and buttons as the console does', async () => {
    const page = await browser.open('guides/start', { locale: 'de-DE' })
    await page.getByText('Dieser Leitfaden ist auf Englisch.').waitFor()
    await page.locator('em', { hasText: 'Gäste › Gästekategorien' }).waitFor()
    await page.locator('em', { hasText: 'Einlass › Check-in-Stellen' }).waitFor()
  })

  test('Help leads to the guide of the page at hand, and guides lead to each other', async () => {
    const event = await TestEvent.open(system)
    const page = await browser.open(`events/${event.id}/guests`)
    const help = page.getByRole('link', { name: 'Help' })
    expect(await help.getAttribute('href')).toBe('#/guides/guests')
    await page.goto(browser.at('guides/start'))
    await page.getByRole('heading', { name: 'From an empty account to an open door' }).waitFor()
    await page.getByRole('link', { name: 'The door', exact: true }).click()
    await page.getByRole('heading', { name: 'The door', exact: true }).waitFor()
    for (const picture of await page.locator('.guide img').all())
      await expect.poll(() => picture.evaluate((each) => (each as { naturalWidth?: number }).naturalWidth)).not.toBe(0)
  })

  test.runIf(SCREENSHOTS)('the pictures of the guides: SCREENSHOTS keeps them', async () => {
    const event = await prepared()
    const template = (await event.read('badge_templates.json'))[0]._id
    const mailing = (await event.read('mailings.json'))[0]._id
    const pages = [
      ['overview', '', '.checklist'],
      ['guests', 'guests', 'tbody td'],
      ['check-ins', 'access_controls', 'tbody td a'],
      ['badge', `badge_templates/${template}`, '.paper svg'],
      ['mailing', `mailings/${mailing}`, 'iframe'],
    ] as const
    for (const [name, place, shown] of pages) {
      const page = await browser.open(`events/${event.id}/${place}`, { viewport: { width: 1100, height: 720 } })
      await page.locator(`main ${shown}`).first().waitFor()
      await page.locator('main [aria-busy="true"]').waitFor({ state: 'detached' })
      await page.screenshot({ path: join(SCREENSHOTS ?? '', `${name}.png`) })
    }
  })
})
