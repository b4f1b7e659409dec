// @module-tag slow
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execute } from '@gatehouse/local/execute'
import { findOperatorTool } from '@gatehouse/local/operator-tools'
import { findPlatform } from '@gatehouse/local/platform'
import { declared } from '@gatehouse/proto/telemetry/metrics.ts'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'

const read = (path: string) => readFile(join(import.meta.dirname, path), 'utf8')

const RULE_TESTS = ['alerts.test.yaml', 'days.test.yaml']

interface Rule {
  record?: string
  alert?: string
  expr: string
  labels?: { severity: string }
  annotations?: { summary: string; runbook_url: string }
}

const { groups } = parse(await read('alerts.yaml')) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap(({ rules }) => rules)
const alerts = rules.filter(({ alert }) => alert)
const { panels } = JSON.parse(await read('gatehouse.json')) as { panels: { targets?: { expr: string }[] }[] }
const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

/** What Prometheus puts at the end of a name for its unit. */
const UNITS: Record<string, string> = { s: '_seconds', By: '_bytes' }

const metrics = Object.values(declared)

/** Metrics of others, with their labels. */
const foreign: Record<string, string[]> = {
  // kube-state-metrics
  kube_cronjob_status_last_successful_time: ['cronjob'],
  kube_cronjob_created: ['cronjob'],
  kube_statefulset_replicas: ['namespace', 'statefulset'],
  kube_statefulset_status_replicas_ready: ['namespace', 'statefulset'],
  // the kubelet
  kubelet_volume_stats_available_bytes: ['persistentvolumeclaim'],
  kubelet_volume_stats_capacity_bytes: ['persistentvolumeclaim'],
  // prometheus-nats-exporter 0.20, mongodb_exporter 0.47 and redis_exporter 1.44
  nats_server_total_message_bytes: [],
  nats_server_max_storage: [],
  mongodb_rs_members_optimeDate: ['set', 'member_idx', 'member_state'],
  redis_memory_used_bytes: [],
  redis_memory_max_bytes: [],
}

/** The labels that series may have: the attributes of all metrics, and what Prometheus and the collector add. */
const labels = metrics
  .flatMap(({ attributes }) => attributes.map((name) => name.replaceAll('.', '_')))
  .concat('le', 'service_name', 'instance', ...Object.values(foreign).flat())

/** The names of a metric's series in Prometheus. */
function seriesOf({ kind, name, unit }: (typeof metrics)[number]): string[] {
  const base = name.replaceAll('.', '_') + (UNITS[unit] ?? '')
  if (kind === 'counter') return [`${base}_total`]
  return kind === 'histogram' ? [`${base}_bucket`, `${base}_sum`, `${base}_count`] : [base]
}

/** The words of PromQL that stand where a metric may. */
const OPERATORS = new Set([
  'and',
  'or',
  'unless',
  'by',
  'without',
  'on',
  'ignoring',
  'bool',
  'group_left',
  'group_right',
])

/** The labels and the series that a query names. */
function namesIn(query: string): { series: string[]; labels: string[] } {
  const groupings = [...query.matchAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g)]
  const matchers = [...query.matchAll(/\{([^}]*)\}/g)].flatMap(([, text = '']) => [...text.matchAll(/(\w+)\s*[=!]/g)])
  const rest = query.replaceAll(/\b(?:by|without|on|ignoring)\s*\([^)]*\)|\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, ' ')
  const words = [...rest.matchAll(/[a-z_][\w:]*(?!\w|\s*\()/g)].map(([word]) => word)
  return {
    series: words.filter((word) => !OPERATORS.has(word)),
    labels: [
      ...groupings.flatMap(([, list = '']) => list.split(',').map((label) => label.trim())),
      ...matchers.map(([, label = '']) => label),
    ],
  }
}

test('the Prometheus operator gets the rules of alerts.yaml', async () => {
  expect(parse(await read('prometheus-rule.yaml')).spec.groups).toEqual(groups)
})

