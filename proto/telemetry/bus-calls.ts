import { toFault } from '../declaring/faults.ts'
import { busDuration } from './metrics.ts'
import { carrying, inSpan, isTracing, type SpanAttributes, type TraceContext } from './tracing.ts'

/* Spans and durations of requests over the bus, on both of its ends. */

/** What is said of a subject; there are as many as actions. */
interface SubjectLabels {
  attributes: SpanAttributes
  labels: { service: string; resource: string; action: string }
}

const subjects = new Map<string, SubjectLabels>()

function describe(subject: string): SubjectLabels {
  return subjects.getOrInsertComputed(subject, () => {
    const [service = '', ...rest] = subject.split('.')
    const action = rest.pop() ?? ''
    return {
      attributes: { 'rpc.system.name': 'nats', 'rpc.method': subject },
      labels: { service, resource: rest.join('.'), action },
    }
  })
}

/** Makes a request over the bus; `ask` gets its line with the trace that goes with it. */
export function calling<M extends TraceContext, T>(subject: string, meta: M, ask: (meta: M) => Promise<T>): Promise<T> {
  return isTracing() || busDuration.isOn ? observed(subject, meta, ask) : ask(meta)
}

async function observed<M extends TraceContext, T>(subject: string, meta: M, ask: (meta: M) => Promise<T>): Promise<T> {
  const { attributes, labels } = describe(subject)
  const begun = performance.now()
  let outcome = 'ok'
  try {
    return await inSpan(subject, { kind: 'client', attributes }, () => ask(carrying(meta)))
  } catch (error) {
    outcome = toFault(error).code
    throw error
  } finally {
    busDuration.record((performance.now() - begun) / 1_000, { ...labels, outcome })
  }
}

/** Serves a request of the bus. `serve` gives the error that it answered, if any: one of the client is none of the service. */
export function serving(subject: string, parent: TraceContext, serve: () => Promise<unknown>): Promise<unknown> {
  if (!isTracing()) return serve()
  return inSpan(subject, { kind: 'server', attributes: describe(subject).attributes, parent }, async (span) => {
    const error = await serve()
    if (error === undefined || !span) return
    const { code, status } = toFault(error)
    span.set({ 'rpc.response.status_code': code })
    if (status >= 500) span.fail(code)
  })
}
