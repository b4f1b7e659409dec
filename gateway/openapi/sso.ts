import type { Json } from './schemas.ts'

/** The tag of single sign-on. */
export const SSO_TAG = 'single sign-on'

/** How apps and their tokens identify themselves there. */
export const ssoSecurity = {
  sso_token: { type: 'http', scheme: 'bearer', description: 'The access token of a contact, from `/oauth/token`' },
  sso_app: {
    type: 'http',
    scheme: 'basic',
    description: '`client_id` and `client_secret`; they may be in the body too',
  },
}

const ABOVE = '/sso/{account}'

/**
 * The paths of single sign-on, which no resource declares: oidc-provider answers them. All of them but discovery and keys, which belong to one
 * issuer, are at the gateway's root as well.
 */
export function ssoPaths(): Record<string, Json> {
  const paths = Object.entries(endpoints).flatMap(([path, { method, isAtRoot, name, ...operation }]) => [
    [`${ABOVE}${path}`, described(method, operation, `sso_${name}`)] as const,
    ...(isAtRoot ? [[path, atRoot(method, operation, `sso_root_${name}`)] as const] : []),
  ])
  return Object.fromEntries(paths)
}

function described(method: string, operation: Operation, operationId: string): Json {
  return {
    parameters: [
      {
        name: 'account',
        in: 'path',
        required: true,
        description: "The account's slug",
        schema: { type: 'string' },
        example: 'acme',
      },
    ],
    [method]: { operationId, tags: [SSO_TAG], security: [], ...operation },
  }
}

/** The same without the account in the path, which follows from what the request brings. */
function atRoot(method: string, operation: Operation, operationId: string): Json {
  const { 404: _, 400: wrong, ...responses } = operation.responses
  // What carries an access token is 401 without one that tells.
  const unknown = wrong !== undefined && {
    400: {
      ...(wrong as Json),
      description: 'The request is wrong, or nothing in it says which account it is about',
    },
  }
  return {
    [method]: {
      operationId,
      tags: [SSO_TAG],
      security: [],
      ...operation,
      summary: `${operation.summary}, at the root`,
      description: `As below \`${ABOVE}\`: the account follows from the \`client_id\`, the access token, the browser's session, or the app that the redirect URI belongs to. ${operation.description}`,
      responses: { ...responses, ...unknown },
    },
  }
}

interface Operation {
  summary: string
  description: string
  parameters?: Json[]
  requestBody?: Json
  security?: Json[]
  responses: Json
}

interface Endpoint extends Operation {
  method: 'get' | 'post'
  /** How it is called in its `operationId`. */
  name: string
  isAtRoot?: true
}

const CODE = 'SplxlOBeZQQYbYS6WxSbIA-not-a-real-code-000000'
const TOKEN = 'not-a-real-access-token-but-as-long-as-one-'
const CLIENT = '3f0c6a5e9d2b4187a6c1e0d9b8f7a625'
const CALLBACK = 'https://portal.example.com/callback'
const ISSUER = 'https://gatehouse.example.com/sso/acme'
const STATE = 'af0ifjsldkj'

const text = (description: string, example?: unknown): Json => ({
  type: 'string',
  description,
  ...(example !== undefined && { examples: [example] }),
})

function parameter(name: string, description: string, example: string, required = false): Json {
  return { name, in: 'query', ...(required && { required }), description, schema: { type: 'string' }, example }
}

function object(properties: Record<string, Json>, required: string[]): Json {
  return { type: 'object', properties, required }
}

function json(schema: Json, example: unknown): Json {
  return { content: { 'application/json': { schema, example } } }
}

const page = {
  content: { 'text/html': { schema: { type: 'string' }, example: '<!doctype html><html lang="en">…</html>' } },
}

function form(properties: Record<string, Json>, required: string[], example: Json): Json {
  const body = { schema: object(properties, required), example }
  return {
    required: true,
    content: { 'application/x-www-form-urlencoded': body, 'application/json': body },
  }
}

/** What RFC 6749 (5.2) answers. */
function oauthError(description: string, error: string): Json {
  const schema = object({ error: text('A code of RFC 6749'), error_description: text('What is wrong') }, ['error'])
  return { description, ...json(schema, { error }) }
}

const retryAfter = { headers: { 'Retry-After': { $ref: '#/components/headers/retry_after' } } }
const location = (example: string): Json => ({ headers: { Location: { schema: { type: 'string' }, example } } })

const nowhere = { 404: { description: 'There is no such account', ...page } }
const pages: Json = {
  ...nowhere,
  503: { description: 'A service or a store did not answer in time', ...retryAfter, ...page },
}
const machines: Json = {
  ...nowhere,
  503: { $ref: '#/components/responses/unavailable' },
}

const limited: Json = { 429: { ...oauthError('Too many requests', 'temporarily_unavailable'), ...retryAfter } }

const credentials = {
  client_id: text('Of the app; or by HTTP Basic'),
  client_secret: text('Of the app; or by HTTP Basic'),
}
const appExample = { client_id: CLIENT, client_secret: 'gs_not-a-real-secret-but-as-long-as-one-is-000' }

