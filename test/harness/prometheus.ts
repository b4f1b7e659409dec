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
  stop(): Promise<void>
}

/** Starts a Prometheus that asks operations ports every second; `targets` are their addresses (`127.0.0.1:port`) by `service_name`. */
export async function startPrometheus(targets: Record<string, string>): Promise<OwnPrometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-prometheus-'))
  const static_configs = Object.entries(targets).map(([service_name, target]) => ({
    targets: [target],
    labels: { service_name },
  }))
  // JSON is YAML.
  const configuration = { scrape_configs: [{ job_name: 'gatehouse', scrape_interval: '1s', static_configs }] }
  await writeFile(join(folder, 'prometheus.yaml'), JSON.stringify(configuration))
  const address = `127.0.0.1:${await reservePort()}`
  const child = spawn(
    await findOperatorTool('prometheus', console.error),
    [
      `--config.file=${join(folder, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ],
    { stdio: 'ignore' },
  )
  const ended = once(child, 'exit')
  const url = `http://${address}`
  await vi.waitFor(async () => expect((await fetch(`${url}/-/ready`)).status).toBe(200), { timeout: 60_000 })
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}
