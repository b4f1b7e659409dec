import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { readConfig } from '@gatehouse/proto/process/config.ts'
import { printed } from '@gatehouse/test/harness/command-line.ts'
import { type System, startSystem, type TestAccount } from '@gatehouse/test/harness/system.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accounts } from './resource.ts'
import { ssoHostSettings } from './sso-hosts.ts'

describe('accounts', () => {
  let system: System
  beforeAll(async () => {
    const public_url = 'https://Gatehouse.fairs.example.org/base'
    system = await startSystem({ sso: { public_url, sso_hosts: 'Login.Example.org, *.fairs.example.org' } })
  })
  afterAll(() => system?.stop())

  const statusOf = async ({ auth_token: token }: TestAccount): Promise<number> =>
    (await system.api('GET', 'tokens.json', undefined, { token })).status

  test('bootstrap creates the account once and issues a valid admin token at each call', async () => {
    const calls = [await system.account('fair-2026'), await system.account('fair-2026')]
    expect(new Set(calls.map(({ account_id }) => account_id)).size).toBe(1)
    expect(new Set(calls.map(({ auth_token }) => auth_token)).size).toBe(2)
    for (const call of calls) {
      expect(call.account_id).toMatch(/^[0-9a-f]{24}$/)
      const me = await system.api('GET', 'me.json', undefined, { token: call.auth_token })
      expect(me.body).toMatchObject({
        account_id: call.account_id,
        account: 'fair-2026',
        scope: 'admin',
        event_id: null,
      })
      expect(await statusOf(call)).toBe(200)
    }
  })

  test('concurrent calls for a new account get the same account', async () => {
    const calls = await Promise.all(Array.from({ length: 8 }, () => system.account('at-once')))
    expect(new Set(calls.map(({ account_id }) => account_id)).size).toBe(1)
    expect(await Promise.all(calls.map(statusOf))).toEqual(calls.map(() => 200))
  })

  test('its last ten tokens stay valid, and so do tokens that were issued otherwise, whatever their names', async () => {
    const first = await system.account('many')
    const issued = await system.api(
      'POST',
      'tokens.json',
      { name: 'bootstrap', scope: 'admin', bootstrap: true },
      { token: first.auth_token },
    )
    const later: TestAccount[] = []
    for (let n = 0; n < 9; n++) later.push(await system.account('many'))
    expect(await statusOf(first)).toBe(200)
    later.push(await system.account('many'))
    await expect.poll(() => statusOf(first)).toBe(403)
    expect(await Promise.all(later.map(statusOf))).toEqual(later.map(() => 200))
    expect(await statusOf({ ...first, auth_token: issued.body.token })).toBe(200)
    const { body } = await system.api('GET', 'tokens.json', undefined, { token: issued.body.token })
    expect(body.filter(({ name }: { name: string }) => name === 'bootstrap')).toHaveLength(11)
  })

  test('with SSO_HOSTS an account can take only host names of that list, or below one with an asterisk', async () => {
    const put = (sso_host: string | null) => system.api('PUT', 'account.json', { sso_host })
    for (const host of ['login.example.org', 'a.fairs.example.org', 'B.a.fairs.EXAMPLE.org', null])
      expect([host, (await put(host)).status]).toEqual([host, 204])
    const errors = { sso_host: ['is not a host name that accounts can use here'] }
    for (const host of ['gateway.internal', 'a.login.example.org', 'fairs.example.org', 'afairs.example.org'])
      expect([host, await put(host)]).toMatchObject([host, { status: 422, body: { errors } }])
    expect((await system.api('GET', 'account.json')).body.sso_host).toBe(null)
  })

  test('no account can take the host of PUBLIC_URL; the answer names all errors', async () => {
    const put = (body: object) => system.api('PUT', 'account.json', body)
    const own = { sso_host: ['is not a host name that accounts can use here'] }
    const odd = { color: ['is not valid'] }
    for (const [body, errors] of [
      [{ sso_host: 'gatehouse.fairs.example.org' }, own],
      [
        { sso_host: 'GATEHOUSE.fairs.example.org', color: 'blue' },
        { ...own, ...odd },
      ],
      [
        { sso_host: 'fairs.example.org', color: 'blue' },
        { ...own, ...odd },
      ],
    ] as const) {
      const answer = await put(body)
      expect([answer.status, answer.body]).toEqual([422, { errors }])
    }
  })

  test('two accounts are isolated', async () => {
    const [one, two] = [await system.account('one'), await system.account('two')]
    const made = await system.api(
      'POST',
      'events.json',
      { title: 'Of one', account_id: one.account_id },
      { token: one.auth_token },
    )
    expect(made.status).toBe(201)
    expect((await system.api('GET', 'events.json', undefined, { token: two.auth_token })).body).toEqual([])
    const stranger = await system.api('GET', `events/${made.body._id}.json`, undefined, { token: two.auth_token })
    expect(stranger.status).toBe(404)
  })

  test.each(['', 'A', 'a b', '-a', 'a-', 'ä', 'a/b', '../x', 'a'.repeat(64), 'a\n'])(
    'a slug is small letters, digits and hyphens between them: %j is refused',
    async (slug) => {
      await expect(system.account(slug)).rejects.toMatchObject({ code: 'invalid', errors: { slug: expect.anything() } })
    },
  )

  test.each(['a', '7', 'a-b', 'a'.repeat(63)])('%j is a slug', async (slug) => {
    expect((await system.account(slug)).account_id).toMatch(/^[0-9a-f]{24}$/)
  })

  test('an account is found by its slug; an unknown slug gives null', async () => {
    const client = clientOf(system.bus, accounts)
    expect(await client.find({ body: { slug: 'first' } })).toEqual({ account_id: system.account_id })
    expect(await client.find({ body: { slug: 'nobody' } })).toEqual({ account_id: null })
  })
})

