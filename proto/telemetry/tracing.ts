/*
 * Spans. This file loads nothing of OpenTelemetry: that comes with sdk/tracing.ts, if tracing is on. Otherwise each function costs a comparison.
 */

/** W3C Trace Context, as messages of the bus carry it. */
export interface TraceContext {
  traceparent?: string
  tracestate?: string
}

/** Without personal data, tokens, ids of people, and paths or URLs that hold any. */
export type SpanAttributes = Record<string, string | number | boolean>

export interface SpanOptions {
  kind?: 'server' | 'client' | 'consumer' | 'internal'
  attributes?: SpanAttributes
  /** The caller's context; without it the span is a child of the current one. */
  parent?: TraceContext | undefined
  /** The contexts of further requests for which the work is done, as `traceparent`. */
  links?: readonly string[]
}

/** A span that is under way. */
export interface OpenSpan {
  set(attributes: SpanAttributes): void
  /** Marks it as failed; `type` is a code or the name of an error, never its message. */
  fail(type: string): void
  /** Links it to another span. */
  link(traceparent: string): void
  end(): void
  /** Its context, if it is sampled. */
  readonly traceparent: string | undefined
}

/** What makes spans. */
export interface Tracing {
  /** A span that is not the current one of any work; undefined outside of a recorded one. */
  open(name: string, options: SpanOptions): OpenSpan | undefined
  /** Runs work with a new span as the current one; it ends with the work. */
  within<T>(name: string, options: SpanOptions, work: (span: OpenSpan) => Promise<T>): Promise<T>
  /** Begins a trace or goes on with that of `parent`, unless it is not to be recorded; the span ends by {@link OpenSpan.end}. */
  enter(name: string, options: SpanOptions, work: (span?: OpenSpan) => void): void
  /** Runs work with an open span as the current one, or without any. */
  inside<T>(span: OpenSpan | undefined, work: () => T): T
  /** Whether there is a current span. All of these are recorded. */
  isWithin(): boolean
  /** The context of the current span. */
  carried(): TraceContext
  current(): OpenSpan | undefined
  /** The ids of the current span for the log. */
  ids(): { trace_id?: string; span_id?: string }
}

let tracing: Tracing | undefined

/** Turns tracing on, before anything else of the process starts. */
export function traceWith(given: Tracing | undefined): void {
  tracing = given
}

/** Whether tracing is on. */
export function isTracing(): boolean {
  return tracing !== undefined
}

/** Whether what happens now belongs to a recorded trace. */
export function isTraced(): boolean {
  return tracing?.isWithin() ?? false
}

/** Runs work in a span of its own, within the current one or `parent`; in none if that is missing or not recorded. */
export function inSpan<T>(name: string, options: SpanOptions, work: (span?: OpenSpan) => Promise<T>): Promise<T> {
  if (!tracing) return work()
  const isRecorded = 'parent' in options ? isSampled(options.parent?.traceparent) : tracing.isWithin()
  return isRecorded ? tracing.within(name, options, work) : work()
}

/** Where the flags of a `traceparent` are, and the one that says that the trace is recorded. */
const FLAGS = 53
const SAMPLED = 1

function isSampled(traceparent: unknown): boolean {
  if (typeof traceparent !== 'string') return false
  return (Number.parseInt(traceparent.slice(FLAGS, FLAGS + 2), 16) & SAMPLED) === SAMPLED
}

/** Begins the span of a request from outside, which may begin a trace, and runs `work` with it as the current one, if it is recorded. */
export function enterSpan(name: string, options: SpanOptions, work: (span?: OpenSpan) => void): void {
  if (tracing) tracing.enter(name, options, work)
  else work()
}

/** Opens a span within the current one, for work that ends with an event; undefined if it would not be recorded. */
export function openSpan(name: string, options: SpanOptions): OpenSpan | undefined {
  return tracing?.open(name, options)
}

/** Runs work for several requests at once in one span: in the trace of the first sampled one, with links to the others. */
export function inSharedSpan<T>(
  name: string,
  options: Pick<SpanOptions, 'kind' | 'attributes'>,
  requests: Iterable<string>,
  work: (span?: OpenSpan) => Promise<T>,
): Promise<T> {
  if (!tracing) return work()
  const [first, ...links] = new Set(requests)
  // Whose request happened to begin it says nothing about whom it is for.
  if (first === undefined) return tracing.inside(undefined, work)
  return tracing.within(name, { ...options, parent: { traceparent: first }, links }, work)
}

/** Runs work with an open span as the current one, or without any: whatever is current when it begins. */
export function inside<T>(span: OpenSpan | undefined, work: () => T): T {
  return tracing ? tracing.inside(span, work) : work()
}

/** What goes with a request over the bus: the context of the current span. Without one nobody is to record it, whatever it says itself. */
export function carrying<M extends TraceContext>(meta: M): M {
  if (!tracing) return meta
  if (tracing.isWithin()) return { ...meta, ...tracing.carried() }
  const { traceparent } = meta
  return isSampled(traceparent) ? { ...meta, traceparent: `${traceparent?.slice(0, FLAGS)}00` } : meta
}

/** The current span, if there is a recorded one. */
export function currentSpan(): OpenSpan | undefined {
  return tracing?.current()
}

/** The `traceparent` of the current span, to be stored: what is done later belongs to its trace. */
export function tracedBy(): string | undefined {
  return tracing?.current()?.traceparent
}

/** What the log adds to each line; undefined without tracing. */
export function logMixin(): (() => object) | undefined {
  return tracing && (() => tracing?.ids() ?? {})
}
