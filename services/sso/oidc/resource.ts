import { integer, list, optionalText, record, text } from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import type { Static } from 'typebox'

/** The longest body of a request, in characters. */
const MAX_BODY = 65_536

/** The headers of a request which are passed on. */
export const passedHeaders = ['accept', 'accept-language', 'authorization', 'content-type', 'cookie'] as const

const headers = list(record({ name: text(), value: optionalText({ maxLength: 16_384 }) }), 'header', { maxItems: 100 })

const request = record({
  slug: optionalText({ description: "The account's; null of a request to the root" }),
  host: optionalText({
    maxLength: 1_000,
    description: 'Of a request to the root, as the client named it: may tell the account',
  }),
  method: text(),
  url: text({ maxLength: 65_536, description: 'Path and query, beginning after `/sso/<slug>` where that is' }),
  headers,
  body: optionalText({ maxLength: MAX_BODY }),
  address: text({ description: 'Of the client' }),
})

const response = record({ status: integer(), headers, body: optionalText({ maxLength: 10_485_760 }) })

/** A request to single sign-on, as the gateway passes it on. */
export type WebRequest = Static<typeof request>

/** The answer to a request. */
export type WebResponse = Static<typeof response>

/**
 * Single sign-on as browsers and sites see it: requests below `/sso/<slug>` (docs/adr/0012-sso-over-the-bus.md), and to the root, where
 * the request itself identifies the account (docs/adr/0023-sso-at-the-root.md).
 */
export const oidc = resource('sso.oidc', 'exchange', {
  handle: { summary: 'Answers an HTTP request below `/sso/<slug>`, or to the root', body: request, reply: response },
})
