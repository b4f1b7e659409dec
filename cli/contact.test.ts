// @module-tag slow
import { type Ran, runGatehouse, runGatehouseProcess, settingsFor } from '@gatehouse/test/harness/command-line.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { SsoSite } from '@gatehouse/test/harness/sso-site.ts'
import { expect, test } from 'vitest'

const system = await sharedSystem()

/** Runs the command line on the test's system. */
const gatehouse = (...args: string[]): Promise<Ran> => fed('', ...args)

/** The same with something on its standard input. */
const fed = (input: string, ...args: string[]): Promise<Ran> => runGatehouse(args, settingsFor(system), input)

test('sso-app create answers client_id and client_secret in one line of JSON', async () => {
  const uris = ['https://a.example/cb', 'http://127.0.0.1:4000/cb']
  const { out, err } = await gatehouse(
    ...['sso-app', 'create', '--account', system.slug, '--name', 'Shop', '--strict', '--json'],
    ...uris.flatMap((uri) => ['--redirect-uri', uri]),
  )
  expect(err).toBe('')
  expect(out.trim().split('\n')).toHaveLength(1)
  const made = JSON.parse(out)
  expect(made).toEqual({
    client_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    client_secret: expect.stringMatching(/^gs_[\w-]{43}$/),
  })
  const { body } = await system.api('GET', 'oauth_apps.json')
  expect(body).toMatchObject([{ client_id: made.client_id, name: 'Shop', redirect_uris: uris, is_strict: true }])
})

test('contact create makes the contact and the fields that the account lacks', async () => {
  const args = ['contact', 'create', '--account', system.slug, '--password', 'correct horse', '--json']
  const one = await gatehouse(
    ...[...args, '--email', 'ada@example.org', '--first-name', 'Ada', '--last-name', 'King'],
    ...['--field', 'company=Analytical=Engines', '--field', 'badge_number=7'],
  )
  expect(one.err).toBe('')
  const made = JSON.parse(one.out)
  expect(made).toMatchObject({ email: 'ada@example.org', company: 'Analytical=Engines', badge_number: '7' })
  expect((await system.api('GET', `contacts/${made._id}.json`)).body).toEqual(made)
  const two = await gatehouse(...args, '--email', 'li@example.org', '--field', 'company=Li')
  expect(JSON.parse(two.out)).toMatchObject({ first_name: null, company: 'Li', badge_number: null, has_password: true })
  expect((await system.api('GET', 'contact_fields.json')).body).toHaveLength(2)
})

test.each(['\r\n', ''])('--password-stdin takes the one line of standard input, ended by %j, as it is', async (end) => {
  const [email, password] = [`${crypto.randomUUID()}@example.org`, ' pä$$ word" ']
  const args = ['contact', 'create', '--account', system.slug, '--email', email, '--json', '--password-stdin']
  const { out, err, code } = await fed(`${password}${end}`, ...args)
  expect([code, err]).toEqual([0, ''])
  expect(JSON.parse(out)).toMatchObject({ email, has_password: true })
  expect((await system.api('GET', `contacts.json?email=${email}`)).body).toHaveLength(1)

  const site = new SsoSite(system, system)
  const visitor = site.visitor()
  const login = await visitor.open(site.authorize(await site.app()))
  const submit = async (sent: string): Promise<string> =>
    (await visitor.submit(login, { email, password: sent, step: 'password' })).text
  for (const wrong of [`${password}\n`, password.trim()]) expect(await submit(wrong)).not.toContain('value="allow"')
  expect(await submit(password)).toContain('value="allow"')
})

test('a process reads the standard input that it is given, and ends with the exit code of the command', async () => {
  const email = `${crypto.randomUUID()}@example.org`
  const args = ['contact', 'create', '--account', system.slug, '--email', email, '--password-stdin']
  const run = () => runGatehouseProcess(args, settingsFor(system), 'correct horse\n')
  expect(await run()).toEqual({ code: 0, out: expect.stringContaining(email), err: '' })
  expect(await run()).toEqual({ code: 1, out: '', err: 'gatehouse: Email has already been taken\n' })
})

test('--password-stdin refuses more or less than one line, and --password beside it, and creates no contact', async () => {
  const email = `${crypto.randomUUID()}@example.org`
  const args = ['contact', 'create', '--account', system.slug, '--email', email, '--password-stdin']
  const sentence = 'error: standard input must contain exactly one line, the password\n'
  const refused = { code: 2, out: '', err: expect.stringContaining(sentence) }
  for (const input of ['\n', 'one line\nand another']) expect(await fed(input, ...args), input).toEqual(refused)
  const { code, err } = await fed('correct horse', ...args, '--password', 'battery staple')
  expect(code).toBeGreaterThan(0)
  expect(err).toContain("'--password-stdin' cannot be used with option '--password <password>'")
  expect((await system.api('GET', `contacts.json?email=${email}`)).body).toEqual([])
})

test('a refusal is a sentence, with exit code 1', async () => {
  const make = ['contact', 'create', '--account', system.slug, '--email', 'twice@example.org']
  expect((await gatehouse(...make)).code).toBe(0)
  expect(await gatehouse(...make)).toMatchObject({ code: 1, err: 'gatehouse: Email has already been taken\n' })
  const app = ['sso-app', 'create', '--name', 'x', '--redirect-uri', 'http://shop.example/cb', '--account']
  expect((await gatehouse(...app, system.slug)).err).toBe('gatehouse: Redirect uris.0 must begin with https://\n')
  expect((await gatehouse(...app, 'nobody')).err).toContain('There is no account nobody')
  expect((await gatehouse(...make, '--field', 'novalue')).err).toContain('It has to be KEY=VALUE.')
})
