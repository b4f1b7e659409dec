import type { Seen } from '@gatehouse/test/harness/browser-session.ts'
import { PASSWORD, pkce, type SiteApp, SsoSite } from '@gatehouse/test/harness/sso-site.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let system: System
let site: SsoSite
let app: SiteApp
let strict: SiteApp

beforeAll(async () => {
  system = await startSystem({ checkins: 0, gateway: { trust_proxy: 'true' } })
  site = await SsoSite.open(system, 'acme')
  app = await site.app()
  strict = await site.app({ name: 'Strict', is_strict: true, redirect_uris: ['https://strict.example/callback'] })
})
afterAll(() => system?.stop())

/** Signs a contact in to the strict app, and returns the token answer. */
async function strictTokens(visitor = site.visitor()) {
  const { email } = await site.contact()
  const { verifier, challenge } = pkce()
  const asked = { scope: 'openid', code_challenge: challenge, code_challenge_method: 'S256' }
  const code = await site.code(visitor, strict, email, asked)
  return { visitor, email, ...(await site.token(strict, code, { code_verifier: verifier })).body }
}

describe('each page', () => {
  /** The headers of a page that are missing or unsafe; undefined if it is safe to show. */
  function problemOf({ text, headers }: Seen): string | undefined {
    const policy = headers.get('content-security-policy') ?? ''
    if (!headers.get('content-type')?.startsWith('text/html')) return 'is no page'
    if (!policy.includes("default-src 'none'") || !policy.includes("frame-ancestors 'none'")) return `policy: ${policy}`
    if (headers.get('x-frame-options') !== 'DENY') return 'may be framed'
    if (text.includes('<script')) return 'has a script'
    return /<html lang="[a-z-]+">/.test(text) ? undefined : 'has no language'
  }

  test('has a strict policy, cannot be framed, has a language and no script', slow, async () => {
    const { email } = await site.contact()
    const visitor = site.visitor()
    const login = await visitor.open(site.authorize(app))
    const problems = await visitor.submit(login, { email, password: '', step: 'password' })
    const consent = await visitor.submit(login, { email, password: PASSWORD, step: 'password' })
    const forged = await visitor.submit(consent, { step: 'allow', csrf: 'x' })
    const { visitor: signedIn } = await strictTokens()
    const signOut = await signedIn.open(`${site.sso}/oauth/logout`)
    const invitation = `${site.sso}/invitations/${'x'.repeat(43)}`
    const pages = {
      ...{ login, problems, consent, forged, signOut },
      signedOut: await signedIn.submit(signOut, { logout: 'yes' }),
      signedOutTwice: await signedIn.open(`${site.sso}/oauth/logout`),
      invitation: await visitor.open(invitation),
      over: await visitor.open(`${site.sso}/interaction/gone`),
      wrongApp: await visitor.open(site.authorize(app, { client_id: 'nobody' })),
      nothing: await visitor.open(`${site.sso}/nothing`),
      noAccount: await visitor.open(`${system.url}/sso/nobody/`),
      away: await visitor.open(`${site.sso}/contacts/sign_out?redirect_uri=https://evil.example/`),
      bye: await visitor.open(`${site.sso}/contacts/sign_out`),
    }
    for (const [name, seen] of Object.entries(pages)) expect(problemOf(seen), name).toBeUndefined()
    const { status } = pages.signedOutTwice
    expect([pages.signOut.status, pages.signedOut.status, status]).toEqual([200, 200, 200])
  })

  test('of a sign-in may redirect to the origins of its app, all others only to us', async () => {
    const redirect_uris = ['http://127.0.0.1:4000/callback', 'https://two.example/a', 'https://two.example/b']
    const local = await site.app({ name: 'Local', redirect_uris })
    const policyOf = async (url: string) =>
      /form-action [^;]*/.exec((await site.visitor().open(url)).headers.get('content-security-policy') ?? '')?.[0]
    expect(await policyOf(site.authorize(local))).toBe("form-action 'self' http://127.0.0.1:4000 https://two.example")
    expect(await policyOf(site.authorize(app))).toBe("form-action 'self' https://hub.example")
    expect(await policyOf(`${site.sso}/contacts/sign_out`)).toBe("form-action 'self'")
  })
})

describe('a browser without a session', () => {
  test('is signed out without a question, in the requested language', async () => {
    const seen = await site.visitor().open(`${site.sso}/oauth/logout`, { headers: { 'accept-language': 'fr' } })
    expect([seen.status, seen.url]).toEqual([200, `${site.sso}/oauth/logout/success`])
    expect((await site.visitor({ 'accept-language': 'fr' }).open(`${site.sso}/oauth/logout`)).text).toContain(
      '<html lang="fr">',
    )
  })

  test('is redirected to the app with its state, and nowhere else', slow, async () => {
    const { visitor, id_token } = await strictTokens()
    const logout = (params: Record<string, string>) => `${site.sso}/oauth/logout?${new URLSearchParams(params)}`
    const wish = { id_token_hint: id_token, post_logout_redirect_uri: 'https://strict.example/', state: 'a b&c' }
    await visitor.submit(await visitor.open(logout(wish)), { logout: 'yes' })
    for (const each of [visitor, site.visitor()]) {
      const { url } = await each.open(logout(wish))
      expect([new URL(url).origin, new URL(url).searchParams.get('state')]).toEqual(['https://strict.example', 'a b&c'])
    }
    const evil = await visitor.open(logout({ ...wish, post_logout_redirect_uri: 'https://evil.example/' }))
    expect([evil.status, evil.headers.get('location')]).toEqual([400, null])
    const { url } = await visitor.open(logout({ post_logout_redirect_uri: 'https://strict.example/' }))
    expect(url).toBe(`${site.sso}/oauth/logout/success`)
  })

  test('gets no session from signing out', async () => {
    const visitor = site.visitor()
    const seen = await visitor.request(`${site.sso}/oauth/logout`)
    expect(seen.status).toBe(303)
    expect((await visitor.jar.getCookies(site.sso)).filter(({ key }) => key.startsWith('sso-acme'))).toEqual([])
  })
})

