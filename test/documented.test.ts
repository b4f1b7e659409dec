// @module-tag slow
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { guideNames, guides } from '@gatehouse/gateway/guides'
import document from '@gatehouse/gateway/openapi.json' with { type: 'json' }
import { reservePort } from '@gatehouse/local/ports'
import { findTool } from '@gatehouse/local/test-tools'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settingsFor } from './harness/command-line.ts'
import { installClient } from './harness/installed-client.ts'
import { startReceiver } from './harness/receiver.ts'
import { sharedSystem } from './harness/shared-system.ts'
import { type SiteApp, SsoSite } from './harness/sso-site.ts'
import { TestEvent } from './harness/test-event.ts'

const system = await sharedSystem()

/** A fenced block of a guide. */
interface Block {
  language: string
  text: string
}

const execute = promisify(execFile)
const root = join(import.meta.dirname, '..')
const folder = join(root, 'docs/guides')
const clients = join(root, 'clients')
const START = 'first-check-in'

/** The fenced blocks of a guide, or of another page by its path from there. */
async function blocksOf(guide: string): Promise<Block[]> {
  const text = await readFile(join(folder, `${guide}.md`), 'utf8')
  return [...text.matchAll(/^ *```(\w+)\n(.*?)^ *```$/gms)].map(([, language = '', text = '']) => ({ language, text }))
}

const SEPARATOR = '=== end of a block ==='

/** Where guides that are programs run, with the client as npm would install it. */
let programs: string
beforeAll(async () => {
  programs = await installClient()
  await writePrograms()
})
afterAll(async () => {
  await rm(programs, { recursive: true })
})

/** What the shell blocks of a guide print, and the environment of the shell after them. */
interface Shown {
  printed: string[]
  env: NodeJS.ProcessEnv
}

/** Runs the shell blocks of a guide as one script. All that they define is exported. */
async function runBlocks(guide: string, env: NodeJS.ProcessEnv, cwd = root): Promise<Shown> {
  const blocks = (await blocksOf(guide)).filter(({ language }) => language === 'sh')
  const script = blocks.map(({ text }) => `${text}echo '${SEPARATOR}'\n`).join('')
  const { stdout } = await execute('bash', ['-aeuc', `${script}env --null`], { env, cwd })
  const printed = stdout.split(`${SEPARATOR}\n`)
  const variables = printed.pop()?.split('\0').slice(0, -1) ?? []
  return { printed, env: Object.fromEntries(variables.map((each) => each.split(/=(.*)/s, 2))) }
}

let start: Promise<Shown> | undefined
/** A guide whose answers list what others left in the event. */
const ALONE = 'personal-data'

/** Runs the shell blocks of a guide in the shell of the first guide, whose variables and functions they use. Returns the output of each block. */
async function runShell(guide: string): Promise<string[]> {
  if (!start || guide === ALONE) start = runBlocks(START, environment())
  const { printed, env } = await start
  return guide === START ? printed : (await runBlocks(guide, env)).printed
}

/** How the programs of guides print a separator, by their languages. */
const PROGRAMS: Record<string, string> = {
  ts: `console.log('${SEPARATOR}')`,
  py: `print('${SEPARATOR}')`,
  php: `echo '${SEPARATOR}', "\\n";`,
}

/** Writes the blocks of each guide that is a program as one, beside the clients that it loads. */
async function writePrograms(): Promise<void> {
  for (const guide of guideNames) {
    const blocks = (await blocksOf(guide)).filter(({ language }) => language in PROGRAMS)
    const program = blocks.map(({ language, text }) => `${text}${PROGRAMS[language]}\n`).join('')
    if (program) await writeFile(join(programs, `${guide}.${blocks[0]?.language}`), program)
  }
  await symlink(join(clients, 'python/gatehouse'), join(programs, 'gatehouse'))
  await mkdir(join(programs, 'vendor'))
  await symlink(join(clients, 'php/test/autoload.php'), join(programs, 'vendor/autoload.php'))
}

/** Runs the program of a guide. Returns the output of each block. */
async function runProgram(guide: string, language: string): Promise<string[]> {
  const tools = { py: 'python', php: 'php' } as const
  const tool = language === 'py' || language === 'php' ? await findTool(tools[language], console.log) : undefined
  const env = { ...tool?.env, ...environment(), PYTHONDONTWRITEBYTECODE: '1' }
  const { stdout } = await execute(tool?.path ?? 'node', [join(programs, `${guide}.${language}`)], { env })
  return stdout.split(`${SEPARATOR}\n`).slice(0, -1)
}

/** What a reader of the guides has in the shell. */
function environment(): NodeJS.ProcessEnv {
  const { account_id: ACCOUNT, auth_token: TOKEN, url: BASE } = system
  return { PATH: process.env.PATH, ACCOUNT, TOKEN, BASE, SSO: `${BASE}/sso/${system.slug}` }
}

