import { optionalText, record, text } from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import { webRequestFields, webResponse } from '@gatehouse/proto/pages/exchange.ts'

/** The largest upload in bytes, and its media type: a form with a file. */
export const UPLOAD = { types: ['multipart/form-data'], maxBytes: 10 * 1024 * 1024 }

/** The cookie that holds a partner access token. Its path is that of the campaign's pages. */
export const COOKIE = 'gatehouse_partner'

/** As long as a batch of invitations may take. */
const LONGEST_MS = 20_000

/** The pages on which partners invite, below `/partner/<campaign>`; `/partner/<partner access token>` leads to them. */
export const partnerPages = resource('partners.partner_pages', 'exchange', {
  handle: {
    summary: 'Answers an HTTP request below `/partner`',
    body: record(webRequestFields),
    reply: webResponse,
    longestMs: LONGEST_MS,
  },
  upload: {
    summary: 'Answers a POST of recipients below `/partner`, as multipart/form-data',
    query: record({
      url: text({ maxLength: 65_536 }),
      cookie: optionalText({ maxLength: 16_384 }),
      accept_language: optionalText({ maxLength: 16_384 }),
    }),
    upload: UPLOAD,
    reply: webResponse,
    longestMs: LONGEST_MS,
  },
})

/** The partner access token in a `Cookie` header. */
export function tokenOfCookie(header: string | null | undefined): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const [name = '', value] = pair.trim().split('=', 2)
    if (name === COOKIE && value) return value
  }
  return undefined
}
