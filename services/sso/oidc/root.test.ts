import { request as httpRequest } from 'node:http'
import { BrowserSession, type Seen } from '@gatehouse/test/harness/browser-session.ts'
import { PASSWORD, pkce, type SiteApp, SsoSite } from '@gatehouse/test/harness/sso-site.ts'
import { startSystem } from '@gatehouse/test/harness/system.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const system = await startSystem({ checkins: 0, gateway: { trust_proxy: 'true' } })
const site = await SsoSite.open(system, 'acme')
const other = await SsoSite.open(system, 'beta')
const app = await site.app()
const theirs = await other.app({ redirect_uris: ['https://beta.example/callback'] })
afterAll(() => system.stop())

/** The same site for clients that use the gateway's address. */
function atRoot(place: SsoSite): SsoSite {
  return Object.assign(Object.create(SsoSite.prototype), place, { sso: system.url }) as SsoSite
}

/** A browser that follows redirects within the gateway. */
function browser(): BrowserSession {
  return new BrowserSession(`${system.url}/`)
}

const signOut = (redirect_uri?: string): string =>
  `${system.url}/contacts/sign_out${redirect_uri ? `?${new URLSearchParams({ redirect_uri })}` : ''}`

/** Whether a browser is signed in at an account: it gets no login page. */
async function isSignedIn(visitor: BrowserSession, place: SsoSite, its: SiteApp): Promise<boolean> {
  return !(await visitor.open(place.authorize(its))).text.includes('name="password"')
}

