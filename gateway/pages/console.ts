import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { consoleActions, consoleHeaders, consoleRouteOf, SESSION_PREFIX } from '@gatehouse/sso/resources'
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import { isOfConsole, mediaTypeOf } from '../http/request.ts'
import { consolePages } from '../permissions.ts'
import { type PageDependencies, pageHandler } from './pages.ts'

const CONSOLE = '/console/'
const FORM = 'application/x-www-form-urlencoded'
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** What the console has besides the API and the files of the app. */
const PAGES = [
  { method: ['GET'], url: '/console/sign-in' },
  { method: ['GET'], url: '/console/callback' },
  { method: ['GET', 'POST'], url: '/console/welcome/:token' },
  ...Object.values(consoleActions).map((action) => {
    const { method, path } = consoleRouteOf(action)
    return { method: [method], url: path }
  }),
]

/** The pages of the console, which the sso service answers (docs/adr/0014). The API for the console has no routes of its own: request.ts. */
export function consoleRoutes(app: FastifyInstance, bus: Bus, { limiter, gateOf }: PageDependencies): void {
  const client = clientOf(bus, consolePages)
  const gate = gateOf(consolePages, consolePages.actions.handle)
  const handler = pageHandler({
    limiter,
    gate,
    headers: consoleHeaders,
    handle: client.handle,
    isGuess: ({ status }, { headers }) =>
      status === 404 || (status === 401 && (headers.cookie?.includes(SESSION_PREFIX) ?? false)),
  })
  for (const { method, url } of PAGES) app.route({ method, url, exposeHeadRoute: false, onRequest: gate.hook, handler })
}

/**
 * The hook that refuses (403) requests below `/console/` that change something and do not come from a page of this origin: a browser sends the
 * cookie along with those of other pages of the same site. The API takes no forms there (415), which other pages may send without asking; nor does
 * it answer what a browser says that a page of another origin reads.
 */
export function sameOriginHook(publicUrl: string): onRequestHookHandler {
  const { origin } = new URL(publicUrl)
  return (request, reply, done) => {
    if (!isOfConsole(request) && !isBelowConsole(request)) return done()
    if (isOfConsole(request)) reply.header('cross-origin-resource-policy', 'same-origin')
    if (SAFE.has(request.method)) return done(isOfConsole(request) && isFromElsewhere(request) ? foreign() : undefined)
    if (!isFrom(request, origin)) return done(foreign())
    done(isOfConsole(request) && mediaTypeOf(request) === FORM ? new Fault('unsupported') : undefined)
  }
}

/** Whether a request is for something below `/console/`. Its route says so too, since a path can be spelled in several ways (`/%63onsole/`). */
function isBelowConsole({ originalUrl, routeOptions }: FastifyRequest): boolean {
  return originalUrl.startsWith(CONSOLE) || (routeOptions.url?.startsWith(CONSOLE) ?? false)
}

function foreign(): Fault {
  return new Fault('forbidden', 'The request does not come from the console')
}

/** Whether a browser says that a request comes from a page of another origin. It says `none` of what a person opens. */
function isFromElsewhere({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

/** Whether a request comes from a page of this origin. What browsers say themselves (Fetch Metadata) goes first; older ones name the origin. */
function isFrom({ headers }: FastifyRequest, origin: string): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined ? headers.origin === origin : site === 'same-origin'
}
