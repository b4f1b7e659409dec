/** The kinds of metrics of Prometheus, by the names of ours in Prometheus: those of OpenTelemetry with their unit at the end. */
export const metrics: Record<string, 'counter' | 'gauge' | 'histogram'> = {
  http_server_request_duration_seconds: 'histogram',
  gatehouse_bus_request_duration_seconds: 'histogram',
  gatehouse_checkin_decisions: 'counter',
  gatehouse_checkin_flush_size: 'histogram',
  gatehouse_checkin_flush_duration_seconds: 'histogram',
  gatehouse_cache_lookups: 'counter',
  gatehouse_retries: 'counter',
  gatehouse_queue_depth: 'gauge',
  gatehouse_queue_oldest_age_seconds: 'gauge',
  gatehouse_outbox_depth: 'gauge',
  gatehouse_outbox_oldest_age_seconds: 'gauge',
  gatehouse_quota_refusals: 'counter',
  gatehouse_webhook_deliveries: 'counter',
  gatehouse_mail_handovers: 'counter',
  nodejs_eventloop_delay_p50_seconds: 'gauge',
  nodejs_eventloop_delay_p99_seconds: 'gauge',
  process_memory_usage_bytes: 'gauge',
}

/** The attributes of metrics in Prometheus, and what it and the collector add. */
export const labels = [
  ...['http_request_method', 'http_route', 'http_response_status_code', 'service', 'resource', 'action', 'outcome'],
  ...['status', 'cache', 'result', 'kind', 'queue', 'quota'],
  ...['le', 'service_name', 'instance'],
]

/** The names of the series of a metric. */
export function seriesOf(name: string): string[] {
  const kind = metrics[name]
  if (kind === 'counter') return [`${name}_total`]
  return kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]
}
