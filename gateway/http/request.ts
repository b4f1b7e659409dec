import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { apps } from '@gatehouse/apps/built'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { type Action, formatsOf } from '@gatehouse/proto/declaring/resource.ts'
import { randomHex } from '@gatehouse/proto/process/random-hex.ts'
import { SESSION_PREFIX, sessionIdIn } from '@gatehouse/sso/resources'
import type { FastifyRequest, onRequestHookHandler, onResponseHookHandler } from 'fastify'
import { finishUnreadBody } from './connections.ts'

/* Where every request begins and ends, and what its head says. */

const FORMAT = Symbol('format')

const CONSOLE = Symbol('console')

const HOST = Symbol('host')

interface Suffixed extends IncomingMessage {
  originalUrl?: string
  [HOST]?: string | undefined
  [FORMAT]?: string
  [CONSOLE]?: string
}

/** Paths about the gateway itself, single sign-on or an app for people: a suffix of theirs is no format. */
const OWN_PATHS = new RegExp(`^/(livez|readyz|openapi(-client)?\\.json|docs|sso|${apps.join('|')})(/|\\?|$)`)
/** Where the console has the API. */
const CONSOLE_API = /^\/console(?=\/api\/v1\/)/

/**
 * What gives the URL to route a request by: that of the API for the console, whose requests it marks with the name of their cookie, and without
 * its suffix.
 */
export function rewriterOf(cookie: string): (request: IncomingMessage) => string {
  return (request: Suffixed) => {
    const url = takeOrigin(request)
    if (!CONSOLE_API.test(url)) return takeSuffix(request, url)
    request[CONSOLE] = cookie
    return takeSuffix(request, url.replace(CONSOLE_API, ''))
  }
}

/** Takes the origin off a target that is a whole URL (RFC 9112, section 3.2.2) and remembers its host. Returns the URL without it. */
function takeOrigin(request: Suffixed): string {
  const { url = '/' } = request
  const [origin, host] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? []
  if (origin === undefined) return url
  const path = url.slice(origin.length)
  const taken = path.startsWith('/') ? path : `/${path}`
  request[HOST] = host
  request.originalUrl = taken
  return taken
}

/** Whether a request came by the console's path of the API. */
export function isOfConsole({ raw }: FastifyRequest): boolean {
  return (raw as Suffixed)[CONSOLE] !== undefined
}

/** Takes the suffix off a request's URL and remembers it: routes are declared without it. Returns the URL to route by. */
export function takeSuffix(request: Suffixed, url = request.url ?? '/'): string {
  if (OWN_PATHS.test(url)) return url
  const query = url.indexOf('?')
  const end = query < 0 ? url.length : query
  const dot = url.lastIndexOf('.', end - 1)
  const suffix = url.slice(dot + 1, end)
  // A dot at the beginning of a segment, or with a slash behind it, belongs to a name.
  const found = dot > 0 && url[dot - 1] !== '/' && /^[A-Za-z0-9]+$/.test(suffix)
  request[FORMAT] = found ? suffix : ''
  return found ? url.slice(0, dot) + url.slice(end) : url
}

/** The suffix of a request's path; empty if it has none. */
export function formatOf(request: Suffixed): string {
  return request[FORMAT] ?? ''
}

/** `GET /api/v1/me`, which answers API tokens and the access tokens of contacts. Its suffix is already off. */
const ME = /^\/api\/v1\/me(\?|$)/
/** API tokens begin like this. */
const API_TOKEN = /^Bearer +gh_/i

/**
 * Whom a request to `/api/v1/me` asks about, as a constraint of the router: a contact if it carries an access token and no API token.
 * Without any token it asks about an API token if its path has a suffix, as all paths of the API have.
 */
export function subjectOfMe(request: Suffixed): 'contact' | undefined {
  const { url = '', headers } = request
  if (!ME.test(url) || request[CONSOLE] !== undefined) return undefined
  const { authorization = '' } = headers
  if (API_TOKEN.test(authorization) || /[?&]auth_token=/.test(url)) return undefined
  const format = formatOf(request)
  return format === '' || (format === 'json' && /^Bearer /i.test(authorization)) ? 'contact' : undefined
}

/** The first hook of every request: gives its answer the common headers, and refuses it (400) unless it names one host. */
export function beginWith(headers: Record<string, string>): onRequestHookHandler {
  return (request, reply, done) => {
    reply.headers(headers)
    done(hasOneHost(request.raw) ? undefined : new Fault('malformed', 'Send exactly one Host header'))
  }
}