test('dashboard and alerts ask only for metrics that there are, by labels that they have', () => {
  const series = new Set([...metrics.flatMap(seriesOf), ...rules.map(({ record }) => record), ...Object.keys(foreign)])
  expect(queries.length).toBeGreaterThan(20)
  for (const query of [...queries, ...rules.map(({ expr }) => expr)]) {
    const names = namesIn(query)
    expect(names.series.length, query).toBeGreaterThan(0)
    expect(
      names.series.filter((name) => !series.has(name)),
      query,
    ).toEqual([])
    expect(
      names.labels.filter((name) => !labels.includes(name)),
      query,
    ).toEqual([])
  }
})

test('the dashboard shows every metric', () => {
  const shown = new Set(queries.flatMap((query) => namesIn(query).series))
  const hidden = metrics.filter((metric) => !seriesOf(metric).some((series) => shown.has(series)))
  expect(hidden.map(({ name }) => name)).toEqual(['nodejs.eventloop.delay.p50'])
})

test('names in a query are found', () => {
  expect(namesIn('sum by (le, b) (rate(a_total{c="d", e!~"f"}[5m])) / g:h unless on(i) k')).toEqual({
    series: ['a_total', 'g:h', 'k'],
    labels: ['le', 'b', 'i', 'c', 'e'],
  })
})

test('each alert says how urgent it is and has a place in docs/operations.md, and none of these is without its alert', async () => {
  const text = await read('../../docs/operations.md')
  const runbook = [...text.matchAll(/^### (Gatehouse\w+)$/gm)].map(([, name]) => name)
  expect(alerts.map(({ alert }) => alert)).toEqual(runbook)
  for (const { alert = '', annotations, labels: own } of alerts) {
    expect(annotations?.runbook_url).toBe(
      `https://gatehouse.example.org/docs/handbook/operations.md#${alert.toLowerCase()}`,
    )
    expect(annotations?.summary).toMatch(/\S/)
    expect(['page', 'ticket']).toContain(own?.severity)
  }
})

test('each alert is tested', async () => {
  const tests = (await Promise.all(RULE_TESTS.map(read))).flatMap(
    (text) => (parse(text) as { tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[] }).tests,
  )
  const fired = tests.flatMap(({ alert_rule_test }) =>
    alert_rule_test.filter(({ exp_alerts }) => exp_alerts.length > 0),
  )
  expect([...new Set(fired.map(({ alertname }) => alertname))].toSorted()).toEqual(
    alerts.map(({ alert }) => alert).toSorted(),
  )
})

test('compose brings what is configured here', async () => {
  const { services } = parse(await read('../compose.yaml')) as {
    services: Record<string, { profiles?: string[]; image: string; volumes: string[] }>
  }
  const observing = Object.entries(services).filter(([, { profiles }]) => profiles?.includes('observability'))
  expect(observing.map(([name]) => name)).toEqual(['collector', 'prometheus', 'grafana'])
  for (const [, { image, volumes }] of observing) {
    expect(image).toMatch(/:v?\d+\.\d+\.\d+$/)
    const files = volumes.flatMap((volume) => /^\.\/observability\/([^:]+)/.exec(volume)?.[1] ?? [])
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) expect(parse(await read(file))).toEqual(expect.any(Object))
  }
})

// promtool comes from Debian where the machine has none.
describe.runIf(findPlatform())('promtool', () => {
  const promtool = async (...args: string[]) =>
    await execute(await findOperatorTool('promtool', console.error), args, { cwd: import.meta.dirname })

  test('finds no mistake in the rules and in the configuration of Prometheus', async () => {
    expect(await promtool('check', 'rules', '--lint-fatal', 'alerts.yaml')).toContain(`${rules.length} rules found`)
    expect(await promtool('check', 'config', '--syntax-only', 'prometheus.yaml')).toContain('is valid')
  })

  test('sees each alert fire when it should, and not before', async () => {
    expect(await promtool('test', 'rules', ...RULE_TESTS)).toContain('SUCCESS')
  })

  test('understands every query of the dashboard', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-queries-'))
    const asRules = queries.map((query, index) => ({
      record: `query:${index}`,
      expr: query.replaceAll('$__rate_interval', '5m'),
    }))
    await writeFile(join(folder, 'queries.yaml'), stringify({ groups: [{ name: 'dashboard', rules: asRules }] }))
    expect(await promtool('check', 'rules', join(folder, 'queries.yaml'))).toContain(`${queries.length} rules found`)
    await rm(folder, { recursive: true })
  })
})
