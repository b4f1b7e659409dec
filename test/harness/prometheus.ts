import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findOperatorTool } from '@gatehouse/local/operator-tools'
import { reservePort } from '@gatehouse/local/ports'
import { expect, vi } from 'vitest'

/** A Prometheus of a test. */
export interface OwnPrometheus {
  url: string
  /** Returns whether a query of the dashboard has values since a time in seconds. */
  hasValues(query: string, start: number): Promise<boolean>
  stop(): Promise<void>
}

/** The configuration of a Prometheus that asks operations ports every second; `targets` are their addresses (`127.0.0.1:port`) by `service_name`. */
export function asking(targets: Record<string, string>): object {
  const static_configs = Object.entries(targets).map(([service_name, target]) => ({
    targets: [target],
    labels: { service_name },
  }))
  return { scrape_configs: [{ job_name: 'gatehouse', scrape_interval: '1s', static_configs }] }
}

/** Starts a Prometheus with a configuration, and with `args` besides those that say where it is. */
export async function startPrometheus(configuration: object, args: readonly string[] = []): Promise<OwnPrometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-prometheus-'))
  // JSON is YAML.
  await writeFile(join(folder, 'prometheus.yaml'), JSON.stringify(configuration))
  const address = `127.0.0.1:${await reservePort()}`
  const child = spawn(
    await findOperatorTool('prometheus', console.error),
    [
      `--config.file=${join(folder, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
      ...args,
    ],
    { stdio: 'ignore' },
  )
  const ended = once(child, 'exit')
  const url = `http://${address}`
  await vi.waitFor(async () => expect((await fetch(`${url}/-/ready`)).status).toBe(200), { timeout: 60_000 })
  return {
    url,
    hasValues: async (query, start) => {
      const range = { query: query.replaceAll('$__rate_interval', '1m'), start, end: Date.now() / 1000, step: 1 }
      const search = new URLSearchParams(Object.entries(range).map(([name, value]) => [name, String(value)]))
      const response = await fetch(`${url}/api/v1/query_range?${search}`)
      expect(response.status, query).toBe(200)
      const { data } = (await response.json()) as { data: { result: { values: [number, string][] }[] } }
      return data.result.some(({ values }) => values.some(([, value]) => Number(value) >= 0))
    },
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}