/** A matcher for an expected answer, in which `"…"` stands for any text. */
function like(expected: unknown): unknown {
  if (expected === '…') return expect.stringMatching(/./)
  if (Array.isArray(expected)) return expected.map(like)
  if (typeof expected !== 'object' || expected === null) return expected
  return expect.objectContaining(
    Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, like(value)])),
  )
}

test('the docs page has every guide, and none is long', async () => {
  // Those for organizers are pages of the console.
  const files = (await readdir(folder)).flatMap((file) => /^(.+)\.md$/.exec(file)?.[1] ?? [])
  expect(files.toSorted()).toEqual(guideNames.toSorted())
  for (const guide of guides()) {
    expect(guide).toMatch(/^# \S/)
    expect(guide.split(/\s+/).length, guide.slice(0, 30)).toBeLessThan(450)
  }
})

test('the programs of the guides have no type errors', async () => {
  await execute('tsc', ['--project', programs], { env: environment() }).catch(({ stdout }) => expect.fail(stdout))
})

test.each(guideNames)('the commands of the guide %s print what it says', async (guide) => {
  const blocks = await blocksOf(guide)
  const { language: run = 'sh' } = blocks.find(({ language }) => language in PROGRAMS) ?? {}
  const printed = await (run === 'sh' ? runShell(guide) : runProgram(guide, run))
  let at = -1
  for (const { language, text } of blocks) {
    if (language === run) at++
    else if (language === 'json')
      expect(JSON.parse(printed[at]?.trim().split('\n').at(-1) ?? ''), text).toEqual(like(JSON.parse(text)))
  }
  expect(printed).toHaveLength(at + 1)
})

const README = '../../README'
/** The pages besides guides that have commands. What only a cluster or a reader can run is in `console` blocks. */
const pages = (await readdir(join(root, 'docs'))).flatMap((file) => /^(.+)\.md$/.exec(file)?.[1] ?? [])
const described = await Promise.all(
  [README, ...pages.map((page) => `../${page}`)].map(async (page) => ({ page, blocks: await blocksOf(page) })),
)
const runbooks = described.filter(({ blocks }) => blocks.some(({ language }) => language === 'sh'))

describe('outside the guides', () => {
  /** What commands write stays out of the checkout. */
  let cwd: string
  let readme: Shown
  beforeAll(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'runbook-'))
    for (const entry of await readdir(root)) await symlink(join(root, entry), join(cwd, entry))
    await writeFile(join(cwd, 'password.txt'), 'a password that nobody guesses')
    readme = await runBlocks(README, { ...environment(), ...settingsFor(system), PUBLIC_URL: system.url }, cwd)
  })
  afterAll(() => rm(cwd, { recursive: true }))

  test.each(runbooks)('the commands of a page run, in the shell of the README: $page', async ({ page }) => {
    const { printed } = page === README ? readme : await runBlocks(page, readme.env, cwd)
    // Nobody sends e-mails here.
    expect(printed.join('').replaceAll('"error":"The service cannot answer now', '')).not.toMatch(/"errors?":/)
  })

  test('the first guest of the README is let in once', () => {
    expect(readme.printed.join('')).toMatch(/"access_status":0\n"access_status":3\n$/)
  })
})

test('the signature check in the guide accepts genuine requests only', async () => {
  const [code] = (await blocksOf('webhooks')).filter(({ language }) => language === 'js')
  const directory = await mkdtemp(join(tmpdir(), 'guide-'))
  const file = join(directory, 'genuine.mjs')
  await writeFile(file, code?.text ?? '')
  const { isGenuine } = await import(file)
  const receiver = await startReceiver()
  await system.api('POST', 'webhooks.json', { url: receiver.url, event_types: ['guest.created'] })
  const { body: event } = await system.api('POST', 'events.json', { title: 'Hooked', account_id: system.account_id })
  const { body: category } = await system.api('POST', `events/${event._id}/guest_categories.json`, { name: 'VIP' })
  await system.api('POST', `events/${event._id}/guests.json`, {
    guest_category_id: category._id,
    last_name: 'Lovelace',
  })
  const [{ headers, body } = expect.fail()] = await receiver.until((received) => received.length > 0)
  const { secret } = (await system.api('GET', 'webhook_secret.json')).body
  expect(isGenuine(secret, headers, body)).toBe(true)
  expect(isGenuine(secret, headers, body.replace('Lovelace', 'Babbage'))).toBe(false)
  expect(isGenuine(secret, { ...headers, 'webhook-timestamp': '1' }, body)).toBe(false)
  expect(isGenuine(secret, {}, body)).toBe(false)
  expect(isGenuine('whsec_b3RoZXI=', headers, body)).toBe(false)
  await receiver.close()
  await rm(directory, { recursive: true })
})

