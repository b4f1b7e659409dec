import type { IncomingMessage } from 'node:http'

/** The Content-Type of answers. */
export const contentTypes = {
  json: 'application/json; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  problem: 'application/problem+json; charset=utf-8',
} as const

const FORMAT = Symbol('format')

interface Suffixed extends IncomingMessage {
  [FORMAT]?: string
}

/** Paths that are about the gateway itself, or single sign-on, and whose suffix is no format. */
const OWN_PATHS = /^\/(livez|readyz|openapi\.json|docs|sso)(\/|\?|$)/

/** Takes the suffix off a request's URL and remembers it; routes are written without it. */
export function takeSuffix(request: Suffixed): string {
  const url = request.url ?? '/'
  if (OWN_PATHS.test(url)) return url
  const query = url.indexOf('?')
  const end = query < 0 ? url.length : query
  const dot = url.lastIndexOf('.', end - 1)
  const suffix = url.slice(dot + 1, end)
  // A slash after the dot, or nothing before it in its segment: it is part of a name.
  const found = dot > 0 && url[dot - 1] !== '/' && /^[A-Za-z0-9]+$/.test(suffix)
  request[FORMAT] = found ? suffix : ''
  return found ? url.slice(0, dot) + url.slice(end) : url
}

/** The suffix of a request's path; empty where it has none. */
export function formatOf(request: Suffixed): string {
  return request[FORMAT] ?? ''
}
