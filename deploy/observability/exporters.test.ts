// @module-tag slow
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findOperatorTool } from '@gatehouse/local/operator-tools'
import { findPlatform } from '@gatehouse/local/platform'
import { reservePort } from '@gatehouse/local/ports'
import { makeCertificate } from '@gatehouse/test/harness/certificates.ts'
import { startTlsRedis } from '@gatehouse/test/harness/tls-stores.ts'
import { describe, expect, test, vi } from 'vitest'
import { parseAllDocuments } from 'yaml'

const read = (path: string) => readFile(join(import.meta.dirname, path), 'utf8')

// Debian's is newer (1.86) than that of deploy/k8s/stores (1.44); it has neither NATS' nor a MongoDB exporter with the arguments there.
describe.runIf(findPlatform())('the exporter of Redis', () => {
  test('has the metrics of the alerts, by TLS, with the settings of the operator and the memory of deploy/k8s/stores', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-exporter-'))
    const { ca, cert, key, ...certificate } = await makeCertificate(folder)
    const redis = await startTlsRedis({ ca, cert, key, ...certificate }, folder)
    const [config] = parseAllDocuments(await read('../k8s/stores/redis.yaml')).map((each) => each.toJS())
    const [, megabytes = ''] = /^maxmemory (\d+)mb$/m.exec(config.data['redis-additional.conf']) ?? []
    await redis.client.config('SET', 'maxmemory', `${megabytes}mb`)

    const { host, password } = new URL(redis.url)
    const address = `127.0.0.1:${await reservePort()}`
    const exporter = spawn(await findOperatorTool('prometheus-redis-exporter', console.error), [], {
      env: {
        REDIS_ADDR: `rediss://${host}`,
        REDIS_PASSWORD: password,
        REDIS_EXPORTER_TLS_CA_CERT_FILE: ca,
        REDIS_EXPORTER_TLS_CLIENT_CERT_FILE: cert,
        REDIS_EXPORTER_TLS_CLIENT_KEY_FILE: key,
        REDIS_EXPORTER_SKIP_TLS_VERIFICATION: 'true',
        REDIS_EXPORTER_WEB_LISTEN_ADDRESS: address,
      },
      stdio: 'ignore',
    })
    const ended = once(exporter, 'exit')
    const page = await vi.waitFor(async () => await (await fetch(`http://${address}/metrics`)).text(), {
      timeout: 60_000,
    })
    exporter.kill()
    redis.stop()
    await ended
    await rm(folder, { recursive: true })

    const values = Object.fromEntries(page.split('\n').map((line) => line.split(' ')))
    const asked = new Set([...(await read('alerts.yaml')).matchAll(/\bredis_\w+/g)].map(([name]) => name))
    expect(asked.size).toBeGreaterThan(1)
    for (const name of asked) expect(Number(values[name]), name).toBeGreaterThan(0)
    expect(Number(values.redis_memory_max_bytes)).toBe(Number(megabytes) * 1024 ** 2)
  })
})
