import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { OpenSpan, SpanOptions, TraceContext, Tracing } from '../tracing.ts'

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const

/** Spans of OpenTelemetry. */
export class OtelTracing implements Tracing {
  readonly #tracer: Tracer

  constructor(tracer: Tracer) {
    this.#tracer = tracer
  }

  open(name: string, options: SpanOptions): OpenSpan | undefined {
    return current() && new OtelSpan(this.#start(name, options, context.active()))
  }

  async within<T>(name: string, options: SpanOptions, work: (span: OpenSpan) => Promise<T>): Promise<T> {
    const { span, inside } = this.#begin(name, options)
    try {
      return await context.with(inside, () => work(span))
    } catch (error) {
      span.fail(errorType(error))
      throw error
    } finally {
      span.end()
    }
  }

  enter(name: string, options: SpanOptions, work: (span?: OpenSpan) => void): void {
    const around = contextOf(options.parent)
    const span = this.#start(name, options, around)
    // A context costs the request something wherever it goes.
    if (!span.isRecording()) work()
    else context.with(trace.setSpan(around, span), () => work(new OtelSpan(span)))
  }

  inside<T>(span: OpenSpan | undefined, work: () => T): T {
    if (!span && !this.isWithin()) return work()
    return context.with(span instanceof OtelSpan ? span.context : ROOT_CONTEXT, work)
  }

  isWithin(): boolean {
    return current() !== undefined
  }

  carried(): TraceContext {
    const carrier: TraceContext = {}
    propagation.inject(context.active(), carrier)
    return carrier
  }

  current(): OpenSpan | undefined {
    const span = current()
    return span && new OtelSpan(span)
  }

  ids(): { trace_id?: string; span_id?: string } {
    const span = current()?.spanContext()
    return span ? { trace_id: span.traceId, span_id: span.spanId } : {}
  }

  #begin(name: string, options: SpanOptions): { span: OtelSpan; inside: Context } {
    const around = 'parent' in options ? contextOf(options.parent) : context.active()
    const span = this.#start(name, options, around)
    return { span: new OtelSpan(span), inside: trace.setSpan(around, span) }
  }

  #start(name: string, { kind = 'internal', attributes, links }: SpanOptions, around: Context): Span {
    return this.#tracer.startSpan(
      name,
      {
        kind: kinds[kind],
        ...(attributes && { attributes }),
        ...(links && links.length > 0 && { links: links.flatMap(linkTo) }),
      },
      around,
    )
  }
}

/** The current span. What a request has begun and not awaited, a loop perhaps, no longer belongs to it when it has ended. */
function current(): Span | undefined {
  const span = trace.getActiveSpan()
  return span?.isRecording() ? span : undefined
}

class OtelSpan implements OpenSpan {
  readonly #span: Span

  constructor(span: Span) {
    this.#span = span
  }

  set(attributes: Record<string, string | number | boolean>): void {
    this.#span.setAttributes(attributes)
  }

  fail(type: string): void {
    this.#span.setAttribute('error.type', type)
    this.#span.setStatus({ code: SpanStatusCode.ERROR })
  }

  link(traceparent: string): void {
    this.#span.addLinks(linkTo(traceparent))
  }

  end(): void {
    this.#span.end()
  }

  /** A context whose current span it is. */
  get context(): Context {
    return trace.setSpan(ROOT_CONTEXT, this.#span)
  }

  get traceparent(): string | undefined {
    const { traceId, spanId, traceFlags } = this.#span.spanContext()
    return traceFlags & TraceFlags.SAMPLED ? `00-${traceId}-${spanId}-01` : undefined
  }
}

/** The context of a message; an invalid one is none. */
function contextOf(carrier: TraceContext | undefined): Context {
  return carrier ? propagation.extract(ROOT_CONTEXT, carrier) : ROOT_CONTEXT
}

function linkTo(traceparent: string): { context: SpanContext }[] {
  const linked = trace.getSpanContext(contextOf({ traceparent }))
  return linked ? [{ context: linked }] : []
}

/** The code or the name of an error: its message may hold what nobody is to see. */
function errorType(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return String(code ?? name ?? 'error')
}
