// @module-tag slow
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ConsoleBrowser } from './console-browser.ts'
import { overflowAt, violationsOf } from './looks.ts'

const system = await sharedSystem()

describe('adding a print station', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(system)
  })
  afterEach(() => browser?.closePages())
  afterAll(() => browser?.close())

  /** An event whose VIPs have a card at one door, and whose crew has the usual badge at another, as have those without badges. */
  async function openEvent() {
    const event = await TestEvent.open(system, { title: 'Opening Night' })
    const card = { name: 'Card', width_mm: 86, height_mm: 54, lines: [{ field: 'last_name' }] }
    const { _id: badge_template_id } = await event.make('badge_templates.json', card)
    const vip = await event.make('guest_categories.json', { name: 'VIP', badge_enabled: true, badge_template_id })
    const crew = await event.make('guest_categories.json', { name: 'Crew', badge_enabled: true })
    const day = await event.category('Day')
    const [north, back] = [await event.point('North'), await event.point('Back door')]
    await event.link(vip._id, north, 1)
    await event.link(crew._id, back, 1)
    await event.link(day, back, 1)
    return { event, north, back }
  }

  test('shows the badges of the chosen check-in points, warns where one printer cannot print them all, and then says how the computer is set up', async () => {
    const { event, north } = await openEvent()
    const page = await browser.open(`events/${event.id}/devices`)
    await page.getByRole('link', { name: 'Add print station' }).click()
    const differ = page.getByText(/^These badges have different sizes/)
    await differ.waitFor()
    await page.getByRole('img', { name: 'Usual badge' }).locator('svg').waitFor()
    const pictures = page.locator('.papers svg')
    await expect.poll(() => pictures.count()).toBe(2)
    const widths = await pictures.evaluateAll((all) => all.map((svg) => svg.getBoundingClientRect().width))
    const [small = 0, usual = 1] = widths.sort((one, other) => one - other)
    expect(small / usual, 'drawn at one scale').toBeCloseTo(86 / 105, 2)
    await page.getByText('“Badge” is not ticked for Day.').waitFor()
    await page.getByLabel('North').check()
    await differ.waitFor({ state: 'detached' })
    await page.getByText('Card, 86 × 54 mm: VIP').waitFor()
    await page.locator('.papers .paper svg').waitFor()
    await page.getByText('Such as where it stands.').waitFor()
    await page.locator('#field-name').fill('Badges north')
    await page.locator('form').getByRole('button', { name: 'Add print station' }).click()
    await page.getByText(/^Make the printer the default printer .+ paper of 86\s×\s54\smm\./).waitFor()
    await page.getByText(`msedge --kiosk-printing ${system.url}/print/`).waitFor()
    await page.locator('.papers .paper svg').waitFor()
    expect([await violationsOf(page), await overflowAt(page, [360, 1280])]).toEqual([[], []])
    const [device] = await event.read('devices.json')
    expect(device).toMatchObject({ kind: 'printer', name: 'Badges north', accesspoint_ids: [north] })
    const link = await page.locator('.device-code a').getAttribute('href')
    expect(link).toMatch(/\/print\/#[\w-]{9}$/)
    const code = String(link).split('#')[1]
    expect((await system.api('POST', `device_codes/${code}/exchange.json`)).body._id).toBe(device._id)
  })

  test('says at which check-in points another station prints already, and refuses a second one there', async () => {
    const { event, north } = await openEvent()
    await event.make('devices.json', { kind: 'printer', name: 'Desk', accesspoint_ids: [north] })
    const page = await browser.open(`events/${event.id}/devices/print_station`, { role: 'door_manager' })
    await page.getByLabel('North (Desk prints there)').check()
    await page.locator('#field-name').fill('Second')
    await page.locator('form').getByRole('button', { name: 'Add print station' }).click()
    await page.getByText('This is already in use.').waitFor()
    await page.getByLabel('North (Desk prints there)').uncheck()
    await page.getByLabel('Back door').check()
    await page.locator('form').getByRole('button', { name: 'Add print station' }).click()
    await page.getByText(/paper of 105\s×\s148\smm\./).waitFor()
  })

  test('is explained again on the page of the printer, with its new code', async () => {
    const { event, north } = await openEvent()
    const { _id } = await event.make('devices.json', { kind: 'printer', name: 'Desk', accesspoint_ids: [north] })
    const page = await browser.open(`events/${event.id}/devices/${_id}`)
    await page.getByText('Card, 86 × 54 mm: VIP').waitFor()
    await page.getByRole('button', { name: 'New code' }).click()
    await page.getByText('Open this link on that computer:').waitFor()
    await page.getByText(/^Test it with a guest whom you add for that/).waitFor()
  })
})
