import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@gatehouse/test/free-port.ts'
import { Visitor } from '@gatehouse/test/visitor.ts'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { services } from './up.ts'

const root = join(import.meta.dirname, '..')
const main = ['cli/main.ts']

/** Runs a command to its end, with nothing of this process' own settings. */
async function gatehouse(args: string[], env: Record<string, string>) {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [...main, ...args], {
      cwd: root,
      env: { PATH: process.env.PATH ?? '', ...env },
      timeout: 120_000,
    })
    return { code: 0, stdout, stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, stdout, stderr }
  }
}

/** The processes that a process has started, and those that they have. */
async function descendants(pid: number): Promise<number[]> {
  const own = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  const children = own.split(' ').filter(Boolean).map(Number)
  return [...children, ...(await Promise.all(children.map(descendants))).flat()]
}

describe('gatehouse up, with the addresses of stores given', () => {
  let folder: string
  let base: string
  let settings: Record<string, string>
  let running: ReturnType<typeof spawn>
  let said = ''

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-up-'))
    const port = await freePort()
    base = `http://127.0.0.1:${port}`
    settings = {
      MONGODB_URL: inject('mongodbUrl'),
      NATS_URL: inject('natsUrl'),
      REDIS_URL: inject('redisUrl'),
      NAMESPACE: `up-${crypto.randomUUID().slice(0, 8)}`,
      GATEHOUSE_DATA: join(folder, 'data'),
      HOST: '127.0.0.1',
      PORT: String(port),
      RATE_LIMITS: 'off',
    }
    running = spawn(process.execPath, [...main, 'up'], {
      cwd: root,
      env: { PATH: process.env.PATH, ...settings },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    running.stderr?.on('data', (chunk) => {
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

  test('bootstrap prints one line with a working token, found by the data folder alone', async () => {
    const calls = []
    for (let n = 0; n < 2; n++) {
      const { code, stdout, stderr } = await gatehouse(['bootstrap', '--account', 'my-fair', '--json'], inData())
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout).toMatch(/^\{[^\n]+\}\n$/)
      calls.push(JSON.parse(stdout))
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
  })

  test('an app and a contact of the command line sign in at sso_url', async () => {
    const common = ['--account', 'sign-in', '--json']
    const account = JSON.parse((await gatehouse(['bootstrap', ...common], inData())).stdout)
    const redirect_uri = 'https://hub.example/callback'
    const named = ['--name', 'Hub', '--redirect-uri', redirect_uri]
    const app = JSON.parse((await gatehouse(['sso-app', 'create', ...common, ...named], inData())).stdout)
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
    expect((await gatehouse(['contact', 'create', ...common, ...person], inData())).code).toBe(0)

    const visitor = new Visitor(base)
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
    await gatehouse(['bootstrap', ...common], inData())
    const made = await gatehouse(['token', 'create', ...common, '--name', 'North', '--scope', 'door'], inData())
    const { _id, token, scope } = JSON.parse(made.stdout)
    expect([scope, (await api('events.json', token)).status]).toEqual(['door', 200])

    const list = await gatehouse(['token', 'list', ...common], inData())
    expect(JSON.parse(list.stdout).map(({ name }: { name: string }) => name)).toEqual(['North', 'bootstrap'])
    expect(list.stdout).not.toContain('gh_')

    expect((await gatehouse(['token', 'revoke', ...common, _id], inData())).code).toBe(0)
    await expect.poll(async () => (await api('events.json', token)).status).toBe(403)
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
    const { code, stdout, stderr } = await gatehouse(args, inData())
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toBe(`gatehouse: ${stderr.slice('gatehouse: '.length).trim()}\n`)
    expect(stderr).toContain(sentence)
  })

  test('a port that is taken is said at once, and how to take another', async () => {
    const { code, stderr } = await gatehouse(['up'], { ...settings, GATEHOUSE_DATA: join(folder, 'other') })
    expect(code).toBe(1)
    expect(stderr).toContain(`Port ${settings.PORT} is taken. Set PORT to a free one`)
  })

  test('a command without a running system says so', async () => {
    const data = { GATEHOUSE_DATA: join(folder, 'nothing') }
    const { code, stderr } = await gatehouse(['bootstrap', '--account', 'a'], data)
    expect([code, stderr]).toEqual([1, expect.stringContaining('Start it with npm start')])
    const dead = { ...data, NATS_URL: `nats://127.0.0.1:${await freePort()}` }
    expect((await gatehouse(['bootstrap', '--account', 'a'], dead)).stderr).toContain('Gatehouse does not answer')
  })

  test('the data folder is its owner’s and holds no token; SIGTERM ends all that was started', async () => {
    const data = settings.GATEHOUSE_DATA as string
    expect((await readdir(data)).sort()).toEqual(['compile-cache', 'run.json', 'secrets.key'])
    for (const file of ['run.json', 'secrets.key']) expect((await stat(join(data, file))).mode & 0o077).toBe(0)
    expect(await readFile(join(data, 'run.json'), 'utf8')).not.toContain('gh_')

    const pids = await descendants(running.pid as number)
    expect(pids.length).toBeGreaterThanOrEqual(4)
    running.kill('SIGTERM')
    const [code] = await once(running, 'exit')
    expect(code).toBe(0)
    expect((await readdir(data)).sort()).toEqual(['compile-cache', 'secrets.key'])
    await expect(fetch(`${base}/livez`)).rejects.toThrow()
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })
})

test.each(['gateway', ...services.map((name) => `services/${name}`)])(
  '%s without its settings ends with code 1 and names them',
  async (folder) => {
    const child = spawn(process.execPath, [`${folder}/main.ts`], {
      cwd: root,
      env: { PATH: process.env.PATH, RATE_LIMITS: 'maybe' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += chunk
    })
    const [code] = await once(child, 'close')
    expect(code).toBe(1)
    // A library may have said something before.
    expect(said).toMatch(/(^|\n)\w+: Configuration: .*NATS_URL is missing[^\n]*\n$/)
    if (folder === 'gateway') expect(said).toContain('RATE_LIMITS is not one of on, off')
    else expect(said).toContain('MONGODB_URL is missing')
  },
)
