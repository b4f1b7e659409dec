// @module-tag slow
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { startChromium } from '@gatehouse/test/harness/chromium.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openCampaign, TestInvitee } from '../../testing/test-invitee.ts'
import { languages } from '../invitation-pages/languages.ts'

const system = await sharedSystem()

/** An image in a browser. */
interface InBrowser {
  naturalWidth: number
}

// Takes half a minute: axe looks at each page.
describe('the registration in a browser', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser?.close()
  })

  /** Invites someone to an event that asks for two values, and opens the page on a phone. */
  async function open(locale: string, javaScriptEnabled = false): Promise<{ page: Page; invitee: TestInvitee }> {
    const campaign = await openCampaign(system, {
      event: { title: 'Foire & Congrès Léman', start_date: '2030-05-04T18:00:00Z' },
    })
    await campaign.testEvent.make('guest_fields/batch_create.json', [
      { key: 'diet', label: 'Menu', use_in_registration: true, is_required: true },
      { key: 'shirt', label: 'Shirt', type: 'value_list', available_values: ['S', 'M'], use_in_registration: true },
    ])
    const invitee = await TestInvitee.invite(campaign, { first_name: 'Zoë' })
    const context = await browser.newContext({
      locale,
      viewport: { width: 360, height: 740 },
      javaScriptEnabled,
    })
    const page = await context.newPage()
    await page.goto(invitee.link)
    return { page, invitee }
  }

  /** Checks that nothing overflows sideways and that axe finds nothing, and takes a picture on request. */
  async function look(page: Page, name: string): Promise<void> {
    const { SCREENSHOTS } = process.env
    if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `invitation-${name}.png`), fullPage: true })
    for (const box of await Promise.all((await page.locator('body *').all()).map((each) => each.boundingBox()))) {
      if (box) expect(box.x + box.width, name).toBeLessThanOrEqual(360)
    }
  }

  test('a recipient corrects a mistake by keyboard, accepts, and sees the QR code, without script', async () => {
    const { page, invitee } = await open('en-GB')
    await look(page, 'form')
    await page.getByLabel('Last name').fill('Day')
    await page.getByLabel('Shirt').selectOption('M')
    await page.getByLabel('Last name').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await look(page, 'mistake')
    expect(await page.title()).toMatch(/^Error: /)
    const menu = page.getByLabel('Menu')
    expect(await menu.getAttribute('aria-invalid')).toBe('true')
    expect(await page.locator(`#${await menu.getAttribute('aria-describedby')}`).textContent()).toBe(
      'Please fill in this field',
    )
    expect([await page.getByLabel('Last name').inputValue(), await page.getByLabel('Shirt').inputValue()]).toEqual([
      'Day',
      'M',
    ])
    await page.getByRole('link', { name: 'Menu: Please fill in this field' }).click()
    await menu.fill('vegan')
    await page.keyboard.press('Enter')
    await page.getByRole('status').waitFor()

    const image = page.getByRole('img', { name: 'Your QR code' })
    const width = () => image.evaluate((shown) => (shown as unknown as InBrowser).naturalWidth)
    await expect.poll(width).toBeGreaterThan(100)
    await look(page, 'accepted')
    expect(await invitee.guests()).toMatchObject([{ first_name: 'Zoë', last_name: 'Day' }])
    await page.context().close()
  })

  test.each(['de', 'ja'] as const)(
    '%s: form, mistake and acceptance are shown without a fault for axe',
    deep,
    async (language) => {
      const words = languages[language]
      // axe is a script.
      const { page } = await open(language, true)
      const axe = async (name: string) => {
        await look(page, `${language}-${name}`)
        const { violations } = await new AxeBuilder({ page }).analyze()
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
      }
      expect(await page.locator('html').getAttribute('lang')).toBe(language)
      await axe('form')
      await page.getByRole('button', { name: words.accept, exact: true }).click()
      await page.getByRole('alert').waitFor()
      await axe('mistake')
      await page.getByLabel('Menu').fill('vegan')
      await page.getByRole('button', { name: words.accept, exact: true }).click()
      expect(await page.getByRole('status').textContent()).toBe(words.accepted)
      await axe('accepted')
      await page.context().close()
    },
  )
})
