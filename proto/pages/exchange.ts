import type { Static } from 'typebox'
import { integer, list, optionalText, record, text } from '../declaring/fields.ts'
import type { HtmlPage } from './layout.ts'

/** The longest body of a request, in characters. */
const MAX_BODY = 65_536

const headers = list(record({ name: text(), value: optionalText({ maxLength: 16_384 }) }), 'header', { maxItems: 100 })

/** The fields of a request for pages, as the gateway passes it to a service. */
export const webRequestFields = {
  method: text(),
  url: text({ maxLength: 65_536, description: 'Path and query' }),
  headers,
  body: optionalText({ maxLength: MAX_BODY }),
  address: text({ description: 'Of the client' }),
}

const request = record(webRequestFields)

/** A request for pages. */
export type WebRequest = Static<typeof request>

/** The fields of an answer, as the gateway sends it. */
export const webResponseFields = { status: integer(), headers, body: optionalText({ maxLength: 10_485_760 }) }

/** The answer to a request, as the gateway sends it. */
export const webResponse = record(webResponseFields)

/** An answer whose body may be a file: it is in base 64. */
export const binaryResponse = record(webResponseFields)

/** The answer to a request. */
export type WebResponse = Static<typeof webResponse>

/** A page, or any other text, as an answer. */
export function toAnswer({ status, headers, body }: HtmlPage): WebResponse {
  return { status, headers: Object.entries(headers).map(([name, value]) => ({ name, value })), body }
}
