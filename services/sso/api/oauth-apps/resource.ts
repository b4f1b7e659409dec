import {
  datetime,
  flag,
  identifier,
  integer,
  list,
  maybe,
  record,
  subset,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import type { Static } from 'typebox'

const DAY_SECONDS = 86_400

const fields = {
  name: text({ description: 'Shown to the contact at sign-in' }),
  redirect_uris: list(text({ maxLength: 2_000, pattern: '^https?://' }), 'redirect_uri', {
    maxItems: 50,
    description:
      'Where contacts may be sent back to, compared as they are: https, or http on this very machine; no fragment, no user, no *. Browsers let a callback lead on to these hosts alone',
  }),
  is_strict: flag({
    default: false,
    description:
      'A strict app must use PKCE. Others may, and may send a code_verifier though they sent no code_challenge',
  }),
}

const oauthApp = record({
  _id: identifier(),
  ...fields,
  client_id: text(),
  old_secret_expires_at: maybe(datetime({ description: 'Until when the secret before a roll is accepted as well' })),
  created_at: datetime(),
  updated_at: datetime(),
})

const withSecret = record({
  ...oauthApp.properties,
  client_secret: text({ description: 'Shown this once' }),
})

/** An app as it goes out. */
export type OauthApp = Static<typeof oauthApp>

/** Apps to which contacts sign in. Only the SHA-256 of their secrets is stored. */
export const oauthApps = resource('sso.oauth_apps', 'oauth_app', {
  list: {
    route: 'GET oauth_apps',
    role: 'owner',
    summary: 'Apps of the account, without secrets',
    reply: list(oauthApp, 'oauth_app'),
  },
  read: { route: 'GET oauth_apps/:id', role: 'owner', summary: 'One app', reply: oauthApp },
  create: {
    route: 'POST oauth_apps',
    role: 'owner',
    summary: 'Register an app; `client_secret` is shown this once',
    checks: true,
    body: record(fields),
    reply: withSecret,
    status: 201,
  },
  update: {
    route: 'PUT oauth_apps/:id',
    role: 'owner',
    summary: 'Change an app; redirect_uris are replaced, not merged',
    checks: true,
    body: subset(fields),
    reply: oauthApp,
    status: 204,
  },
  roll_secret: {
    route: 'POST oauth_apps/:id/roll_secret',
    role: 'owner',
    summary: 'Make a new secret, shown this once; the old one is accepted for a while',
    body: record({
      overlap_seconds: integer({
        default: DAY_SECONDS,
        minimum: 0,
        maximum: 30 * DAY_SECONDS,
        description: 'For how long the old secret is still accepted; 0 ends it at once',
      }),
    }),
    reply: withSecret,
    status: 201,
  },
  delete: {
    route: 'DELETE oauth_apps/:id',
    role: 'owner',
    summary: 'Delete an app for good; what its contacts are signed in to there ends',
    reply: oauthApp,
    status: 204,
  },
})
