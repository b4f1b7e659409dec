import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { execute } from '@gatehouse/local/execute'
import { startChromium } from '@gatehouse/test/harness/chromium.ts'
import { overflowing } from '@gatehouse/test/harness/chromium-pages.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type StandIn, standIn } from './stand-in.ts'

const viewport = { width: 1280, height: 800 }

await execute(process.execPath, [join(import.meta.dirname, '../../main.ts')])
const system = await sharedSystem()

describe('the console in a browser', () => {
  let browser: Browser
  let gateway: StandIn
  let event: TestEvent
  const contexts: BrowserContext[] = []

  beforeAll(async () => {
    gateway = await standIn(system)
    browser = await startChromium()
    event = await TestEvent.open(system, {
      title: 'Opening Night',
      location: 'Somerset House',
      start_date: '2027-09-17T18:00:00Z',
    })
  })
  afterEach(async () => {
    Object.assign(gateway, { role: 'owner', isSignedIn: true, fails: false })
    for (const context of contexts.splice(0)) await context.close()
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.[Symbol.asyncDispose]()
  })

  /** Opens a place in the console. */
  const open = async (place = '', options = {}): Promise<Page> => {
    const context = await browser.newContext({ viewport, locale: 'en-GB', ...options })
    // The machine may be busy.
    context.setDefaultTimeout(90_000)
    contexts.push(context)
    const page = await context.newPage()
    await page.goto(`${gateway.url}/console/${place && `#/${place}`}`)
    return page
  }

  test('an event is created, listed and changed; errors of the API appear beside the field they name', async () => {
    const page = await open()
    await page.getByRole('link', { name: 'New' }).click()
    await page.getByLabel('Title').fill('Spring Fair')
    await page.getByLabel('Replies go to').fill('nobody')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('#field-reply_to_email-error').waitFor()
    expect(
      await page.locator('#field-reply_to_email').evaluate((field) => field === field.ownerDocument.activeElement),
    ).toBe(true)
    await page.getByLabel('Replies go to').fill('fair@acme.test')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Spring Fair' }).waitFor()
    await page.getByLabel('Place').fill('Hall 1')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Events' }).click()
    await page.getByRole('row', { name: /Spring Fair.*Hall 1/ }).waitFor()
  })

  test('without a session the way to the account’s sign-in page is shown', async () => {
    gateway.isSignedIn = false
    const page = await open()
    await page.getByLabel('Account').fill('acme')
    const asked = page.waitForRequest(/\/console\/sign-in\?account=acme&to=%2Fconsole%2F$/)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await asked
  })

  test('what was typed stays when the session ends or the network fails, and goes up afterwards', async () => {
    const page = await open('events/new')
    await page.getByLabel('Title').fill('Autumn Fair')
    gateway.isSignedIn = false
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Sign in again' }).waitFor()
    gateway.isSignedIn = true
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Autumn Fair' }).waitFor()
  })

  test('what a role may not do is not offered', async () => {
    gateway.role = 'viewer'
    const page = await open()
    await page.getByRole('link', { name: 'Opening Night' }).click()
    await page.getByRole('heading', { name: 'Opening Night' }).waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
    await page.goto(`${gateway.url}/console/#/events/new`)
    await page.getByText('Your role does not allow this.').waitFor()
  })

  const places = (): string[] => ['events', 'events/new', `events/${event.id}`]

  test.each(['light', 'dark'] as const)(
    'no page has a violation of WCAG 2.2 AA, in %s colours',
    async (colorScheme) => {
      const page = await open('', { colorScheme })
      for (const place of places()) {
        await page.goto(`${gateway.url}/console/#/${place}`)
        await page.locator('h1').waitFor()
        await page.waitForLoadState('networkidle')
        const { violations } = await new AxeBuilder({ page })
          .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
          .analyze()
        expect([place, violations.map(({ id, nodes }) => [id, nodes[0]?.html])]).toEqual([place, []])
      }
    },
  )

  test.each([360, 3840])('no page is wider than a window of %i pixels', async (width) => {
    const page = await open('', { viewport: { width, height: 800 } })
    for (const place of places()) {
      await page.goto(`${gateway.url}/console/#/${place}`)
      await page.locator('h1').waitFor()
      expect([place, await overflowing(page)]).toEqual([place, []])
    }
  })
})
