import { monitorEventLoopDelay } from 'node:perf_hooks'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import type { Resource } from '@opentelemetry/resources'
import {
  type IMetricReader,
  MeterProvider,
  type MetricData,
  PeriodicExportingMetricReader,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics'
import { Gauge } from '../instruments.ts'
import { eventLoopDelayP50, eventLoopDelayP99, instruments, memoryUsage } from '../metrics.ts'
import { signalsOf, type TelemetryConfig } from '../settings.ts'

/** Metrics that are measured. */
export interface MeasuredMetrics {
  /** All of them in the text format of Prometheus. */
  text(): Promise<string>
  /** Sends what is left. */
  stop(): Promise<void>
}

/** Connects the instruments: they are sent by OTLP if that is on, and read as text. */
export async function startMetrics(config: TelemetryConfig, resource: Resource): Promise<MeasuredMetrics> {
  const scraped = new PrometheusExporter({ preventServerStart: true })
  const readers: IMetricReader[] = [scraped]
  if (signalsOf(config).metrics) readers.push(await sendingReader(config))
  const provider = new MeterProvider({ resource, readers })
  const meter = provider.getMeter('gatehouse')
  for (const instrument of instruments) instrument.connect(meter)
  observeProcess()
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true)
  return {
    text: async () => serializer.serialize(withUnits((await scraped.collect()).resourceMetrics)),
    stop: () => provider.shutdown(),
  }
}

async function sendingReader(config: TelemetryConfig): Promise<IMetricReader> {
  const { OTLPMetricExporter } =
    config.otel_exporter_otlp_protocol === 'http/json'
      ? await import('@opentelemetry/exporter-metrics-otlp-http')
      : await import('@opentelemetry/exporter-metrics-otlp-proto')
  const exportIntervalMillis = config.otel_metric_export_interval
  return new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    exportIntervalMillis,
    exportTimeoutMillis: Math.min(exportIntervalMillis, 30_000),
  })
}

/** The event loop is asked at this interval, in ms. */
const RESOLUTION_MS = 10

/** The delay of the event loop, and memory. */
function observeProcess(): void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  // What is measured is the time between two turns.
  const late = (percent: number): number => Math.max(0, delays.percentile(percent) / 1e9 - RESOLUTION_MS / 1_000)
  Gauge.observe([eventLoopDelayP50, eventLoopDelayP99], {}, () => {
    const found = [late(50), late(99)]
    delays.reset()
    return found
  })
  Gauge.observe([memoryUsage], {}, () => [process.memoryUsage.rss()])
}

/** The ends of Prometheus' names, which OpenTelemetry's rules ask for and its serializer does not add. */
const UNITS: Record<string, string> = { s: 'seconds', By: 'bytes' }

function withUnits(metrics: ResourceMetrics): ResourceMetrics {
  const named = <T extends MetricData>(metric: T): T => {
    const unit = UNITS[metric.descriptor.unit]
    return unit
      ? { ...metric, descriptor: { ...metric.descriptor, name: `${metric.descriptor.name}.${unit}` } }
      : metric
  }
  return {
    ...metrics,
    scopeMetrics: metrics.scopeMetrics.map((each) => ({ ...each, metrics: each.metrics.map(named) })),
  }
}
