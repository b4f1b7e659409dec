import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanOptions,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'

/*
 * Spans of OpenTelemetry's API, which does nothing until an SDK is registered. Only requests from outside begin traces: other work has spans
 * within a recorded trace alone. Attributes hold no personal data, tokens or ids of people, nor paths or URLs that contain any.
 */

export const tracer = trace.getTracer('gatehouse')

/** W3C Trace Context, as messages of the bus carry it. */
export interface TraceContext {
  traceparent?: string | undefined
  tracestate?: string
}

/** Whether spans are made: only an SDK has fields that carry a context. */
export function isTracing(): boolean {
  return propagation.fields().length > 0
}

/** The context that a message or a stored `traceparent` names; an invalid one names none. */
export function contextOf(carrier: object): Context {
  return propagation.extract(ROOT_CONTEXT, carrier)
}

/** The current span, if it is recorded. What a request began and did not await no longer belongs to it when it has ended. */
export function currentSpan(): Span | undefined {
  const span = trace.getActiveSpan()
  return span?.isRecording() ? span : undefined
}

/** The `traceparent` of a recorded span. */
export function traceparentOf(span: Span): string {
  const { traceId, spanId } = span.spanContext()
  return `00-${traceId}-${spanId}-01`
}

/** The `traceparent` of the current span, to be stored: what is done later belongs to its trace. */
export function tracedBy(): string | undefined {
  const span = currentSpan()
  return span && traceparentOf(span)
}

/** Runs work in a span of its own within `parent`; in none if that is not recorded. The span ends with the work. */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  parent: Context,
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  if (!isRecorded(trace.getSpan(parent))) return work()
  return tracer.startActiveSpan(name, options, parent, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      // Its message may hold what nobody is to see.
      const { code, name } = error as { code?: unknown; name?: unknown }
      failSpan(span, String(code ?? name ?? 'error'))
      throw error
    } finally {
      span.end()
    }
  })
}

/** Whether a span is recorded: here, or by the process whose message names it. */
function isRecorded(span: Span | undefined): boolean {
  if (!span || span.isRecording()) return span !== undefined
  const { isRemote, traceFlags } = span.spanContext()
  return isRemote === true && (traceFlags & TraceFlags.SAMPLED) !== 0
}

/** Runs work for several requests, given by `traceparent`, in one span: in the trace of the first one, with links to the others. */
export function inSharedSpan<T>(
  name: string,
  options: SpanOptions,
  requests: Iterable<string>,
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  const [first, ...others] = new Set(requests)
  // Whose request happened to begin it says nothing about whom it is for.
  if (first === undefined) return inside(undefined, work)
  const linked = others.flatMap((traceparent) => trace.getSpanContext(contextOf({ traceparent })) ?? [])
  const links = linked.map((context) => ({ context }))
  return inSpan(name, { ...options, links }, contextOf({ traceparent: first }), work)
}

/** Marks a span as failed; `type` is a code or the name of an error, never its message. */
export function failSpan(span: Span, type: string): void {
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR })
}

/** Runs work with an open span as the current one, or without any, whatever is current when it begins. */
export function inside<T>(span: Span | undefined, work: () => T): T {
  return context.with(span ? trace.setSpan(ROOT_CONTEXT, span) : ROOT_CONTEXT, work)
}
