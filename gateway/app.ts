import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { type Action, type Resource, routesOf } from '@gatehouse/proto/declaring/resource.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import { consoleCookieName } from '@gatehouse/sso/resources'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { Admission, CALLER } from './admission/admission.ts'
import { type Limiter, makeLimiter, type RateLimits } from './admission/limits.ts'
import { SecretAdmission } from './admission/secrets.ts'
import { docsRoutes } from './docs/docs.ts'
import { handbookRoutes } from './docs/handbook.ts'
import { API_BODIES, BodyBudget } from './forwarding/body-budget.ts'
import { forwarder } from './forwarding/forwarding.ts'
import { ScanTimes } from './forwarding/scan-times.ts'
import { refuse, refusePage } from './http/answers.ts'
import { type ConnectionLimits, finishUnreadBody, limitConnections, limitPipelining } from './http/connections.ts'
import { type Health, healthRoutes } from './http/health.ts'
import type { TrustedProxies } from './http/proxies.ts'
import { beginWith, endRequest, requireFormat, rewriterOf } from './http/request.ts'
import { refuseUnreadable } from './http/unreadable.ts'
import { type FeedLimits, liveRoutes } from './live/live.ts'
import { type GateOf, Overload, openGate } from './overload/overload.ts'
import { appRoutes } from './pages/apps/apps.ts'
import { consoleRoutes, sameOriginHook } from './pages/console.ts'
import { type DevMail, devMailRoutes } from './pages/dev-mail/dev-mail.ts'
import { invitationPageRoutes } from './pages/invitation-pages.ts'
import { mailFeedbackRoutes } from './pages/mail-feedback.ts'
import { partnerPageRoutes } from './pages/partner-pages.ts'
import { registrationPageRoutes } from './pages/registration-pages.ts'
import { ssoRoutes } from './pages/sso.ts'
import { walletRoutes } from './pages/wallet.ts'
import { observeRequests } from './telemetry.ts'

export interface AppOptions {
  bus: Bus
  log: Log
  resources: Resource[]
  limits: RateLimits
  health: Health
  /** The proxies whose `X-Forwarded-For` counts. */
  trustProxy: TrustedProxies
  feedLimits: FeedLimits
  connectionLimits: ConnectionLimits
  /** The time, in ms, within which a client must have sent its request; it may have twice as long. */
  requestTimeoutMs: number
  /** The time, in ms, after which a connection is closed on which nothing moves while an answer is due. */
  stuckAfterMs?: number
  /** Where the gateway is reached from outside. */
  publicUrl: string
  /** Whether requests are refused while there is more to do than can be done. */
  refusesOverload: boolean
  /** Seconds for which browsers shall use HTTPS alone; 0: no `Strict-Transport-Security`. */
  hstsMaxAge: number
  /** What `/dev/mail` shows; without it there is no such path. */
  devMail?: DevMail | undefined
}

/** Longer than any answer may take: a batch has four times `DEADLINE_MS`, which is a minute at most. */
const STUCK_AFTER_MS = 300_000

/**
 * Proxies keep connections for their next request. One that the gateway closes at that moment fails this request, which a proxy may not repeat: so
 * the proxy has to be the first. Envoy keeps them for an hour, others for ten minutes at most.
 */
const PROXY_KEEP_ALIVE_MS = 3_660_000
/** Fastify's default. */
const KEEP_ALIVE_MS = 72_000

/** Builds the HTTP interface. The routes of the API follow from the declarations. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const app = newServer(options)
  const { bus, log, limits } = options
  const limiter = makeLimiter(limits)
  const perMinute = { perHolder: limits.bytesPerToken, perAccount: limits.bytesPerAccount }
  const overload = options.refusesOverload ? new Overload(bus.deadlineMs) : undefined
  const scanTimes = new ScanTimes(bus, log)
  app.addHook('onClose', async () => {
    overload?.stop()
    await scanTimes.stop()
  })
  const shared: Shared = {
    log,
    bus,
    limiter,
    admission: new Admission(bus, limiter),
    secrets: new SecretAdmission(bus, limiter),
    budget: new BodyBudget(API_BODIES, limits.off ? undefined : perMinute),
    scanTimes,
    gateOf: overload?.gateOf ?? (() => openGate),
  }
  for (const resource of options.resources)
    for (const [name, action] of Object.entries(resource.actions)) addRoutes(app, shared, resource, name, action)
  liveRoutes(app, { ...shared, limits: options.feedLimits })
  mailFeedbackRoutes(app, bus, shared)
  await app.register(async (pages) => {
    pages.setErrorHandler((error, request, reply) => refusePage(request, reply, error, log))
    walletRoutes(pages, bus, shared)
    ssoRoutes(pages, bus, shared.gateOf)
    consoleRoutes(pages, bus, shared)
    invitationPageRoutes(pages, bus, shared)
    registrationPageRoutes(pages, bus, shared)
    partnerPageRoutes(pages, bus, shared)
  })
  healthRoutes(app, options.health)
  await docsRoutes(app, options.publicUrl)
  await handbookRoutes(app)
  await appRoutes(app)
  if (options.devMail) devMailRoutes(app, options.devMail)
  return app
}

/** What the routes share. */
interface Shared {
  log: Log
  bus: Bus
  limiter: Limiter
  admission: Admission
  secrets: SecretAdmission
  budget: BodyBudget
  scanTimes: ScanTimes
  gateOf: GateOf
}

