import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { PASSWORD, pkce, SsoSite } from '@gatehouse/test/harness/sso-site.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { describe, expect, test } from 'vitest'

const system = await sharedSystem()

const site = await SsoSite.open(system, 'acme')
const app = await site.app()
const token = { token: site.account.auth_token }
await system.api('POST', 'contact_fields.json', { key: 'company', label: 'Company' }, token)
await system.api('POST', 'contact_fields.json', { key: 'badge_name' }, token)
const { id, email } = await site.contact({ company: 'Analytical Engines' })

describe('single sign-on by the interface', () => {
  test('a contact signs in and allows the app, and the app gets the contact', slow, async () => {
    const visitor = site.visitor()
    const login = await visitor.open(site.authorize(app, { state: 'x y+z&ä/?=%', locale: 'fr' }))
    expect([login.status, login.text]).toEqual([200, expect.stringContaining('<html lang="fr">')])
    const consent = await visitor.submit(login, { email, password: PASSWORD, step: 'password' })
    expect(consent.text).toContain('Conference Hub demande vos données')
    const back = new URL((await visitor.submit(consent, { step: 'allow' })).url)
    expect(back.origin + back.pathname).toBe('https://hub.example/callback')
    expect(back.searchParams.get('state')).toBe('x y+z&ä/?=%')

    const before = Math.floor(Date.now() / 1000)
    const verifier = 'f6b5c2f0-8a54-4c9d-9f6e-1d2c3b4a5968'
    const token = await site.token(app, back.searchParams.get('code') ?? '', { code_verifier: verifier })
    expect(token.status, JSON.stringify(token.body)).toBe(200)
    expect(token.body).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 7200,
      scope: 'public',
      created_at: expect.any(Number),
    })
    expect(token.body.created_at).toBeGreaterThanOrEqual(before)
    expect(token.headers.get('cache-control')).toBe('no-store')

    for (const path of ['/api/v1/me', '/api/v1/me.json']) {
      const me = await site.me(token.body.access_token, path)
      expect([me.status, me.body]).toEqual([
        200,
        { id, email, first_name: 'Ada', last_name: 'Lovelace', company: 'Analytical Engines', badge_name: null },
      ])
    }
  })

  test('sign-in, consent and sign-out are recorded once each, with app and address', slow, async () => {
    const { id, email } = await site.contact()
    const visitor = site.visitor()
    await site.signIn(visitor, app, email)
    // A stored consent is not recorded again.
    await site.code(visitor, app, email)
    await visitor.request(`${site.sso}/contacts/sign_out`)
    await visitor.request(`${site.sso}/contacts/sign_out`)
    const { body } = await system.api('GET', `audit_records.json?contact_id=${id}`, undefined, {
      token: site.account.auth_token,
    })
    const whose = { account_id: site.account.account_id, contact_id: id, address: '127.0.0.1' }
    expect(body).toMatchObject([
      { kind: 'sign_out', client_id: null, ...whose },
      { kind: 'consent', client_id: app.client_id, ...whose },
      { kind: 'sign_in', client_id: app.client_id, ...whose },
      { kind: 'password_changed' },
    ])
    expect(body).toHaveLength(4)
  })

  test('a signed-in contact needs no form, and is asked for consent once, in other browsers too', slow, async () => {
    const { email } = await site.contact()
    const visitor = site.visitor()
    await site.signIn(visitor, app, email)
    const again = await visitor.open(site.authorize(app))
    expect(again.url).toMatch(/^https:\/\/hub\.example\/callback\?code=/)
    const elsewhere = site.visitor()
    const login = await elsewhere.open(site.authorize(app))
    const back = await elsewhere.submit(login, { email, password: PASSWORD, step: 'password' })
    expect(back.url).toMatch(/^https:\/\/hub\.example\/callback\?code=/)
  })

  test.each([null, '', ' '])('a scope of %j means public', async (scope) => {
    const token = await site.token(app, await site.code(site.visitor(), app, email, { scope }))
    expect([token.status, token.body.scope]).toEqual([200, 'public'])
  })

  test('the same credentials in header and body are accepted, differing ones are refused', slow, async () => {
    const other = await site.app()
    const answers: unknown[] = []
    for (const [secret, params] of [
      [app.client_secret, {}],
      [app.client_secret, { client_id: null }],
      [app.client_secret, { client_secret: 'wrong' }],
      [other.client_secret, {}],
      ['wrong', { client_secret: 'wrong' }],
      [app.client_secret, { client_id: other.client_id }],
    ] as const) {
      const authorization = `Basic ${Buffer.from(`${app.client_id}:${secret}`).toString('base64')}`
      const { status, body } = await site.token(app, await site.code(site.visitor(), app, email), params, {
        authorization,
      })
      answers.push(status === 200 ? status : body.error)
    }
    const [refused, wrong] = ['invalid_request', 'invalid_client']
    expect(answers).toEqual([200, 200, refused, refused, wrong, refused])
  })

  test('an app that is not strict gets no iss, be it a code or an error; a strict one gets it', slow, async () => {
    const strict = await site.app({ is_strict: true })
    const { challenge } = pkce()
    const asked = { scope: 'openid', code_challenge: challenge, code_challenge_method: 'S256' }
    const issuers: unknown[] = []
    for (const [each, params] of [
      [app, {}],
      [app, { prompt: 'none' }],
      [strict, asked],
      [strict, { ...asked, prompt: 'none' }],
    ] as const) {
      const url = await site.signIn(site.visitor(), each, email, params)
      issuers.push([url.searchParams.has('code') || url.searchParams.get('error'), url.searchParams.get('iss')])
      expect(url.searchParams.get('state')).toBe('af0ifjsldkj')
    }
    const unknown = 'login_required'
    expect(issuers).toEqual([
      [true, null],
      [unknown, null],
      [true, site.sso],
      [unknown, site.sso],
    ])
  })

  test(
    'another person signs in as themselves, which signs the first one out, and the app still gets its state',
    slow,
    async () => {
      const [one, other] = [await site.contact(), await site.contact()]
      const visitor = site.visitor()
      const login = await visitor.open(site.authorize(app, { state: 'mine', locale: 'nl' }))
      const consent = await visitor.submit(login, { email: one.email, password: PASSWORD, step: 'password' })
      const again = await visitor.submit(consent, { step: 'switch' })
      expect(again.text).toContain('<html lang="nl">')
      const records = `audit_records.json?kind=sign_out&contact_id=${one.id}`
      expect((await system.api('GET', records, undefined, token)).body).toMatchObject([
        { contact_id: one.id, address: '127.0.0.1' },
      ])
      const second = await visitor.submit(again, { email: other.email, password: PASSWORD, step: 'password' })
      expect(second.text).toContain(other.email)
      const back = new URL((await visitor.submit(second, { step: 'allow' })).url)
      expect(back.searchParams.get('state')).toBe('mine')
      const { access_token } = (await site.token(app, back.searchParams.get('code') ?? '')).body
      expect((await site.me(access_token)).body.email).toBe(other.email)
    },
  )

  test('a contact who does not allow the app is redirected with access_denied', async () => {
    const { email } = await site.contact()
    const visitor = site.visitor()
    const login = await visitor.open(site.authorize(app))
    const consent = await visitor.submit(login, { email, password: PASSWORD, step: 'password' })
    const back = new URL((await visitor.submit(consent, { step: 'deny' })).url)
    expect([back.searchParams.get('error'), back.searchParams.get('state')]).toEqual(['access_denied', 'af0ifjsldkj'])
  })

  test('after a roll both secrets of an app are valid, the old one until its end', slow, async () => {
    const rolling = await site.app({ name: 'Rolling' })
    const roll = async (overlap_seconds: number): Promise<string> => {
      const token = { token: site.account.auth_token }
      const made = await system.api('POST', `oauth_apps/${rolling.id}/roll_secret.json`, { overlap_seconds }, token)
      return made.body.client_secret
    }
    const statusWith = async (client_secret: string): Promise<number> =>
      (await site.token(rolling, await site.code(site.visitor(), rolling, email), { client_secret })).status
    const second = await roll(600)
    expect([await statusWith(rolling.client_secret), await statusWith(second)]).toEqual([200, 200])
    const third = await roll(0)
    expect([await statusWith(rolling.client_secret), await statusWith(second), await statusWith(third)]).toEqual([
      401, 401, 200,
    ])
  })

  test('a challenge is enforced', async () => {
    const { verifier, challenge } = pkce()
    const params = { code_challenge: challenge, code_challenge_method: 'S256' }
    for (const [code_verifier, status] of [
      [verifier, 200],
      [null, 400],
      [pkce().verifier, 400],
    ] as const) {
      const answer = await site.token(app, await site.code(site.visitor(), app, email, params), { code_verifier })
      expect(answer.status, JSON.stringify(answer.body)).toBe(status)
      if (status === 400) expect(answer.body.error).toBe('invalid_grant')
    }
  })
})
