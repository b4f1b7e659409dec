import { metrics } from '@opentelemetry/api'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import type { Resource } from '@opentelemetry/resources'
import { type IMetricReader, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { signalsOf, type TelemetryConfig } from '../settings.ts'

/** Metrics that are measured. */
interface RegisteredMetrics {
  /** All of them in the text format of Prometheus. */
  text(): Promise<string>
  /** Sends what is left. */
  stop(): Promise<void>
}

/** Registers the SDK of metrics, which sends them by OTLP if that is on and returns them as text. */
export async function registerMetrics(config: TelemetryConfig, resource: Resource): Promise<RegisteredMetrics> {
  const scraped = new PrometheusExporter({ preventServerStart: true })
  const readers: IMetricReader[] = [scraped]
  if (signalsOf(config).metrics) readers.push(await sendingReader(config))
  const provider = new MeterProvider({ resource, readers })
  metrics.setGlobalMeterProvider(provider)
  return { text: async () => textOf(await scraped.collect()), stop: () => provider.shutdown() }
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

const serializer = new PrometheusSerializer(undefined, false, undefined, false, true)
/** The ends of Prometheus' names, which OpenTelemetry's rules ask for and its serializer does not add. */
const UNITS: Record<string, string> = { s: '.seconds', By: '.bytes' }

function textOf({ resourceMetrics }: Awaited<ReturnType<PrometheusExporter['collect']>>): string {
  const scopeMetrics = resourceMetrics.scopeMetrics.map(({ scope, metrics }) => {
    const named = metrics.map((metric) => {
      const { name, unit } = metric.descriptor
      return { ...metric, descriptor: { ...metric.descriptor, name: name + (UNITS[unit] ?? '') } }
    })
    return { scope, metrics: named }
  })
  return serializer.serialize({ ...resourceMetrics, scopeMetrics })
}
