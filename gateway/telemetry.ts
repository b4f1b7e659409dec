import { routesOf } from '@gatehouse/proto/declaring/resource.ts'
import { instruments, isOn } from '@gatehouse/proto/telemetry/metrics.ts'
import { contextOf, failSpan, tracer } from '@gatehouse/proto/telemetry/tracing.ts'
import { type Attributes, context, type Span, SpanKind, trace } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { liveAction } from './live/live.ts'

/** The methods that HTTP has; others get one name, since clients make them up. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE'])

/** Live feeds last for as long as someone watches. */
const feeds = new Set(routesOf(liveAction)?.paths)

const SPAN = Symbol('span')

interface Traced extends FastifyRequest {
  [SPAN]?: Span
}

/** Makes a span of each request, in the trace that its headers name, and measures how long it takes. Adds nothing to an app while both are off. */
export function observeRequests(app: FastifyInstance): void {
  if (isOn) app.addHook('onRequest', begin).addHook('onResponse', end)
}

function begin(request: Traced, _reply: unknown, done: () => void): void {
  const { method, route } = describe(request)
  const parent = contextOf(request.headers)
  // Routes, not paths: those hold tokens and secrets.
  const attributes = {
    'http.request.method': method,
    'url.scheme': request.protocol,
    ...(route && { 'http.route': route }),
    ...eventIn(request),
  }
  const span = tracer.startSpan(route ? `${method} ${route}` : method, { kind: SpanKind.SERVER, attributes }, parent)
  // A context costs the request something wherever it goes.
  if (!span.isRecording()) return done()
  request[SPAN] = span
  context.with(trace.setSpan(parent, span), done)
}

function end(request: Traced, reply: { statusCode: number; elapsedTime: number }, done: () => void): void {
  const { statusCode } = reply
  const span = request[SPAN]
  span?.setAttribute('http.response.status_code', statusCode)
  if (span && statusCode >= 500) failSpan(span, String(statusCode))
  span?.end()
  const { method, route } = describe(request)
  if (statusCode >= 400 || !feeds.has(route ?? '')) {
    instruments.httpDuration.record(reply.elapsedTime / 1_000, {
      'http.request.method': method,
      'http.response.status_code': statusCode,
      ...(route && { 'http.route': route }),
    })
  }
  done()
}

const ID = /^[0-9a-f]{24}$/

/** The event of a request's path. What is no id may be anything that a client has made up. */
function eventIn({ params }: FastifyRequest): Attributes {
  const { event_id = '' } = params as { event_id?: string }
  return ID.test(event_id) ? { 'gatehouse.event.id': event_id } : {}
}

function describe({ method, routeOptions }: FastifyRequest): { method: string; route: string | undefined } {
  return { method: METHODS.has(method) ? method : '_OTHER', route: routeOptions.url }
}
