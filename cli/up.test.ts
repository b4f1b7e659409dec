// @module-tag slow
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPlatform } from '@gatehouse/local/platform'
import { reservePort } from '@gatehouse/local/ports'
import { userOf } from '@gatehouse/local/user'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { BrowserSession } from '@gatehouse/test/harness/browser-session.ts'
import { runGatehouse, runGatehouseProcess } from '@gatehouse/test/harness/command-line.ts'
import { bareEnv } from '@gatehouse/test/harness/process.ts'
import { chosen, deep, isDeep } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { serviceNames as services } from '../services/services.ts'
import { storeUsersOf } from '../services/store-users.ts'
import { permissions } from './permissions.ts'
import { systemProcesses } from './system-processes.ts'
import { captured } from './testing/captured-terminal.ts'
import { firstOwnerLine, isOfDeveloper, reachable } from './up.ts'

const root = join(import.meta.dirname, '..')
/** Whether it can have a store of its own here. */
const hasOwn = findPlatform() !== undefined

/** The processes that a process has started, and those that they have. */
async function descendants(pid: number): Promise<number[]> {
  const own = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  const children = own.split(' ').filter(Boolean).map(Number)
  return [...children, ...(await Promise.all(children.map(descendants))).flat()]
}

const addressFor = (scheme: string) => (name: string) => `${scheme}://${name}:password@127.0.0.1`

/** The processes of a system whose credentials are all given. */
const processesOf = (layout: 'shared' | 'separate', operationsPort: number | null = null) =>
  systemProcesses({
    layout,
    urlOf: { NATS_URL: addressFor('nats'), MONGODB_URL: addressFor('mongodb'), REDIS_URL: addressFor('redis') },
    credentials: {
      SECRETS_KEY: 'given',
      SMTP_URL: 'given',
      DKIM_PRIVATE_KEY: 'given',
      MAIL_EVENTS_POSTMARK_LOGIN: 'given',
      MAIL_EVENTS_DSN_SECRET: 'given',
    },
    operationsPort,
  })

/** Addresses without a password. */
const PUBLIC = ['APNS_URL', 'GOOGLE_WALLET_URL', 'PUBLIC_URL']

/** The names of an environment's variables that hold an address with its password, or a key. */
const addressesAndKeys = (env: object): string[] =>
  [...new Set(Object.keys(env))]
    .filter((name) => /_(URL|KEY)$|^(NATS|MONGODB|REDIS)_URL/.test(name) && !PUBLIC.includes(name))
    .sort()

