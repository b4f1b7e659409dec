// @module-tag slow
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execute } from '@gatehouse/local/execute'
import { findPlatform } from '@gatehouse/local/platform'
import { reservePort } from '@gatehouse/local/ports'
import { isDeep } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { connect } from '../clients/typescript/client.ts'
import manifest from '../package.json' with { type: 'json' }
import { packGatehouse } from './pack.ts'

const root = join(import.meta.dirname, '..')
/** Whether it can have stores of its own here. */
const hasOwn = findPlatform() !== undefined

let temporary: string
/** Where the package is installed. */
let folder: string
/** A command line of `gatehouse` there. */
let command: string[]
let url: string
let env: NodeJS.ProcessEnv
let running: ChildProcess
let said = ''

beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'gatehouse-pack-'))
  await mkdir(join(temporary, 'staging'))
  const tarball = await packGatehouse(temporary, join(temporary, 'staging'))
  if (isDeep) await install(tarball)
  else await unpack(tarball)
  const port = await reservePort()
  url = `http://127.0.0.1:${port}`
  const stores = { MONGODB_URL: inject('mongodbUrl'), NATS_URL: inject('natsUrl'), REDIS_URL: inject('redisUrl') }
  env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: String(port),
    NAMESPACE: `pack-${crypto.randomUUID().slice(0, 8)}`,
    ...(!(isDeep && hasOwn) && stores),
  }
  const [program = '', ...args] = command
  running = spawn(program, [...args, 'up'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] })
  running.stderr?.on('data', (chunk) => {
    said += chunk
  })
  await vi.waitFor(() => expect(said).toContain(`Gatehouse is ready at ${url}`), { timeout: 150_000 })
})
afterAll(async () => {
  if (running?.exitCode === null && running.kill('SIGKILL')) await once(running, 'close')
  for (const each of [temporary, folder]) await rm(each, { recursive: true, force: true })
})

/** As a user does, which takes half a minute of CPU time. npm gets from the network what is not in its cache. */
async function install(tarball: string): Promise<void> {
  folder = join(temporary, 'empty')
  await mkdir(folder)
  await execute('npm', ['install', '--prefer-offline', tarball], { cwd: folder })
  command = ['npx', 'gatehouse']
}

/** Where it finds the dependencies of the repository, but below a `node_modules`, in which Node reads no TypeScript. */
async function unpack(tarball: string): Promise<void> {
  folder = await mkdtemp(join(root, 'node_modules/.pack-'))
  const place = join(folder, 'node_modules/gatehouse')
  await mkdir(place, { recursive: true })
  await execute('tar', ['-xzf', tarball, '--strip-components', '1', '-C', place])
  command = [process.execPath, join(place, 'cli/main.js')]
}

const gatehouse = (...args: string[]): Promise<string> => {
  const [program = '', ...own] = command
  return execute(program, [...own, ...args], { cwd: folder, env })
}

test('the package is code without tests, and declares what it imports', async () => {
  const place = join(temporary, 'staging')
  const files = await readdir(place, { recursive: true })
  expect(files.filter((file) => /\.(ts|tsx)$|\.test\.|testing|^clients\/typescript\/dist/.test(file))).toEqual([])
  const { dependencies } = (await import(join(place, 'package.json'), { with: { type: 'json' } })).default
  const code = files.filter((file) => file.endsWith('.js') && !file.startsWith('apps/'))
  const texts = await Promise.all(code.map((file) => readFile(join(place, file), 'utf8')))
  const imported = [...texts.join('').matchAll(/(?:from |import\()'(?!node:)((?:@[\w.-]+\/)?\w[\w.-]*)/g)]
  const names = new Set(imported.map(([, name = '']) => name))
  expect(names.size).toBeGreaterThan(20)
  expect([...names].filter((name) => !(name in dependencies))).toEqual([])
})

test('the installed command says its version', async () => {
  expect(await gatehouse('--version')).toBe(`${manifest.version}\n`)
})

test.each(['console/', 'scanner/', 'docs', 'openapi.json'])('the installed gateway serves %s', async (path) => {
  expect((await fetch(`${url}/${path}`)).status).toBe(200)
})

test('a guest is checked in by the installed system, once', async () => {
  const { auth_token, account_id } = JSON.parse(await gatehouse('bootstrap', '--account', 'acme', '--json'))
  const client = connect({ url, token: auth_token })
  const { data: event } = await client.POST('/api/v1/events.json', { body: { title: 'Opening', account_id } })
  const params = { path: { event_id: event._id } }
  const { data: category } = await client.POST('/api/v1/events/{event_id}/guest_categories.json', {
    params,
    body: { name: 'VIP' },
  })
  const { data: door } = await client.POST('/api/v1/events/{event_id}/accesspoints.json', {
    params,
    body: { name: 'Door' },
  })
  await client.POST('/api/v1/events/{event_id}/guest_category_accesspoints.json', {
    params,
    body: { guest_category_id: category._id, accesspoint_id: door._id, max_allowed_accesses: 1 },
  })
  await client.POST('/api/v1/events/{event_id}/guests.json', {
    params,
    body: { guest_category_id: category._id, last_name: 'Lovelace', uid: 'ada1815' },
  })
  const scan = async () => {
    const body = { accesspoint_id: door._id, guest_uid: 'ada1815' }
    const { data } = await client.POST('/api/v1/events/{event_id}/access_controls.json', { params, body })
    return data.access_status
  }
  expect([await scan(), await scan()]).toEqual([0, 3])
})

test('SIGTERM ends the installed system', async () => {
  // npx ends first, and leaves its output to the system.
  const closed = once(running, 'close')
  running.kill('SIGTERM')
  await closed
  expect(said).toContain('stopping (')
  await expect(fetch(`${url}/livez`)).rejects.toThrow()
})