/** Returns a server without routes: its limits, hooks and errors. */
function newServer(options: AppOptions): FastifyInstance {
  const { log, requestTimeoutMs, hstsMaxAge, publicUrl, stuckAfterMs = STUCK_AFTER_MS } = options
  const headers = {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(hstsMaxAge > 0 && { 'strict-transport-security': `max-age=${hstsMaxAge}` }),
  }
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request costs a microsecond, and none is used here.
    childLoggerFactory: (logger) => logger,
    trustProxy: options.trustProxy,
    rewriteUrl: rewriterOf(consoleCookieName(publicUrl.startsWith('https:'))),
    // The id of a passkey, of 1023 bytes at most, in base64url.
    routerOptions: { maxParamLength: 1364 },
    requestTimeout: requestTimeoutMs,
    // A client that reads none of its answer would hold it in memory for as long as it likes.
    connectionTimeout: stuckAfterMs,
    keepAliveTimeout: options.trustProxy ? PROXY_KEEP_ALIVE_MS : KEEP_ALIVE_MS,
    // These errors reach neither the error handler nor hooks. Fastify's own answer would repeat the URL, auth_token included.
    frameworkErrors: (error, request, reply) => {
      reply.raw.once('finish', () => finishUnreadBody(request.raw))
      refuse(request, reply.headers(headers), error, log)
    },
    clientErrorHandler: refuseUnreadable(headers),
    http: {
      // Node's own answer is empty; `beginWith` refuses with a sentence.
      requireHostHeader: false,
      // Otherwise they are 60 s and 30 s, whatever the timeout is.
      headersTimeout: Math.min(requestTimeoutMs, 60_000),
      connectionsCheckingInterval: Math.min(requestTimeoutMs, 30_000),
    },
  })
  app.decorateRequest(CALLER, undefined)
  app.removeAllContentTypeParsers()
  // Handlers read the bodies, when caller and action are known.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.setErrorHandler((error, request, reply) => refuse(request, reply, error, log))
  app.setNotFoundHandler((request, reply) => {
    const answer = request.url.startsWith('/api/') ? refuse : refusePage
    return answer(request, reply, new Fault('not_found', `There is no such path for ${request.method}`), log)
  })
  observeRequests(app)
  app.addHook('onRequest', beginWith(headers))
  app.addHook('onRequest', sameOriginHook(publicUrl))
  app.addHook('onResponse', endRequest)
  limitPipelining(app.server)
  limitConnections(app.server, options.connectionLimits)
  // An expectation other than "100-continue" is ignored (RFC 9110, section 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  return app
}

/** Adds the routes of an action. */
function addRoutes(
  app: FastifyInstance,
  { log, bus, admission, secrets, budget, scanTimes, gateOf }: Shared,
  resource: Resource,
  name: string,
  action: Action,
): void {
  const routes = routesOf(action)
  if (!routes) return
  const gate = gateOf(resource, action)
  const forward = forwarder(bus, resource, name, action, { budget, gate, admission, scanTimes })
  const handler = action.secret ? secrets.counting(forward, action) : forward
  const admit = action.secret ? secrets.hookOf(action) : admission.hookOf(action)
  // People open files by links in e-mails.
  const refused = action.secret && action.produces ? refusePage : refuse
  for (const url of routes.paths)
    app.route({
      method: routes.method,
      url,
      onRequest: [requireFormat(action), admit, gate.hook],
      handler,
      errorHandler: (error, request, reply) => refused(request, reply, error, log),
    })
}