describe('at the root', () => {
  test.each([
    [
      'a legacy app with a verifier of no challenge',
      false,
      {},
      { code_verifier: 'f6b5c2f0-8a54-4c9d-9f6e-1d2c3b4a5968' },
    ],
    ['a strict app', true, {}, {}],
  ])('a contact completes a sign-in: %s', slow, async (_, is_strict, params, tokenParams) => {
    const root = atRoot(site)
    const own = await site.app({ name: 'Root', is_strict })
    const { verifier, challenge } = pkce()
    const asked = is_strict
      ? { scope: 'public openid', code_challenge: challenge, code_challenge_method: 'S256' }
      : params
    const told = is_strict ? { code_verifier: verifier } : tokenParams
    const { id, email } = await site.contact()
    const visitor = browser()
    const login = await visitor.open(root.authorize(own, { ...asked, locale: 'fr' }))
    expect([new URL(login.url).origin, login.text]).toEqual([system.url, expect.stringContaining('Connexion')])
    const consent = await visitor.submit(login, { email, password: PASSWORD, step: 'password' })
    const back = new URL((await visitor.submit(consent, { step: 'allow' })).url)
    expect(`${back.origin}${back.pathname}`).toBe(own.redirect_uri)
    expect(back.searchParams.get('state')).toBe('af0ifjsldkj')
    expect(back.searchParams.get('iss')).toBe(is_strict ? site.sso : null)

    const token = await root.token(own, back.searchParams.get('code') ?? '', told)
    expect([token.status, token.body]).toEqual([
      200,
      expect.objectContaining({ token_type: 'Bearer', expires_in: 7200 }),
    ])
    const { access_token } = token.body
    for (const path of ['/api/v1/me', '/api/v1/me.json']) {
      const me = await root.me(access_token, path)
      expect([path, me.status, me.body]).toEqual([path, 200, (await site.me(access_token)).body])
      expect(me.body).toEqual({ id, email, first_name: 'Ada', last_name: 'Lovelace' })
    }
    if (is_strict) expect((await root.me(access_token, '/oauth/userinfo')).body.sub).toBe(id)

    const out = await visitor.request(signOut(own.redirect_uri))
    expect([out.status, out.headers.get('location')]).toEqual([303, own.redirect_uri])
    expect(await isSignedIn(visitor, root, app)).toBe(false)
    expect((await root.me(access_token)).status).toBe(401)
  })

  test('a proxy’s credentials, which a browser sends with each request, do not name an app', async () => {
    const headers = { authorization: `Basic ${btoa('staging:secret')}` }
    expect((await browser().open(atRoot(site).authorize(app), { headers })).text).toContain('name="password"')
  })

  test('an app authenticates in the body, as a form or JSON, or by HTTP Basic', slow, async () => {
    const root = atRoot(site)
    const { email } = await site.contact()
    const basic = { authorization: `Basic ${btoa(`${app.client_id}:${app.client_secret}`)}` }
    const none = { client_id: null, client_secret: null }
    const code = (): Promise<string> => site.code(site.visitor(), app, email)
    expect((await root.token(app, await code())).status).toBe(200)
    expect((await root.token(app, await code(), none, basic)).status).toBe(200)
    const { client_id, client_secret, redirect_uri } = app
    const body = { client_id, client_secret, redirect_uri, code: await code(), grant_type: 'authorization_code' }
    const headers = { 'content-type': 'application/json' }
    const json = await fetch(`${system.url}/oauth/token`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(json.status).toBe(200)
    const { access_token } = (await json.json()) as { access_token: string }
    const revoked = new URLSearchParams({ token: access_token })
    expect((await root.post('/oauth/revoke', revoked, basic)).status).toBe(200)
    expect((await root.me(access_token)).status).toBe(401)
  })

  test('two accounts in one browser are separate, and a sign-out at one leaves the other', slow, async () => {
    const [one, two] = [atRoot(site), atRoot(other)]
    const { email } = await site.contact()
    await other.contact({ email, first_name: 'Grace' })
    const visitor = browser()
    const tokens: string[] = []
    for (const [place, its] of [
      [one, app],
      [two, theirs],
    ] as const) {
      tokens.push((await place.token(its, await place.code(visitor, its, email))).body.access_token)
    }
    const names = async (): Promise<unknown[]> =>
      Promise.all(tokens.map(async (token) => (await one.me(token)).body.first_name))
    expect(await names()).toEqual(['Ada', 'Grace'])

    const nobody = await visitor.request(signOut())
    expect([nobody.status, nobody.headers.get('location')]).toEqual([400, null])
    expect(nobody.text).toContain('Unknown account')
    expect(await names()).toEqual(['Ada', 'Grace'])
    expect((await visitor.request(signOut('https://beta.example/bye?x=1'))).headers.get('location')).toBe(
      'https://beta.example/bye?x=1',
    )
    expect(await names()).toEqual(['Ada', undefined])
    expect([await isSignedIn(visitor, one, app), await isSignedIn(visitor, two, theirs)]).toEqual([true, false])
    // It is the only session left.
    const last = await visitor.request(signOut())
    expect([last.status, last.text]).toEqual([200, expect.stringContaining('You are signed out')])
    expect(await isSignedIn(visitor, one, app)).toBe(false)
  })

  test('a sign-out to an address of several accounts ends the only session, and is 400 without any', async () => {
    const redirect_uris = ['https://shared.example/callback']
    const mine = await site.app({ redirect_uris })
    await other.app({ redirect_uris })
    const { email } = await site.contact()
    const visitor = browser()
    await atRoot(site).signIn(visitor, mine, email)
    expect((await visitor.request(signOut('https://shared.example/'))).headers.get('location')).toBe(
      'https://shared.example/',
    )
    expect(await isSignedIn(visitor, site, mine)).toBe(false)
    expect((await browser().request(signOut('https://shared.example/'))).status).toBe(400)
  })

  test('a sign-out without a session redirects only if a single account has the address', async () => {
    expect((await browser().request(signOut('https://beta.example/'))).headers.get('location')).toBe(
      'https://beta.example/',
    )
    const { email } = await site.contact()
    const visitor = browser()
    await atRoot(site).signIn(visitor, app, email)
    const evil = await visitor.request(signOut('https://evil.example/'))
    expect([evil.status, evil.headers.get('location')]).toEqual([400, null])
    expect(await isSignedIn(visitor, site, app)).toBe(false)
  })

  test('an address that an app gets later counts too', async () => {
    const moving = await other.app({ redirect_uris: ['https://before.example/'] })
    const owner = { token: other.account.auth_token }
    const uris = { redirect_uris: ['https://after.example/'] }
    expect((await system.api('PUT', `oauth_apps/${moving.id}.json`, uris, owner)).status).toBe(204)
    const leads = async (to: string): Promise<string | null> =>
      (await browser().request(signOut(to))).headers.get('location')
    expect(await leads('https://after.example/')).toBe('https://after.example/')
    expect(await leads('https://before.example/')).toBeNull()
  })

  describe('a request that identifies no account is 400, and says why', () => {
    test.each([
      ['GET', '/oauth/authorize'],
      ['GET', '/oauth/authorize?client_id='],
      ['GET', '/oauth/authorize?client_id=nobody&redirect_uri=https://hub.example/callback'],
      ['GET', '/oauth/authorize?client_id[]=x'],
      ['GET', '/oauth/logout'],
      ['GET', '/contacts/sign_out'],
      ['GET', '/contacts/sign_out?redirect_uri=https://nobody.example/'],
      ['GET', '/contacts/sign_out?redirect_uri=%'],
      ['GET', '/.well-known/openid-configuration'],
      ['GET', '/oauth/keys'],
      ['GET', '/oauth/unknown'],
      ['GET', '/interaction/unknown'],
      ['POST', '/interaction/unknown'],
      ['GET', '/invitations/unknown'],
      ['POST', '/oauth/token'],
      ['POST', '/oauth/revoke'],
      ['POST', '/oauth/introspect'],
    ])('%s %s', async (method, path) => {
      const answer = await fetch(`${system.url}${path}`, { method, redirect: 'manual' })
      expect([answer.status, answer.headers.get('location'), answer.headers.getSetCookie()]).toEqual([400, null, []])
      expect(await answer.text()).toContain('Unknown account')
      expect(answer.headers.get('cache-control')).toBe('no-store')
    })

    test('an unknown app, and two apps', async () => {
      const root = atRoot(site)
      for (const client_id of ['nobody', '', '$where', '[object Object]']) {
        const { status, body } = await root.token({ ...app, client_id }, 'x')
        expect([client_id, status, body.error]).toEqual([client_id, 400, 'invalid_client'])
      }
      const authorization = `Basic ${btoa(`${theirs.client_id}:x`)}`
      const both = await root.token(app, 'x', {}, { authorization })
      expect([both.status, both.body.error]).toEqual([401, 'invalid_client'])
      const twice = `${root.authorize(app)}&client_id=${theirs.client_id}`
      expect((await browser().open(twice)).status).toBe(400)
    })
  })

  test('codes, tokens and sessions of one account are not valid at another', async () => {
    const root = atRoot(site)
    const { email } = await site.contact()
    const code = await root.code(browser(), app, email)
    const stolen = await root.token(theirs, code, { redirect_uri: app.redirect_uri })
    expect([stolen.status, stolen.body.error]).toEqual([400, 'invalid_grant'])
    const { access_token } = (await root.token(app, code)).body
    expect((await root.me(access_token)).status).toBe(200)
    // The same secret with the other account's id.
    const mark = Buffer.from(other.account.account_id, 'hex').toString('base64url')
    expect((await root.me(`${mark}${access_token.slice(mark.length)}`)).status).toBe(401)
    expect((await other.me(access_token)).status).toBe(401)
    const foreign = await browser().open(root.authorize(theirs, { redirect_uri: app.redirect_uri }))
    expect([foreign.status, foreign.headers.get('location')]).toEqual([400, null])
  })

  test('me without a contact’s token is 401, and an API token gets its own answer', async () => {
    const root = atRoot(site)
    for (const [path, headers] of [
      ['/api/v1/me', {}],
      ['/api/v1/me', { authorization: 'Bearer x' }],
      ['/api/v1/me.json', { authorization: `Bearer ${'x'.repeat(43)}` }],
    ] as [string, Record<string, string>][]) {
      const answer = await fetch(`${root.sso}${path}`, { headers })
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Bearer /)])
    }
    const token = site.account.auth_token
    for (const suffix of ['json', 'xml']) {
      const headers = { authorization: `Bearer ${token}` }
      const bearer = await system.api('GET', `me.${suffix}`, undefined, { token: '', headers })
      const query = await system.api('GET', `me.${suffix}`, undefined, { token })
      expect([suffix, bearer.status, bearer.text]).toEqual([suffix, 200, query.text])
      expect(query.text).toContain(site.account.account_id)
    }
    expect((await system.api('GET', 'me.json', undefined, { token: '' })).status).toBe(403)
    const unknown = { token: '', headers: { authorization: 'Bearer gh_unknown' } }
    expect((await system.api('GET', 'me.json', undefined, unknown)).status).toBe(403)
  })
})

