// @module-tag slow
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { startChromium } from '@gatehouse/test/harness/chromium.ts'
import { type MailServer, startMailServer } from '@gatehouse/test/harness/mail-server.ts'
import { PASSWORD, type SiteApp, SsoSite } from '@gatehouse/test/harness/sso-site.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { deep, sampled } from '@gatehouse/test/rounds.ts'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { languages } from '../sign-in/pages/languages.ts'

/** Globals of a browser. */
interface InBrowser {
  getComputedStyle(of: unknown): { backgroundColor: string; color: string }
}

const phone = { width: 360, height: 740 }
const desk = { width: 1280, height: 800 }

describe('the pages in a browser, without script', () => {
  let system: System
  let site: SsoSite
  let app: SiteApp
  let browser: Browser
  let hub: Server
  let mail: MailServer

  beforeAll(async () => {
    mail = await startMailServer()
    const sends = { smtp_url: mail.url, mail_from: 'Gatehouse <noreply@gatehouse.example>' }
    system = await startSystem({ checkins: 0, sso: { rate_limits: 'on', ...sends } })
    site = await SsoSite.open(system, 'acme')
    // The site of an app: it exchanges its code, and shows the contact.
    hub = createServer((request, response) => {
      const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://x')
      if (pathname === '/on') {
        response.writeHead(302, { location: `http://localhost:${port()}/home` }).end()
        return
      }
      response.setHeader('content-type', 'text/html; charset=utf-8')
      void whose(query.get('code') ?? '').then((who) =>
        response.end(
          `<!doctype html><title>Hub</title><p id="query">${query.get('state')}</p><p id="who">${who.email}</p>`,
        ),
      )
    }).listen(0, '127.0.0.1')
    await once(hub, 'listening')
    const redirect_uris = [`http://127.0.0.1:${port()}/callback`]
    app = await site.app({ name: 'Conference Hub 2027', redirect_uris })
    const branding = { name: 'Foire & Congrès Léman', color: '#ffcc00' }
    const branded = await system.api('PUT', 'account.json', branding, owner())
    expect(branded.status, branded.text).toBe(204)
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser?.close()
    hub?.close()
    await system?.stop()
    await mail?.stop()
  })

  const port = (): number => (hub.address() as AddressInfo).port

  /** The contact of a code, as a site gets it. */
  async function whose(code: string): Promise<{ email?: string }> {
    const { body } = await site.token(app, code)
    return (await site.me(body.access_token)).body
  }

  const owner = () => ({ token: site.account.auth_token })

  async function open(
    locale: string,
    viewport: { width: number; height: number },
  ): Promise<{ context: BrowserContext; page: Page }> {
    const context = await browser.newContext({ locale, viewport, javaScriptEnabled: false })
    const page = await context.newPage()
    return { context, page }
  }

  /** Checks that nothing overflows sideways and that axe finds nothing, and takes a picture on request. */
  async function look(page: Page, name: string): Promise<void> {
    const { SCREENSHOTS } = process.env
    if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true })
    const width = page.viewportSize()?.width ?? 0
    for (const box of await Promise.all((await page.locator('body *').all()).map((each) => each.boundingBox()))) {
      if (box) expect(box.x + box.width, name).toBeLessThanOrEqual(width)
    }
  }

  /** The code from a contact's e-mail. */
  async function mailedCode(email: string): Promise<string> {
    const text = (): string => mail.mails.find(({ to }) => to.includes(email))?.text ?? ''
    await expect.poll(text).not.toBe('')
    return /\b\d{8}\b/.exec(text())?.[0] ?? ''
  }

  /** The colours of a button and of its text, as shown. */
  const coloursOf = (page: Page, button: string): Promise<string[]> =>
    page.getByRole('button', { name: button, exact: true }).evaluate((shown) => {
      const { getComputedStyle } = globalThis as unknown as InBrowser
      const { backgroundColor, color } = getComputedStyle(shown)
      return [backgroundColor, color]
    })

  test.each(
    sampled(
      [
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
      ] as const,
      2,
    ),
  )('%s: a contact signs in by keyboard, after a mistake too', async (locale, viewport, lang, words) => {
    const { email } = await site.contact()
    const { context, page } = await open(locale, viewport)
    await page.goto(site.authorize(app, { state: `state-${lang}` }))
    expect(await page.title()).toBe(`${words.title} – Foire & Congrès Léman`)
    expect(await page.locator('html').getAttribute('lang')).toBe(lang)
    // The account's colour, with readable text on it.
    expect(await coloursOf(page, words.signIn)).toEqual(['rgb(255, 204, 0)', 'rgb(0, 0, 0)'])
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
    expect(await page.locator('#who').textContent()).toBe(email)

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

  test('from its callback a site can redirect to its other registered origins, and to no others', deep, async () => {
    const [callback, home] = [`http://127.0.0.1:${port()}/on`, `http://localhost:${port()}/home`]
    const { email } = await site.contact()
    const { context, page } = await open('en-GB', desk)
    const allow = async (redirect_uris: string[]): Promise<void> => {
      await page.goto(site.authorize(await site.app({ redirect_uris })))
      if (await page.getByLabel('Password').isVisible()) {
        await page.getByLabel('E-mail address').fill(email)
        await page.getByLabel('Password').fill(PASSWORD)
        await page.keyboard.press('Enter')
      }
      await page.getByRole('button', { name: 'Allow', exact: true }).click()
    }
    await allow([callback, home])
    await page.waitForURL(home)
    const refused = page.waitForEvent('console', (message) => message.text().includes('form-action'))
    await allow([callback])
    await refused
    expect(page.url()).not.toContain('localhost')
    await context.close()
  })

  test('a contact without a password signs in with a code from an e-mail, after a wrong one too', deep, async () => {
    const { email } = await site.contact({ password: null })
    const { context, page } = await open('fr-FR', phone)
    await page.goto(site.authorize(app, { state: 'par code' }))
    await page.getByLabel('Adresse e-mail').fill(email)
    await page.getByRole('button', { name: 'Recevoir un code de connexion par e-mail', exact: true }).click()
    await page.getByRole('status').waitFor()
    expect(await page.title()).toBe('Code de connexion – Foire & Congrès Léman')
    expect(await page.getByRole('status').textContent()).toContain(email)
    await look(page, 'code-fr')

    const code = await mailedCode(email)
    const field = page.getByLabel('Code de connexion')
    await field.fill(code === '12345678' ? '87654321' : '12345678')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').textContent()).toContain('Le code est incorrect ou a expiré.')
    await look(page, 'code-wrong-fr')

    await field.fill(code)
    await page.getByRole('button', { name: 'Continuer', exact: true }).click()
    await page.getByRole('button', { name: 'Autoriser', exact: true }).click()
    await page.waitForURL(`${app.redirect_uri}?**`)
    expect(await page.locator('#query').textContent()).toBe('par code')
    expect(await page.locator('#who').textContent()).toBe(email)

    await page.goto(`${site.sso}/oauth/logout`)
    await look(page, 'sign-out-question-fr')
    await page.getByRole('button', { name: 'Se déconnecter', exact: true }).click()
    await page.getByRole('heading', { name: 'Vous êtes déconnecté', exact: true }).waitFor()
    await page.goto(site.authorize(app))
    await page.getByLabel('Mot de passe').waitFor()
    await context.close()
  })

  test.each(['en', 'fr'] as const)('%s: axe finds no accessibility problem on any page', deep, async (locale) => {
    const texts = languages[locale]
    const { id, email } = await site.contact()
    // axe is a script, so this test lifts the policy.
    const context = await browser.newContext({ bypassCSP: true, viewport: phone, locale })
    const page = await context.newPage()
    const check = async (heading: string): Promise<void> => {
      expect([await page.locator('html').getAttribute('lang'), await page.getByRole('heading').textContent()]).toEqual([
        locale,
        heading,
      ])
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    }
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const invited = await system.api('POST', `contacts/${id}/invitations.json`, { delivery: 'link' }, owner())
    await page.goto(invited.body.url)
    await check(texts.choose_password)
    await page.getByLabel(texts.new_password).fill(PASSWORD)
    await press(texts.save)
    await page.getByRole('status').waitFor()
    await check(texts.password_saved)

    await page.goto(site.authorize(app))
    await check(texts.sign_in)
    await press(texts.sign_in)
    await page.getByRole('alert').waitFor()
    await check(texts.sign_in)
    await page.getByLabel(texts.email).fill(email)
    await press(texts.send_code)
    await page.getByRole('status').waitFor()
    await check(texts.code)
    await press(texts.continue)
    await page.getByRole('alert').waitFor()
    await check(texts.code)
    await page.getByLabel(texts.code).fill(await mailedCode(email))
    await press(texts.continue)
    await page.getByRole('button', { name: texts.allow, exact: true }).waitFor()
    await check(texts.allow_title.replace('{app}', 'Conference Hub 2027'))

    await page.goto(`${site.sso}/oauth/logout`)
    await check(texts.sign_out_question)
    await page.goto(`${site.sso}/contacts/sign_out`)
    await check(texts.signed_out)
    await page.goto(`${site.sso}/nothing`)
    await check(texts.error_title)
    await context.close()
  })

  test('an invited contact chooses a password, and the link works once', deep, async () => {
    const { id, email } = await site.contact({ password: null })
    const made = await system.api('POST', `contacts/${id}/invitations.json`, { delivery: 'link' }, owner())
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
