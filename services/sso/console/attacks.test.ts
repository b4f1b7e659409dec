import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { PASSWORD } from '@gatehouse/test/harness/sso-site.ts'
import { SESSION_COOKIE, StaffVisitor } from '@gatehouse/test/harness/staff-visitor.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { beforeAll, describe, expect, test } from 'vitest'

const system = await sharedSystem()
const { api, url } = system
let owner: StaffVisitor & { made: { _id: string; email: string } }
let event: TestEvent

beforeAll(async () => {
  owner = await StaffVisitor.of(system, system, { role: 'owner' })
  event = await TestEvent.open(system)
})

/** Signs in up to the callback, which is not followed. */
async function callbackOf(email: string, account = system): Promise<{ visitor: StaffVisitor; callback: string }> {
  const visitor = new StaffVisitor(system, account)
  const login = await visitor.begin()
  const { jar } = visitor.browser
  const form = /<form[^>]*action="([^"]+)"/.exec(login.text)?.[1] ?? ''
  const csrf = /name="csrf" value="([^"]*)"/.exec(login.text)?.[1] ?? ''
  const body = new URLSearchParams({ csrf, email, password: PASSWORD, step: 'password' })
  let seen = await visitor.browser.request(new URL(form, url).href, { method: 'POST', body })
  for (;;) {
    const next = new URL(seen.headers.get('location') ?? '', seen.url).href
    if (next.startsWith(`${url}/console/callback`)) return { visitor, callback: next }
    expect(jar).toBeDefined()
    seen = await visitor.browser.request(next)
  }
}

const raw = (path: string, init: RequestInit = {}) => fetch(`${url}${path}`, { redirect: 'manual', ...init })
const EVENTS = '/console/api/v1/events.json'

describe('the session of the console', () => {
  test('its cookie is for scripts not to see, for other sites not to send, and for /console alone', slow, async () => {
    const { visitor, callback } = await callbackOf(owner.made.email)
    const seen = await visitor.browser.request(callback)
    const [cookie = ''] = seen.headers.getSetCookie().filter((each) => each.startsWith(`${SESSION_COOKIE}=gh_console_`))
    expect(cookie).toMatch(/^console=gh_console_[\w-]{43}; Path=\/console; Max-Age=43200; HttpOnly; SameSite=Strict$/)
    expect(await visitor.cookie('/console/api/v1/events.json')).toBeDefined()
    for (const path of ['/', '/api/v1/events.json', '/consoles', '/scanner/', `/sso/${system.slug}/`])
      expect([path, await visitor.cookie(path)]).toEqual([path, undefined])
  })

  test('is nothing to /api/v1, neither as a cookie nor as a token', async () => {
    const id = await owner.cookie()
    const cookie = `${SESSION_COOKIE}=${id}`
    expect((await raw(`/api/v1/events.json?auth_token=${id}`)).status).toBe(403)
    expect((await raw('/api/v1/events.json', { headers: { authorization: `Bearer ${id}` } })).status).toBe(403)
    expect((await raw('/api/v1/events.json', { headers: { cookie } })).status).toBe(403)
    expect((await raw(EVENTS, { headers: { cookie } })).status).toBe(200)
  })

  test('a token is nothing to the path of the console', async () => {
    const { auth_token } = system
    expect((await raw(`${EVENTS}?auth_token=${auth_token}`)).status).toBe(401)
    expect((await raw(EVENTS, { headers: { authorization: `Bearer ${auth_token}` } })).status).toBe(401)
    expect((await raw(EVENTS, { headers: { cookie: `${SESSION_COOKIE}=${auth_token}` } })).status).toBe(401)
  })

  test('an id that was set beforehand is replaced at the sign-in, and ends', async () => {
    const visitor = new StaffVisitor(system, system)
    await visitor.browser.jar.setCookie(`${SESSION_COOKIE}=fixed; Path=/console`, `${url}/console/`)
    await visitor.signIn(owner.made.email)
    const first = await visitor.cookie()
    expect(first).toMatch(/^gh_console_/)
    await visitor.begin()
    expect(await visitor.cookie()).not.toBe(first)
    expect((await raw(EVENTS, { headers: { cookie: `${SESSION_COOKIE}=${first}` } })).status).toBe(401)
    expect((await visitor.session()).status).toBe(200)
  })

  test('is no way to /me of contacts, and says who it is', async () => {
    const { status, body } = await owner.api('GET', 'me.json')
    const { _id: token_id } = owner.made
    expect([status, body]).toMatchObject([200, { token_id, name: 'Ada Lovelace', role: 'owner', scope: 'admin' }])
    const organizer = await StaffVisitor.of(system, system, { role: 'organizer' })
    expect((await organizer.api('GET', 'me.json')).body).toMatchObject({ name: 'Ada Lovelace', role: 'organizer' })
    expect((await api('GET', 'me.json')).body).not.toHaveProperty('role')
  })
})

