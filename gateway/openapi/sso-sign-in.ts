import {
  appExample,
  appRefusals,
  CALLBACK,
  CLIENT,
  CODE,
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
  retryAfter,
  STATE,
  TOKEN,
  text,
} from './sso-parts.ts'

/** The paths that a site needs to sign contacts in. */
export const signInEndpoints: Record<string, Endpoint> = {
  '/oauth/authorize': {
    summary: 'Sign a contact in',
    description:
      'Send the browser here. The contact signs in and allows the app, unless both are done already, and the browser goes back to `redirect_uri`.',
    parameters: [
      parameter('response_type', 'Always `code`', 'code', true),
      parameter('client_id', 'The id of the app', CLIENT, true),
      parameter('redirect_uri', 'A redirect URI of the app, exactly as registered', CALLBACK, true),
      parameter(
        'scope',
        '`public` if it is missing or empty; strict apps may ask for `openid profile email offline_access` too',
        'public',
      ),
      parameter('state', 'A random value, which comes back unchanged', STATE),
      parameter(
        'code_challenge',
        'Base 64 (URL) of the SHA-256 of a verifier; strict apps must send it',
        'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      ),
      parameter('code_challenge_method', '`S256`', 'S256'),
      parameter('locale', 'Language of the pages; by default that of the browser', 'fr'),
    ],
    responses: {
      303: {
        description:
          'To the page where the contact signs in, or back to `redirect_uri` with `code` and `state`; with `error` and `state` where the contact does not allow it (`access_denied`) or the request is wrong',
        ...location(`${CALLBACK}?code=${CODE}&state=${STATE}`),
      },
      400: {
        description: 'The app or its redirect URI is not known: a page says so, and the browser stays there',
        ...page,
      },
      429: { description: 'Too many requests: a page says when to come again', ...retryAfter, ...page },
      ...pages,
    },
  },
  '/oauth/token': {
    method: 'post',
    summary: 'Exchange a code for an access token',
    description:
      'From the server of the app. A code works once, within two minutes. An access token is valid for two hours.',
    security: [{ sso_app: [] }, {}],
    requestBody: form(
      'OauthTokenRequest',
      {
        grant_type: {
          type: 'string',
          enum: ['authorization_code', 'refresh_token'],
          description: 'What is exchanged',
        },
        code: text('The code with which the browser came back'),
        redirect_uri: text('The same as in the authorization'),
        ...credentials,
        code_verifier: text(
          'Verifier for `code_challenge`; non-strict apps may send it without a challenge, and it is ignored',
        ),
        refresh_token: text('For the grant type of that name'),
      },
      ['grant_type'],
      { grant_type: 'authorization_code', code: CODE, redirect_uri: CALLBACK, ...appExample },
    ),
    responses: {
      200: {
        description: 'The token',
        ...json(
          named(
            'OauthToken',
            object(
              {
                access_token: text('Opaque, and revocable'),
                token_type: { type: 'string', enum: ['Bearer'], description: 'How the token is sent' },
                expires_in: { type: 'integer', description: 'Seconds' },
                scope: text('The scopes of the token'),
                created_at: { type: 'integer', description: 'Unix seconds' },
                refresh_token: text('With the scope `offline_access`'),
                id_token: text('With the scope `openid`'),
              },
              ['access_token', 'token_type', 'expires_in', 'scope', 'created_at'],
            ),
          ),
          { access_token: TOKEN, token_type: 'Bearer', expires_in: 7_200, scope: 'public', created_at: 1_789_668_252 },
        ),
      },
      400: oauthError('The code is wrong, used up or too old, or the request is incomplete', 'invalid_grant'),
      ...appRefusals,
    },
  },
  '/api/v1/me': {
    summary: 'Get the contact of an access token',
    description: 'Also at `/api/v1/me.json`. Every contact field of the account is a member, under its key.',
    security: [{ sso_token: [] }],
    responses: {
      200: {
        description: 'The contact',
        ...json(
          named('SignedInContact', {
            ...object(
              {
                id: text('The same at every sign-in'),
                email: text('The e-mail address'),
                first_name: { type: ['string', 'null'], description: 'The first name' },
                last_name: { type: ['string', 'null'], description: 'The last name' },
              },
              ['id', 'email', 'first_name', 'last_name'],
            ),
            additionalProperties: true,
          }),
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
        headers: {
          'WWW-Authenticate': {
            description: 'The issuer whose token is needed',
            schema: { type: 'string' },
            example: `Bearer realm="${ISSUER}"`,
          },
        },
        ...json({ $ref: '#/components/schemas/ApiError' }, { error: 'The access token is missing or not valid' }),
      },
      ...machines,
    },
  },
  '/contacts/sign_out': {
    summary: 'Sign a contact out',
    description: 'Send the browser here. It ends the session in any case.',
    parameters: [
      parameter(
        'redirect_uri',
        'Where the browser goes on; of the same origin as a redirect URI of an app',
        'https://portal.example.com/',
      ),
    ],
    responses: {
      200: { description: 'Signed out: a page says so', ...page },
      303: { description: 'Signed out, and on to `redirect_uri`', ...location('https://portal.example.com/') },
      400: { description: 'Signed out; the redirect URI is not that of an app', ...page },
      ...pages,
    },
  },
}
