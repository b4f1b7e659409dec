// @module-tag slow
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ConsoleBrowser } from './console-browser.ts'

const system = await sharedSystem()
const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><rect width="90" height="30"/></svg>'

describe('the page of an account', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(system)
  })
  afterEach(() => browser?.closePages())
  afterAll(() => browser?.close())

  test('changes name, colour and reply address, and shows a page of guests as it will look', async () => {
    const page = await browser.open('account')
    await page.getByLabel('Name').fill('Northern Gallery')
    await page.getByLabel('Colour', { exact: true }).fill('#ffd166')
    await page.getByLabel('Reply-to address').fill('desk@gallery.test')
    const shown = page.locator('.guest-page')
    expect(await shown.locator('strong').innerText()).toBe('Northern Gallery')
    expect(await shown.locator('.act').getAttribute('style')).toBe(
      'background: rgb(255, 209, 102); color: rgb(0, 0, 0);',
    )
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    expect((await system.api('GET', 'account.json')).body).toMatchObject({
      name: 'Northern Gallery',
      color: '#ffd166',
      reply_to_email: 'desk@gallery.test',
    })
  })

  test('uploads a logo, which it shows and deletes, and says why one is refused', async () => {
    const page = await browser.open('account')
    const choose = (text: string, mimeType: string) =>
      page.getByLabel('Choose a file').setInputFiles({ name: 'logo', mimeType, buffer: Buffer.from(text) })
    await choose('no picture', 'image/png')
    await page.getByText('This is not a PNG file.').waitFor()
    await choose(LOGO, 'image/svg+xml')
    const logo = page.getByRole('img', { name: /^Logo of/ })
    await logo.waitFor()
    expect(await logo.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)).toBe(90)
    await page.getByRole('button', { name: 'Delete logo' }).click()
    await logo.waitFor({ state: 'detached' })
    expect((await system.api('GET', 'account.json')).body.logo_url).toBe(null)
  })

  test('is not for a role that may not change the account', async () => {
    const page = await browser.open('account', { role: 'organizer' })
    await page.locator('main .notice').waitFor()
    expect(await page.locator('main form').count()).toBe(0)
    expect(await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Account' }).count()).toBe(0)
  })
})
