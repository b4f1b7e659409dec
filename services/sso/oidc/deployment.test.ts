// @module-tag slow
import { BrowserSession } from '@gatehouse/test/harness/browser-session.ts'
import { type MailServer, startMailServer } from '@gatehouse/test/harness/mail-server.ts'
import { withinRateWindow } from '@gatehouse/test/harness/rate-window.ts'
import { PASSWORD, SsoSite } from '@gatehouse/test/harness/sso-site.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { allowances } from '../throttle.ts'

describe('behind a proxy with HTTPS', () => {
  const PUBLIC_URL = 'https://tickets.example/gate'
  let system: System
  let site: SsoSite

  beforeAll(async () => {
    system = await startSystem({ checkins: 0, sso: { public_url: `${PUBLIC_URL}/` }, gateway: { trust_proxy: 'true' } })
    site = await SsoSite.open(system, 'acme')
  })
  afterAll(() => system?.stop())

  test('addresses and cookies are those of the public URL, whatever a client sends', async () => {
    const app = await site.app()
    const headers = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      'x-forwarded-for': '203.0.113.9',
      forwarded: 'host=evil.example',
    }
    const answer = await fetch(site.authorize(app), { headers, redirect: 'manual' })
    expect(answer.status).toBe(303)
    const location = answer.headers.get('location') ?? ''
    expect(location).toMatch(/^\/gate\/sso\/acme\/interaction\/[\w-]+$/)
    const cookies = answer.headers.getSetCookie()
    expect(cookies.length).toBeGreaterThanOrEqual(2)
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__(Secure|Host)-sso-/)
      expect(cookie).toMatch(/; secure/i)
      expect(cookie).toMatch(/; httponly/i)
      expect(cookie).toMatch(/; samesite=lax/i)
      expect(cookie).not.toMatch(/domain=/i)
    }
    expect(cookies.filter((each) => each.startsWith('__Secure-sso-step=')).join()).toContain(`path=${location}`)
    const resume = cookies.find((each) => each.startsWith('__Secure-sso-resume=')) ?? ''
    expect(resume).toMatch(/path=\/gate\/sso\/acme\/oauth\/authorize\/[\w-]+/)

    const metadata = (await (
      await fetch(`${site.sso}/.well-known/openid-configuration`, { headers })
    ).json()) as Record<string, string>
    expect(metadata.issuer).toBe(`${PUBLIC_URL}/sso/acme`)
    expect(metadata.token_endpoint).toBe(`${PUBLIC_URL}/sso/acme/oauth/token`)
    expect(JSON.stringify(metadata)).not.toContain('evil')
  })

  test('a contact signs in, and the browser accepts the cookies', async () => {
    const app = await site.app({ name: 'Second' })
    const { email } = await site.contact()
    const visitor = new BrowserSession(PUBLIC_URL, {}, (url) => url.replace(`${PUBLIC_URL}/sso`, `${system.url}/sso`))
    const authorize = site.authorize(app).replace(site.sso, `${PUBLIC_URL}/sso/acme`)
    const login = await visitor.open(authorize)
    const consent = await visitor.submit(login, { email, password: PASSWORD, step: 'password' })
    const back = await visitor.submit(consent, { step: 'allow' })
    expect(back.url).toMatch(/^https:\/\/hub\.example\/callback\?code=/)
    expect((await visitor.open(authorize)).url).toMatch(/^https:\/\/hub\.example\/callback\?code=/)
    const keys = (await visitor.jar.getCookies(`${PUBLIC_URL}/sso/acme`)).map(({ key }) => key)
    expect(keys).toContain('__Host-sso-acme')
  })

  test('the session cookie is bound to its host', async () => {
    const answer = await fetch(`${site.sso}/contacts/sign_out`)
    const cookies = answer.headers.getSetCookie().filter((each) => each.startsWith('__Host-sso-acme'))
    expect(cookies.length).toBeGreaterThan(0)
    for (const cookie of cookies) {
      for (const word of [/; path=\/;/i, /; secure/i, /; httponly/i, /; samesite=lax/i]) expect(cookie).toMatch(word)
      expect(cookie).not.toMatch(/domain=/i)
    }
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })
})

test('with a PUBLIC_URL of plain HTTP on another machine sign-ins are refused, and the rest works', async () => {
  const system = await startSystem({ checkins: 0, sso: { public_url: 'http://tickets.example' } })
  onTestFinished(() => system.stop())
  const site = await SsoSite.open(system, 'acme')
  const app = await site.app()
  for (const url of [site.authorize(app), `${site.sso}/oauth/token`, `${site.sso}/api/v1/me`]) {
    const answer = await fetch(url, { redirect: 'manual' })
    expect([answer.status, await answer.text()]).toEqual([
      503,
      expect.stringContaining('PUBLIC_URL must begin with https://'),
    ])
    expect(answer.headers.getSetCookie()).toEqual([])
  }
})

