import type { IncomingMessage } from 'node:http'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import type { FileHead, Meta, Reply } from '@gatehouse/proto/bus/messages.ts'
import { Fault, notFound } from '@gatehouse/proto/declaring/faults.ts'
import type { SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import {
  type Action,
  type Caller,
  formatsOf,
  isEventScoped,
  isQuiet,
  type Resource,
  routesOf,
  statusOf,
  subjectOf,
} from '@gatehouse/proto/declaring/resource.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import { networkOf } from '@gatehouse/proto/process/network.ts'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { refuse } from './answers.ts'
import { Authenticator, tokenOf } from './authenticator.ts'
import { mediaTypeOf, readBody, readFile } from './bodies.ts'
import { API_BODIES, BodyBudget, type BodyShare } from './body-budget.ts'
import { type ConnectionLimits, limitConnections, refuseUnreadable } from './connections.ts'
import { docsRoutes } from './docs/docs.ts'
import { contentTypes, formatOf, takeSuffix } from './formats.ts'
import { type Health, healthRoutes } from './health.ts'
import { type Limits, makeLimiter } from './limits.ts'
import { liveRoutes } from './live.ts'
import type { TrustedProxies } from './proxies.ts'
import { ssoRoutes } from './sso.ts'
import { traceparentOf } from './trace.ts'
import { finishUnreadBody } from './unread-bodies.ts'
import { xmlAnswerOf } from './xml-answers.ts'

/** Bytes of an answer up to which a copy is cheaper than a second write. */
const SMALL = 4096

/** Who asks, from the check of the token to the handler. */
const CALLER = Symbol('caller')

interface Admitted extends FastifyRequest {
  [CALLER]?: Caller
}

interface AppOptions {
  bus: Bus
  log: Log
  resources: Resource[]
  limits: Limits
  health: Health
  /** Who is believed in `X-Forwarded-For`. */
  trustProxy: TrustedProxies
  /** Live feeds at once of one token. */
  feedsPerToken?: number
  connectionLimits?: ConnectionLimits
  /** Seconds for which browsers are told to come by HTTPS alone; 0: they are told nothing. */
  hstsMaxAge?: number
}

/** What browsers and caches are told of every answer that does not say otherwise. */
const COMMON_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** The HTTP interface: a loop over the declarations, and the few rules that hold for all of them. */
export async function buildApp({
  bus,
  log,
  resources,
  limits,
  health,
  trustProxy,
  feedsPerToken = 20,
  connectionLimits,
  hstsMaxAge = 0,
}: AppOptions): Promise<FastifyInstance> {
  const headers =
    hstsMaxAge > 0 ? { ...COMMON_HEADERS, 'strict-transport-security': `max-age=${hstsMaxAge}` } : COMMON_HEADERS
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request costs a microsecond, and nobody here writes with it.
    childLoggerFactory: (logger) => logger,
    trustProxy,
    rewriteUrl: takeSuffix,
    routerOptions: { maxParamLength: 1024 },
    requestTimeout: 30_000,
    // Before the error handler is reached. Fastify's own answer would repeat the address, auth_token included.
    frameworkErrors: (error, request, reply) => void refuse(request, reply.headers(headers), asFault(error, log)),
    clientErrorHandler: refuseUnreadable(headers),
    // Node's own answer says nothing.
    http: { requireHostHeader: false },
  })
  app.decorateRequest(CALLER, undefined)
  app.removeAllContentTypeParsers()
  // Bodies are read by the handlers (bodies.ts), when it is known who asks and what for.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.setErrorHandler((error, request, reply) => refuse(request, reply, asFault(error, log)))
  app.setNotFoundHandler((request, reply) => refuse(request, reply, noSuchRoute(request.method)))
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers)
    done(hasOneHost(request.raw) ? undefined : new Fault('malformed', 'Send exactly one Host header'))
  })
  app.addHook('onResponse', (request, _reply, done) => {
    finishUnreadBody(request.raw)
    done()
  })
  if (connectionLimits) limitConnections(app.server, connectionLimits, headers)
  // What a client expects beyond "100-continue" is not kept up, and the request answered as any other (RFC 9110, section 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))

  const authenticator = new Authenticator(bus)
  const limiter = await makeLimiter(app, limits)
  const perMinute = { perHolder: limits.bytesPerToken, perAccount: limits.bytesPerAccount }
  const budget = new BodyBudget(API_BODIES, limits.off ? undefined : perMinute)
  for (const resource of resources) {
    for (const [name, action] of Object.entries(resource.actions)) {
      const routes = routesOf(action)
      if (!routes) continue
      const { secret } = action
      const forward = forwarder(bus, resource, name, action, budget)
      const formats = new Set(formatsOf(action))
      for (const url of routes.paths) {
        app.route({
          method: routes.method,
          url,
          onRequest: async (request: Admitted, reply) => {
            if (!formats.has(formatOf(request.raw))) throw notAcceptable(formats)
            if (secret) return admitBySecret(request, reply, action)
            const caller = await authenticate(request, reply)
            const { event_id } = request.params as { event_id?: string }
            await authenticator.admit(caller, action, isEventScoped(action) ? event_id : undefined)
            request[CALLER] = caller
          },
          handler: secret ? guessing(forward, action) : forward,
        })
      }
    }
  }
  liveRoutes(app, { bus, log, authenticator, authenticate, perToken: feedsPerToken })
  await ssoRoutes(app, bus)
  healthRoutes(app, health)
  await docsRoutes(app)
  return app

  async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
    const token = tokenOf(request.query as Record<string, unknown>, request.headers.authorization)
    if (!token) throw new Fault('forbidden', 'The auth_token is missing')
    const caller = authenticator.known(token) ?? (await authenticator.identify(token, networkOf(request.ip)))
    if (!caller) {
      await limiter.guessed(request, reply)
      throw new Fault('forbidden', 'The auth_token is not valid')
    }
    await limiter.token(caller, request, reply)
    return caller
  }

  /** Lets a request with a secret in its path on where the secret is known. Without an authenticator the handler finds out. */
  async function admitBySecret(request: FastifyRequest, reply: FastifyReply, action: Action): Promise<void> {
    const { authenticator: secretCheck } = action
    if (!secretCheck) return
    const secret = secretOf(request, action)
    if (!(await authenticator.knowsSecret(secretCheck, secret))) {
      await limiter.guessed(request, reply)
      throw new Fault('unauthorized')
    }
    await limiter.secret(secret, request, reply)
  }

  /** Counts errors of all kinds as guesses: against a secret that is known, otherwise against the address that asked. */
  function guessing(forward: Handler, action: Action): Handler {
    const counting = async (request: FastifyRequest, reply: FastifyReply, known?: string): Promise<FastifyReply> => {
      try {
        return await forward(request, reply)
      } catch (error) {
        if (isGuess(error)) await limiter.guessed(request, reply, known)
        throw error
      }
    }
    return action.authenticator
      ? (request, reply) => counting(request, reply, secretOf(request, action))
      : (request, reply) => limiter.guessing(request, reply, () => counting(request, reply))
  }
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Whether an error says that nothing is there, and not only yet. */
function isGuess(error: unknown): boolean {
  return error instanceof Fault && error.code !== 'unavailable' && error.retryAfter === undefined
}

