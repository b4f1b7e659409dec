// @module-tag slow
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { execute } from '@gatehouse/local/execute'
import { reservePort } from '@gatehouse/local/ports'
import { startChromium } from '@gatehouse/test/harness/chromium.ts'
import { PASSWORD } from '@gatehouse/test/harness/sso-site.ts'
import { invite, StaffVisitor } from '@gatehouse/test/harness/staff-visitor.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { MongoClient } from 'mongodb'
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

// Takes more than ten seconds: it starts a system at localhost, where browsers have passkeys, and Chromium.

await execute(process.execPath, [join(import.meta.dirname, '../../../apps/main.ts')])

describe('the console in a browser', () => {
  let system: System
  let base: string
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let cdp: CDPSession
  let authenticatorId: string
  let email: string
  let stranger: Server
  const mongo = new MongoClient(inject('mongodbUrl'))

  beforeAll(async () => {
    const port = await reservePort()
    base = `http://localhost:${port}`
    const public_url = base
    system = await startSystem({ checkins: 0, gateway: { port, public_url }, sso: { public_url } })
    stranger = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>Elsewhere</title>')
    }).listen(0)
    await once(stranger, 'listening')
    browser = await startChromium()
    context = await browser.newContext({ locale: 'en' })
    // The machine may be busy.
    context.setDefaultTimeout(90_000)
    page = await context.newPage()
    cdp = await context.newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    ;({ authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    }))
    const made = await invite(system, system, { role: 'owner', name: 'Ada Lovelace' })
    email = made.email
    await follow(made.sign_in_url)
  })
  afterAll(async () => {
    await browser?.close()
    await mongo.close()
    stranger?.close()
    await system?.stop()
  })

  /** Sends a request from the page, as its scripts would, and returns status and body. */
  const ask = (path: string, method = 'GET', body?: object) =>
    page.evaluate(
      async ([path, method, body]) => {
        const headers = { 'content-type': 'application/json' }
        const answer = await fetch(path, { method, ...(body && { headers, body: JSON.stringify(body) }) })
        const text = await answer.text()
        return { status: answer.status, body: text && JSON.parse(text) }
      },
      [path, method, body] as const,
    )

  /** Makes a passkey, as the console does. */
  async function register(name: string) {
    const { body: options } = await ask('/console/passkeys/options.json', 'POST', {})
    const response = await page.evaluate(async (options) => {
      // biome-ignore lint/suspicious/noExplicitAny: globals of a browser
      const { PublicKeyCredential, navigator } = globalThis as any
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
      return (await navigator.credentials.create({ publicKey })).toJSON()
    }, options)
    return { response, answer: await ask('/console/passkeys/register.json', 'POST', { name, response }) }
  }

  /** Follows a link and is signed in. */
  async function follow(link: string): Promise<void> {
    await page.goto(link)
    await page.getByLabel('New password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Save and sign in' }).click()
    await page.waitForURL(`${base}/console/`)
  }

  /** Signs in on the page by password. */
  async function logIn(): Promise<void> {
    await page.locator('#email').fill(email)
    await page.locator('#password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(`${base}/console/`)
  }

  /** Sends an answer of a passkey to the page of single sign-on. */
  async function send(answer: string): Promise<void> {
    await page.locator('input[name=passkey]').evaluate((input, value) => {
      ;(input as unknown as { value: string }).value = value
    }, answer)
    await page.locator('#send-passkey').evaluate((button) => {
      const { form } = button as unknown as { form: { requestSubmit(by: unknown): void } }
      form.requestSubmit(button)
    })
  }

  /** Waits until the page says that the passkey did not work. */
  const refused = () => page.getByRole('alert').filter({ hasText: 'That passkey did not work here' }).first().waitFor()

  /** Tries to sign in with a passkey, and fails. */
  async function failToUsePasskey(): Promise<void> {
    await context.clearCookies()
    await login()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await refused()
  }

  const login = () => page.goto(`${base}/console/sign-in?account=${system.slug}`)

  test('the console makes, renames and deletes passkeys of who is signed in', async () => {
    await page.goto(`${base}/console/#/passkeys`)
    await page.getByLabel('Name', { exact: true }).fill('Laptop')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('button', { name: 'Rename: Laptop' }).click()
    const name = page.getByRole('listitem').getByLabel('Name', { exact: true })
    await name.fill('   ')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('#field-name-error').getByText('This is required.').waitFor()
    await name.fill('Desk key')
    await page.getByRole('button', { name: 'Save' }).click()
    const own = page.getByRole('listitem').filter({ hasText: 'Desk key' })
    await own.waitFor()
    expect(await page.getByRole('listitem').getByText('Laptop').count()).toBe(0)
    await page.locator('button:focus', { hasText: 'Rename' }).waitFor()
    await own.getByRole('button', { name: 'Delete' }).click()
    await own.waitFor({ state: 'detached' })
    expect((await ask('/console/passkeys/list.json')).body).not.toContainEqual(
      expect.objectContaining({ name: 'Desk key' }),
    )
  })

  test('who signed in more than ten minutes ago signs in again before a passkey is made', async () => {
    const sessions = mongo.db(`${system.namespace}_sso`).collection('console_sessions')
    await sessions.updateMany({}, { $set: { signed_in_at: new Date(Date.now() - 11 * 60_000) } })
    await page.goto(`${base}/console/#/passkeys`)
    for (const path of ['options', 'register']) {
      const refused = await ask(`/console/passkeys/${path}.json`, 'POST', {})
      expect([refused.status, refused.body.error]).toEqual([403, expect.stringContaining('sign in again first')])
    }
    await page.getByLabel('Name', { exact: true }).fill('Late key')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('link', { name: 'Sign in again' }).click()
    await page.locator('#email').fill(email)
    await page.locator('#password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(`${base}/console/#/passkeys`)
    expect((await ask('/console/passkeys/options.json', 'POST', {})).status).toBe(200)
  })

  test('who is signed in makes a passkey, lists it, and signs in with it', async () => {
    await page.goto(`${base}/console/session.json`)
    expect(JSON.parse((await page.locator('body').textContent()) ?? '').passkeys).toEqual({
      available: true,
      reason: null,
    })
    const { response, answer } = await register('This laptop')
    expect([answer.status, answer.body]).toEqual([
      201,
      { _id: response.id, name: 'This laptop', created_at: expect.any(String), last_used_at: null },
    ])
    expect((await ask('/console/passkeys/list.json')).body).toEqual([answer.body])
    // A challenge is for one answer.
    const again = await ask('/console/passkeys/register.json', 'POST', { name: 'Again', response })
    expect([again.status, again.body]).toEqual([422, { errors: { response: ['is not valid'] } }])
    expect((await ask('/console/sign-out', 'POST')).status).toBe(204)

    await login()
    const sent = page.waitForRequest((request) => request.postData()?.endsWith('step=passkey') ?? false)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL(`${base}/console/`)
    expect((await sent).postData()).toContain('passkey=')
    const { body } = await ask('/console/session.json')
    expect(body.staff_member.email).toBe(email)
    expect((await ask('/console/passkeys/list.json')).body).toMatchObject([{ last_used_at: expect.any(String) }])
  })

  test('a passkey is renamed, to 1 to 100 characters', async () => {
    const [{ _id }] = (await ask('/console/passkeys/list.json')).body
    const rename = (body: object) => ask(`/console/passkeys/${_id}`, 'PUT', body)
    for (const [name, problem] of [
      [undefined, "can't be blank"],
      [' ', "can't be blank"],
      [null, 'is not a string'],
      ['n'.repeat(101), 'is too long (maximum is 100 characters)'],
    ] as const) {
      const { status, body } = await rename({ name })
      expect([name, status, body]).toEqual([name, 422, { errors: { name: [problem] } }])
    }
    for (const name of ['n'.repeat(100), 'This laptop']) {
      expect((await rename({ name: ` ${name} ` })).status).toBe(204)
      expect((await ask('/console/passkeys/list.json')).body).toMatchObject([{ _id, name }])
    }
    expect((await ask('/console/passkeys/nothing', 'PUT', { name: 'Mine' })).status).toBe(404)
  })

  test('the passkey of another staff member, or of another account, is neither renamed nor deleted: 404', async () => {
    const [{ _id }] = (await ask('/console/passkeys/list.json')).body
    for (const account of [system, await system.account('elsewhere')]) {
      const { browser } = await StaffVisitor.of({ ...system, url: base }, account, { role: 'owner' })
      for (const method of ['PUT', 'DELETE']) {
        const headers = { origin: base, 'content-type': 'application/json' }
        const body = method === 'PUT' ? JSON.stringify({ name: 'Mine' }) : null
        const { status } = await browser.request(`${base}/console/passkeys/${_id}`, { method, headers, body })
        expect([method, status]).toEqual([method, 404])
      }
    }
    expect((await ask('/console/passkeys/list.json')).body).toMatchObject([{ _id, name: 'This laptop' }])
  })

  test('what a passkey signed in another sign-in is refused', async () => {
    await ask('/console/sign-out', 'POST')
    await login()
    const signed = page.waitForRequest((request) => request.postData()?.endsWith('step=passkey') ?? false)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL(`${base}/console/`)
    const stolen = new URLSearchParams((await signed).postData() ?? '').get('passkey') ?? ''
    await ask('/console/sign-out', 'POST')
    await login()
    await send(stolen)
    await refused()
    expect((await context.request.get(`${base}/console/session.json`)).status()).toBe(401)
  })

  test('a passkey does not work without user verification', async () => {
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await failToUsePasskey()
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  })

  test.each([
    ['whose counter is behind, as that of a copy', 'counter', 1_000_000],
    ['which belongs to another contact', 'contact_id', '0'.repeat(24)],
    ['of another account', 'account_id', '0'.repeat(24)],
  ])('a passkey does not work %s', async (_which, field, value) => {
    const passkeys = mongo.db(`${system.namespace}_sso`).collection('passkeys')
    const stored = await passkeys.findOne({ name: 'This laptop' })
    await passkeys.updateOne({ _id: stored?._id as never }, { $set: { [field]: value } })
    await failToUsePasskey()
    await passkeys.updateOne({ _id: stored?._id as never }, { $set: { [field]: stored?.[field] } })
  })

  test('a passkey does not work with what it signed at another origin', async () => {
    await context.clearCookies()
    await login()
    const at = page.url()
    const options = await page.locator('#use-passkey').evaluate(async (button) => {
      // biome-ignore lint/suspicious/noExplicitAny: an element of a browser
      const { form } = button as any
      const body = new URLSearchParams({ csrf: form.elements.csrf.value, step: 'passkey_options' })
      return (await fetch(form.getAttribute('action'), { method: 'POST', body })).json()
    })
    await page.goto(`http://localhost:${(stranger.address() as AddressInfo).port}/`)
    const signed = await page.evaluate(async (options) => {
      // biome-ignore lint/suspicious/noExplicitAny: globals of a browser
      const { PublicKeyCredential, navigator } = globalThis as any
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
      return JSON.stringify((await navigator.credentials.get({ publicKey })).toJSON())
    }, options)
    await page.goto(at)
    await send(signed)
    await refused()
  })

  test('a passkey of a blocked contact does not work, nor after that', async () => {
    const made = await invite(system, system, { role: 'viewer', name: 'Blocked Person' })
    await context.clearCookies()
    await follow(made.sign_in_url)
    // An authenticator with several passkeys takes any of them.
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
    await cdp.send('WebAuthn.clearCredentials', { authenticatorId })
    expect((await register('Of a blocked contact')).answer.status).toBe(201)
    const [{ _id }] = (await system.api('GET', `contacts.json?email=${made.email}`)).body
    await system.api('PUT', `contacts/${_id}.json`, { is_blocked: true })
    await failToUsePasskey()
    await system.api('PUT', `contacts/${_id}.json`, { is_blocked: false })
    await failToUsePasskey()
    await cdp.send('WebAuthn.clearCredentials', { authenticatorId })
    for (const credential of credentials) await cdp.send('WebAuthn.addCredential', { authenticatorId, credential })
  })

  test('another password, as after a theft, makes passkeys void', async () => {
    const [{ _id: contact_id }] = (await system.api('GET', `contacts.json?email=${email}`)).body
    await login()
    await logIn()
    expect((await ask('/console/passkeys/list.json')).body).toHaveLength(1)
    await system.api('PUT', `contacts/${contact_id}.json`, { password: PASSWORD })
    await expect.poll(async () => (await ask('/console/session.json')).status).toBe(401)
    await failToUsePasskey()
    await logIn()
    expect((await ask('/console/passkeys/list.json')).body).toEqual([])
    // The authenticator holds the void one still; what is made now counts.
    expect((await register('After the theft')).answer.status).toBe(201)
    expect((await ask('/console/passkeys/list.json')).body).toMatchObject([{ name: 'After the theft' }])
    const stored = mongo.db(`${system.namespace}_sso`).collection('passkeys')
    expect(await stored.countDocuments({ contact_id })).toBe(1)
  })

  test('a deleted passkey is gone', async () => {
    const [{ _id }] = (await ask('/console/passkeys/list.json')).body
    expect((await ask(`/console/passkeys/${_id}`, 'DELETE')).status).toBe(204)
    expect((await ask(`/console/passkeys/${_id}`, 'DELETE')).status).toBe(404)
    expect((await ask('/console/passkeys/list.json')).body).toEqual([])
  })

  test('making, renaming and deleting passkeys is in the audit log', async () => {
    const [{ _id: contact_id }] = (await system.api('GET', `contacts.json?email=${email}`)).body
    const { body } = await system.api('GET', `audit_records.json?contact_id=${contact_id}`)
    const kinds = (body as { kind: string }[]).map(({ kind }) => kind).filter((kind) => kind.startsWith('passkey'))
    // Of the console's, of the first one, which was renamed twice, and of that after the theft; the newest first.
    expect(kinds).toEqual([
      'passkey_deleted',
      'passkey_created',
      'passkey_renamed',
      'passkey_renamed',
      'passkey_created',
      'passkey_deleted',
      'passkey_renamed',
      'passkey_created',
    ])
  })

  test('the passkeys of a staff member end with the role', async () => {
    const made = await invite(system, system, { role: 'viewer', name: 'Grace Hopper' })
    await ask('/console/sign-out', 'POST')
    await follow(made.sign_in_url)
    expect((await register('Soon gone')).answer.status).toBe(201)
    const stored = mongo.db(`${system.namespace}_sso`).collection('passkeys')
    expect(await stored.countDocuments({ name: 'Soon gone' })).toBe(1)
    await system.api('DELETE', `staff_members/${made._id}.json`)
    expect(await stored.countDocuments({ name: 'Soon gone' })).toBe(0)
  })

  test('without a passkey the page says that it did not work, and the password does', async () => {
    await context.clearCookies()
    await login()
    await cdp.send('WebAuthn.disable')
    await logIn()
    expect((await ask('/console/session.json')).status).toBe(200)
  })

  test('a page of another origin of the same site reads and changes nothing, though the browser sends the cookie along', async () => {
    const path = `${base}/console/api/v1/events.json`
    const before = (await ask('/console/api/v1/events.json')).body.length
    const elsewhere = await context.newPage()
    await elsewhere.goto(`http://localhost:${(stranger.address() as AddressInfo).port}/`)
    const body = JSON.stringify({ account_id: system.account_id, title: 'Forged' })
    for (const init of [{ method: 'POST', body }, { method: 'GET' }]) {
      const failed = elsewhere.waitForEvent('requestfailed')
      await elsewhere.evaluate(
        ([path, init]) => fetch(path, { ...init, mode: 'no-cors', credentials: 'include' }).catch(() => {}),
        [path, init] as const,
      )
      const request = await failed
      expect(request.url()).toBe(path)
      expect(request.failure()?.errorText).toContain('BLOCKED_BY_RESPONSE')
    }
    const out = elsewhere.waitForResponse((response) => response.url() === `${base}/console/sign-out`)
    await elsewhere.setContent(`<form method="post" action="${base}/console/sign-out"><button>Win</button></form>`)
    await elsewhere.getByRole('button').click()
    expect((await out).status()).toBe(403)
    expect(await (await out).request().headerValue('cookie')).toContain('gh_console_')
    // It stays open: Chromium sometimes never closes a page that has just gone to another origin.
    expect((await ask('/console/api/v1/events.json')).body).toHaveLength(before)
    expect((await ask('/console/session.json')).status).toBe(200)
  })
})