describe('a sign-in', () => {
  test('ends in the browser alone in which it began', async () => {
    const { callback } = await callbackOf(owner.made.email)
    const thief = new StaffVisitor(system, system)
    await thief.begin()
    const seen = await thief.browser.request(callback)
    expect([seen.status, await thief.cookie()]).toEqual([400, undefined])
  })

  test('ends once', async () => {
    const { visitor, callback } = await callbackOf(owner.made.email)
    const step = await visitor.browser.jar.getCookieString(callback)
    expect((await visitor.browser.request(callback)).status).toBe(303)
    const again = await raw(callback.slice(url.length), { headers: { cookie: step } })
    expect([again.status, again.headers.getSetCookie().some((each) => each.includes('gh_console_'))]).toEqual([
      400,
      false,
    ])
  })

  test('takes no code of another account', slow, async () => {
    const other = { ...system, ...(await system.account('other')) }
    const theirs = await StaffVisitor.of(system, other, { role: 'owner' })
    const { callback } = await callbackOf(theirs.made.email, other)
    const { visitor, callback: own } = await callbackOf(owner.made.email)
    const mixed = new URL(own)
    mixed.searchParams.set('code', new URL(callback).searchParams.get('code') ?? '')
    const seen = await visitor.browser.request(mixed.href)
    expect([seen.status, await visitor.cookie()]).toEqual([400, undefined])
  })

  test.each([
    'https://evil.example/',
    '//evil.example/',
    '/console/../evil',
    '/\\evil.example',
    '/api/v1/events.json',
    'javascript:alert(1)',
    '/console//../..//evil.example',
  ])('leads on below /console/ alone: %s', async (to) => {
    const visitor = new StaffVisitor(system, system)
    expect((await visitor.signIn(owner.made.email, to)).url).toBe(`${url}/console/`)
  })

  test('as a client of its own is in no list, and no app may use its callback', async () => {
    expect((await api('GET', 'oauth_apps.json')).text).not.toContain('console')
    const query = new URLSearchParams({
      client_id: 'console',
      redirect_uri: 'https://evil.example/',
      response_type: 'code',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    })
    const seen = await raw(`/sso/${system.slug}/oauth/authorize?${query}`)
    expect([seen.status, seen.headers.get('location')]).toEqual([400, null])
  })

  test('of an unknown account asks for the account', async () => {
    const seen = await raw('/console/sign-in?account=nobody')
    expect([seen.status, await seen.text()]).toEqual([404, expect.stringContaining('There is no such account')])
  })
})

describe('requests that read', () => {
  test.each([
    [200, {}],
    [200, { 'sec-fetch-site': 'same-origin' }],
    [200, { 'sec-fetch-site': 'none' }],
    [403, { 'sec-fetch-site': 'same-site' }],
    [403, { 'sec-fetch-site': 'cross-site' }],
  ])('are answered with %i: %j, and for pages of the same origin alone', async (status, headers) => {
    const cookie = `${SESSION_COOKIE}=${await owner.cookie()}`
    const seen = await raw(EVENTS, { headers: { cookie, ...headers } })
    expect([seen.status, seen.headers.get('cross-origin-resource-policy')]).toEqual([status, 'same-origin'])
  })
})

describe('a sign-out of single sign-on', () => {
  const signOut = (target: string) =>
    raw(`/sso/${system.slug}/contacts/sign_out?${new URLSearchParams({ redirect_uri: target })}`)

  test('leads back to the console', async () => {
    const seen = await signOut(`${url}/console/`)
    expect([seen.status, seen.headers.get('location')]).toEqual([303, `${url}/console/`])
  })

  test.each([
    '/sso/evil/contacts/sign_out?redirect_uri=https://evil.example/',
    '/console/../sso/evil/contacts/sign_out?redirect_uri=https://evil.example/',
    '/console/%2e%2e/sso/evil/contacts/sign_out',
    '/consoles/',
    '/',
  ])('leads to no other path of the same origin: %s', async (path) => {
    const seen = await signOut(url + path)
    expect([seen.status, seen.headers.get('location')]).toEqual([400, null])
  })
})

describe('requests that change something', () => {
  const categories = () => `/console/api/v1/events/${event.id}/guest_categories.json`
  const send = async (headers: Record<string, string>, init: RequestInit = {}) => {
    const cookie = `${SESSION_COOKIE}=${await owner.cookie()}`
    const body = JSON.stringify({ name: 'Forged' })
    return raw(categories(), {
      method: 'POST',
      body,
      ...init,
      headers: { cookie, 'content-type': 'application/json', ...headers },
    })
  }

  test.each([
    [201, {}, { origin: url }],
    [201, {}, { 'sec-fetch-site': 'same-origin' }],
    [403, {}, {}],
    [403, {}, { origin: 'null' }],
    [403, {}, { origin: 'http://127.0.0.1:1' }],
    [403, {}, { origin: `${url}.evil.example` }],
    [403, {}, { origin: url, 'sec-fetch-site': 'same-site' }],
    [403, {}, { 'sec-fetch-site': 'cross-site' }],
    [403, {}, { 'sec-fetch-site': 'none' }],
    [415, {}, { origin: url, 'content-type': 'application/x-www-form-urlencoded' }],
    [415, {}, { origin: url, 'content-type': 'text/plain' }],
    [401, {}, { origin: url, cookie: '' }],
  ])('are answered with %i: %j %j', async (status, init, headers) => {
    expect((await send(headers, init)).status).toBe(status)
  })

  test('a sign-out needs the same origin too', async () => {
    const visitor = new StaffVisitor(system, system)
    await visitor.signIn(owner.made.email)
    const cookie = `${SESSION_COOKIE}=${await visitor.cookie()}`
    expect(
      (await raw('/console/sign-out', { method: 'POST', headers: { cookie, origin: 'http://127.0.0.1:1' } })).status,
    ).toBe(403)
    expect((await visitor.session()).status).toBe(200)
  })
})
