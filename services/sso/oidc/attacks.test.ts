// @module-tag slow
import { setTimeout as sleep } from 'node:timers/promises'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { PASSWORD, pkce, SsoSite } from '@gatehouse/test/harness/sso-site.ts'
import { storedText } from '@gatehouse/test/harness/stored-text.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { describe, expect, inject, test } from 'vitest'

const system = await sharedSystem()

const site = await SsoSite.open(system, 'acme')
const app = await site.app({ redirect_uris: ['https://hub.example/callback', 'https://hub.example:8443/other/'] })
const strict = await site.app({ name: 'Strict', is_strict: true })
const { email } = await site.contact()

describe('single sign-on refuses', () => {
  describe('redirect URLs that differ from the registered one', () => {
    test.each([
      'https://hub.example/callback/',
      'https://hub.example/callback/more',
      'https://hub.example/callbac',
      'https://hub.example/callback?x=1',
      'https://hub.example/callback#x',
      'https://hub.example/callback#',
      'https://hub.example/Callback',
      'https://HUB.example/callback',
      'HTTPS://hub.example/callback',
      'http://hub.example/callback',
      'https://hub.example:443/callback',
      'https://hub.example:8080/callback',
      'https://hub.example.evil.example/callback',
      'https://evil.example/https://hub.example/callback',
      'https://hub.example@evil.example/callback',
      'https://user@hub.example/callback',
      'https://hub.example\\@evil.example/callback',
      'https://hub.example%2ecom/callback',
      'https://hub.example/%63allback',
      'https://hub.example/./callback',
      'https://hub.example/x/../callback',
      'https://hub.example/callback\r\nset-cookie: a=b',
      ' https://hub.example/callback',
      'https://hub.example/other/',
      '//hub.example/callback',
      'javascript:alert(1)',
      'data:text/html,x',
      '',
    ])('%j', async (redirect_uri) => {
      const seen = await site.visitor().open(site.authorize(app, { redirect_uri }))
      expect([seen.status, seen.headers.get('location')]).toEqual([400, null])
      expect(seen.text).toContain('role="alert"')
      expect(seen.headers.get('content-type')).toBe('text/html; charset=utf-8')
    })

    test('two redirect_uri parameters', async () => {
      const twice = `${site.authorize(app)}&redirect_uri=https://evil.example/`
      const seen = await site.visitor().open(twice)
      expect([seen.status, seen.headers.get('location')]).toEqual([400, null])
    })

    test('an unknown app, and an app of another account', async () => {
      const other = await SsoSite.open(system, 'elsewhere')
      const theirs = await other.app()
      for (const client_id of ['nobody', theirs.client_id, '']) {
        const seen = await site.visitor().open(site.authorize(app, { client_id }))
        expect([seen.status, seen.headers.get('location')]).toEqual([400, null])
      }
    })
  })

  describe('codes', () => {
    test('only one of several concurrent exchanges succeeds, and its token is revoked', slow, async () => {
      for (let round = 0; round < 5; round++) {
        const code = await site.code(site.visitor(), app, email)
        const answers = await Promise.all(
          Array.from({ length: 6 }, (_, n) => sleep(round * n).then(() => site.token(app, code))),
        )
        const statuses = answers.map(({ status }) => status).sort()
        expect(statuses).toEqual([200, 400, 400, 400, 400, 400])
        for (const { status, body } of answers) {
          if (status === 400) expect(body.error).toBe('invalid_grant')
          else expect((await site.me(body.access_token)).status).toBe(401)
        }
      }
    })

    test('a repeated code revokes its tokens, which is recorded once', async () => {
      const { email, id } = await site.contact()
      const code = await site.code(site.visitor(), app, email)
      const token = (await site.token(app, code)).body.access_token
      expect((await site.me(token)).status).toBe(200)
      const again = await site.token(app, code)
      expect([again.status, again.body.error]).toEqual([400, 'invalid_grant'])
      expect((await site.me(token)).status).toBe(401)
      await site.token(app, code)
      const owner = { token: site.account.auth_token }
      const records = async () =>
        (await system.api('GET', `audit_records.json?kind=revocation&contact_id=${id}`, undefined, owner)).body
      await expect.poll(records).toMatchObject([{ contact_id: id, client_id: app.client_id }])
    })

    test('a code is valid only for its app, redirect URL and account, and needs the secret', async () => {
      const other = await site.app({ name: 'Other' })
      const elsewhere = await SsoSite.open(system, 'branch')
      const branch = await elsewhere.app()
      const code = await site.code(site.visitor(), app, email)
      for (const [answer, error] of [
        [await site.token(other, code), 'invalid_grant'],
        [await site.token(app, code, { redirect_uri: 'https://hub.example:8443/other/' }), 'invalid_grant'],
        [await elsewhere.token(branch, code), 'invalid_grant'],
        [await elsewhere.token(app, code), 'invalid_client'],
        [await site.token(app, code, { client_secret: 'wrong' }), 'invalid_client'],
        [await site.token(app, code, { client_secret: other.client_secret }), 'invalid_client'],
        [await site.token(app, code, { grant_type: 'password' }), 'unsupported_grant_type'],
        [await site.token(app, code, { grant_type: null }), 'invalid_request'],
        [await site.token(app, code.slice(1)), 'invalid_grant'],
      ] as const) {
        expect(answer.body.error, JSON.stringify(answer.body)).toBe(error)
        expect(answer.headers.get('cache-control')).toBe('no-store')
        expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
      }
      expect((await site.token(app, code)).status).toBe(200)
    })
  })

  test.each([false, true])(
    'a code is exchanged only with the redirect_uri that it was asked for with, and left out it uses up no code (strict: %s)',
    async (is_strict) => {
      const theirs = await site.app({ name: `Exact ${is_strict}`, is_strict })
      const { verifier, challenge } = pkce()
      const asked = is_strict ? { code_challenge: challenge, code_challenge_method: 'S256' } : {}
      const told = is_strict ? { code_verifier: verifier } : {}
      const code = await site.code(site.visitor(), theirs, email, asked)
      for (const redirect_uri of [null, '']) {
        const { status, body } = await site.token(theirs, code, { ...told, redirect_uri })
        expect([status, body.error]).toEqual([400, 'invalid_request'])
      }
      expect((await site.token(theirs, code, told)).status).toBe(200)
    },
  )

  describe('PKCE', () => {
    test('a strict app must send a challenge, and cannot be downgraded to plain or none', async () => {
      const { challenge } = pkce()
      for (const params of [
        {},
        { code_challenge: '', code_challenge_method: 'S256' },
        { code_challenge: challenge },
        { code_challenge: challenge, code_challenge_method: 'plain' },
        { code_challenge: 'short', code_challenge_method: 'S256' },
        { code_challenge_method: 'S256' },
      ] as Record<string, string>[]) {
        const seen = await site.visitor().open(site.authorize(strict, params))
        const back = new URL(seen.url)
        expect([back.origin, back.searchParams.get('error')], JSON.stringify(params)).toEqual([
          'https://hub.example',
          'invalid_request',
        ])
      }
    })

    test('plain is refused for apps that are not strict, too', async () => {
      const seen = await site
        .visitor()
        .open(site.authorize(app, { code_challenge: pkce().challenge, code_challenge_method: 'plain' }))
      expect(new URL(seen.url).searchParams.get('error')).toBe('invalid_request')
    })

    test.each(['', 'x', 'f6b5c2f0-8a54-4c9d-9f6e-1d2c3b4a5968', 'ä'.repeat(50), 'x'.repeat(200), '$where'])(
      'without a challenge the verifier %j of an app that is not strict says nothing',
      async (code_verifier) => {
        const code = await site.code(site.visitor(), app, email)
        expect((await site.token(app, code, { code_verifier })).status).toBe(200)
      },
    )

    test('an app that became strict after the code was issued needs a challenge', async () => {
      const turning = await site.app({ name: 'Turning' })
      const code = await site.code(site.visitor(), turning, email)
      await system.api('PUT', `oauth_apps/${turning.id}.json`, { is_strict: true }, { token: site.account.auth_token })
      expect((await site.token(turning, code, { code_verifier: pkce().verifier })).status).toBe(400)
    })
  })

  describe('sign-out redirects only to apps of the account', () => {
    test.each([
      'https://evil.example/',
      'https://hub.example.evil.example/',
      'https://hub.example@evil.example/',
      'https://evil@hub.example/',
      'http://hub.example/',
      'https://hub.example:9999/',
      '//evil.example/',
      '/\\evil.example',
      'javascript:alert(1)',
      'x',
    ])('not to %j: a page with 400, and the contact is signed out', async (redirect_uri) => {
      const visitor = site.visitor()
      await site.signIn(visitor, app, email)
      const seen = await visitor.request(
        `${site.sso}/contacts/sign_out?redirect_uri=${encodeURIComponent(redirect_uri)}`,
      )
      expect([seen.status, seen.headers.get('location')]).toEqual([400, null])
      expect((await visitor.open(site.authorize(app))).text).toContain('name="password"')
    })

    test('not to an app of another account', async () => {
      const other = await SsoSite.open(system, 'neighbour')
      await other.app({ redirect_uris: ['https://neighbour.example/cb'] })
      const url = `${site.sso}/contacts/sign_out?redirect_uri=${encodeURIComponent('https://neighbour.example/')}`
      expect((await site.visitor().request(url)).status).toBe(400)
    })

    test('without an address a page says that the contact is signed out', async () => {
      const seen = await site.visitor().open(`${site.sso}/contacts/sign_out?locale=de`)
      expect([seen.status, seen.text]).toEqual([200, expect.stringContaining('Sie sind abgemeldet')])
    })
  })

  describe('sessions', () => {
    test('a session of one account is not valid at another with the same e-mail address', async () => {
      const other = await SsoSite.open(system, 'twin')
      const theirs = await other.app()
      await other.contact({ email })
      const visitor = site.visitor()
      await site.signIn(visitor, app, email)
      for (const { key, value } of (await visitor.jar.serialize()).cookies) {
        // Also under the cookie name of the other account.
        const name = String(key).replace(site.sessionCookie, other.sessionCookie)
        await visitor.jar.setCookie(`${name}=${value}; Path=/`, other.sso)
      }
      expect((await visitor.open(other.authorize(theirs))).text).toContain('name="password"')
    })

    test('signing in gives the browser a new session id', async () => {
      const { email } = await site.contact()
      const visitor = site.visitor()
      const name = site.sessionCookie
      const idOf = async (): Promise<string | undefined> =>
        (await visitor.jar.getCookies(site.sso)).find(({ key }) => key === name)?.value
      await site.signIn(visitor, app, email)
      const first = await idOf()
      expect(first).toMatch(/^[\w-]{20,}$/)
      // The attacker has planted a session, in which the victim signs in.
      const login = await visitor.open(site.authorize(app, { prompt: 'login' }))
      await visitor.submit(login, { email, password: PASSWORD, step: 'password' })
      const second = await idOf()
      expect(second).not.toBe(first)
      const planted = site.visitor()
      await planted.jar.setCookie(`${name}=${first}; Path=/`, site.sso)
      expect((await planted.open(site.authorize(app))).text).toContain('name="password"')
    })

    test('another contact who signs in with the same browser replaces the previous one', slow, async () => {
      const [one, two] = [await site.contact(), await site.contact()]
      const visitor = site.visitor()
      const token = (await site.token(app, await site.code(visitor, app, one.email))).body.access_token
      let seen = await visitor.open(site.authorize(app, { prompt: 'login' }))
      seen = await visitor.submit(seen, { email: two.email, password: PASSWORD, step: 'password' })
      if (seen.text.includes('value="allow"')) seen = await visitor.submit(seen, { step: 'allow' })
      const answer = await site.token(app, new URL(seen.url).searchParams.get('code') ?? '')
      expect((await site.me(answer.body.access_token)).body.email).toBe(two.email)
      expect((await site.me(token)).status).toBe(401)
    })

    test('a form without its token, or with the token of another sign-in, has no effect', async () => {
      const visitor = site.visitor()
      const mine = await visitor.open(site.authorize(app))
      const other = await site.visitor().open(site.authorize(app))
      const stolen = /name="csrf" value="([^"]+)"/.exec(other.text)?.[1] ?? ''
      for (const csrf of ['', 'x', stolen]) {
        const seen = await visitor.submit(mine, { csrf, email, password: PASSWORD, step: 'password' })
        expect(seen.status).toBe(403)
      }
      expect((await visitor.submit(mine, { email, password: PASSWORD, step: 'password' })).status).not.toBe(403)
    })

    test('a form of a sign-in that another browser began has no effect', async () => {
      const theirs = await site.visitor().open(site.authorize(app))
      const seen = await site.visitor().submit(theirs, { email, password: PASSWORD, step: 'password' })
      expect([seen.status, seen.headers.getSetCookie()]).toEqual([400, []])
    })
  })

  describe('a new version of a contact', () => {
    test.each([
      ['a new password', { password: 'another horse battery' }],
      ['a block', { is_blocked: true }],
    ])('%s ends session, code and token', slow, async (_, change) => {
      const person = await site.contact()
      const visitor = site.visitor()
      const code = await site.code(visitor, app, person.email)
      const token = (await site.token(app, await site.code(visitor, app, person.email))).body.access_token
      expect((await site.me(token)).status).toBe(200)
      const changed = await system.api('PUT', `contacts/${person.id}.json`, change, { token: site.account.auth_token })
      expect(changed.status).toBe(204)
      const me = await site.me(token)
      expect([me.status, me.headers.get('www-authenticate')]).toEqual([
        401,
        expect.stringMatching(/^Bearer .*invalid_token/),
      ])
      expect((await site.token(app, code)).status).toBe(400)
      expect((await visitor.open(site.authorize(app))).text).toContain('name="password"')
    })

    test('a deleted app’s tokens are void', async () => {
      const gone = await site.app({ name: 'Gone' })
      const token = (await site.token(gone, await site.code(site.visitor(), gone, email))).body.access_token
      await system.api('DELETE', `oauth_apps/${gone.id}.json`, undefined, { token: site.account.auth_token })
      expect((await site.me(token)).status).toBe(401)
    })
  })

  test('me without a valid token is 401 with WWW-Authenticate', async () => {
    for (const headers of [
      {},
      { authorization: 'Bearer x' },
      { authorization: 'Basic eDp5' },
      { authorization: `Bearer ${'x'.repeat(43)}` },
    ]) {
      const response = await fetch(`${site.sso}/api/v1/me`, { headers: headers as Record<string, string> })
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([
        401,
        expect.stringMatching(/^Bearer realm="/),
      ])
    }
    const token = (await site.token(app, await site.code(site.visitor(), app, email))).body.access_token
    expect((await fetch(`${site.sso}/api/v1/me?access_token=${token}`)).status).toBe(401)
  })

  test('state and locale cannot inject headers and are not shown', async () => {
    const evil = '"><script>alert(1)</script>\r\nset-cookie: a=b'
    const seen = await site.visitor().open(site.authorize(app, { state: evil, locale: evil, login_hint: evil }))
    expect(seen.status).toBe(200)
    expect(seen.text).not.toContain('<script')
    expect(seen.headers.getSetCookie().join()).not.toContain('a=b')
    expect(seen.text).toContain('<html lang="en">')
    const back = await site.signIn(site.visitor(), app, email, { state: evil })
    expect(back.searchParams.get('state')).toBe(evil)
  })

  test('a wrong password, an unknown address and a blocked contact get the same answer', async () => {
    const blocked = await site.contact({ is_blocked: true })
    const answers = []
    for (const [who, password] of [
      [email, 'wrong password'],
      ['nobody@example.org', 'wrong password'],
      [blocked.email, PASSWORD],
    ] as const) {
      const visitor = site.visitor()
      const seen = await visitor.submit(await visitor.open(site.authorize(app)), {
        email: who,
        password,
        step: 'password',
      })
      answers.push([
        seen.status,
        seen.text
          .replaceAll(who, 'WHO')
          .replace(/value="[\w-]{43}"/, '')
          .replace(/interaction\/[\w-]+/, ''),
      ])
    }
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
    expect(answers[0]?.[0]).toBe(422)
  })

  test('malformed requests are refused', async () => {
    for (const [method, path, init] of [
      ['GET', '/', {}],
      ['GET', '/oauth', {}],
      ['GET', '/oauth/token', {}],
      ['POST', '/oauth/authorize', { body: 'x' }],
      ['POST', '/oauth/token', { body: '{', headers: { 'content-type': 'application/json' } }],
      ['POST', '/oauth/token', { body: 'x', headers: { 'content-type': 'text/plain' } }],
      [
        'POST',
        '/oauth/token',
        {
          body: 'code=a&code=b&grant_type=authorization_code',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        },
      ],
      [
        'POST',
        '/oauth/token',
        {
          body: 'client_id[$ne]=1&grant_type=authorization_code',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        },
      ],
      ['POST', '/oauth/token', { body: 'x', headers: { authorization: 'Basic %' } }],
      ['GET', '/oauth/authorize?client_id[]=x', {}],
      ['GET', '/oauth/authorize/unknown', {}],
      ['GET', '/interaction/unknown', {}],
      ['POST', '/interaction/unknown', { body: 'x' }],
      ['GET', '/interaction/../../x', {}],
      ['GET', '/invitations/unknown', {}],
      ['GET', '/contacts/sign_out?redirect_uri=%', {}],
      ['GET', '//evil.example/oauth/authorize', {}],
      ['GET', '/%', {}],
      ['GET', '/%00', {}],
      ['GET', '/oauth/authorize?%', {}],
      [
        'OPTIONS',
        '/oauth/token',
        { headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' } },
      ],
    ] as const) {
      const response = await fetch(`${site.sso}${path}`, { method, redirect: 'manual', ...init })
      expect(response.status, `${method} ${path}`).toBeLessThan(500)
      expect(response.headers.get('location'), `${method} ${path}`).toBeNull()
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
    }
    const tooLarge = await fetch(`${site.sso}/oauth/token`, { method: 'POST', body: 'x'.repeat(70_000) })
    expect(tooLarge.status).toBe(413)
    expect((await fetch(`${system.url}/sso/nobody/oauth/authorize`)).status).toBe(404)
  })

  test('other spellings of a path do not bypass the limits', async () => {
    for (const path of ['/OAUTH/token', '/oauth/token/', '/oauth/Authorize', '/oauth/authorize/', '/oauth/toKen//']) {
      for (const method of ['GET', 'POST']) {
        const response = await fetch(`${site.sso}${path}`, { method, redirect: 'manual' })
        expect([response.status, response.headers.get('location')], `${method} ${path}`).toEqual([404, null])
      }
    }
  })

  test('no id of a session, code, token or grant is stored in the clear, nor is a key', slow, async () => {
    const visitor = site.visitor()
    const code = await site.code(visitor, app, email)
    const other = await site.code(visitor, app, email)
    const token = (await site.token(app, other)).body.access_token
    const cookies = await visitor.jar.getCookies(site.sso)
    const session = cookies.find(({ key }) => key === site.sessionCookie)?.value ?? expect.fail('no session')
    const stored = await storedText(inject('mongodbUrl'), system.namespace)
    expect(stored).toContain('AuthorizationCode')
    for (const secret of [code, other, token, session, app.client_secret, PASSWORD, 'PRIVATE KEY', '"d":']) {
      expect(stored).not.toContain(secret)
    }
  })
})
