import { choice, decimal, flag, integer, optionalInteger, optionalText, text } from '../../declaring/fields.ts'
import type { ConfigOf } from '../../process/config.ts'

const ROOT_SAMPLERS = ['always_on', 'always_off', 'traceidratio'] as const
const SAMPLERS = [...ROOT_SAMPLERS, ...ROOT_SAMPLERS.map((name) => `parentbased_${name}` as const)] as const

/**
 * The settings of telemetry, which every process has. Further `OTEL_` variables of OpenTelemetry's exporters and resources (headers, timeouts,
 * certificates, `OTEL_RESOURCE_ATTRIBUTES`) are read by its own packages.
 */
export const telemetrySettings = {
  operations_port: optionalInteger({
    minimum: 0,
    maximum: 65_535,
    description: 'The port of /metrics, /livez and /readyz; without it there is none',
  }),
  operations_host: text({ default: '127.0.0.1' }),
  otel_exporter_otlp_endpoint: optionalText({
    maxLength: 2_000,
    description: 'Where traces and metrics are sent by OTLP over HTTP; without it none are made',
  }),
  otel_exporter_otlp_protocol: choice(['http/protobuf', 'http/json'], { default: 'http/protobuf' }),
  otel_sdk_disabled: flag({ default: false }),
  otel_traces_exporter: choice(['otlp', 'none'], { default: 'otlp' }),
  otel_metrics_exporter: choice(['otlp', 'none'], { default: 'otlp' }),
  otel_traces_sampler: choice(SAMPLERS, { default: 'parentbased_always_on' }),
  otel_traces_sampler_arg: decimal({ default: 1, minimum: 0, maximum: 1, description: 'The share of traces' }),
  otel_bsp_schedule_delay: integer({ default: 5_000, minimum: 1, description: 'How often spans are sent, in ms' }),
  otel_metric_export_interval: integer({ default: 60_000, minimum: 1, description: 'The same of metrics' }),
}

/** The settings as read. */
export type TelemetryConfig = ConfigOf<typeof telemetrySettings>

/** What of telemetry is on. */
export function signalsOf(config: TelemetryConfig): { traces: boolean; metrics: boolean } {
  const isSending = Boolean(config.otel_exporter_otlp_endpoint) && !config.otel_sdk_disabled
  return {
    traces: isSending && config.otel_traces_exporter === 'otlp',
    metrics: isSending && config.otel_metrics_exporter === 'otlp',
  }
}