/** The secret in the path or the query of a request. */
function secretOf({ params, query }: FastifyRequest, { secret = '' }: Action): string {
  return String((params as Record<string, unknown>)[secret] ?? (query as Record<string, unknown>)[secret] ?? '')
}

/** Whether a request has one Host, or none from before there was one. Of several, each proxy and server may believe another. */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0')
}

/** The fault (404) of a path or method that nothing answers. */
function noSuchRoute(method: string): Fault {
  return new Fault('not_found', `There is no such path for ${method}`)
}

/** The fault (406) of a path that does not end in one of these suffixes. */
function notAcceptable(formats: Iterable<string>): Fault {
  // Made when it is needed: its first one takes 4 MiB.
  const either = new Intl.ListFormat('en-GB', { type: 'disjunction' })
  return new Fault(
    'not_acceptable',
    `The path must end in ${either.format(Array.from(formats, (suffix) => `.${suffix}`))}`,
  )
}

/** Sends a request over the bus and its answer back, in the format that was asked for. */
function forwarder(bus: Bus, resource: Resource, name: string, action: Action, budget: BodyBudget): Handler {
  const subject = subjectOf(resource, name)
  const reads = action.route?.startsWith('GET ') ?? false
  const toXml = action.reply && xmlAnswerOf(action.reply as SchemaNode, action.replyName ?? resource.one, resource.many)
  const bodyOf = bodyReaderOf(action)

  const forward = async (request: Admitted, reply: FastifyReply, share: BodyShare): Promise<FastifyReply> => {
    const represent = /(^|[ ,;])return=representation/.test(String(request.headers.prefer ?? ''))
    const meta = metaOf(request, action, represent)
    const answer = await bus.call(subject, meta, await bodyOf?.(request, share), reads)
    if (answer.file) return sendFile(reply, answer, answer.file, action.produces?.[formatOf(request.raw)])
    if (answer.replayed) reply.header('idempotent-replayed', 'true')
    const declared = statusOf(action)
    const shown = !isQuiet(action) || represent
    reply.code(answer.status ?? (shown && declared === 204 ? 200 : declared))
    if (!shown || answer.body.length === 0) return reply.send()
    const bytes = bytesOf(answer)
    if (formatOf(request.raw) === 'json') {
      // Node writes a text in one piece with the head, and bytes beside it: dearer for a small answer.
      return reply.type(contentTypes.json).send(bytes.length > SMALL ? bytes : bytes.toString())
    }
    return reply.type(contentTypes.xml).send(await toXml?.(bytes))
  }

  return async (request: Admitted, reply) => {
    const caller = request[CALLER]
    const share = budget.share({
      address: networkOf(request.ip),
      account: caller?.account_id,
      holder: caller?.token_id ?? secretOf(request, action),
    })
    try {
      return await forward(request, reply, share)
    } finally {
      share.release()
    }
  }
}

