import type { Bus } from '@gatehouse/proto/bus.ts'
import { Fault, notFound } from '@gatehouse/proto/faults.ts'
import type { SchemaNode } from '@gatehouse/proto/fields.ts'
import type { Log } from '@gatehouse/proto/log.ts'
import type { FileHead, Meta, Reply } from '@gatehouse/proto/messages.ts'
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
} from '@gatehouse/proto/resource.ts'
import { xmlWriterOf } from '@gatehouse/proto/xml.ts'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { refuse } from './answers.ts'
import { Gatekeeper, tokenOf } from './auth.ts'
import { docsRoutes } from './docs.ts'
import { acceptedTypes, contentTypes, formatOf, takeSuffix, toJsonBytes } from './formats.ts'
import { type Health, healthRoutes } from './health.ts'
import { type Limiter, type Limits, makeLimiter } from './limits.ts'
import { liveRoutes } from './live.ts'
import type { TrustedProxies } from './proxies.ts'
import { ssoRoutes } from './sso.ts'
import { traceparentOf } from './trace.ts'

const BODY_LIMIT = 10 * 1024 * 1024
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
}

/** The HTTP interface: a loop over the declarations, and the few rules that hold for all of them. */
export async function buildApp({
  bus,
  log,
  resources,
  limits,
  health,
  trustProxy,
  feedsPerToken = 20,
}: AppOptions): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request costs a microsecond, and nobody here writes with it.
    childLoggerFactory: (logger) => logger,
    bodyLimit: BODY_LIMIT,
    trustProxy,
    rewriteUrl: takeSuffix,
    routerOptions: { maxParamLength: 1024 },
    requestTimeout: 30_000,
    // Before the error handler is reached. Fastify's own answer would repeat the address, auth_token included.
    frameworkErrors: (error, request, reply) => void refuse(request, reply, asFault(error, log)),
  })
  app.decorateRequest(CALLER, undefined)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    [...acceptedTypes, ...uploadTypes(resources)],
    { parseAs: 'buffer' },
    (_request, body, done) => done(null, body),
  )
  app.setErrorHandler((error, request, reply) => refuse(request, reply, asFault(error, log)))
  app.setNotFoundHandler((request, reply) => refuse(request, reply, notFound()))

  const gatekeeper = new Gatekeeper(bus)
  const limiter = await makeLimiter(app, limits)
  for (const resource of resources) {
    for (const [name, action] of Object.entries(resource.actions)) {
      const routes = routesOf(action)
      if (!routes) continue
      const forward = forwarder(bus, resource, name, action)
      const handler = action.secret ? countingGuesses(forward, limiter) : forward
      const formats = new Set(formatsOf(action))
      for (const url of routes.paths) {
        app.route({
          method: routes.method,
          url,
          onRequest: async (request: Admitted, reply) => {
            if (!formats.has(formatOf(request.raw))) throw notAcceptable(formats)
            if (action.secret) return limiter.guesser(request, reply)
            const caller = await authenticate(request, reply)
            const { event_id } = request.params as { event_id?: string }
            await gatekeeper.admit(caller, action, isEventScoped(action) ? event_id : undefined)
            request[CALLER] = caller
          },
          handler,
        })
      }
    }
  }
  liveRoutes(app, { bus, log, gatekeeper, authenticate, perToken: feedsPerToken })
  await ssoRoutes(app, bus)
  healthRoutes(app, health)
  await docsRoutes(app, resources)
  return app

  async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
    const token = tokenOf(request.query as Record<string, unknown>, request.headers.authorization)
    if (!token) throw new Fault('forbidden')
    let caller = gatekeeper.known(token)
    if (!caller) {
      if (!gatekeeper.isFamiliar(token)) await limiter.stranger(request, reply)
      caller = await gatekeeper.identify(token)
    }
    await limiter.token(caller, request, reply)
    return caller
  }
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Counts what a secret did not lead to against the address that asked. */
function countingGuesses(forward: Handler, limiter: Limiter): Handler {
  return async (request, reply) => {
    try {
      return await forward(request, reply)
    } catch (error) {
      if (error instanceof Fault && (error.code === 'unauthorized' || error.code === 'not_found'))
        await limiter.guessed(request, reply)
      throw error
    }
  }
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
function forwarder(bus: Bus, resource: Resource, name: string, action: Action): Handler {
  const subject = subjectOf(resource, name)
  const bodySchema = action.body as SchemaNode | undefined
  const reads = action.route?.startsWith('GET ') ?? false
  const toXml = action.reply && xmlWriterOf(action.reply as SchemaNode, action.replyName ?? resource.one, resource.many)

  return async (request, reply) => {
    const body = bodySchema ? jsonBody(request, bodySchema) : action.upload && fileBody(request, action.upload)
    const represent = /(^|[ ,;])return=representation/.test(String(request.headers.prefer ?? ''))
    const answer = await bus.call(subject, metaOf(request, action, represent), body, reads)
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
    return reply.type(contentTypes.xml).send(toXml?.(JSON.parse(bytes.toString())))
  }
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
  const { content_type = declared ?? 'application/octet-stream', filename, max_age } = head
  reply.headers(HARMLESS).header('cache-control', max_age ? `private, max-age=${max_age}` : 'no-store')
  // RFC 6266, RFC 8187
  if (filename !== undefined)
    reply.header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(filename)}`)
  return reply.type(content_type).send(bytesOf(answer))
}

function mediaTypeOf({ headers }: FastifyRequest): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** Throws `unsupported` (415), `too_large` (413), or `invalid` (422) where there is nothing. */
function fileBody(request: FastifyRequest, { types, maxBytes }: NonNullable<Action['upload']>): Buffer {
  if (!types.includes(mediaTypeOf(request))) throw new Fault('unsupported')
  if (!Buffer.isBuffer(request.body) || request.body.length === 0)
    throw new Fault('invalid', undefined, { file: ["can't be blank"] })
  if (request.body.length > maxBytes) throw new Fault('too_large', `A file may hold ${maxBytes} bytes`)
  return request.body
}

/** The media types of files that some action takes. */
function uploadTypes(resources: Resource[]): string[] {
  const actions = resources.flatMap((resource) => Object.values(resource.actions))
  return [...new Set(actions.flatMap(({ upload }) => upload?.types ?? []))]
}

function jsonBody(request: FastifyRequest, schema: SchemaNode): Buffer {
  if (!Buffer.isBuffer(request.body) || request.body.length === 0) return Buffer.alloc(0)
  return toJsonBytes(request.body, mediaTypeOf(request), schema)
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
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Fault('too_large', 'The body is larger than 10 MiB'),
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
