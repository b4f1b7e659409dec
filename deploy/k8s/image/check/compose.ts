import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execute } from '@gatehouse/local/execute'
import { cacheFolder, ensureFetched } from '@gatehouse/local/fetched'
import { reservePort } from '@gatehouse/local/ports'
import type { Phase } from '@gatehouse/test/load/phases.ts'
import { parse } from 'yaml'
import { type Client, connect } from '../../../../clients/typescript/client.ts'
import { RELEASE, unpackDebian } from './bases.ts'
import { type Engine, NETWORK } from './engine.ts'
import { until } from './event.ts'
import type { Report } from './report.ts'

/** A service of a compose file, as far as this one uses it. */
interface Service {
  command: string[]
  environment?: Record<string, string>
  configs?: { source: string; target: string }[]
  volumes: string[]
  ports: [string]
  healthcheck: { test: ['CMD', ...string[]] }
}

interface ComposeFile {
  configs: Record<string, { content: string }>
  services: Record<string, Service>
}

/** What images consist of whose programs Debian has: packages, and what they start before the command. */
const MADE: Record<string, { packages: string[]; entrypoint: string[] }> = {
  nats: { packages: ['nats-server', 'busybox'], entrypoint: ['nats-server'] },
  redis: { packages: ['redis-server'], entrypoint: [] },
}

const root = join(import.meta.dirname, '../../../..')

/** Runs those stores of deploy/compose.yaml whose images can be made of packages, as it says, and Gatehouse with them. */
export async function checkCompose(engine: Engine, report: Report, { signal, waitFor }: Phase): Promise<void> {
  const password = randomBytes(32).toString('hex')
  const text = await readFile(join(root, 'deploy/compose.yaml'), 'utf8')
  const { configs, services } = parse(text.replaceAll(/\$\{STORES_PASSWORD[^}]*\}/g, password)) as ComposeFile
  const others = Object.keys(services).filter((name) => !MADE[name])
  report.step(`compose.yaml without ${others.join(', ')}: their images can't be made`)
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-compose-'))
  for (const [name, { content }] of Object.entries(configs))
    await writeFile(join(folder, name), content, { mode: 0o444 })
  const names = Object.keys(MADE)
  for (const name of names) {
    waitFor(`the image of ${name}`)
    await makeImage(engine, name, report)
  }
  const addresses: Record<string, string> = {}
  const startAll = async (): Promise<void> => {
    for (const name of names) {
      const service = services[name] as Service
      addresses[name] = await startService(engine, name, service, folder, addresses[name])
      waitFor(`${name} to be healthy`)
      const [, ...test] = service.healthcheck.test
      await until(signal, () => engine.exec(name, test).catch(() => undefined))
    }
  }
  await report.check(`${names.join(' and ')} of compose.yaml become healthy`, startAll)
  await report.check('a health check fails where the password is wrong', async () => {
    const [, ...test] = services.redis?.healthcheck.test ?? []
    await assert.rejects(engine.exec('redis', ['env', 'REDISCLI_AUTH=wrong', ...test]))
  })
  const PORT = String(await reservePort())
  const env = {
    PATH: process.env.PATH,
    PORT,
    GATEHOUSE_DATA: await mkdtemp(join(tmpdir(), 'gatehouse-data-')),
    NATS_URL: `nats://gatehouse:${password}@${addresses.nats}:4222`,
    REDIS_URL: `redis://:${password}@${addresses.redis}:6379`,
  }
  waitFor('npm start')
  const up = spawn(process.execPath, ['cli/main.ts', 'up'], { cwd: root, env, stdio: 'ignore' })
  try {
    const url = `http://127.0.0.1:${PORT}`
    const untilReady = () =>
      until(signal, async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok || undefined)
    let scan: (() => Promise<number>) | undefined
    await report.check('npm start runs with them, and lets a guest in', async () => {
      await untilReady()
      const args = ['cli/main.ts', 'bootstrap', '--account', 'acme', '--json']
      const { auth_token: token, account_id } = JSON.parse(await execute(process.execPath, args, { cwd: root, env }))
      scan = await openDoor(connect({ url, token }), account_id)
      assert.equal(await scan(), 0)
    })
    await report.check('all goes on when their containers are made anew, and their volumes stay', async () => {
      await engine.podman('rm', '--force', ...names)
      await startAll()
      await untilReady()
      assert.equal(await scan?.(), 3)
      assert.match(await engine.exec('nats', ['ls', '/data/jetstream/$G/streams']), /gatehouse_domain/)
      assert.match(await engine.exec('redis', ['redis-cli', 'keys', '*']), /gatehouse:/)
    })
  } finally {
    up.kill()
    await once(up, 'exit')
    for (const each of [folder, env.GATEHOUSE_DATA]) await rm(each, { recursive: true, force: true })
  }
}

