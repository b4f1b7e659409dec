import { createPublicKey, verify, type webcrypto } from 'node:crypto'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { PASSWORD, type SiteApp, SsoSite } from '@gatehouse/test/harness/sso-site.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import * as openid from 'openid-client'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'

const system = await sharedSystem()

describe('OpenID Connect for strict apps, with openid-client', () => {
  let site: SsoSite
  let app: SiteApp
  let config: openid.Configuration
  let email: string
  let id: string

  beforeAll(async () => {
    site = await SsoSite.open(system, 'acme')
    app = await site.app({ name: 'Strict', is_strict: true })
    ;({ id, email } = await site.contact())
    config = await openid.discovery(new URL(site.sso), app.client_id, app.client_secret, undefined, {
      execute: [openid.allowInsecureRequests],
    })
  })

  /** A whole sign-in. */
  async function signIn(scope: string, params: Record<string, string> = {}, visitor = site.visitor()) {
    const verifier = openid.randomPKCECodeVerifier()
    const [state, nonce] = [openid.randomState(), openid.randomNonce()]
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: app.redirect_uri,
      scope,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
      ...params,
    })
    let seen = await visitor.open(url.href)
    if (seen.text.includes('name="password"')) {
      seen = await visitor.submit(seen, { email, password: PASSWORD, step: 'password' })
    }
    if (seen.text.includes('value="allow"')) seen = await visitor.submit(seen, { step: 'allow' })
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true }
    return openid.authorizationCodeGrant(config, new URL(seen.url), checks)
  }

  test('discovery names the account’s issuer and exactly the offered features', async () => {
    const metadata = config.serverMetadata()
    expect(metadata).toMatchObject({
      issuer: site.sso,
      authorization_endpoint: `${site.sso}/oauth/authorize`,
      token_endpoint: `${site.sso}/oauth/token`,
      userinfo_endpoint: `${site.sso}/oauth/userinfo`,
      jwks_uri: `${site.sso}/oauth/keys`,
      revocation_endpoint: `${site.sso}/oauth/revoke`,
      introspection_endpoint: `${site.sso}/oauth/introspect`,
      end_session_endpoint: `${site.sso}/oauth/logout`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      id_token_signing_alg_values_supported: ['RS256'],
    })
    for (const absent of [
      'registration_endpoint',
      // Apps that are not strict get no `iss`.
      'authorization_response_iss_parameter_supported',
      'device_authorization_endpoint',
      'pushed_authorization_request_endpoint',
      'backchannel_authentication_endpoint',
    ]) {
      expect(metadata).not.toHaveProperty(absent)
    }
  })

  test('the ID token is signed with the account’s key and names contact, time and app', async () => {
    const tokens = await signIn('openid profile email')
    expect(tokens.claims()).toMatchObject({
      iss: site.sso,
      aud: app.client_id,
      sub: id,
      email,
      name: 'Ada Lovelace',
      given_name: 'Ada',
      family_name: 'Lovelace',
    })
    const keys = (await (await fetch(`${site.sso}/oauth/keys`)).json()) as { keys: Record<string, string>[] }
    expect(keys.keys).toEqual([
      { kty: 'RSA', use: 'sig', alg: 'RS256', kid: expect.any(String), n: expect.any(String), e: 'AQAB' },
    ])
    const info = await openid.fetchUserInfo(config, tokens.access_token, id)
    expect(info).toMatchObject({ sub: id, email, given_name: 'Ada' })
  })

  test('without openid in the scope there is no ID token, and without public no contact', slow, async () => {
    const tokens = await signIn('openid email')
    expect((await site.me(tokens.access_token)).status).toBe(401)
    const both = await signIn('openid public')
    expect((await site.me(both.access_token)).body).toMatchObject({ id, email })
  })

  test('refresh tokens need offline_access and rotate; a repeated one ends all tokens', async () => {
    const first = await signIn('openid offline_access public', { prompt: 'consent' })
    expect(first.refresh_token).toMatch(/^[\w-]{43}$/)
    const second = await openid.refreshTokenGrant(config, first.refresh_token ?? '')
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect((await site.me(second.access_token)).status).toBe(200)
    await expect(openid.refreshTokenGrant(config, first.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    await expect(openid.refreshTokenGrant(config, second.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    expect((await site.me(second.access_token)).status).toBe(401)
  })

  test(
    'one of several concurrent refreshes succeeds, and its tokens are revoked because the token came twice',
    slow,
    async () => {
      for (let round = 0; round < 3; round++) {
        const { refresh_token = '' } = await signIn('openid offline_access public', { prompt: 'consent' })
        const tries = await Promise.allSettled(
          Array.from({ length: 5 }, () => openid.refreshTokenGrant(config, refresh_token)),
        )
        const [won, ...others] = tries.toSorted((one) => (one.status === 'fulfilled' ? -1 : 1))
        for (const lost of others) expect(lost).toMatchObject({ reason: { status: 400, error: 'invalid_grant' } })
        if (won?.status !== 'fulfilled') throw new Error('no refresh succeeded')
        expect((await site.me(won.value.access_token)).status).toBe(401)
        await expect(openid.refreshTokenGrant(config, won.value.refresh_token ?? '')).rejects.toMatchObject({
          error: 'invalid_grant',
        })
      }
    },
  )

  test('only its app can introspect and revoke a refresh token, which ends all tokens', async () => {
    const tokens = await signIn('openid offline_access public', { prompt: 'consent' })
    const { access_token, refresh_token = '' } = tokens
    const { scope = '', ...token } = await openid.tokenIntrospection(config, refresh_token)
    expect(token).toMatchObject({ active: true, client_id: app.client_id, sub: id })
    expect(scope.split(' ').sort()).toEqual(['offline_access', 'openid', 'public'])
    const other = await site.app({ name: 'Another', is_strict: true })
    const options = { execute: [openid.allowInsecureRequests] }
    const theirs = await openid.discovery(new URL(site.sso), other.client_id, other.client_secret, undefined, options)
    expect(await openid.tokenIntrospection(theirs, refresh_token)).toEqual({ active: false })
    await expect(openid.tokenRevocation(theirs, refresh_token)).rejects.toThrow()
    await expect(openid.refreshTokenGrant(theirs, refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
    expect((await openid.tokenIntrospection(config, refresh_token)).active).toBe(true)

    await openid.tokenRevocation(config, refresh_token)
    expect(await openid.tokenIntrospection(config, refresh_token)).toEqual({ active: false })
    await expect(openid.refreshTokenGrant(config, refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
    expect((await site.me(access_token)).status).toBe(401)
  })

  test('a new password ends refresh tokens too', async () => {
    const person = await site.contact()
    const before = email
    email = person.email
    const { refresh_token = '' } = await signIn('openid offline_access', { prompt: 'consent' })
    email = before
    const change = { password: 'another horse battery' }
    await system.api('PUT', `contacts/${person.id}.json`, change, { token: site.account.auth_token })
    await expect(openid.refreshTokenGrant(config, refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  test('only its app can introspect and revoke an access token', async () => {
    const { access_token } = await signIn('openid public')
    const mine = await openid.tokenIntrospection(config, access_token)
    expect(mine).toMatchObject({ active: true, sub: id, client_id: app.client_id, scope: 'openid public' })
    const other = await site.app({ name: 'Other', is_strict: true })
    const options = { execute: [openid.allowInsecureRequests] }
    const theirs = await openid.discovery(new URL(site.sso), other.client_id, other.client_secret, undefined, options)
    expect(await openid.tokenIntrospection(theirs, access_token)).toEqual({ active: false })
    await expect(openid.tokenRevocation(theirs, access_token)).rejects.toThrow()
    expect((await site.me(access_token)).status).toBe(200)
    const records = async () =>
      (
        await system.api('GET', 'audit_records.json?kind=revocation', undefined, { token: site.account.auth_token })
      ).body.filter((record: { contact_id: string }) => record.contact_id === id)
    const before = (await records()).length
    await openid.tokenRevocation(config, access_token)
    expect((await site.me(access_token)).status).toBe(401)
    await expect.poll(records).toHaveLength(before + 1)
    expect((await records())[0]).toMatchObject({ contact_id: id, client_id: app.client_id })
  })

  test('an app can request a sign-out, which the contact has to confirm', async () => {
    const visitor = site.visitor()
    const tokens = await signIn('openid', {}, visitor)
    const target = 'https://hub.example/'
    const url = openid.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: target,
      state: 'bye',
      ui_locales: 'es',
    })
    const question = await visitor.open(url.href)
    expect([question.status, question.text]).toEqual([200, expect.stringContaining('¿Quiere cerrar la sesión?')])
    const person = { token: site.account.auth_token }
    const recorded = async (kind: string) =>
      (await system.api('GET', `audit_records.json?kind=${kind}&contact_id=${id}`, undefined, person)).body.length
    const before = [await recorded('sign_out'), await recorded('revocation')]
    const done = await visitor.submit(question, { logout: 'yes' })
    await expect
      .poll(async () => [await recorded('sign_out'), await recorded('revocation')])
      .toEqual([Number(before[0]) + 1, before[1]])
    expect(done.url).toBe(`${target}?state=bye`)
    expect(
      (
        await visitor.open(
          site.authorize(app, { scope: 'openid', code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' }),
        )
      ).text,
    ).toContain('name="password"')
    const elsewhere = openid.buildEndSessionUrl(config, { post_logout_redirect_uri: 'https://evil.example/' })
    expect((await visitor.open(elsewhere.href)).status).toBe(400)
  })

  test('prompt=none without a session is answered to the app, without a page', async () => {
    const params = { prompt: 'none', scope: 'openid', code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' }
    const seen = await site.visitor().open(site.authorize(app, params))
    expect(new URL(seen.url).searchParams.get('error')).toBe('login_required')
  })

  test('an app that is not strict gets no ID tokens', async () => {
    const legacy = await site.app()
    const seen = await site.visitor().open(site.authorize(legacy, { scope: 'openid' }))
    expect(new URL(seen.url).searchParams.get('error')).toBe('invalid_scope')
  })

  describe('as months go by', () => {
    const DAY_MS = 86_400_000
    const start = Date.now()
    afterEach(() => vi.useRealTimers())

    type Shown = webcrypto.JsonWebKey & { kid: string }
    const shown = async (): Promise<Shown[]> =>
      ((await (await fetch(`${site.sso}/oauth/keys`)).json()) as { keys: Shown[] }).keys
    const kidOf = (token: string): string =>
      JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
    const isSignedBy = (token: string, keys: Shown[]): boolean => {
      const [head, payload, signature = ''] = token.split('.')
      const jwk = keys.find(({ kid }) => kid === kidOf(token))
      if (!jwk) return false
      const key = createPublicKey({ key: jwk, format: 'jwk' })
      return verify('sha256', Buffer.from(`${head}.${payload}`), key, Buffer.from(signature, 'base64url'))
    }

    test('a running provider publishes its next key, then signs with it; earlier tokens stay valid', slow, async () => {
      const before = (await signIn('openid')).id_token ?? ''
      const [first] = await shown()
      expect(kidOf(before)).toBe(first?.kid)

      vi.setSystemTime(start + 91 * DAY_MS)
      const announced = await shown()
      const next = announced[1]
      expect(announced.map(({ kid }) => kid)).toEqual([first?.kid, expect.any(String)])
      expect(kidOf((await signIn('openid')).id_token ?? '')).toBe(first?.kid)

      vi.setSystemTime(start + 92.5 * DAY_MS)
      const visitor = site.visitor()
      const after = (await signIn('openid', {}, visitor)).id_token ?? ''
      const keys = await shown()
      expect(keys.map(({ kid }) => kid)).toEqual([next?.kid, first?.kid])
      expect(kidOf(after)).toBe(next?.kid)
      expect([isSignedBy(before, keys), isSignedBy(after, keys)]).toEqual([true, true])
      // The provider itself verifies it.
      const url = openid.buildEndSessionUrl(config, { id_token_hint: before })
      const question = await visitor.open(url.href)
      expect([question.status, question.text]).toEqual([200, expect.stringContaining('Do you want to sign out?')])
      const [head, payload] = before.split('.')
      const forged = openid.buildEndSessionUrl(config, { id_token_hint: `${head}.${payload}.${after.split('.')[2]}` })
      expect((await visitor.open(forged.href)).status).toBe(400)
    })
  })
})
