import {
  appExample,
  appRefusals,
  CLIENT,
  credentials,
  type Endpoint,
  form,
  ISSUER,
  json,
  location,
  machines,
  named,
  oauthError,
  object,
  page,
  pages,
  parameter,
  STATE,
  TOKEN,
  text,
} from './sso-parts.ts'

/** The other paths of OpenID Connect and OAuth. */
export const openIdEndpoints: Record<string, Endpoint> = {
  '/.well-known/openid-configuration': {
    name: 'discovery',
    isIssuersOwn: true,
    summary: 'Get the discovery document',
    description: 'OpenID Connect Discovery: the endpoints and what they can do.',
    responses: {
      200: {
        description: 'The configuration',
        ...json(
          named('OpenIdConfiguration', {
            ...object(
              {
                issuer: text('The issuer of the account'),
                authorization_endpoint: text('The authorization endpoint, for browsers'),
                token_endpoint: text('The token endpoint, for apps'),
                jwks_uri: text('The signing keys'),
              },
              ['issuer', 'authorization_endpoint', 'token_endpoint', 'jwks_uri'],
            ),
            additionalProperties: true,
          }),
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
    isIssuersOwn: true,
    summary: 'Get the keys that sign ID tokens',
    description: 'A JSON Web Key Set. New keys are published a day before they sign.',
    responses: {
      200: {
        description: 'The keys',
        ...json(
          named(
            'JsonWebKeySet',
            object({ keys: { type: 'array', items: { type: 'object' }, description: 'The keys' } }, ['keys']),
          ),
          {
            keys: [{ kty: 'RSA', use: 'sig', alg: 'RS256', kid: '2026-05', e: 'AQAB', n: '…' }],
          },
        ),
      },
      ...machines,
    },
  },
  '/oauth/userinfo': {
    summary: 'Get the claims of a contact',
    description:
      'OpenID Connect: for access tokens with the scope `openid`. Their content depends on the scopes `profile` and `email`.',
    security: [{ sso_token: [] }],
    responses: {
      200: {
        description: 'The claims',
        ...json(named('UserClaims', { ...object({ sub: text('The contact') }, ['sub']), additionalProperties: true }), {
          sub: '66f1a0c2e4b0a1d2c3e41015',
          email: 'ada@example.com',
          name: 'Ada Lovelace',
        }),
      },
      401: oauthError('The access token is missing or not valid', 'invalid_token'),
      403: oauthError('The access token has no scope `openid`', 'insufficient_scope'),
      ...machines,
    },
  },
  '/oauth/revoke': {
    method: 'post',
    summary: 'Revoke a token',
    description: 'RFC 7009: an access or refresh token of the app.',
    security: [{ sso_app: [] }, {}],
    requestBody: form('OauthTokenGiven', { token: text('The token'), ...credentials }, ['token'], {
      token: TOKEN,
      ...appExample,
    }),
    responses: {
      200: { description: 'The token is not valid, or no longer' },
      400: oauthError('The request is incomplete', 'invalid_request'),
      ...appRefusals,
    },
  },
  '/oauth/introspect': {
    method: 'post',
    summary: 'Inspect a token',
    description: 'RFC 7662: whether a token of the app is valid, and what for.',
    security: [{ sso_app: [] }, {}],
    requestBody: form('OauthTokenGiven', { token: text('The token'), ...credentials }, ['token'], {
      token: TOKEN,
      ...appExample,
    }),
    responses: {
      200: {
        description: 'The state of the token',
        ...json(
          named('OauthTokenState', {
            ...object({ active: { type: 'boolean', description: 'Whether the token is valid' } }, ['active']),
            additionalProperties: true,
          }),
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
      ...appRefusals,
    },
  },
  '/oauth/logout': {
    summary: 'Sign a contact out, by OpenID Connect',
    description: 'RP-initiated logout. Send the browser here; the contact is asked whether to end the session.',
    parameters: [
      parameter('id_token_hint', 'An ID token of the app', 'eyJhbGciOiJSUzI1NiJ9.e30.not-a-real-signature'),
      parameter('client_id', 'The id of the app, without an ID token', CLIENT),
      parameter('post_logout_redirect_uri', 'Where the browser goes on', 'https://portal.example.com/'),
      parameter('state', 'It comes back unchanged', STATE),
    ],
    responses: {
      200: { description: 'A page that asks', ...page },
      303: {
        description: 'No contact was signed in: on to `post_logout_redirect_uri`',
        ...location('https://portal.example.com/'),
      },
      400: { description: 'The redirect URI or the ID token is not one of the app', ...page },
      ...pages,
    },
  },
}