/** Whether a request has one Host header, or none in HTTP/1.0. If it names several, proxies and servers may disagree about which counts. */
function hasOneHost({ rawHeaders, httpVersion, headers, [HOST]: target }: Suffixed): boolean {
  if (target !== undefined && target !== headers.host) return false
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0')
}

/** The last hook of every request: reads or ends what its handler has left unread. */
export const endRequest: onResponseHookHandler = ({ raw }, _reply, done) => {
  finishUnreadBody(raw)
  done()
}

/** The hook that refuses (406) paths of an action whose suffix the action does not have. */
export function requireFormat(action: Action): onRequestHookHandler {
  const formats = new Set(formatsOf(action))
  return ({ raw }, _reply, done) => done(formats.has(formatOf(raw)) ? undefined : notAcceptable(formats))
}

function notAcceptable(formats: Iterable<string>): Fault {
  // Created only when needed: the first one of a process takes 4 MiB.
  const either = new Intl.ListFormat('en-GB', { type: 'disjunction' })
  return new Fault(
    'not_acceptable',
    `The path must end in ${either.format(Array.from(formats, (suffix) => `.${suffix}`))}`,
  )
}

/** The token of a request: `auth_token` in the query, or `Authorization: Bearer`; of a request of the console its session, from the cookie alone. */
export function tokenOf({ query, headers, raw }: FastifyRequest): string | undefined {
  const cookie = (raw as Suffixed)[CONSOLE]
  if (cookie !== undefined) return sessionIdIn(headers.cookie, cookie)
  const { auth_token } = query as Record<string, unknown>
  const token = typeof auth_token === 'string' && auth_token !== '' ? auth_token : bearerOf(headers)
  return token?.startsWith(SESSION_PREFIX) ? undefined : token
}

function bearerOf({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1]
}

/** The secret of a request: in its path or query, or as `Authorization: Bearer`, as {@link takesBearer} says. Empty if the action takes none. */
export function secretOf({ params, query, headers }: FastifyRequest, action: Action): string {
  const { secret = '' } = action
  const given = (params as Record<string, unknown>)[secret] ?? (query as Record<string, unknown>)[secret]
  return String(given ?? (takesBearer(action) ? bearerOf(headers) : undefined) ?? '')
}

/** Whether an action has a path without the secret that its main path holds: that path takes it as `Authorization: Bearer`. */
export function takesBearer({ secret, also = [] }: Action): boolean {
  return secret !== undefined && also.some((path) => !path.includes(`:${secret}`))
}

/** The media type of a request's body, in lower case and without parameters. */
export function mediaTypeOf({ headers }: FastifyRequest): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** The character encoding that the type of a request's body names, in lower case. */
export function charsetOf({ headers }: FastifyRequest): string | undefined {
  return /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase()
}

/** Whether the client asks for errors as RFC 9457 writes them, with their codes. */
export function wantsProblems({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('application/problem+json') ?? false
}

/** Whether a client takes answers in an encoding: `gzip`, `br`. */
export function accepts({ headers }: FastifyRequest, encoding: string): boolean {
  return new RegExp(`\\b${encoding}\\b(?! *; *q=0(\\.0*)?(?![.\\d]))`, 'i').test(
    String(headers['accept-encoding'] ?? ''),
  )
}

/** Whether a client has what an ETag names, be it weak or strong (RFC 9110, section 13.1.2). */
export function hasAlready({ headers }: FastifyRequest, etag: string): boolean {
  const known = headers['if-none-match']?.split(',').map(opaqueOf) ?? []
  return known.includes(opaqueOf(etag)) || known.includes('*')
}

function opaqueOf(etag: string): string {
  return etag.trim().replace(/^W\//, '')
}

/** The length of a request's body in bytes: 0 without a body, undefined if it comes in chunks. */
export function lengthOf({ headers }: FastifyRequest): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined
  return Number(headers['content-length'] ?? 0)
}

const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/
/** Bytes of the ids of a trace and of a span. */
const [TRACE, SPAN] = [16, 8]

/** The `traceparent` (W3C Trace Context) of a request: the given one if it is valid, otherwise a new one, of a trace that nobody records. */
export function traceparentOf(given: string | string[] | undefined): string {
  if (typeof given === 'string' && TRACEPARENT.test(given)) return given
  return `00-${randomHex(TRACE)}-${randomHex(SPAN)}-00`
}