/** How the body of an action is read; undefined where it has none. */
function bodyReaderOf(action: Action): ((request: FastifyRequest, share: BodyShare) => Promise<Buffer>) | undefined {
  if (action.upload) return (request, share) => readFile(request, action, share)
  return action.body && ((request, share) => readBody(request, action, share))
}

function bytesOf({ body: { buffer, byteOffset, length } }: Reply): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}

/** What a client stored here never acts on this site's behalf, whatever it claims to be. */
const HARMLESS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}

function sendFile(reply: FastifyReply, answer: Reply, head: FileHead, declared: string | undefined): FastifyReply {
  const { content_type = declared ?? 'application/octet-stream', filename, max_age, location } = head
  if (location !== undefined) return reply.header('cache-control', 'no-store').redirect(location)
  reply.headers(HARMLESS).header('cache-control', max_age ? `private, max-age=${max_age}` : 'no-store')
  // RFC 6266, RFC 8187
  if (filename !== undefined)
    reply.header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(filename)}`)
  return reply.type(content_type).send(bytesOf(answer))
}

function metaOf(request: Admitted, action: Action, represent: boolean): Meta {
  const { auth_token: _, ...query } = request.query as Record<string, unknown>
  const key = request.headers['idempotency-key']
  if (key !== undefined && (typeof key !== 'string' || key === '' || key.length > 255)) {
    throw new Fault('invalid', undefined, { idempotency_key: ['must be 1 to 255 characters'] })
  }
  return {
    params: request.params as Record<string, string>,
    query,
    ...(key && { idempotency_key: key }),
    ...(represent && { represent }),
    ...(action.produces && { format: formatOf(request.raw) }),
    ...(action.upload && { content_type: mediaTypeOf(request) }),
    ...(action.longestMs && { budget: action.longestMs }),
    traceparent: traceparentOf(request.headers.traceparent),
    ...(request[CALLER] && { caller: request[CALLER] }),
  }
}

const fastifyFaults: Record<string, () => Fault> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new Fault('unsupported'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new Fault('malformed'),
  FST_ERR_CTP_EMPTY_TYPE: () => new Fault('unsupported'),
  FST_ERR_BAD_URL: () => new Fault('malformed', 'The path can not be read'),
  // Longer than any id.
  FST_ERR_MAX_PARAM_LENGTH: notFound,
}

function asFault(error: unknown, log: Log): Fault | unknown {
  if (error instanceof Fault) return error
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  const known = code ? fastifyFaults[code] : undefined
  if (known) return known()
  if (statusCode && statusCode >= 400 && statusCode < 500) return new Fault('malformed', 'The request can not be read')
  log.error({ err: error }, 'request failed')
  return error
}