describe('with a mail server', () => {
  let system: System
  let site: SsoSite
  let mail: MailServer

  beforeAll(async () => {
    mail = await startMailServer()
    const settings = { smtp_url: mail.url, mail_from: 'Gatehouse <noreply@gatehouse.example>' }
    system = await startSystem({ checkins: 0, sso: { ...settings, rate_limits: 'on' } })
    site = await SsoSite.open(system, 'acme')
  })
  afterAll(async () => {
    await system?.stop()
    await mail?.stop()
  })

  test('a contact signs in with a code from an e-mail, once', async () => {
    const app = await site.app()
    const { email } = await site.contact({ password: null })
    const visitor = site.visitor()
    const login = await visitor.open(site.authorize(app, { locale: 'it' }))
    const page = await visitor.submit(login, { email, step: 'send_code' })
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('Codice di accesso')])
    await expect.poll(() => mail.mails.length).toBe(1)
    const code = /\b\d{8}\b/.exec(mail.mails[0]?.text ?? '')?.[0] ?? ''
    const wrong = await visitor.submit(page, { code: code === '12345678' ? '87654321' : '12345678', step: 'code' })
    expect([page, wrong].map(({ text }) => text.includes('role="status"'))).toEqual([true, false])
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('Il codice non è corretto')])
    const consent = await visitor.submit(wrong, { code: ` ${code.slice(0, 4)} ${code.slice(4)} `, step: 'code' })
    const back = new URL((await visitor.submit(consent, { step: 'allow' })).url)
    const token = await site.token(app, back.searchParams.get('code') ?? '')
    expect((await site.me(token.body.access_token)).body.email).toBe(email)

    const again = site.visitor()
    const second = await again.submit(await again.open(site.authorize(app)), { email, step: 'send_code' })
    expect((await again.submit(second, { code, step: 'code' })).status).toBe(422)
  })

  test('an unknown address gets the same page, and no e-mail; too many requests are refused, known or not', async () => {
    const app = await site.app({ name: 'Other' })
    const known = await site.contact()
    await withinRateWindow(allowances.code_contact_address.seconds, 30)
    const seen: Record<string, string[]> = {}
    for (const email of [known.email, 'nobody@example.org']) {
      const visitor = site.visitor()
      const login = await visitor.open(site.authorize(app))
      const pages = []
      for (let n = 0; n < 6; n++) pages.push(await visitor.submit(login, { email, step: 'send_code' }))
      seen[email] = pages.map(
        ({ status, text }) =>
          `${status} ${text
            .replaceAll(email, 'WHO')
            .replace(/value="[\w-]{43}"/, '')
            .replace(/interaction\/[\w-]+/, '')
            // the second address is refused later than the first
            .replace(/in \d+ min/, 'in N min')}`,
      )
    }
    expect(seen['nobody@example.org']).toEqual(seen[known.email])
    expect(seen[known.email]?.map((each) => each.slice(0, 3))).toEqual(['200', '200', '200', '200', '200', '429'])
    expect(mail.mails.some(({ to }) => to.includes('nobody@example.org'))).toBe(false)
  })

  test('a wrong code, an unknown address, a contact without a code and a blocked one get the same answer', async () => {
    const app = await site.app({ name: 'Fourth' })
    const known = await site.contact()
    const none = await site.contact()
    const blocked = await site.contact({ is_blocked: true })
    const answers = []
    for (const email of [known.email, 'stranger@example.org', none.email, blocked.email]) {
      const visitor = site.visitor()
      const login = await visitor.open(site.authorize(app))
      const page = email === none.email ? login : await visitor.submit(login, { email, step: 'send_code' })
      if (email === known.email) {
        await expect.poll(() => mail.mails.some(({ to }) => to.includes(email))).toBe(true)
      }
      const text = mail.mails.find(({ to }) => to.includes(known.email))?.text ?? ''
      const wrong = text.includes('12345678') ? '87654321' : '12345678'
      const { status, headers, text: shown } = await visitor.submit(page, { email, code: wrong, step: 'code' })
      const told = [...headers].filter(([name]) => !['date', 'content-length'].includes(name))
      const rest = shown.replaceAll(email, 'WHO').replace(/value="[\w-]{43}"/, '')
      answers.push([status, told, rest.replace(/interaction\/[\w-]+/, '')])
    }
    for (const answer of answers.slice(1)) expect(answer).toEqual(answers[0])
    expect(answers[0]?.[0]).toBe(422)
  })

  test('who lost a code gets a new one where codes are typed; if that is refused, the last one still signs in', async () => {
    const app = await site.app({ name: 'Fifth' })
    const { email } = await site.contact({ password: null })
    await withinRateWindow(allowances.code_contact_address.seconds, 30)
    const codes = (): string[] =>
      mail.mails.filter(({ to }) => to.includes(email)).map(({ text }) => /\b\d{8}\b/.exec(text)?.[0] ?? '')
    const visitor = site.visitor()
    let page = await visitor.submit(await visitor.open(site.authorize(app)), { email, step: 'send_code' })
    for (let sent = 1; sent <= 5; sent++) {
      await expect.poll(() => codes().length).toBe(sent)
      page = await visitor.submit(page, { code: '', step: 'send_code' })
    }
    expect([page.status, page.text]).toEqual([429, expect.stringContaining('name="code"')])
    const consent = await visitor.submit(page, { code: codes().at(-1) ?? '', step: 'code' })
    expect(consent.text).toContain('value="allow"')
  })

  test('a password still signs in after a code was requested', async () => {
    const app = await site.app({ name: 'Third' })
    const { email } = await site.contact()
    const visitor = site.visitor()
    const login = await visitor.open(site.authorize(app))
    const code = await visitor.submit(login, { email, step: 'send_code' })
    const start = await visitor.submit(code, { step: 'start' })
    expect(start.text).toContain('name="password"')
    const consent = await visitor.submit(start, { email, password: PASSWORD, step: 'password' })
    expect(consent.text).toContain('value="allow"')
  })
})
