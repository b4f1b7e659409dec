import { LONGEST_MS } from '@gatehouse/mail/resources'
import {
  datetime,
  email,
  identifier,
  integer,
  maybe,
  optionalDatetime,
  optionalText,
  record,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import type { Static } from 'typebox'

const pageLink = record({
  partner_id: identifier(),
  partner_campaign_id: identifier(),
  link_count: integer({ minimum: 0, description: 'How many links work now' }),
  created_at: optionalDatetime({ description: 'When the newest of them was made; null without one' }),
  created_by: optionalText({ description: 'The name of the token, or of the staff member, by which it was made' }),
  expires_at: optionalDatetime({ description: 'Until when the newest one works' }),
  sent_at: optionalDatetime({ description: 'When a link that works was last sent by e-mail' }),
  sent_to: optionalText({ description: 'To which address that e-mail went' }),
  opened_at: optionalDatetime({
    description: 'When the page was last opened by a link that works, to the minute; mail scanners may open it too',
  }),
})

const newLink = record({
  ...pageLink.properties,
  expires_at: datetime({ description: 'Until when the link works' }),
  page_url: text({ maxLength: 4_000, description: 'The link, which is shown here alone' }),
  qr_code: text({ maxLength: 65_536, description: 'The link as a QR code: an SVG document' }),
})

/** The links to the page of a partner, as they go out. */
export type PageLink = Static<typeof pageLink>

const ROUTE = 'events/:event_id/invitation_types/:invitation_type_id/partner_campaigns/:partner_campaign_id/page_link'

/** Links to the page on which a partner invites. Each holds a partner access token, of which the SHA-256 alone is stored, so a link is shown once. */
export const pageLinks = resource('partners.page_links', 'page_link', {
  show: {
    route: `GET ${ROUTE}`,
    summary: "Whether there are links to a campaign's page that work, when one was made and sent, but never the links",
    reply: pageLink,
  },
  create: {
    route: `POST ${ROUTE}`,
    summary: 'Make a link to the page beside those that there are; `page_url` is shown this once',
    reply: newLink,
    status: 201,
  },
  renew: {
    route: `POST ${ROUTE}/renew`,
    summary:
      "Revoke all links to the page, and the campaign's other access tokens, and make a new one; 409 if somebody else does so at the same moment",
    reply: newLink,
  },
  send: {
    route: `POST ${ROUTE}/send`,
    summary:
      'Send a new link to the page by e-mail; earlier links go on working. 422 on email without an address, for one that gets no e-mails of the event, and with what the mail server says if it refuses it; 503 if it does not answer',
    checks: true,
    body: record({
      email: maybe(email({ description: "The address to write to; absent: the partner's" })),
    }),
    reply: pageLink,
    longestMs: LONGEST_MS + 5_000,
  },
})
