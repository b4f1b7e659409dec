import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type System, startSystem } from '@gatehouse/test/system.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

const run = promisify(execFile)

let system: System
beforeAll(async () => {
  system = await startSystem()
})
afterAll(() => system?.stop())

/** Runs the command line on the test's system. */
async function gatehouse(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const env = { ...process.env, NATS_URL: inject('natsUrl'), NAMESPACE: system.namespace }
  try {
    const { stdout, stderr } = await run(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], { env })
    return { code: 0, out: stdout, err: stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, out: stdout, err: stderr }
  }
}

test('sso-app create answers client_id and client_secret in one line of JSON', async () => {
  const uris = ['https://a.example/cb', 'http://127.0.0.1:4000/cb']
  const { out, err } = await gatehouse(
    ...['sso-app', 'create', '--account', 'first', '--name', 'Shop', '--strict', '--json'],
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
  const args = ['contact', 'create', '--account', 'first', '--password', 'correct horse', '--json']
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

test('what is refused is told in a sentence, with exit code 1', async () => {
  const make = ['contact', 'create', '--account', 'first', '--email', 'twice@example.org']
  expect((await gatehouse(...make)).code).toBe(0)
  expect(await gatehouse(...make)).toMatchObject({ code: 1, err: 'gatehouse: Email has already been taken\n' })
  const app = ['sso-app', 'create', '--name', 'x', '--redirect-uri', 'http://shop.example/cb', '--account']
  expect((await gatehouse(...app, 'first')).err).toBe('gatehouse: Redirect uris.0 must begin with https://\n')
  expect((await gatehouse(...app, 'nobody')).err).toContain('There is no account nobody')
  expect((await gatehouse(...make, '--field', 'novalue')).err).toContain('It has to be KEY=VALUE.')
})
