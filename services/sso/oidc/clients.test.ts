import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { PASSWORD, type SiteApp, SsoSite } from '@gatehouse/test/harness/sso-site.ts'
import OAuth2Strategy from 'passport-oauth2'
import { AuthorizationCode } from 'simple-oauth2'
import { beforeAll, describe, expect, test } from 'vitest'

const system = await sharedSystem()

/** The libraries of sites, unchanged. */
describe('existing apps sign contacts in without changes', () => {
  let site: SsoSite
  let app: SiteApp
  let email: string
  let id: string

  beforeAll(async () => {
    site = await SsoSite.open(system, 'acme')
    app = await site.app()
    ;({ id, email } = await site.contact())
  })

  async function throughPages(url: string): Promise<URL> {
    const visitor = site.visitor()
    let seen = await visitor.open(url)
    seen = await visitor.submit(seen, { email, password: PASSWORD, step: 'password' })
    if (seen.text.includes('value="allow"')) seen = await visitor.submit(seen, { step: 'allow' })
    return new URL(seen.url)
  }

  describe('simple-oauth2', () => {
    test.each([
      ['header', 'public'],
      ['body', 'public'],
      ['body', ''],
    ] as const)('with its secret in the %s and the scope %j', async (authorizationMethod, scope) => {
      const client = new AuthorizationCode({
        client: { id: app.client_id, secret: app.client_secret },
        auth: {
          tokenHost: site.sso,
          tokenPath: `/sso/${site.slug}/oauth/token`,
          authorizePath: `/sso/${site.slug}/oauth/authorize`,
        },
        options: { authorizationMethod },
      })
      const url = client.authorizeURL({ redirect_uri: app.redirect_uri, scope, state: 'st' })
      const back = await throughPages(url)
      expect(back.searchParams.get('state')).toBe('st')
      const code = back.searchParams.get('code') ?? ''
      const { token } = await client.getToken({ code, redirect_uri: app.redirect_uri })
      expect(token).toMatchObject({ token_type: 'Bearer', expires_in: 7200, scope: 'public' })
      expect((await site.me(String(token.access_token))).body.id).toBe(id)
    })

    test.each(['f6b5c2f0-8a54-4c9d-9f6e-1d2c3b4a5968', 'short', 'x'.repeat(64)])(
      'with the code_verifier %j that belongs to no challenge, and an empty scope',
      async (code_verifier) => {
        const client = new AuthorizationCode({
          client: { id: app.client_id, secret: app.client_secret },
          auth: {
            tokenHost: site.sso,
            tokenPath: `/sso/${site.slug}/oauth/token`,
            authorizePath: `/sso/${site.slug}/oauth/authorize`,
          },
          options: { authorizationMethod: 'body' },
        })
        const back = await throughPages(client.authorizeURL({ redirect_uri: app.redirect_uri, scope: '', state: 'st' }))
        const params = { code: back.searchParams.get('code') ?? '', redirect_uri: app.redirect_uri, code_verifier }
        const { token } = await client.getToken(params)
        expect(token.scope).toBe('public')
        expect((await site.me(String(token.access_token))).body.id).toBe(id)
      },
    )
  })

  describe('passport-oauth2', () => {
    interface Passed {
      redirect?: string
      user?: { id: string }
      failure?: unknown
    }

    /** One request to a site that uses the strategy, with its session. */
    function authenticate(strategy: OAuth2Strategy, session: object, query: object): Promise<Passed> {
      return new Promise((resolve) => {
        const acting = Object.assign(Object.create(strategy), {
          redirect: (redirect: string) => resolve({ redirect }),
          success: (user: { id: string }) => resolve({ user }),
          fail: (failure: unknown) => resolve({ failure }),
          error: (failure: unknown) => resolve({ failure }),
        })
        acting.authenticate({ session, query, headers: {}, connection: {} }, {})
      })
    }

    test.each([
      ['a legacy app', { is_strict: false }, {}, {}],
      ['a legacy app with an empty scope', { is_strict: false }, { scope: [] }, {}],
      ['a legacy app that says no scope', { is_strict: false }, { scope: '' }, {}],
      ['a legacy app with a code_verifier of no challenge', { is_strict: false }, {}, { code_verifier: 'short' }],
      ['a legacy app with both', { is_strict: false }, { scope: [] }, { code_verifier: 'x'.repeat(43) }],
      ['a legacy app that sends a challenge all the same', { is_strict: false }, { pkce: 'S256' }, {}],
      ['a strict app', { is_strict: true }, { pkce: 'S256' }, {}],
    ])('%s', async (_, fields, options, tokenParams) => {
      const own = await site.app({ name: `Passport ${JSON.stringify([fields, options, tokenParams])}`, ...fields })
      const strategy = new OAuth2Strategy(
        {
          authorizationURL: `${site.sso}/oauth/authorize`,
          tokenURL: `${site.sso}/oauth/token`,
          clientID: own.client_id,
          clientSecret: own.client_secret,
          callbackURL: own.redirect_uri,
          scope: 'public',
          state: true,
          ...options,
        } as OAuth2Strategy.StrategyOptions & { pkce?: string },
        (accessToken: string, _refresh: string, _profile: unknown, done: OAuth2Strategy.VerifyCallback) => {
          site.me(accessToken).then(({ body }) => done(null, body), done)
        },
      )
      // Parameters that some sites add.
      strategy.tokenParams = () => tokenParams
      const session = {}
      const { redirect = '' } = await authenticate(strategy, session, {})
      const back = await throughPages(redirect)
      const passed = await authenticate(strategy, session, Object.fromEntries(back.searchParams))
      expect(passed).toEqual({ user: expect.objectContaining({ id, email }) })
    })
  })
})
