import { printed } from '@gatehouse/test/harness/command-line.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { type SiteApp, SsoSite } from '@gatehouse/test/harness/sso-site.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { expect, test } from 'vitest'

const system = await sharedSystem()

const site = await SsoSite.open(system, 'acme')

/** Runs `gatehouse sso-app …` for the account, and returns what it writes. */
const ssoApp = (command: string, ...args: string[]): Promise<string> =>
  printed(system, 'sso-app', command, ...args, '--account', site.slug)

/** Whether an app is known by a secret: a code that is none is refused only after that. */
async function isGood(app: SiteApp, client_secret: string): Promise<boolean> {
  const { body } = await site.token({ ...app, client_secret }, 'x')
  expect(['invalid_grant', 'invalid_client']).toContain(body.error)
  return body.error === 'invalid_grant'
}

test(
  'the old secret of an app that is rolled is good as long as was said, and not at all with an overlap of 0',
  slow,
  async () => {
    const app = await site.app({ name: 'Shop' })
    const rolled = JSON.parse(await ssoApp('roll', app.client_id, '--overlap', '600', '--json'))
    expect(rolled).toEqual({ client_id: app.client_id, client_secret: expect.stringMatching(/^gs_[\w-]{43}$/) })
    expect([await isGood(app, app.client_secret), await isGood(app, rolled.client_secret)]).toEqual([true, true])
    const shown = await system.api('GET', `oauth_apps/${app.id}.json`, undefined, { token: site.account.auth_token })
    expect(Math.abs(Date.parse(shown.body.old_secret_expires_at) - Date.now() - 600_000)).toBeLessThan(60_000)

    const text = await ssoApp('roll', app.client_id, '--overlap', '0')
    const last = /^client_id {6}(\w+)\nclient_secret {2}(\S+)\n$/.exec(text)
    expect(last?.[1]).toBe(app.client_id)
    const secrets = [app.client_secret, rolled.client_secret, last?.[2] ?? '']
    expect(await Promise.all(secrets.map((secret) => isGood(app, secret)))).toEqual([false, false, true])
  },
)

test('apps are listed without secrets, changed only in the given fields, and deleted at once', async () => {
  const app = await site.app({ name: 'Fair', is_strict: true })
  const listed = await ssoApp('list', '--json')
  const [testEvent] = JSON.parse(listed)
  expect(testEvent).toMatchObject({ client_id: app.client_id, name: 'Fair', is_strict: true })
  expect(listed).not.toContain(app.client_secret)
  expect((await ssoApp('list')).split('\n')).toContain(`${app.client_id}\tstrict\tFair\t${app.redirect_uri}`)

  const uris = ['https://a.example/cb', 'https://b.example/cb']
  const options = [...uris.flatMap((uri) => ['--redirect-uri', uri]), '--no-strict', '--json']
  expect(JSON.parse(await ssoApp('change', app.client_id, ...options))).toEqual({
    ...testEvent,
    redirect_uris: uris,
    is_strict: false,
    updated_at: expect.any(String),
  })
  expect(await ssoApp('change', app.client_id, '--name', 'Fairs')).toBe('changed Fairs\n')

  expect(await ssoApp('delete', app.client_id)).toBe('deleted Fairs\n')
  expect(await isGood(app, app.client_secret)).toBe(false)
})

test('an impossible request is refused with a sentence', async () => {
  const theirs = await (await SsoSite.open(system, 'elsewhere')).app()
  const problem = new RegExp(`${site.slug} has no app with the client_id ${theirs.client_id}`)
  await expect(ssoApp('delete', theirs.client_id)).rejects.toThrow(problem)
  await expect(ssoApp('roll', 'x', '--overlap', 'soon')).rejects.toThrow(/It takes a whole number from 0 to /)
})