test('signing in on a page from before another contact signed in ends the session of that contact', slow, async () => {
  const [ada, bob] = [await site.contact(), await site.contact()]
  const visitor = site.visitor()
  const early = await visitor.open(site.authorize(app))
  const token = (await site.token(app, await site.code(visitor, app, ada.email))).body.access_token
  expect((await site.me(token)).status).toBe(200)
  const seen = await visitor.submit(early, { email: bob.email, password: PASSWORD, step: 'password' })
  expect([seen.status, seen.text]).toEqual([200, expect.stringContaining('value="allow"')])
  expect(seen.text).toContain(bob.email)
  expect((await site.me(token)).status).toBe(401)
  const back = new URL((await visitor.submit(seen, { step: 'allow' })).url)
  const mine = (await site.token(app, back.searchParams.get('code') ?? '')).body.access_token
  expect((await site.me(mine)).body.email).toBe(bob.email)
  const { body } = await system.api('GET', `audit_records.json?contact_id=${ada.id}&kind=sign_out`, undefined, {
    token: site.account.auth_token,
  })
  expect(body).toHaveLength(1)
})

describe('the answer to an app goes into the query', () => {
  test.each(['form_post', 'fragment', 'web_message', 'jwt'])('%s is refused by it', async (response_mode) => {
    const { email } = await site.contact()
    const visitor = site.visitor()
    await site.signIn(visitor, app, email)
    const back = new URL((await visitor.open(site.authorize(app, { response_mode }))).url)
    expect([back.origin, back.hash, back.searchParams.get('state')]).toEqual(['https://hub.example', '', 'af0ifjsldkj'])
    expect(back.searchParams.get('error')).toBe('unsupported_response_mode')
    expect(back.searchParams.has('code')).toBe(false)
  })

  test('the mode query is accepted, and discovery lists no other', async () => {
    const { email } = await site.contact()
    expect(await site.code(site.visitor(), app, email, { response_mode: 'query' })).not.toBe('')
    for (const name of ['openid-configuration', 'oauth-authorization-server']) {
      const metadata = (await (await fetch(`${site.sso}/.well-known/${name}`)).json()) as object
      expect(metadata).toMatchObject({ response_modes_supported: ['query'] })
    }
    expect((await fetch(`${site.sso}/.well-known/openid-configuration`, { method: 'HEAD' })).status).toBe(200)
  })
})

describe('a button that is clicked twice', () => {
  const ROUNDS = 8

  /** The outcomes of two answers to the same page: a redirect, or a page with its status. */
  async function twice(answer: () => Promise<Seen>, gap: number): Promise<(number | 'on')[]> {
    const late = new Promise<void>((resolve) => setTimeout(resolve, gap)).then(answer)
    return (await Promise.all([answer(), late])).map(({ url, status, text }) =>
      url.startsWith('https://hub.example') || text.includes('value="allow"') ? 'on' : status,
    )
  }

  test('signs in; the late click gets a page that says so, and nothing fails', slow, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { email } = await site.contact()
      const visitor = site.visitor()
      const login = await visitor.open(site.authorize(app))
      const ways = await twice(() => visitor.submit(login, { email, password: PASSWORD, step: 'password' }), round * 20)
      expect(ways).toContain('on')
      for (const way of ways) expect(['on', 400]).toContain(way)
    }
  })

  test('allows; the late click gets a page that says so, and nothing fails', slow, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { email } = await site.contact()
      const visitor = site.visitor()
      const login = await visitor.open(site.authorize(app))
      const consent = await visitor.submit(login, { email, password: PASSWORD, step: 'password' })
      const ways = await twice(() => visitor.submit(consent, { step: 'allow' }), round)
      expect(ways).toContain('on')
      for (const way of ways) expect(['on', 400]).toContain(way)
    }
  })
})

test('a contact who first allows an app in five browsers concurrently gets a code in each', slow, async () => {
  for (let round = 0; round < 3; round++) {
    const { email } = await site.contact()
    const pages = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const visitor = site.visitor()
        const login = await visitor.open(site.authorize(app))
        return { visitor, consent: await visitor.submit(login, { email, password: PASSWORD, step: 'password' }) }
      }),
    )
    const seen = await Promise.all(pages.map(({ visitor, consent }) => visitor.submit(consent, { step: 'allow' })))
    for (const { url } of seen) expect(url).toMatch(/^https:\/\/hub\.example\/callback\?code=/)
  }
})

test('over plain HTTP single sign-on works on this machine only and answers 503 to others', async () => {
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address }, redirect: 'manual' }) as const
  for (const url of [site.authorize(app), `${site.sso}/oauth/token`, `${site.sso}/api/v1/me`]) {
    for (const address of ['192.0.2.2', '10.1.2.3', '2001:db8::1', '::ffff:192.0.2.2']) {
      const answer = await fetch(url, from(address))
      expect([address, answer.status, answer.headers.getSetCookie()]).toEqual([address, 503, []])
      expect(await answer.text()).toContain('PUBLIC_URL must begin with https://')
    }
    for (const address of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1']) {
      expect((await fetch(url, from(address))).status, `${url} ${address}`).not.toBe(503)
    }
  }
})
