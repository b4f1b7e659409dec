import { once } from 'node:events'
import { accessSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { type App, PASSWORD, Site } from '@gatehouse/test/site.ts'
import { type System, startSystem } from '@gatehouse/test/system.ts'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const CHROMIUM = '/usr/bin/chromium'
const isThere = ((): boolean => {
  try {
    accessSync(CHROMIUM)
    return true
  } catch {
    return false
  }
})()
if (!isThere)
  console.warn(
    'No Chromium at /usr/bin/chromium (Debian: apt-get install chromium): the pages are not looked at in a browser.',
  )

const phone = { width: 360, height: 740 }
const desk = { width: 1280, height: 800 }

describe.skipIf(!isThere)('the pages in a browser, without script', () => {
  let system: System
  let site: Site
  let app: App
  let browser: Browser
  let hub: Server

  beforeAll(async () => {
    system = await startSystem({ checkins: 0, sso: { rate_limits: 'on' } })
    site = await Site.open(system, 'acme')
    // The site that contacts come from: it shows what it was sent.
    hub = createServer((request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(
        `<!doctype html><title>Hub</title><p id="query">${new URL(request.url ?? '', 'http://x').searchParams.get('state')}`,
      )
    }).listen(0, '127.0.0.1')
    await once(hub, 'listening')
    const { port } = hub.address() as AddressInfo
    app = await site.app({ name: 'Conference Hub 2027', redirect_uris: [`http://127.0.0.1:${port}/callback`] })
    const branding = { name: 'Foire & Congrès Léman', color: '#ffcc00' }
    const branded = await system.api('PUT', 'account.json', branding, { token: site.account.auth_token })
    expect(branded.status, branded.text).toBe(204)
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  })
  afterAll(async () => {
    await browser?.close()
    hub?.close()
    await system?.stop()
  })

  async function open(
    locale: string,
    viewport: { width: number; height: number },
  ): Promise<{ context: BrowserContext; page: Page }> {
    const context = await browser.newContext({ locale, viewport, javaScriptEnabled: false })
    const page = await context.newPage()
    return { context, page }
  }

  /** Nothing sticks out sideways, nobody is kept out, and a picture where one is asked for. */
  async function look(page: Page, name: string): Promise<void> {
    const { SCREENSHOTS } = process.env
    if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true })
    const width = page.viewportSize()?.width ?? 0
    for (const box of await Promise.all((await page.locator('body *').all()).map((each) => each.boundingBox()))) {
      if (box) expect(box.x + box.width, name).toBeLessThanOrEqual(width)
    }
  }

  test.each([
    [
      'fr-CH',
      phone,
      'fr',
      {
        title: 'Connexion',
        email: 'Adresse e-mail',
        password: 'Mot de passe',
        signIn: 'Connexion',
        allow: 'Autoriser',
      },
    ],
    [
      'en-GB',
      desk,
      'en',
      { title: 'Sign in', email: 'E-mail address', password: 'Password', signIn: 'Sign in', allow: 'Allow' },
    ],
  ])('%s: a contact gets through by keyboard, after a mistake too', async (locale, viewport, lang, words) => {
    const { email } = await site.contact()
    const { context, page } = await open(locale, viewport)
    await page.goto(site.authorize(app, { state: `state-${lang}` }))
    expect(await page.title()).toBe(`${words.title} – Foire & Congrès Léman`)
    expect(await page.locator('html').getAttribute('lang')).toBe(lang)
    await look(page, `login-${lang}`)

    await page.getByLabel(words.email).fill(email)
    await page.getByLabel(words.password).fill('not the password')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('alert').count()).toBe(1)
    expect(await page.getByLabel(words.email).inputValue()).toBe(email)
    expect(await page.getByLabel(words.password).inputValue()).toBe('')
    await look(page, `wrong-${lang}`)

    await page.getByLabel(words.password).fill('')
    await page.getByRole('button', { name: words.signIn, exact: true }).click()
    const field = page.getByLabel(words.password)
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
    const described = (await field.getAttribute('aria-describedby')) ?? ''
    expect(await page.locator(`#${described}`).textContent()).not.toBe('')
    await look(page, `missing-${lang}`)

    await page.getByLabel(words.password).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: words.allow, exact: true }).waitFor()
    await look(page, `consent-${lang}`)
    await page.getByRole('button', { name: words.allow, exact: true }).click()
    await page.waitForURL(`${app.redirect_uri}?**`)
    expect(await page.locator('#query').textContent()).toBe(`state-${lang}`)

    const cookies = await context.cookies(site.sso)
    expect(cookies.length).toBeGreaterThan(0)
    for (const cookie of cookies) expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
    await page.goto(`${site.sso}/contacts/sign_out?locale=${lang}`)
    await look(page, `signed-out-${lang}`)
    await page.goto(site.authorize(app, { redirect_uri: 'https://evil.example/' }))
    await page.getByRole('alert').waitFor()
    await look(page, `error-${lang}`)
    await context.close()
  })

  test('axe finds nothing that keeps people out', async () => {
    const { email } = await site.contact()
    // axe itself is a script: the policy is lifted for it alone.
    const context = await browser.newContext({ bypassCSP: true, viewport: phone })
    const page = await context.newPage()
    const check = async (): Promise<void> => {
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    }
    await page.goto(site.authorize(app))
    await check()
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await check()
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Allow', exact: true }).waitFor()
    await check()
    await page.goto(`${site.sso}/contacts/sign_out`)
    await check()
    await page.goto(`${site.sso}/nothing`)
    await check()
    await context.close()
  })

  test('an invited contact chooses a password, and the link is good for once', async () => {
    const { id, email } = await site.contact({ password: null })
    const made = await system.api(
      'POST',
      `contacts/${id}/invitations.json`,
      { delivery: 'link' },
      { token: site.account.auth_token },
    )
    const { context, page } = await open('de-DE', phone)
    await page.goto(made.body.url)
    await look(page, 'invitation')
    await page.getByLabel('Neues Passwort').fill('kurz')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await look(page, 'invitation-short')
    await page.getByLabel('Neues Passwort').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('status').waitFor()
    await page.goto(made.body.url)
    expect(await page.getByRole('alert').textContent()).toContain('schon benutzt')
    await context.close()
    expect(await site.code(site.visitor(), app, email)).not.toBe('')
  })
})