const endpoints: Record<string, Endpoint> = {
  '/oauth/authorize': {
    method: 'get',
    name: 'authorize',
    isAtRoot: true,
    summary: 'Sign a contact in',
    description:
      'Send the browser here. The contact signs in and allows the app, unless both are done already, and the browser goes back to `redirect_uri`.',
    parameters: [
      parameter('response_type', 'Always `code`', 'code', true),
      parameter('client_id', 'Of the app', CLIENT, true),
      parameter('redirect_uri', 'One of those of the app, exactly as it is registered', CALLBACK, true),
      parameter(
        'scope',
        '`public` where it is missing or empty; strict apps may ask for `openid profile email offline_access` too',
        'public',
      ),
      parameter('state', 'Unguessable; it comes back unchanged', STATE),
      parameter(
        'code_challenge',
        'Base 64 (URL) of the SHA-256 of a verifier; strict apps must send it',
        'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      ),
      parameter('code_challenge_method', '`S256`', 'S256'),
      parameter('locale', 'Language of the pages; that of the browser where it is not given', 'fr'),
    ],
    responses: {
      303: {
        description:
          'To the page where the contact signs in, or back to `redirect_uri` with `code` and `state`; with `error` and `state` where the contact does not allow it (`access_denied`) or the request is wrong',
        ...location(`${CALLBACK}?code=${CODE}&state=${STATE}`),
      },
      400: {
        description: 'The app or its redirect URI is not known: a page says so, and the browser goes nowhere',
        ...page,
      },
      429: { description: 'Too many requests: a page that says when to come again', ...retryAfter, ...page },
      ...pages,
    },
  },
  '/oauth/token': {
    method: 'post',
    name: 'token',
    isAtRoot: true,
    summary: 'Exchange a code for an access token',
    description:
      'From the server of the app. A code works once, within two minutes. An access token holds for two hours.',
    security: [{ sso_app: [] }, {}],
    requestBody: form(
      {
        grant_type: { type: 'string', enum: ['authorization_code', 'refresh_token'] },
        code: text('What the browser brought back'),
        redirect_uri: text('The same as at the authorization'),
        ...credentials,
        code_verifier: text(
          'Verifier for `code_challenge`; non-strict apps may send it without a challenge, and it is ignored',
        ),
        refresh_token: text('With the grant type of that name'),
      },
      ['grant_type'],
      { grant_type: 'authorization_code', code: CODE, redirect_uri: CALLBACK, ...appExample },
    ),
    responses: {
      200: {
        description: 'The token',
        ...json(
          object(
            {
              access_token: text('Opaque, and revocable'),
              token_type: { type: 'string', enum: ['Bearer'] },
              expires_in: { type: 'integer', description: 'Seconds' },
              scope: text('What the token is good for'),
              created_at: { type: 'integer', description: 'Unix seconds' },
              refresh_token: text('With the scope `offline_access`'),
              id_token: text('With the scope `openid`'),
            },
            ['access_token', 'token_type', 'expires_in', 'scope', 'created_at'],
          ),
          { access_token: TOKEN, token_type: 'Bearer', expires_in: 7_200, scope: 'public', created_at: 1_789_668_252 },
        ),
      },
      400: oauthError('The code is wrong, used up or too old, or the request is incomplete', 'invalid_grant'),
      401: oauthError('The app is not known, or its secret is wrong', 'invalid_client'),
      ...limited,
      ...machines,
    },
  },
  '/api/v1/me': {
    method: 'get',
    name: 'me',
    isAtRoot: true,
    summary: 'Who a contact is',
    description: 'Also at `/api/v1/me.json`. Every contact field of the account is a member, under its key.',
    security: [{ sso_token: [] }],
    responses: {
      200: {
        description: 'The contact',
        ...json(
          {
            ...object(
              {
                id: text('The same at every sign-in'),
                email: text('The e-mail address'),
                first_name: { type: ['string', 'null'] },
                last_name: { type: ['string', 'null'] },
              },
              ['id', 'email', 'first_name', 'last_name'],
            ),
            additionalProperties: { type: ['string', 'null'] },
          },
          {
            id: '66f1a0c2e4b0a1d2c3e41015',
            email: 'ada@example.com',
            first_name: 'Ada',
            last_name: 'Lovelace',
            job: 'Mathematician',
          },
        ),
      },
      401: {
        description: 'The access token is missing or not valid, or no longer',
        headers: { 'WWW-Authenticate': { schema: { type: 'string' }, example: `Bearer realm="${ISSUER}"` } },
        ...json({ $ref: '#/components/schemas/Error' }, { error: 'The access token is missing or not valid' }),
      },
      ...machines,
    },
  },
  '/contacts/sign_out': {
    method: 'get',
    name: 'sign_out',
    isAtRoot: true,
    summary: 'Sign a contact out',
    description: 'Send the browser here. It ends the session in any case.',
    parameters: [
      parameter(
        'redirect_uri',
        'Where to go on, of the same origin as a redirect URI of an app',
        'https://portal.example.com/',
      ),
    ],
    responses: {
      200: { description: 'Signed out, and nowhere to go on: a page says so', ...page },
      303: { description: 'Signed out, and on to `redirect_uri`', ...location('https://portal.example.com/') },
      400: { description: 'Signed out; the redirect URI is not that of an app', ...page },
      ...pages,
    },
  },
  '/.well-known/openid-configuration': {
    method: 'get',
    name: 'discovery',
    summary: 'Get the discovery document',
    description: 'OpenID Connect Discovery: the endpoints and what they can do.',
    responses: {
      200: {
        description: 'The configuration',
        ...json(
          {
            ...object(
              {
                issuer: text('The account’s'),
                authorization_endpoint: text('Where browsers go'),
                token_endpoint: text('Where apps go'),
                jwks_uri: text('The signing keys'),
              },
              ['issuer', 'authorization_endpoint', 'token_endpoint', 'jwks_uri'],
            ),
            additionalProperties: true,
          },
          {
            issuer: ISSUER,
            authorization_endpoint: `${ISSUER}/oauth/authorize`,
            token_endpoint: `${ISSUER}/oauth/token`,
            jwks_uri: `${ISSUER}/oauth/keys`,
            response_types_supported: ['code'],
            code_challenge_methods_supported: ['S256'],
          },
        ),
      },
      ...machines,
    },
  },
  '/oauth/keys': {
    method: 'get',
    name: 'keys',
    summary: 'The keys that sign ID tokens',
    description: 'A JSON Web Key Set. New keys are published a day before they sign.',
    responses: {
      200: {
        description: 'The keys',
        ...json(object({ keys: { type: 'array', items: { type: 'object' } } }, ['keys']), {
          keys: [{ kty: 'RSA', use: 'sig', alg: 'RS256', kid: '2026-05', e: 'AQAB', n: '…' }],
        }),
      },
      ...machines,
    },
  },
  '/oauth/userinfo': {
    method: 'get',
    name: 'userinfo',
    isAtRoot: true,
    summary: 'The claims of a contact',
    description:
      'OpenID Connect: for access tokens with the scope `openid`. What they hold follows from `profile` and `email`.',
    security: [{ sso_token: [] }],
    responses: {
      200: {
        description: 'The claims',
        ...json(
          { ...object({ sub: text('The contact') }, ['sub']), additionalProperties: true },
          {
            sub: '66f1a0c2e4b0a1d2c3e41015',
            email: 'ada@example.com',
            name: 'Ada Lovelace',
          },
        ),
      },
      401: oauthError('The access token is missing or not valid', 'invalid_token'),
      403: oauthError('The access token has no scope `openid`', 'insufficient_scope'),
      ...machines,
    },
  },
  '/oauth/revoke': {
    method: 'post',
    name: 'revoke',
    isAtRoot: true,
    summary: 'Revoke a token',
    description: 'RFC 7009: an access or refresh token of the app.',
    security: [{ sso_app: [] }, {}],
    requestBody: form({ token: text('The token'), ...credentials }, ['token'], { token: TOKEN, ...appExample }),
    responses: {
      200: { description: 'It is not valid, whatever it was before' },
      400: oauthError('The request is incomplete', 'invalid_request'),
      401: oauthError('The app is not known, or its secret is wrong', 'invalid_client'),
      ...limited,
      ...machines,
    },
  },
  '/oauth/introspect': {
    method: 'post',
    name: 'introspect',
    isAtRoot: true,
    summary: 'Look at a token',
    description: 'RFC 7662: whether a token of the app is valid, and what for.',
    security: [{ sso_app: [] }, {}],
    requestBody: form({ token: text('The token'), ...credentials }, ['token'], { token: TOKEN, ...appExample }),
    responses: {
      200: {
        description: 'What is known of it',
        ...json(
          { ...object({ active: { type: 'boolean' } }, ['active']), additionalProperties: true },
          {
            active: true,
            client_id: CLIENT,
            scope: 'public',
            sub: '66f1a0c2e4b0a1d2c3e41015',
            token_type: 'Bearer',
          },
        ),
      },
      400: oauthError('The request is incomplete', 'invalid_request'),
      401: oauthError('The app is not known, or its secret is wrong', 'invalid_client'),
      ...limited,
      ...machines,
    },
  },
  '/oauth/logout': {
    method: 'get',
    name: 'logout',
    isAtRoot: true,
    summary: 'Sign a contact out, by OpenID Connect',
    description: 'RP-initiated logout. Send the browser here; the contact is asked whether to end the session.',
    parameters: [
      parameter('id_token_hint', 'An ID token of the app', 'eyJhbGciOiJSUzI1NiJ9.e30.not-a-real-signature'),
      parameter('client_id', 'Of the app, where there is no ID token', CLIENT),
      parameter('post_logout_redirect_uri', 'Where to go on', 'https://portal.example.com/'),
      parameter('state', 'It comes back unchanged', STATE),
    ],
    responses: {
      200: { description: 'A page that asks', ...page },
      303: { description: 'Nobody was signed in: on to where to go', ...location('https://portal.example.com/') },
      400: { description: 'The redirect URI or the ID token is not one of the app', ...page },
      ...pages,
    },
  },
}