test('the receiver of the CRM guide stores those who came, and accepts genuine requests only', async () => {
  const [program] = (await blocksOf('crm')).filter(({ language }) => language === 'python')
  await writeFile(join(programs, 'receiver.py'), program?.text ?? '')
  const crm = await startReceiver()
  const PORT = String(await reservePort())
  const { path, env } = await findTool('python', console.log)
  const given = { ...env, ...environment(), PORT, CRM_URL: `${crm.url}/upsert`, CRM_TOKEN: 'crm-secret' }
  const receiver = spawn(path, [join(programs, 'receiver.py')], {
    env: { ...given, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: 'ignore',
  })
  try {
    const url = `http://127.0.0.1:${PORT}/`
    await expect
      .poll(() =>
        fetch(url, { method: 'POST', body: '{}' }).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(401)
    await system.api('POST', 'webhooks.json', { url, event_types: ['check_in.created'], access_statuses: [0] })
    const event = await TestEvent.open(system)
    const [category, door] = [await event.category(), await event.point()]
    await event.link(category, door)
    const ada = {
      guest_category_id: category,
      first_name: 'Ada',
      last_name: 'Lovelace',
      uid: 'ada1815',
      email: 'ada@example.com',
    }
    await event.make('guests.json', ada)
    await event.make('access_controls.json', { accesspoint_id: door, guest_uid: 'ada1815' })
    const [stored] = await crm.until((received) => received.length > 0)
    expect(stored).toMatchObject({
      path: '/upsert',
      headers: { authorization: 'Bearer crm-secret' },
      json: {
        inputs: [
          { idProperty: 'email', id: 'ada@example.com', properties: { firstname: 'Ada', lastname: 'Lovelace' } },
        ],
      },
    })
  } finally {
    receiver.kill()
    await once(receiver, 'close')
    await crm.close()
  }
})

describe('single sign-on answers as documented', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ajv.addSchema(document, 'document')

  /** Checks a JSON answer of an operation below `/sso/{account}`. */
  function expectDocumented(path: string, method: 'get' | 'post', status: number, body: unknown): void {
    const steps = ['paths', `/sso/{account}${path}`, method, 'responses', String(status), 'content', 'application/json']
    const pointer = [...steps, 'schema'].map((step) => encodeURIComponent(step.replaceAll('/', '~1'))).join('/')
    const isValid = ajv.compile({ $ref: `document#/${pointer}` })
    isValid(body)
    expect(isValid.errors, `${path} ${status} ${JSON.stringify(body)}`).toBeNull()
  }

  let site: SsoSite
  let app: SiteApp
  beforeAll(async () => {
    site = await SsoSite.open(system, 'acme')
    app = await site.app()
  })

  test('every endpoint of the discovery document is documented, with its method', async () => {
    const answer = await fetch(`${site.sso}/.well-known/openid-configuration`)
    const discovery = (await answer.json()) as Record<string, unknown>
    expectDocumented('/.well-known/openid-configuration', 'get', 200, discovery)
    const named = Object.values(discovery).filter((value) => String(value).startsWith(`${site.sso}/`))
    expect(named.length).toBeGreaterThanOrEqual(7)
    for (const url of named) {
      const path = `/sso/{account}${String(url).slice(site.sso.length)}`
      const { get } = (document.paths as Record<string, { get?: object }>)[path] ?? expect.fail(path)
      const posted = await fetch(String(url), { method: get ? 'GET' : 'POST' })
      expect(posted.status, path).not.toBe(404)
    }
    expectDocumented('/oauth/keys', 'get', 200, await (await fetch(String(discovery.jwks_uri))).json())
  })

  test('every path at the root is served, and requests without an account get a documented answer', async () => {
    const atRoot = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, { operationId?: string; responses: object }>).flatMap(
        ([method, { operationId, responses }]) =>
          operationId?.startsWith('sso_root_') ? [{ path, method, statuses: Object.keys(responses) }] : [],
      ),
    )
    expect(atRoot.length).toBeGreaterThanOrEqual(8)
    for (const { path, method, statuses } of atRoot) {
      const { status } = await fetch(`${system.url}${path}`, { method, redirect: 'manual' })
      const isAboutToken = path === '/api/v1/me' || path === '/oauth/userinfo'
      expect([path, status]).toEqual([path, isAboutToken ? 401 : 400])
      expect(statuses, path).toContain(String(status))
      expect(statuses, path).not.toContain(isAboutToken ? '400' : '404')
    }
  })

  test('tokens, contacts, and errors', async () => {
    const { email } = await site.contact()
    const code = await site.code(site.visitor(), app, email)
    const token = await site.token(app, code)
    expectDocumented('/oauth/token', 'post', 200, token.body)
    const me = await site.me(token.body.access_token)
    expectDocumented('/api/v1/me', 'get', 200, me.body)
    const introspected = await site.post(
      '/oauth/introspect',
      new URLSearchParams({
        token: token.body.access_token,
        client_id: app.client_id,
        client_secret: app.client_secret,
      }),
    )
    expectDocumented('/oauth/introspect', 'post', 200, introspected.body)
    for (const refused of [await site.token(app, code), await site.token(app, code, { client_secret: 'wrong' })])
      expectDocumented('/oauth/token', 'post', refused.status, refused.body)
    const unknown = await site.me('unknown')
    expectDocumented('/api/v1/me', 'get', unknown.status, unknown.body)
  })
})