describe('npm start, with a NATS of its own', () => {
  const layout = isDeep ? 'separate' : 'shared'
  let folder: string
  let base: string
  let settings: Record<string, string>
  let running: ReturnType<typeof spawn>
  let said = ''

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-up-'))
    const port = await reservePort()
    base = `http://127.0.0.1:${port}`
    settings = {
      MONGODB_URL: inject('mongodbUrl'),
      // Its own, with users of its own, where it can have one.
      ...(!hasOwn && { NATS_URL: inject('natsUrl') }),
      REDIS_URL: inject('redisUrl'),
      NAMESPACE: `up-${crypto.randomUUID().slice(0, 8)}`,
      GATEHOUSE_DATA: join(folder, 'data'),
      HOST: '127.0.0.1',
      PORT: String(port),
      RATE_LIMITS: 'off',
      PROCESSES: layout,
      SMTP_URL: 'smtp://user:password@127.0.0.1:1',
      MAIL_FROM: 'Gatehouse <noreply@example.org>',
    }
    running = spawn('npm', ['start'], {
      cwd: root,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, npm_config_update_notifier: 'false', ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [running.stdout, running.stderr])
      stream?.on('data', (chunk) => {
        said += chunk
      })
    await vi.waitFor(() => expect(said).toContain('Gatehouse is ready at'), { timeout: 150_000 })
  })
  afterAll(async () => {
    if (running?.exitCode === null) {
      running.kill('SIGTERM')
      await once(running, 'exit')
    }
    await rm(folder, { recursive: true, force: true })
  })

  const api = (path: string, token: string) => fetch(`${base}/api/v1/${path}?auth_token=${token}`)
  const inData = () => ({ GATEHOUSE_DATA: settings.GATEHOUSE_DATA as string })

  test('says where it is; /livez and /readyz are 200 and name each service', async () => {
    expect(said).toContain(base)
    expect((await fetch(`${base}/livez`)).status).toBe(200)
    const ready = async () => {
      const answer = await fetch(`${base}/readyz`)
      return [answer.status, await answer.json()]
    }
    const services = expect.objectContaining({ sso: true, guests: true, checkin: true })
    await expect.poll(ready).toEqual([200, { status: 'ok', services }])
  })

  test.each(['scanner', 'console'])('says where the %s is, and serves it there', async (app) => {
    expect(said).toContain(`${base}/${app}/`)
    expect((await fetch(`${base}/${app}/`)).status).toBe(200)
  })

  test('says how to become the first owner: by a link on a terminal alone, and where the account is clear', async () => {
    const link = new RegExp(`${base}/console/welcome/[\\w-]{43}`)
    const command = `GATEHOUSE_DATA='${inData().GATEHOUSE_DATA}' npx gatehouse bootstrap`
    await expect.poll(() => said).toContain(`first owner: ${command} --account events\n`)
    expect(said).not.toMatch(link)
    const run = JSON.parse(await readFile(join(inData().GATEHOUSE_DATA, 'run.json'), 'utf8'))
    const { nats_url: servers, namespace } = run
    const bus = await connectBus({ servers, namespace, name: 'cli', log: makeLog('test', 'silent'), permissions })
    onTestFinished(() => bus.stop())
    const log = captured({ env: inData() })
    const screen = captured({ env: inData() })
    Object.assign(screen.err, { isTTY: true })
    const [url = ''] = link.exec((await firstOwnerLine(bus, screen)) ?? '') ?? []
    await runGatehouse(['bootstrap', '--account', 'second', '--json'], inData())
    for (const each of [screen, log]) expect(await firstOwnerLine(bus, each)).toMatch(/bootstrap --account SLUG$/)
    const visitor = new BrowserSession(base)
    const body = new URLSearchParams({ name: 'Ada', email: 'ada@example.org', password: 'correct horse battery' })
    const seen = await visitor.request(url, { method: 'POST', body, headers: { origin: base } })
    expect([seen.status, seen.headers.get('location')]).toEqual([303, `${base}/console/`])
    const session = JSON.parse((await visitor.request(`${base}/console/session.json`)).text)
    expect(session).toMatchObject({ account: 'events', staff_member: { email: 'ada@example.org', role: 'owner' } })
    expect(await firstOwnerLine(bus, screen)).toBeUndefined()
  })

  test('with a mail server no e-mail is kept, and there is no page of them', async () => {
    expect((await fetch(`${base}/dev/mail`)).status).toBe(404)
    expect(await readdir(inData().GATEHOUSE_DATA)).not.toContain('mail')
  })

  test('a start that goes well logs no warning and no error, and prints no stack trace', () => {
    expect(said).not.toMatch(/"level":[4-6]0|warning|\n\s+at /i)
  })

  test.runIf(process.platform === 'linux')(
    'each process has the addresses and keys of its services and no others, no right of root, and no password on its command line',
    async () => {
      const written = await readFile(join(inData().GATEHOUSE_DATA, 'credentials.json'), 'utf8').catch(() => '')
      const passwords = written.match(/[0-9a-f]{64}/g) ?? []
      const { mongodb, redis } = storeUsersOf('gatehouse')
      const ofStores = [...Object.keys(mongodb), ...Object.keys(redis)]
      expect(passwords).toHaveLength(hasOwn ? services.length + 4 + ofStores.length : 0)
      const expected = new Map(processesOf(layout).map(({ name, env }) => [name, addressesAndKeys(env)]))
      const uid = userOf('services')?.uid ?? process.getuid?.()
      const found: string[] = []
      for (const pid of await descendants(running.pid as number)) {
        const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8')
        const [line, environment, status] = await Promise.all([read('cmdline'), read('environ'), read('status')])
        for (const password of passwords) expect(line).not.toContain(password)
        // The command line hands them out.
        if (line.includes('cli/main.ts')) continue
        const env: Record<string, string> = Object.fromEntries(
          environment.split('\0').map((each) => each.split(/=(.*)/s, 2)),
        )
        const main = /\/(gateway|services(?:\/\w+)?)\/main\.ts\0/.exec(line)?.[1]
        const name = env.SERVICES?.replaceAll(',', '+') ?? main?.replace('services/', '')
        expect([name, addressesAndKeys(env)]).toEqual([name, (name && expected.get(name)) ?? []])
        if (!name) continue
        found.push(name)
        const users = Object.entries(env).flatMap(([key, url]) =>
          key.startsWith('NATS_URL') ? [new URL(url).username] : [],
        )
        if (hasOwn) expect(users.sort()).toEqual(name.split('+').sort())
        // Its folder in that of the data, though it may not enter those above.
        const ownFolder = await realpath(env.NODE_COMPILE_CACHE?.replace('/self/', `/${pid}/`) ?? '')
        expect(ownFolder).toBe(join(inData().GATEHOUSE_DATA, 'compile-cache'))
        const rights = [/^Uid:\t(\d+)/m.exec(status)?.[1], /^CapEff:\t(\w+)/m.exec(status)?.[1]]
        // Where no other user can read this checkout, the start says so.
        if (!said.includes('run as root')) expect(rights).toEqual([String(uid), '0'.repeat(16)])
      }
      expect(found.sort()).toEqual([...expected.keys()].sort())
    },
  )

  test('bootstrap prints one line with a working token, found by the data folder alone', async () => {
    const calls = []
    for (let n = 0; n < 2; n++) {
      const { code, out, err } = await runGatehouse(['bootstrap', '--account', 'my-fair', '--json'], inData())
      expect([code, err]).toEqual([0, ''])
      expect(out).toMatch(/^\{[^\n]+\}\n$/)
      calls.push(JSON.parse(out))
    }
    for (const call of calls) {
      expect(call).toEqual({
        account_id: calls[0].account_id,
        auth_token: expect.stringMatching(/^gh_/),
        base_url: base,
        sso_url: `${base}/sso/my-fair`,
      })
      const me = await api('me.json', call.auth_token)
      expect([me.status, me.headers.get('ratelimit-limit')]).toEqual([200, null])
    }
    expect(calls[0].auth_token).not.toBe(calls[1].auth_token)
    const { err } = await runGatehouse(['bootstrap', '--account', 'my-fair'], inData())
    expect(err).toContain('has 2 tokens of earlier bootstraps, still valid. This is one more, for a program')
  })

  test('an app and a contact of the command line sign in at sso_url', async () => {
    const common = ['--account', 'sign-in', '--json']
    const account = JSON.parse((await runGatehouse(['bootstrap', ...common], inData())).out)
    const redirect_uri = 'https://hub.example/callback'
    const named = ['--name', 'Hub', '--redirect-uri', redirect_uri]
    const app = JSON.parse((await runGatehouse(['sso-app', 'create', ...common, ...named], inData())).out)
    const person = [
      '--email',
      'ada@example.org',
      '--password',
      'correct horse',
      '--first-name',
      'Ada',
      '--last-name',
      'L',
    ]
    expect((await runGatehouse(['contact', 'create', ...common, ...person], inData())).code).toBe(0)

    const visitor = new BrowserSession(base)
    const query = new URLSearchParams({ client_id: app.client_id, redirect_uri, response_type: 'code', state: 's' })
    const login = await visitor.open(`${account.sso_url}/oauth/authorize?${query}`)
    const consent = await visitor.submit(login, {
      email: 'ada@example.org',
      password: 'correct horse',
      step: 'password',
    })
    const back = new URL((await visitor.submit(consent, { step: 'allow' })).url)
    const form = { ...app, redirect_uri, grant_type: 'authorization_code', code: back.searchParams.get('code') ?? '' }
    const answer = await fetch(`${account.sso_url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })
    const { access_token } = (await answer.json()) as { access_token: string }
    const me = await fetch(`${account.sso_url}/api/v1/me`, { headers: { authorization: `Bearer ${access_token}` } })
    expect(await me.json()).toMatchObject({ email: 'ada@example.org', first_name: 'Ada', last_name: 'L' })
  })

  test('tokens are issued, listed and revoked', async () => {
    const common = ['--account', 'tokens', '--json']
    await runGatehouse(['bootstrap', ...common], inData())
    const made = await runGatehouse(['token', 'create', ...common, '--name', 'North', '--scope', 'door'], inData())
    const { _id, token, scope } = JSON.parse(made.out)
    expect([scope, (await api('events.json', token)).status]).toEqual(['door', 200])

    const list = await runGatehouse(['token', 'list', ...common], inData())
    expect(JSON.parse(list.out).map(({ name }: { name: string }) => name)).toEqual(['North', 'bootstrap'])
    expect(list.out).not.toContain('gh_')

    expect((await runGatehouse(['token', 'revoke', ...common, _id], inData())).code).toBe(0)
    await expect.poll(async () => (await api('events.json', token)).status).toBe(403)
  })

  test('devices are created with a code in the terminal, listed, renamed, rolled and revoked', async () => {
    const made = await runGatehouse(['bootstrap', '--account', 'devices', '--json'], inData())
    const { auth_token, account_id } = JSON.parse(made.out)
    const body = JSON.stringify({ title: 'Fair', account_id })
    const headers = { authorization: `Bearer ${auth_token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${base}/api/v1/events.json`, { method: 'POST', headers, body })
    const { _id: event } = (await answer.json()) as { _id: string }
    const device = async (...args: string[]) =>
      (await runGatehouse(['device', ...args, '--event', event], inData())).out
    const exchange = async (given = ''): Promise<{ _id?: string }> =>
      (await fetch(`${base}/api/v1/device_codes/${given}/exchange.json`, { method: 'POST' })).json() as object

    const [code, url, , ...picture] = (await device('create', '--name', 'North')).split('\n')
    expect(url).toBe(`${base}/scanner/#${code}`)
    expect(picture.join('')).toMatch(/^[ ▀▄█]{200,}$/)
    const { _id = '' } = await exchange(code)
    const [list, rolled] = await Promise.all([device('list'), device('roll', _id, '--json')])
    expect(list).toBe(`${_id}\tNorth\tnever seen\n`)
    expect((await exchange(JSON.parse(rolled).code))._id).toBe(_id)
    const { code: long, code_expires_at } = JSON.parse(await device('roll', _id, '--json', '--code-hours', '24'))
    expect(long.replaceAll('-', '')).toHaveLength(12)
    expect(Date.parse(code_expires_at) - Date.now()).toBeGreaterThan(23 * 3_600_000)
    expect(await device('rename', _id, '--name', 'South')).toBe('renamed to South\n')
    expect(await device('list')).toBe(`${_id}\tSouth\tnever seen\n`)
    expect(await device('revoke', _id)).toBe('revoked South\n')
  })

  test.each([
    ['an account that is not there', ['token', 'list', '--account', 'nobody'], 'There is no account nobody'],
    ['an account that has no such name', ['bootstrap', '--account', 'No Name'], 'Slug is not valid'],
    [
      'an event that is not there',
      ['token', 'create', '--account', 'my-fair', '--name', 'a', '--scope', 'door', '--event', 'f'.repeat(24)],
      'Event is not an event of the account',
    ],
  ])('%s: one sentence, code 1', async (_what, args, sentence) => {
    const { code, out, err } = await runGatehouse(args, inData())
    expect([code, out]).toEqual([1, ''])
    expect(err).toBe(`gatehouse: ${err.slice('gatehouse: '.length).trim()}\n`)
    expect(err).toContain(sentence)
  })

  test('a port that is taken is said at once, and how to take another', async () => {
    const { code, err } = await runGatehouse(['up'], { ...settings, GATEHOUSE_DATA: join(folder, 'other') })
    expect(code).toBe(1)
    expect(err).toContain(`Port ${settings.PORT} is taken. Set PORT to a free one`)
  })

  test('a wrong setting of its own is said before anything starts', async () => {
    expect(await runGatehouse(['up'], { ...settings, PORT: 'http' })).toEqual({
      code: 2,
      out: '',
      err: 'gatehouse: Configuration: PORT is not a whole number\n',
    })
  })

  test('a command without a running system says so', async () => {
    const data = { GATEHOUSE_DATA: join(folder, 'nothing') }
    const { code, err } = await runGatehouse(['bootstrap', '--account', 'a'], data)
    expect([code, err]).toEqual([1, expect.stringContaining('Start it with npx gatehouse up')])
    const dead = { ...data, NATS_URL: `nats://127.0.0.1:${await reservePort()}` }
    expect((await runGatehouse(['bootstrap', '--account', 'a'], dead)).err).toContain('Gatehouse is not responding')
  })

  test('the data folder is its owner’s and holds no token; SIGTERM to npm ends all that it started', async () => {
    const data = settings.GATEHOUSE_DATA as string
    const files = await readdir(data)
    expect(files).toEqual(expect.arrayContaining(['run.json', 'secrets.key']))
    for (const file of files) expect([file, (await stat(join(data, file))).mode & 0o077]).toEqual([file, 0])
    expect(await readFile(join(data, 'run.json'), 'utf8')).not.toContain('gh_')

    const pids = await descendants(running.pid as number)
    expect(pids.length).toBeGreaterThanOrEqual(4)
    running.kill('SIGTERM')
    await once(running, 'exit')
    expect(said).toContain('stopping (SIGTERM)\n')
    expect(await readdir(data)).toEqual(expect.not.arrayContaining(['run.json']))
    expect(await readdir(data)).toEqual(expect.not.arrayContaining(['stack.json']))
    await expect(fetch(`${base}/livez`)).rejects.toThrow()
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  test('a wrong setting of a service is said at once: its process is started once', async () => {
    // In the folder of the system that has ended: its processes find their code compiled, which is half of the CPU time.
    const own = { PORT: String(await reservePort()), NATS_URL: inject('natsUrl') }
    const wrong = { ...settings, ...own, HOOK_TIMEOUT_MS: 'never' }
    const { code, out, err } = await runGatehouseProcess(['up'], wrong)
    const name = layout === 'shared' ? 'mail+badges+hooks' : 'hooks'
    const sentence = `${name}: Configuration: HOOK_TIMEOUT_MS is not a whole number`
    expect([code, err]).toEqual([1, expect.stringContaining(`${name} can't start (exit code 2). ${sentence}\n`)])
    expect(out.split(sentence)).toHaveLength(2)
  })
})

test.each([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '127.0.0.1'],
  ['127.0.0.1', '127.0.0.1'],
  ['localhost', 'localhost'],
  ['192.168.1.5', '192.168.1.5'],
  ['fd00::5', '[fd00::5]'],
])('a gateway that listens on %s is asked for its readiness at %s', (host, name) => {
  expect(reachable(host, 8080)).toBe(`http://${name}:8080`)
})

test.each([
  ['127.0.0.1', 'http://127.0.0.1:8080', true],
  ['::1', 'http://localhost:8080', true],
  ['0.0.0.0', 'http://127.0.0.1:8080', false],
  ['127.0.0.1', 'https://events.example.org', false],
  ['127.0.0.1', 'http://127.0.0.1.example.org', false],
  ['127.0.0.1', 'nonsense', false],
])('a gateway on %s that is known as %s is there for this machine alone: %s', (host, base_url, expected) => {
  expect(isOfDeveloper(host, base_url)).toBe(expected)
})

test.each(['shared', 'separate'] as const)(
  'processes that are %s get the addresses and keys that the settings of their services declare, and no others',
  async (layout) => {
    const seen: string[] = []
    for (const { services: served, env } of processesOf(layout)) {
      const folders = served.length > 0 ? served.map((name) => `services/${name}/service.ts`) : ['gateway/gateway.ts']
      const declared = await Promise.all(
        folders.map((file) => import(join(root, file)) as Promise<{ settings: object }>),
      )
      const wanted = declared.flatMap(({ settings }, index) =>
        Object.keys(settings).map((setting) => {
          const name = setting.toUpperCase()
          const isOwn = /^(NATS|MONGODB|REDIS)_URL$/.test(name) && served.length > 1
          return isOwn ? `${name}_${served[index]?.toUpperCase()}` : name
        }),
      )
      expect(addressesAndKeys(env)).toEqual(addressesAndKeys(Object.fromEntries(wanted.map((name) => [name, 'given']))))
      seen.push(...served)
    }
    expect(seen.sort()).toEqual([...services].sort())
  },
)

test('each process has an operations port of its own, from that of the gateway on, if there is one', () => {
  const ports = (first: number | null) => processesOf('shared', first).map(({ env }) => env.OPERATIONS_PORT)
  expect(ports(9_464)).toEqual(['9464', '9465', '9466', '9467'])
  expect(ports(0)).toEqual(['0', '0', '0', '0'])
  expect(ports(null)).toEqual(['', '', '', ''])
})

test.each<[string, (npm: number, up: number) => void]>([
  ['its terminal is closed', (_, up) => process.kill(up, 'SIGHUP')],
  ['npm, which started it, is killed', (npm) => process.kill(npm, 'SIGKILL')],
])('a system ends with all its processes when %s, also while it starts', deep, async (_, end) => {
  const data = await mkdtemp(join(tmpdir(), 'gatehouse-up-'))
  const given = { MONGODB_URL: inject('mongodbUrl'), NATS_URL: inject('natsUrl'), REDIS_URL: inject('redisUrl') }
  const own = {
    NAMESPACE: `up-${crypto.randomUUID().slice(0, 8)}`,
    GATEHOUSE_DATA: data,
    PORT: String(await reservePort()),
  }
  // A shell in between, as npm has one for a package's command.
  const npm = spawn('sh', ['-c', '"$0" cli/main.ts up; true', process.execPath], {
    cwd: root,
    env: { PATH: process.env.PATH, npm_command: 'exec', ...given, ...own },
    stdio: 'ignore',
  })
  const started = (): Promise<number[]> => descendants(npm.pid as number)
  await expect.poll(async () => (await started()).length).toBeGreaterThanOrEqual(4)
  const pids = await started()
  end(npm.pid as number, pids[0] as number)
  await expect.poll(() => pids.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([])
  await rm(data, { recursive: true, force: true })
})

test.each(['gateway', ...chosen(services).map((name) => `services/${name}`)])(
  '%s without its settings ends with code 2 and names them',
  async (folder) => {
    const child = spawn(process.execPath, [`${folder}/main.ts`], {
      cwd: root,
      env: { ...bareEnv, RATE_LIMITS: 'maybe' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += chunk
    })
    const [code] = await once(child, 'close')
    expect(code).toBe(2)
    expect(said).toMatch(/^\w+: Configuration: .*NATS_URL is missing[^\n]*\n$/)
    if (folder === 'gateway') expect(said).toContain('RATE_LIMITS is not one of on, off')
    // The mail service has no database.
    else if (folder !== 'services/mail') expect(said).toContain('MONGODB_URL is missing')
  },
)