/** Prepares an event with one guest, and returns what scans that guest: the status of the check-in. */
async function openDoor(client: Client, account_id: string): Promise<() => Promise<number>> {
  const { data: event } = await client.POST('/api/v1/events.json', { body: { title: 'Opening', account_id } })
  const params = { path: { event_id: event._id } }
  const { data: door } = await client.POST('/api/v1/events/{event_id}/accesspoints.json', {
    params,
    body: { name: 'Door' },
  })
  const { data: category } = await client.POST('/api/v1/events/{event_id}/guest_categories.json', {
    params,
    body: { name: 'All', guest_category_accesspoints: [{ accesspoint_id: door._id, max_allowed_accesses: 1 }] },
  })
  await client.POST('/api/v1/events/{event_id}/guests.json', {
    params,
    body: { guest_category_id: category._id, uid: 'ada' },
  })
  return async () => {
    const body = { accesspoint_id: door._id, guest_uid: 'ada' }
    const { data } = await client.POST('/api/v1/events/{event_id}/access_controls.json', { params, body })
    return data.access_status
  }
}

/** Makes `localhost/NAME` of packages of Debian. */
async function makeImage(engine: Engine, name: string, report: Report): Promise<void> {
  const { packages, entrypoint } = MADE[name] ?? { packages: [], entrypoint: [] }
  const archive = join(cacheFolder(), `images-${RELEASE}-${name}-1`)
  const log = (line: string): void => report.step(line)
  await ensureFetched(
    archive,
    { name: `files of the image ${name}`, elsewhere: 'run Docker', neededMb: 500, log },
    async (partial) => {
      const unpacked = await unpackDebian(partial, name, ['base-files', 'coreutils', ...packages])
      if (packages.includes('busybox')) await symlink('busybox', join(unpacked, 'usr/bin/wget'))
      await mkdir(join(partial, 'made'))
      await execute('tar', ['--create', '--file', join(partial, 'made/root.tar'), '--directory', unpacked, '.'])
      return join(partial, 'made')
    },
  )
  const changes = ['ENV PATH=/usr/sbin:/usr/bin:/sbin:/bin', `ENTRYPOINT ${JSON.stringify(entrypoint)}`]
  const options = changes.flatMap((change) => ['--change', change])
  await engine.podman('import', '--quiet', ...options, join(archive, 'root.tar'), `localhost/${name}`)
}

/** Starts the container of a service, at the address that it had before, and returns it. */
async function startService(
  engine: Engine,
  name: string,
  service: Service,
  folder: string,
  before?: string,
): Promise<string> {
  const { command, environment = {}, configs = [], volumes } = service
  const options = [
    ...Object.entries(environment).map(([key, value]) => `--env=${key}=${value}`),
    ...configs.map(({ source, target }) => `--volume=${join(folder, source)}:${target}:ro`),
    ...volumes.map((volume) => `--volume=${volume}`),
    ...(before ? [`--ip=${before}`] : []),
  ]
  await engine.podman(
    'run',
    '--detach',
    '--name',
    name,
    '--network',
    NETWORK,
    ...options,
    `localhost/${name}`,
    ...command,
  )
  const [inspected] = JSON.parse(await engine.podman('inspect', name))
  return inspected.NetworkSettings.Networks[NETWORK].IPAddress
}
