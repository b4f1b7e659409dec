// @module-tag slow
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPlatform } from '@gatehouse/local/platform'
import { reservePort } from '@gatehouse/local/ports'
import { asking, startPrometheus } from '@gatehouse/test/harness/prometheus.ts'
import { startSpeaking } from '@gatehouse/test/harness/speaking-process.ts'
import { describe, expect, inject, test } from 'vitest'
import { parse } from 'yaml'
import { mainOf } from '../../services/services.ts'

const read = (path: string) => readFile(join(import.meta.dirname, path), 'utf8')

/** Where it is, and a receiver that Debian's Prometheus is built without: here it asks the gateway, as on Kubernetes. */
const OTHER_ARGS = /^--(config\.file|storage\.tsdb\.path|web\.enable-otlp-receiver)/

describe.runIf(findPlatform())('the Prometheus of compose', () => {
  // `promtool` tests how long alerts wait.
  test('has the rules, raises an alert while no gateway reports, ends it once one does, and raises it again when that is gone', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-alerts-'))
    const { services } = parse(await read('../compose.yaml'))
    const args: string[] = services.prometheus.command
    const { rule_files, global, ...configuration } = parse(await read('prometheus.yaml'))
    expect(services.prometheus.volumes).toContain(`./observability/alerts.yaml:${rule_files}:ro`)
    const rules = join(folder, 'alerts.yaml')
    await writeFile(rules, (await read('alerts.yaml')).replaceAll(/\bfor: \d+m$/gm, 'for: 2s'))
    const port = await reservePort()
    const prometheus = await startPrometheus(
      {
        ...configuration,
        ...asking({ 'gatehouse-gateway': `127.0.0.1:${port}` }),
        ...{ rule_files: [rules], global: { ...global, evaluation_interval: '1s' } },
      },
      args.filter((each) => !OTHER_ARGS.test(each)),
    )
    const firing = async (): Promise<string[]> => {
      const { data } = (await (await fetch(`${prometheus.url}/api/v1/alerts`)).json()) as {
        data: { alerts: { state: string; labels: { alertname: string } }[] }
      }
      return data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname)
    }
    await expect.poll(firing).toEqual(['GatehouseSilent'])

    const gateway = startSpeaking(mainOf('gateway'), {
      NATS_URL: inject('natsUrl'),
      REDIS_URL: inject('redisUrl'),
      NAMESPACE: `prometheus-${crypto.randomUUID().slice(0, 8)}`,
      PUBLIC_URL: 'http://127.0.0.1',
      HOST: '127.0.0.1',
      PORT: '0',
      OPERATIONS_PORT: String(port),
    })
    await expect.poll(firing).toEqual([])
    await gateway.stop()
    await expect.poll(firing).toEqual(['GatehouseSilent'])
    await prometheus.stop()
    await rm(folder, { recursive: true })
  })
})
