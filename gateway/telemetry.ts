import { routesOf } from '@gatehouse/proto/declaring/resource.ts'
import { httpDuration } from '@gatehouse/proto/telemetry/metrics.ts'
import { enterSpan, isTracing, type OpenSpan, type TraceContext } from '@gatehouse/proto/telemetry/tracing.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { liveAction } from './live/live.ts'

/** The methods that HTTP has; others get one name, since clients make them up. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE'])

/** Live feeds last for as long as someone watches. */
const feeds = new Set(routesOf(liveAction)?.paths)

const SPAN = Symbol('span')

interface Traced extends FastifyRequest {
  [SPAN]?: OpenSpan | undefined
}

/** Makes a span of each request, in the trace that its headers name, and measures how long it takes. Adds nothing to an app while both are off. */
export function observeRequests(app: FastifyInstance): void {
  if (isTracing()) app.addHook('onRequest', begin)
  if (isTracing() || httpDuration.isOn) app.addHook('onResponse', end)
}

function begin(request: Traced, _reply: unknown, done: () => void): void {
  const { name, method, route } = describe(request)
  enterSpan(name, { kind: 'server', parent: traceOf(request) }, (span) => {
    // Routes, not paths: those hold tokens and secrets.
    span?.set({ 'http.request.method': method, 'url.scheme': request.protocol, ...(route && { 'http.route': route }) })
    request[SPAN] = span
    done()
  })
}

/** The trace that the headers of a request name, if they name one. */
function traceOf({ headers: { traceparent, tracestate } }: FastifyRequest): TraceContext | undefined {
  if (typeof traceparent !== 'string') return undefined
  return { traceparent, ...(typeof tracestate === 'string' && { tracestate }) }
}

function end(request: Traced, reply: { statusCode: number; elapsedTime: number }, done: () => void): void {
  const { statusCode } = reply
  const span = request[SPAN]
  if (span) {
    span.set({ 'http.response.status_code': statusCode })
    if (statusCode >= 500) span.fail(String(statusCode))
    span.end()
  }
  const { method, route } = describe(request)
  const isFeed = statusCode < 400 && feeds.has(route ?? '')
  if (httpDuration.isOn && !isFeed) {
    httpDuration.record(reply.elapsedTime / 1_000, {
      'http.request.method': method,
      'http.response.status_code': statusCode,
      ...(route && { 'http.route': route }),
    })
  }
  done()
}

function describe({ method: given, routeOptions }: FastifyRequest): { name: string; method: string; route?: string } {
  const method = METHODS.has(given) ? given : '_OTHER'
  const { url: route } = routeOptions
  return route === undefined ? { name: method, method } : { name: `${method} ${route}`, method, route }
}