test.each([
  ['', null],
  ['none', 'none'],
  ['a.example.org , *.b.example.org', 'a.example.org , *.b.example.org'],
])('SSO_HOSTS may be %j', (SSO_HOSTS, sso_hosts) => {
  expect(readConfig(ssoHostSettings, { SSO_HOSTS })).toEqual({ sso_hosts })
})

test.each([
  ' ',
  '*',
  'a.*.org',
  'a.example.org,',
  'https://a.example.org',
  'a.example.org:443',
  'a.example.org b.example.org',
])('SSO_HOSTS cannot be %j, and the process says so', (SSO_HOSTS) => {
  expect(() => readConfig(ssoHostSettings, { SSO_HOSTS })).toThrow('Configuration: SSO_HOSTS is not valid')
})

describe('answers_updates of an account', () => {
  let system: System
  let token: string
  let event: string
  beforeAll(async () => {
    system = await startSystem({ with: ['partners'] })
    const account = await system.account('parses-bodies')
    token = account.auth_token
    const made = await api('POST', 'events.json', { title: 'Fair', account_id: account.account_id })
    event = `events/${made.body._id}`
  })
  afterAll(() => system?.stop())

  const api = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    system.api(method, path, body, { token, headers })
  const make = async (path: string, body: object) => (await api('POST', `${event}/${path}.json`, body)).body

  test('switched on, changes are answered 200 with the object, in JSON and XML; off again, as before', async () => {
    const put = (answers_updates: boolean) => api('PUT', 'account.json', { answers_updates })
    const { _id } = await make('guest_categories', { name: 'VIP' })
    const rename = (name: string, suffix = 'json', headers = {}) =>
      api('PUT', `${event}/guest_categories/${_id}.${suffix}`, { name }, headers)
    expect((await rename('Before')).status).toBe(204)
    expect((await put(true)).status).toBe(204)
    await expect.poll(async () => (await rename('A')).status).toBe(200)
    expect((await rename('B')).body).toMatchObject({ _id, name: 'B' })
    expect((await rename('C', 'xml')).text).toContain('<name>C</name>')
    expect((await rename('D', 'json', { prefer: 'return=minimal' })).status).toBe(204)
    expect((await put(true)).body).toMatchObject({ slug: 'parses-bodies', answers_updates: true })
    expect((await put(false)).body).toMatchObject({ answers_updates: false })
    await expect.poll(async () => (await rename('E')).status).toBe(204)
    await put(true)
    await expect.poll(async () => (await rename('F')).status).toBe(200)
  })

  test('deletions are answered so too, those with an empty 200 included', async () => {
    const partner = await make('partners', { name: 'Acme' })
    const point = await make('accesspoints', { name: 'Door' })
    for (const [path, body] of [
      [`accesspoints/${point._id}`, point],
      [`partners/${partner._id}`, partner],
    ] as const) {
      const answer = await api('DELETE', `${event}/${path}.json`)
      expect([answer.status, answer.body._id]).toEqual([200, body._id])
    }
  })

  test('the command line shows and changes it', async () => {
    const account = (...args: string[]) => printed(system, 'account', '--account', 'by-command', ...args)
    await system.account('by-command')
    const changed = JSON.parse(await account('--answers-updates', 'yes', '--sso-host', 'Sso.Example.org', '--json'))
    expect(changed).toMatchObject({ slug: 'by-command', answers_updates: true, sso_host: 'sso.example.org' })
    expect(await account('--answers-updates', 'no', '--sso-host', '')).toMatch(/^sso_host\nanswers_updates\tfalse$/m)
  })

  test('other accounts are not touched', async () => {
    const { _id } = (await system.api('POST', 'events.json', { title: 'X', account_id: system.account_id })).body
    expect((await system.api('PUT', `events/${_id}.json`, { title: 'Y' })).status).toBe(204)
  })
})

