import { type Attributes, context, propagation, SpanKind } from '@opentelemetry/api'
import { toFault } from '../declaring/faults.ts'
import { instruments, isOn } from './metrics.ts'
import { contextOf, currentSpan, failSpan, inSpan, isTracing, type TraceContext } from './tracing.ts'

/* Spans and durations of requests over the bus, on both of its ends. */

function attributesOf(subject: string): Attributes {
  return { 'rpc.system.name': 'nats', 'rpc.method': subject }
}

/** Makes a request over the bus; `ask` gets its line with the trace that goes with it. */
export async function calling<M extends TraceContext, T>(
  subject: string,
  meta: M,
  ask: (meta: M) => Promise<T>,
): Promise<T> {
  if (!isOn) return ask(meta)
  const begun = performance.now()
  let outcome = 'ok'
  try {
    const options = { kind: SpanKind.CLIENT, attributes: attributesOf(subject) }
    return await inSpan(subject, options, context.active(), () => ask(carrying(meta)))
  } catch (error) {
    outcome = toFault(error).code
    throw error
  } finally {
    const [service = '', ...rest] = subject.split('.')
    const action = rest.pop() ?? ''
    const labels = { service, resource: rest.join('.'), action, outcome }
    instruments.busDuration.record((performance.now() - begun) / 1_000, labels)
  }
}

/** Where the flags of a `traceparent` begin. */
const FLAGS = 53

/** Adds the context of the current span. Without one nobody is to record the request, whatever it says itself. */
function carrying<M extends TraceContext>(meta: M): M {
  const carried = { ...meta }
  if (currentSpan()) propagation.inject(context.active(), carried)
  else if (isTracing() && meta.traceparent) carried.traceparent = `${meta.traceparent.slice(0, FLAGS)}00`
  return carried
}

/** Serves a request of the bus. `serve` gives the error that it answered, if any: one of the client is none of the service. */
export function serving(subject: string, parent: TraceContext, serve: () => Promise<unknown>): Promise<unknown> {
  const options = { kind: SpanKind.SERVER, attributes: attributesOf(subject) }
  return inSpan(subject, options, contextOf(parent), async (span) => {
    const error = await serve()
    if (error === undefined || !span) return
    const { code, status } = toFault(error)
    span.setAttribute('rpc.response.status_code', code)
    if (status >= 500) failSpan(span, code)
  })
}
