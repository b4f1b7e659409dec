// @module-tag slow
import AxeBuilder from '@axe-core/playwright'
import { startChromium } from '@gatehouse/test/harness/chromium.ts'
import { overflowing } from '@gatehouse/test/harness/chromium-pages.ts'
import { readPdf } from '@gatehouse/test/harness/pdf.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { System } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import en from '../src/texts/languages/en.json' with { type: 'json' }

/** A printer that keeps the guests whose badges it gets, across reloads, and does nothing while it is `broken`. */
const PRINTER = `window.print = () => {
  if (localStorage.broken) throw new Error('no printer')
  const page = document.querySelector('.badge-page')
  const guest = page?.dataset.guest || page?.textContent
  localStorage.printed = [localStorage.printed, guest].filter(Boolean).join(' ')
  setTimeout(() => dispatchEvent(new Event('afterprint')), 50)
}`

describe('the print station in a browser', () => {
  let system: System
  let browser: Browser
  let testEvent: TestEvent
  let category: string
  const contexts: BrowserContext[] = []

  beforeAll(async () => {
    ;[system, browser] = await Promise.all([sharedSystem(), startChromium([])])
    testEvent = await TestEvent.open(system)
    category = await testEvent.category()
  })
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close()
  })
  afterAll(() => browser?.close())

  /** A station that follows a new check-in point. */
  async function newStation(): Promise<{
    page: Page
    door: string
    url: string
    scan: (uid: string) => Promise<void>
  }> {
    const door = await testEvent.point('Desk')
    await testEvent.link(category, door, -1)
    const { url } = await testEvent.make('devices.json', { kind: 'printer', name: 'North', accesspoint_ids: [door] })
    expect(url).toContain('/print/#')
    const context = await browser.newContext({
      locale: 'en-GB',
      bypassCSP: true,
      viewport: { width: 360, height: 640 },
    })
    contexts.push(context)
    await context.addInitScript({ content: PRINTER })
    const page = await context.newPage()
    await page.goto(url)
    await page.getByText(en.ready).waitFor()
    const scan = async (uid: string): Promise<void> => {
      await testEvent.api('POST', 'access_controls.json', { accesspoint_id: door, guest_uid: uid })
    }
    return { page, door, url, scan }
  }
  const printed = (page: Page): Promise<string> => page.evaluate("localStorage.printed ?? ''")

  test('prints each granted guest once, whatever is scanned again and however often the page is loaded', async () => {
    const { page, door, scan } = await newStation()
    await testEvent.guest(category, 'p-ada', { first_name: 'Ada', last_name: 'Lovelace', company_name: 'Engines' })
    await testEvent.guest(category, 'p-alan', { last_name: 'Turing' })
    await scan('p-ada')
    await scan('nobody')
    await expect.poll(() => printed(page)).toBe('p-ada')
    await page.reload()
    await scan('p-ada')
    await scan('p-alan')
    await expect.poll(() => printed(page)).toBe('p-ada p-alan')
    await page.getByRole('button', { name: en.again_of.replace('{name}', 'Ada Lovelace') }).click()
    await expect.poll(() => printed(page)).toBe('p-ada p-alan p-ada')
    await page.getByText(en.state_printed).first().waitFor()
    const second = { kind: 'printer', name: 'Second', accesspoint_ids: [door] }
    const refused = await testEvent.api('POST', 'devices.json', second)
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['accesspoint_ids']])
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    expect(await overflowing(page)).toEqual([])
  })

  test('prints the badge of the guest’s category, on a page of the size of its template', async () => {
    const { page, door, scan } = await newStation()
    const lines = [{ field: 'last_name' }]
    const card = { name: 'Card', width_mm: 86, height_mm: 54, lines }
    const { _id: badge_template_id } = await testEvent.make('badge_templates.json', card)
    const vip = { name: 'VIP', badge_enabled: true, badge_template_id }
    const { _id } = await testEvent.make('guest_categories.json', vip)
    await testEvent.link(_id, door, -1)
    await testEvent.guest(_id, 'p-emmy', { first_name: 'Emmy', last_name: 'Noether' })
    // Keeps the badge on the page, as a dialog does.
    await page.evaluate('window.print = () => { window.isPrinting = true }')
    await scan('p-emmy')
    await page.waitForFunction('window.isPrinting', undefined, { timeout: 60_000 })
    const picture = page.locator('.badge-page img')
    expect(await picture.getAttribute('src')).toMatch(/badge\/[\w-]+\/file\.svg$/)
    // Says that it has printed, too.
    const { pages } = await readPdf(await page.pdf({ preferCSSPageSize: true }))
    expect(pages.map((side) => side.map((points) => Math.round((points * 25.4) / 72)))).toEqual([[86, 54]])
    await page.getByText(en.state_printed).waitFor()
  })

  test('prints a test badge at a click, which is in no list; a printer that does not print halts the station', async () => {
    const { page } = await newStation()
    const button = page.getByRole('button', { name: en.test })
    await button.click()
    await expect.poll(() => printed(page)).toBe(en.test_name)
    await page.getByRole('heading', { name: en.printed.replace('{count}', '0') }).waitFor()
    await page.evaluate("localStorage.broken = 'yes'")
    await button.click()
    await page.getByText(en.halted).waitFor()
  })

  test('halts when the browser does not print, and says so until someone goes on; the badge is printed at a click', async () => {
    const { page, scan } = await newStation()
    await testEvent.guest(category, 'p-grace', { last_name: 'Hopper' })
    await testEvent.guest(category, 'p-konrad', { last_name: 'Zuse' })
    await page.evaluate("localStorage.broken = 'yes'")
    await scan('p-grace')
    await page.getByText(en.halted).waitFor()
    await scan('p-konrad')
    await page.evaluate("localStorage.removeItem('broken')")
    await page.getByRole('button', { name: en.resume }).click()
    await expect.poll(() => printed(page)).toBe('p-konrad')
    await page.getByText(en.state_failed).waitFor()
    await page.getByRole('button', { name: en.again_of.replace('{name}', 'Hopper') }).click()
    await expect.poll(() => printed(page)).toBe('p-konrad p-grace')
  })
})
