import {
  choice,
  datetime,
  flag,
  identifier,
  list,
  maybe,
  optionalIdentifier,
  optionalText,
  record,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import { resource, roles as roleNames, scopes } from '@gatehouse/proto/declaring/resource.ts'

const fields = {
  name: text(),
  scope: choice(scopes, { description: 'admin: everything; read: all that reads; door: scan, sign and look up' }),
  event_id: optionalIdentifier({
    description: 'The only event that the token may touch; any of the account when null',
  }),
}

const token = record({ _id: identifier(), ...fields, account_id: identifier(), created_at: datetime() })

const caller = record({
  account_id: identifier(),
  token_id: identifier(),
  scope: choice(scopes),
  event_id: maybe(identifier()),
  accesspoint_ids: maybe(list(identifier(), 'accesspoint_id')),
  role: maybe(choice(roleNames)),
  is_device: maybe(flag()),
})

/** API tokens of an account. Only their SHA-256 is stored. */
export const apiTokens = resource('sso.tokens', 'token', {
  list: {
    route: 'GET tokens',
    role: 'owner',
    summary: 'Tokens of the account, without the secrets',
    reply: list(token, 'token'),
  },
  create: {
    route: 'POST tokens',
    role: 'owner',
    summary: 'Issue a token; `token` is shown this once. 422 where the account has as many as it may',
    checks: true,
    body: record(fields),
    reply: record({ ...token.properties, token: text() }),
    status: 201,
  },
  revoke: { route: 'DELETE tokens/:id', role: 'owner', summary: 'Revoke a token, at once', reply: token, status: 204 },
  me: {
    route: 'GET me',
    scope: 'door',
    summary: 'Who the token is, or which staff member is at the session',
    reply: record({
      id: identifier({ description: 'The same as token_id, for clients that look for a user' }),
      email: optionalText({ description: 'Of a staff member; null for a token' }),
      first_name: optionalText({ description: 'Of a staff member; the name of a token' }),
      last_name: optionalText(),
      account_id: identifier(),
      account: text({ description: "The account's slug" }),
      token_id: identifier(),
      name: optionalText(),
      scope: choice(scopes),
      role: maybe(choice(roleNames, { description: 'Of a staff member, for whom it counts in place of the scope' })),
      event_id: optionalIdentifier(),
      created_at: datetime(),
    }),
  },
  resolve: {
    summary:
      'Whose tokens have these SHA-256 (hex), those of devices and sessions of the console included, in the order asked; empty where a token is nobody’s. Sessions count as used unless it `only_looks`',
    reads: true,
    body: record({ hashes: list(text(), 'hash'), only_looks: maybe(flag()) }),
    reply: list(
      record({
        caller: maybe(caller),
        name: maybe(text()),
        answers_updates: maybe(flag({ description: 'Of the account; never of a session of the console' })),
        is_revoked_device: maybe(flag()),
        is_away: maybe(flag({ description: 'The account lives in another cell' })),
      }),
      'token',
    ),
  },
})