describe('at an account’s own host', () => {
  const HOST = 'login.example.org'
  let home: string
  let own: SsoSite

  beforeAll(async () => {
    const { port } = new URL(system.url)
    home = `http://${HOST}:${port}`
    own = Object.assign(Object.create(SsoSite.prototype), site, { sso: home }) as SsoSite
    const owner = { token: site.account.auth_token }
    expect((await system.api('PUT', 'account.json', { sso_host: HOST }, owner)).status).toBe(204)
  })

  /** A request to a host that no name server knows. */
  function ask(url: string, { method = 'GET', headers = {}, body = '' } = {}): Promise<Response> {
    const { host, pathname, search } = new URL(url)
    return new Promise((resolve, reject) => {
      const asked = httpRequest(
        `${system.url}${pathname}${search}`,
        { method, headers: { host, ...headers } },
        (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('end', () => {
            const found = new Headers()
            for (let at = 0; at < answer.rawHeaders.length; at += 2)
              found.append(answer.rawHeaders[at] ?? '', answer.rawHeaders[at + 1] ?? '')
            resolve(new Response(Buffer.concat(chunks), { status: answer.statusCode ?? 0, headers: found }))
          })
        },
      )
      asked.on('error', reject)
      asked.end(body)
    })
  }

  /** A browser for which the host is the gateway. */
  class HostVisitor extends BrowserSession {
    override async request(url: string, init: RequestInit = {}): Promise<Seen> {
      const cookie = await this.jar.getCookieString(url)
      const isForm = init.body instanceof URLSearchParams
      const answer = await ask(url, {
        method: init.method ?? 'GET',
        headers: {
          accept: 'text/html',
          ...(cookie && { cookie }),
          ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        body: isForm ? String(init.body) : '',
      })
      for (const each of answer.headers.getSetCookie()) await this.jar.setCookie(each, url)
      return { url, status: answer.status, headers: answer.headers, text: await answer.text() }
    }
  }

  test('a contact completes a sign-in without leaving the host', async () => {
    const { id, email } = await site.contact()
    const visitor = new HostVisitor(`${home}/`)
    const login = await visitor.open(own.authorize(app))
    expect(login.url).toMatch(new RegExp(`^${home}/interaction/[\\w-]+$`))
    const consent = await visitor.submit(login, { email, password: PASSWORD, step: 'password' })
    const back = new URL((await visitor.submit(consent, { step: 'allow' })).url)
    expect(back.origin).toBe('https://hub.example')
    const { key } = (await visitor.jar.getCookies(`${home}/`)).find(({ key }) => key === 'sso-acme') ?? {}
    expect(key).toBe('sso-acme')
    const { client_id, client_secret, redirect_uri } = app
    const fields = {
      client_id,
      client_secret,
      redirect_uri,
      code: back.searchParams.get('code') ?? '',
      grant_type: 'authorization_code',
    }
    const answer = await ask(`${home}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: String(new URLSearchParams(fields)),
    })
    const { access_token } = (await answer.json()) as { access_token: string }
    const authorization = `Bearer ${access_token}`
    for (const path of ['/api/v1/me', '/api/v1/me.json']) {
      expect(await (await ask(`${home}${path}`, { headers: { authorization } })).json()).toMatchObject({ id, email })
    }
    const out = await visitor.request(`${home}/contacts/sign_out?redirect_uri=${redirect_uri}`)
    expect([out.status, out.headers.get('location')]).toEqual([303, redirect_uri])
    expect((await ask(`${home}/api/v1/me`, { headers: { authorization } })).status).toBe(401)
    expect((await visitor.open(own.authorize(app))).text).toContain('name="password"')
  })

  test('the issuer and all addresses are those of the host, whatever port and case a client sends', async () => {
    for (const host of [HOST, HOST.toUpperCase(), `${HOST}:9999`, `${HOST}.`]) {
      const answer = await ask(`${home}/.well-known/openid-configuration`, { headers: { host } })
      const metadata = (await answer.json()) as Record<string, unknown>
      expect([host, metadata.issuer, metadata.token_endpoint]).toEqual([host, home, `${home}/oauth/token`])
    }
    const keys = async (url: string): Promise<unknown> => (await ask(url)).json()
    expect(await keys(`${home}/oauth/keys`)).toEqual(await keys(`${site.sso}/oauth/keys`))
    expect((await ask(`${site.sso}/.well-known/openid-configuration`)).status).toBe(200)
  })

  test('invitations link to the host', async () => {
    const { id } = await site.contact({ password: null })
    const owner = { token: site.account.auth_token }
    const { body } = await system.api('POST', `contacts/${id}/invitations.json`, { delivery: 'link' }, owner)
    expect(body.url).toMatch(new RegExp(`^${home}/invitations/[\\w-]+$`))
    const visitor = new HostVisitor(`${home}/`)
    const seen = await visitor.submit(await visitor.open(body.url), { password: 'a new horse battery' })
    expect([seen.status, seen.text]).toEqual([200, expect.stringContaining('role="status"')])
  })

  test('an app, a token and a session of another account are not valid there', async () => {
    expect((await ask(own.authorize(theirs))).status).toBe(400)
    const { email } = await other.contact()
    const visitor = browser()
    const { access_token } = (await other.token(theirs, await other.code(visitor, theirs, email))).body
    const headers = { authorization: `Bearer ${access_token}` }
    expect((await ask(`${home}/api/v1/me`, { headers })).status).toBe(401)
    const cookie = await visitor.jar.getCookieString(system.url)
    expect(
      (await ask(`${home}/contacts/sign_out?redirect_uri=${theirs.redirect_uri}`, { headers: { cookie } })).status,
    ).toBe(400)
    expect(await isSignedIn(visitor, other, theirs)).toBe(true)
  })

  test('X-Forwarded-Host and Forwarded of a client are ignored', async () => {
    const headers = { host: 'nobody.example', 'x-forwarded-host': HOST, forwarded: `host=${HOST}` }
    expect((await ask(`${home}/.well-known/openid-configuration`, { headers })).status).toBe(400)
  })

  test('a host that the account gives up is at once like any other', async () => {
    const owner = { token: other.account.auth_token }
    const sso_host = 'moving.example.org'
    const issuer = async (): Promise<unknown> => {
      const answer = await ask(`http://${sso_host}/.well-known/openid-configuration`)
      return answer.status === 200 ? ((await answer.json()) as { issuer: string }).issuer : answer.status
    }
    expect(await issuer()).toBe(400)
    expect((await system.api('PUT', 'account.json', { sso_host }, owner)).status).toBe(204)
    expect(await issuer()).toBe(`http://${sso_host}:${new URL(system.url).port}`)
    expect((await system.api('PUT', 'account.json', { sso_host: null }, owner)).status).toBe(204)
    expect(await issuer()).toBe(400)
  })
})
