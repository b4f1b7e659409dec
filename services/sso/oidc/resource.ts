import { flag, optionalText, record, text } from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import { webRequestFields, webResponseFields } from '@gatehouse/proto/pages/exchange.ts'
import type { Static } from 'typebox'

/** The headers of a request that are passed on. */
export const passedHeaders = ['accept', 'accept-language', 'authorization', 'content-type', 'cookie'] as const

const request = record({
  slug: optionalText({ description: "The account's; null of a request to the root" }),
  host: optionalText({
    maxLength: 1_000,
    description: 'Of a request to the root, as the client named it: may tell the account',
  }),
  ...webRequestFields,
  url: text({ maxLength: 65_536, description: 'Path and query, beginning after `/sso/<slug>` where that is' }),
})

const answer = record({
  ...webResponseFields,
  is_placed: flag({ description: 'Whether the request is one of an account of this cell' }),
})

/** An answer of single sign-on. */
export type SsoAnswer = Static<typeof answer>

/** A request to single sign-on, as the gateway passes it on. */
export type SsoRequest = Static<typeof request>

/**
 * Single sign-on as browsers and sites see it: requests below `/sso/<slug>`, and to the root, where the request
 * itself identifies the account (docs/adr/0011).
 */
export const oidc = resource('sso.oidc', 'exchange', {
  handle: { summary: 'Answers an HTTP request below `/sso/<slug>`, or to the root', body: request, reply: answer },
})
