import { context, propagation } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import type { Resource } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { TelemetryConfig } from '../settings.ts'
import { traceWith } from '../tracing.ts'
import { OtelTracing } from './tracing.ts'

/** Turns tracing on. The returned function sends what is left, and turns it off. */
export async function startTraces(config: TelemetryConfig, resource: Resource): Promise<() => Promise<void>> {
  const { OTLPTraceExporter } =
    config.otel_exporter_otlp_protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto')
  const processor = new BatchSpanProcessor({
    exporter: new OTLPTraceExporter(),
    scheduledDelayMillis: config.otel_bsp_schedule_delay,
  })
  const provider = new TracerProvider({ resource, sampler: samplerOf(config), spanProcessors: [processor] })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  traceWith(new OtelTracing(provider.getTracer('gatehouse')))
  return async () => {
    traceWith(undefined)
    await provider.shutdown()
  }
}

/** The sampler of `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG`. */
function samplerOf({ otel_traces_sampler: name, otel_traces_sampler_arg: share }: TelemetryConfig): Sampler {
  const root = rootOf(name.replace('parentbased_', ''), share)
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

function rootOf(name: string, share: number): Sampler {
  if (name === 'traceidratio') return new TraceIdRatioBasedSampler(share)
  return name === 'always_off' ? new AlwaysOffSampler() : new AlwaysOnSampler()
}
