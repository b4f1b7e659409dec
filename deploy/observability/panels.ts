/** A graph of the dashboard. */
export interface Panel {
  title: string
  /** One line below the title, where the title does not say it. */
  description?: string
  /** A unit of Grafana: `s`, `bytes`, `reqps`, `percentunit`, `short`. */
  unit: string
  /** What is drawn: the legend and the query of each series or set of series. */
  queries: Record<string, string>
  /** The bound of an SLO, drawn as a line. */
  bound?: number
}

const SCANS = 'http_request_method="POST", http_route=~".*/access_controls[^/]*"'
const REQUESTS = 'http_server_request_duration_seconds_count'
const NO_PROBE = 'http_route!="/readyz"'
const percentile = (share: number, metric: string, by = '', labels = '') =>
  `histogram_quantile(${share}, sum by (le${by && `, ${by}`}) (rate(${metric}_bucket${labels && `{${labels}}`}[$__rate_interval])))`
const rate = (metric: string, by = '', labels = '') =>
  `sum${by && ` by (${by})`} (rate(${metric}${labels && `{${labels}}`}[$__rate_interval]))`

/** The rows of the dashboard with their graphs. */
export const rows: Record<string, Panel[]> = {
  Door: [
    {
      title: 'Scans, as door devices see them',
      unit: 's',
      bound: 0.5,
      queries: {
        p50: percentile(0.5, 'http_server_request_duration_seconds', '', SCANS),
        p99: percentile(0.99, 'http_server_request_duration_seconds', '', SCANS),
      },
    },
    {
      title: 'Decisions',
      unit: 'reqps',
      queries: { '{{status}}': rate('gatehouse_checkin_decisions_total', 'status') },
    },
    {
      title: 'Flush',
      description: 'How long it takes to decide and store the scans of one flush in Redis and MongoDB',
      unit: 's',
      queries: {
        p50: percentile(0.5, 'gatehouse_checkin_flush_duration_seconds'),
        p99: percentile(0.99, 'gatehouse_checkin_flush_duration_seconds'),
      },
    },
    {
      title: 'Scans in one flush',
      unit: 'short',
      queries: {
        mean: `${rate('gatehouse_checkin_flush_size_sum')} / ${rate('gatehouse_checkin_flush_size_count')}`,
        p99: percentile(0.99, 'gatehouse_checkin_flush_size'),
      },
    },
  ],
  API: [
    {
      title: 'Requests by status',
      unit: 'reqps',
      queries: {
        '{{http_response_status_code}}': rate(REQUESTS, 'http_response_status_code'),
      },
    },
    {
      title: 'Requests without an answer',
      unit: 'percentunit',
      bound: 0.001,
      queries: {
        '5xx': `(${rate(REQUESTS, '', `http_response_status_code=~"5..", ${NO_PROBE}`)} or vector(0)) / ${rate(REQUESTS, '', NO_PROBE)}`,
      },
    },
    {
      title: 'Slowest operations, p99',
      unit: 's',
      queries: {
        '{{http_request_method}} {{http_route}}': `topk(5, ${percentile(0.99, 'http_server_request_duration_seconds', 'http_request_method, http_route')})`,
      },
    },
    {
      title: 'Services over the bus, p99',
      unit: 's',
      queries: { '{{service}}': percentile(0.99, 'gatehouse_bus_request_duration_seconds', 'service') },
    },
    {
      title: 'Services which do not answer',
      unit: 'reqps',
      queries: {
        '{{service}}': rate('gatehouse_bus_request_duration_seconds_count', 'service', 'outcome="unavailable"'),
      },
    },
    {
      title: 'Refused by a quota',
      unit: 'reqps',
      queries: { '{{quota}}': rate('gatehouse_quota_refusals_total', 'quota') },
    },
    {
      title: 'Refused early, as there is too much to do',
      unit: 'reqps',
      queries: { '{{work}}': rate('gatehouse_overload_refusals_total', 'work') },
    },
  ],
  'Mail, webhooks and badges': [
    {
      title: 'E-mails handed over',
      unit: 'reqps',
      queries: { '{{outcome}}': rate('gatehouse_mail_handovers_total', 'outcome') },
    },
    {
      title: 'Deliveries to webhooks',
      unit: 'reqps',
      queries: { '{{outcome}}': rate('gatehouse_webhook_deliveries_total', 'outcome') },
    },
    {
      title: 'Queues',
      description: 'Turns of partners (mail), domain events (hooks), badges',
      unit: 'short',
      queries: { '{{queue}}': 'max by (queue) (gatehouse_queue_depth)' },
    },
    {
      title: 'Oldest message of each queue',
      unit: 's',
      queries: { '{{queue}}': 'max by (queue) (gatehouse_queue_oldest_age_seconds)' },
    },
  ],
  'Stores and processes': [
    {
      title: 'Slowest commands to MongoDB and Redis, p99',
      unit: 's',
      queries: {
        '{{db_system_name}} {{db_operation_name}}': `topk(5, ${percentile(0.99, 'db_client_operation_duration_seconds', 'db_system_name, db_operation_name')})`,
      },
    },
    {
      title: 'Oldest outbox entry',
      description: 'An event to be published, or an audit record to be delivered',
      unit: 's',
      bound: 300,
      queries: { '{{service_name}} {{outbox}}': 'max by (service_name, outbox) (gatehouse_outbox_oldest_age_seconds)' },
    },
    {
      title: 'Outbox entries',
      unit: 'short',
      queries: { '{{service_name}} {{outbox}}': 'max by (service_name, outbox) (gatehouse_outbox_depth)' },
    },
    {
      title: 'Found in caches',
      unit: 'percentunit',
      queries: {
        '{{cache}}': `${rate('gatehouse_cache_lookups_total', 'cache', 'result="hit"')} / ${rate('gatehouse_cache_lookups_total', 'cache')}`,
      },
    },
    {
      title: 'Tried again',
      unit: 'reqps',
      queries: { '{{kind}}': rate('gatehouse_retries_total', 'kind') },
    },
    {
      title: 'Delay of the event loop, p99',
      unit: 's',
      queries: { '{{service_name}}': 'max by (service_name) (nodejs_eventloop_delay_p99_seconds)' },
    },
    {
      title: 'Memory of the largest process',
      unit: 'bytes',
      queries: { '{{service_name}}': 'max by (service_name) (process_memory_usage_bytes)' },
    },
  ],
}
