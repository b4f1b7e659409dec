import {
  datetime,
  flag,
  identifier,
  list,
  maybe,
  optionalDatetime,
  record,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import type { Static } from 'typebox'

/** What a partner access token shows. */
export const tokenFields = {
  _id: identifier(),
  partner_id: identifier(),
  partner_campaign_id: identifier(),
  expires_at: datetime(),
  created_at: datetime(),
}

const token = record(tokenFields)

/** A partner access token as it goes out, without its secret. */
export type PartnerAccessToken = Static<typeof token>

const ROUTE = 'events/:event_id/partners/:partner_id/partner_campaigns/:partner_campaign_id/partner_access_tokens'

/** Partner access tokens: each lets a partner send invitations of one campaign. Only their SHA-256 is stored. */
export const partnerAccessTokens = resource('partners.partner_access_tokens', 'partner_access_token', {
  list: {
    route: `GET ${ROUTE}`,
    summary: 'Access tokens of a campaign, newest first, without the secrets',
    reply: list(token, 'partner_access_token'),
  },
  create: {
    route: `POST ${ROUTE}`,
    summary: 'Issue an access token for a campaign; `token` and `page_url` are shown this once',
    body: record({ expires_at: optionalDatetime({ description: 'In the future; in 90 days unless given' }) }),
    reply: record({
      ...token.properties,
      token: text(),
      page_url: text({ maxLength: 4_000, description: 'The web page on which the partner invites with this token' }),
    }),
    status: 201,
  },
  revoke: {
    whileArchived: true,
    route: `DELETE ${ROUTE}/:id`,
    summary: 'Revoke an access token, at once',
    reply: token,
    status: 204,
  },
  resolve: {
    summary: 'The token with this SHA-256 (hex), with its campaign; empty if it is unknown, expired or revoked',
    reads: true,
    body: record({ hash: text() }),
    reply: record({ token: maybe(record({ ...token.properties, event_id: identifier() })) }),
  },
  authenticate: {
    summary: 'Whether each token, given by its SHA-256 (hex), is known and has not expired; in the order asked',
    reads: true,
    body: record({ hashes: list(text(), 'hash') }),
    reply: list(record({ known: flag() }), 'partner_access_token'),
  },
})
