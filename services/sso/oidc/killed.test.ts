import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserSession, Seen } from '@gatehouse/test/harness/browser-session.ts'
import { type KillableProcess, startKillable } from '@gatehouse/test/harness/killable.ts'
import { type MailServer, startMailServer } from '@gatehouse/test/harness/mail-server.ts'
import { retried } from '@gatehouse/test/harness/retried.ts'
import { type SiteApp, SsoSite } from '@gatehouse/test/harness/sso-site.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { deep, killPoints } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let system: System
let mails: MailServer
let site: SsoSite
let app: SiteApp
/** The one process that serves sign-ins; a new one is started as soon as it is killed. */
let killable: KillableProcess

beforeAll(async () => {
  system = await startSystem({ checkins: 0, gateway: { deadline_ms: 2_000 } })
  mails = await startMailServer()
  killable = await startKillable('sso', system, {
    rate_limits: 'off',
    smtp_url: mails.url,
    mail_from: 'noreply@gatehouse.example',
  })
  await system.stopSso()
  site = await SsoSite.open(system, 'acme')
  app = await insisted(() => site.app())
})
afterAll(async () => {
  await killable?.stop()
  await system?.stop()
  await mails?.stop()
})

/** Reloads the page or submits the form again until there is an answer, as a person does. */
async function answered(visitor: BrowserSession, ask: () => Promise<Seen>, posted?: string): Promise<Seen> {
  let seen = await ask()
  for (let n = 0; seen.status === 503 && n < 40; n++) {
    await killable.serving()
    await sleep(50)
    const { url } = seen
    seen = url === posted ? await ask() : await visitor.open(url)
  }
  return seen
}

/** Calls `make` until it succeeds. */
async function insisted<T>(make: () => Promise<T>): Promise<T> {
  for (let n = 0; n < 20; n++) {
    try {
      return await make()
    } catch {
      await killable.serving()
    }
  }
  return make()
}

async function submitted(visitor: BrowserSession, page: Seen, fields: Record<string, string>): Promise<Seen> {
  const action = /<form[^>]*action="([^"]+)"/.exec(page.text)?.[1] ?? ''
  return answered(visitor, () => visitor.submit(page, fields), new URL(action, page.url).href)
}

/** Repeats a request until there is an answer, as a site does. */
function repeated(ask: () => ReturnType<SsoSite['token']>): ReturnType<SsoSite['token']> {
  return retried(ask, () => killable.serving())
}

/** Signs a contact in with a code by e-mail, up to the token. */
async function signIn(email: string): Promise<void> {
  const visitor = site.visitor()
  const login = await answered(visitor, () => visitor.open(site.authorize(app)))
  const entry = await submitted(visitor, login, { email, step: 'send_code' })
  // The code is sent after the answer. A person who gets none requests another.
  for (let n = 0; n < 5 && !codeTo(email); n++) {
    await expect
      .poll(() => codeTo(email), { timeout: 6_000 })
      .toBeDefined()
      .catch(() => {})
    if (!codeTo(email)) await submitted(visitor, login, { email, step: 'send_code' })
  }
  let code = codeTo(email)
  const enter = (page: Seen) => submitted(visitor, page, { email, code: code ?? '', step: 'code' })
  let consent = await enter(entry)
  // A request that was repeated may have sent a second code, after the first was read: only the later one counts.
  while (consent.status === 422) {
    await expect.poll(() => codeTo(email), { message: 'a later code' }).not.toBe(code)
    code = codeTo(email)
    consent = await enter(consent)
  }
  expect(consent.text, `${consent.status} ${consent.url}`).toContain('value="allow"')
  const back = await submitted(visitor, consent, { step: 'allow' })
  expect(back.url).toMatch(/^https:\/\/hub\.example\/callback\?code=/)
  let answer = await repeated(() => site.token(app, codeIn(back)))
  if (answer.status !== 200) {
    // The code is used up, and the token may be lost. The site starts again, and the contact notices nothing.
    expect(answer.body.error).toBe('invalid_grant')
    const repeatedSignIn = await answered(visitor, () => visitor.open(site.authorize(app)))
    expect(repeatedSignIn.url).toMatch(/^https:\/\/hub\.example\/callback\?code=/)
    answer = await repeated(() => site.token(app, codeIn(repeatedSignIn)))
  }
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  expect((await repeated(() => site.me(answer.body.access_token))).body.email).toBe(email)
}

function codeIn({ url }: Seen): string {
  return new URL(url).searchParams.get('code') ?? ''
}

/** The newest code that was sent to an address. */
function codeTo(email: string): string | undefined {
  const mail = mails.mails.findLast(({ to }) => to.includes(email))
  return /Subject: (\d{8})/.exec(mail?.text ?? '')?.[1]
}

test(
  'a sign-in survives the kill of its process at any answer of the store: repeated requests continue it',
  deep,
  async () => {
    for (const nth of killPoints()) {
      const { email } = await insisted(() => site.contact())
      const wasKilled = await killable.killAtAnswer(nth)
      try {
        await signIn(email)
      } catch (error) {
        throw new Error(`killed at answer ${nth}`, { cause: error })
      }
      if (wasKilled()) continue
      // A sign-in needs more answers than this.
      expect(nth).toBeGreaterThan(25)
      break
    }
  },
)