describe('the branding of an account’s sign-in pages', () => {
  let system: System
  beforeAll(async () => {
    system = await startSystem()
  })
  afterAll(() => system?.stop())

  test('is read and changed by the account’s tokens, in JSON and XML', async () => {
    const { body } = await system.api('GET', 'account.json')
    const plain = {
      _id: system.account_id,
      slug: 'first',
      name: null,
      color: null,
      locale: null,
      reply_to_email: null,
      sso_host: null,
    }
    expect(body).toEqual({ ...plain, answers_updates: false, logo_url: null, created_at: expect.any(String) })
    const looks = { name: 'Salon', color: '#1A2b3c', locale: 'pt-BR' }
    expect((await system.api('PUT', 'account.json', looks)).status).toBe(204)
    expect((await system.api('GET', 'account.json')).body).toEqual({ ...body, ...looks })
    const headers = { 'content-type': 'application/xml' }
    const document = '<account><color nil="true"/><slug>mine</slug></account>'
    expect((await system.api('PUT', 'account.xml', document, { headers })).status).toBe(204)
    expect((await system.api('GET', 'account.xml')).text).toContain(
      '<slug>first</slug><name>Salon</name><color nil="true"/><locale>pt-BR</locale>',
    )
    const { auth_token: token } = await system.account('second')
    expect((await system.api('GET', 'account.json', undefined, { token })).body).toMatchObject({
      slug: 'second',
      name: null,
    })
  })

  test('takes a color as #rrggbb and a language as its tag', async () => {
    for (const color of ['red', '#fff', '#12345g', 'url(x)', '']) {
      const { body } = await system.api('PUT', 'account.json', { color })
      expect(Object.keys(body.errors), color).toEqual(['color'])
    }
    for (const locale of ['f', 'fr_FR', '<b>', 'french language']) {
      const { body } = await system.api('PUT', 'account.json', { locale })
      expect(Object.keys(body.errors), locale).toEqual(['locale'])
    }
  })

  test('sso_host is a host name in small letters, of one account, which can give it up', async () => {
    const { auth_token: token } = await system.account('host')
    const put = (sso_host: string | null, init = {}) => system.api('PUT', 'account.json', { sso_host }, init)
    expect((await put('Login.Example.ORG')).status).toBe(204)
    expect((await system.api('GET', 'account.json')).body.sso_host).toBe('login.example.org')
    const taken = await put('login.example.org', { token })
    expect([taken.status, taken.body]).toEqual([422, { errors: { sso_host: ['has already been taken'] } }])
    expect((await put('login.example.org')).status).toBe(204)
    expect((await put(null)).status).toBe(204)
    expect((await put('login.example.org', { token })).status).toBe(204)
    expect((await put(null, { token })).status).toBe(204)
  })

  test.each([
    ...['localhost', '127.0.0.1', '10.1.2.3', '[::1]', 'login.example.org:8443', 'https://login.example.org', ''],
    ...[
      'a..b.example',
      '-a.example',
      'a-.example',
      'a_b.example',
      '*.example.org',
      'bücher.example',
      'login.example.org.',
    ],
    ...['a.example/', 'a.\nexample', `${'a'.repeat(64)}.example`, `${'a.'.repeat(130)}example`],
  ])('%j is not a valid sso_host', async (sso_host) => {
    const { status, body } = await system.api('PUT', 'account.json', { sso_host })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['sso_host']])
  })

  test('a read token reads it and cannot change it', async () => {
    const { body } = await system.api('POST', 'tokens.json', { name: 'x', scope: 'read' })
    const init = { token: body.token }
    expect((await system.api('GET', 'account.json', undefined, init)).status).toBe(200)
    expect((await system.api('PUT', 'account.json', { name: 'x' }, init)).status).toBe(403)
  })
})
