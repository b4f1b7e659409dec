import { networkOf } from '@gatehouse/proto/process/network.ts'
import { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import type { BrowserSession } from '@gatehouse/test/harness/browser-session.ts'
import { databaseOf } from '@gatehouse/test/harness/databases.ts'
import { withinRateWindow } from '@gatehouse/test/harness/rate-window.ts'
import { PASSWORD, type SiteApp, SsoSite } from '@gatehouse/test/harness/sso-site.ts'
import { invite, StaffVisitor } from '@gatehouse/test/harness/staff-visitor.ts'
import { SECRETS_KEY, startSystem } from '@gatehouse/test/harness/system.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { KeyStore } from './oidc/keys.ts'
import { formToken } from './sign-in/form-token.ts'
import { allowances, type LimitName, Throttle, TooManyAttempts } from './throttle.ts'

const system = await startSystem({ checkins: 0, sso: { rate_limits: 'on' }, gateway: { trust_proxy: 'true' } })
const site = await SsoSite.open(system, 'acme')
const app = await site.app()
afterAll(async () => {
  await system.stop()
})

describe('rate limits', () => {
  test('replicas count together: of many concurrent requests only as many as allowed succeed', async () => {
    const db = databaseOf(system, 'sso')
    const replicas = [new Throttle(db, { off: false }), new Throttle(db, { off: false })]
    const { most } = allowances.login_contact_address
    const now = Date.now()
    const tries = Array.from({ length: most * 3 }, (_, index) =>
      replicas[index % 2]?.count('a', 'login_contact_address', 'who', now),
    )
    const outcomes = await Promise.allSettled(tries)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(most)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(TooManyAttempts)
    await expect(replicas[0]?.count('b', 'login_contact_address', 'who')).resolves.toBeUndefined()
  })

  test(
    'guesses at known and unknown addresses, and right passwords too, get a page with Retry-After',
    slow,
    async () => {
      await withinRateWindow(allowances.login_contact_address.seconds, 30)
      const { email } = await site.contact()
      for (const who of [email, 'nobody@example.org']) {
        const visitor = site.visitor({ 'accept-language': 'sv' })
        const page = await visitor.open(site.authorize(app))
        for (let n = 0; n < allowances.login_contact_address.most; n++) {
          expect((await visitor.submit(page, { email: who, password: `guess ${n}`, step: 'password' })).status).toBe(
            422,
          )
        }
        // The case of an address does not matter.
        const seen = await visitor.submit(page, { email: who.toUpperCase(), password: PASSWORD, step: 'password' })
        expect(seen.status).toBe(429)
        expect(seen.text).toContain('För många försök')
        expect(Number(seen.headers.get('retry-after'))).toBeGreaterThan(0)
        expect(Number(seen.headers.get('retry-after'))).toBeLessThanOrEqual(allowances.login_contact_address.seconds)
      }
    },
  )

  describe('strangers lock no contact out', () => {
    const from = (address: string): BrowserSession => site.visitor({ 'x-forwarded-for': address })
    const login = async (visitor: BrowserSession, email: string, password: string, params = {}) => {
      const page = await visitor.open(site.authorize(app, { prompt: 'login', ...params }))
      return visitor.submit(page, { email, password, step: 'password' })
    }
    const guess = async (visitor: BrowserSession, email: string, times: number): Promise<number[]> => {
      const page = await visitor.open(site.authorize(app, { prompt: 'login' }))
      const statuses: number[] = []
      for (let n = 0; n < times; n++)
        statuses.push((await visitor.submit(page, { email, password: `guess ${n}`, step: 'password' })).status)
      return statuses
    }
    const { most, seconds } = allowances.login_contact_address

    /** Uses up all tries for this e-mail address. */
    async function exhaust(email: string): Promise<void> {
      const counts = databaseOf(system, 'sso').collection('oidc_counts')
      const { account_id } = site.account
      await counts.deleteMany({ account_id })
      await new Throttle(databaseOf(system, 'sso'), { off: false }).count(account_id, 'login_contact', `pwd:${email}`)
      await counts.updateMany({ account_id }, { $set: { count: allowances.login_contact.most } })
    }

    /** The cookies with which an account remembers a browser. */
    const remembered = async (visitor: BrowserSession) =>
      (await visitor.jar.getCookies(site.sso)).filter(({ key }) => key.startsWith('known-'))

    test('guesses from one address are refused there, and the contact signs in from another', slow, async () => {
      await withinRateWindow(seconds, 30)
      const { email } = await site.contact()
      const statuses = await guess(from('127.0.0.66'), email, most + 1)
      expect(statuses).toEqual([...Array<number>(most).fill(422), 429])
      expect((await login(from('127.0.0.66'), email, PASSWORD)).status).toBe(429)
      expect((await login(from('127.0.0.77'), email, PASSWORD)).text).toContain('value="allow"')
    })

    test('guesses from many network addresses have a common limit, whether the contact is known or not', async () => {
      await withinRateWindow(seconds, 30)
      const { email } = await site.contact()
      for (const who of [email, 'nobody@example.org']) {
        await exhaust(who)
        expect((await login(from('127.0.1.1'), who, PASSWORD)).status).toBe(429)
      }
    })

    test('a browser that signed the contact in before can still sign in, and has its own limit', slow, async () => {
      await withinRateWindow(seconds, 30)
      const { email } = await site.contact()
      const visitor = from('127.0.0.66')
      await site.signIn(visitor, app, email)
      const [cookie] = await remembered(visitor)
      expect(cookie).toMatchObject({ key: 'known-acme', httpOnly: true, sameSite: 'lax', path: '/', hostOnly: true })
      expect(cookie?.TTL()).toBeGreaterThan(80 * 86_400_000)
      await exhaust(email)
      await guess(from('127.0.0.66'), email, most)
      // The app is allowed already, so this redirects.
      expect((await login(visitor, email, PASSWORD)).status).toBe(303)
      expect(await guess(visitor, email, most + 1)).toEqual([...Array<number>(most).fill(422), 429])
    })

    test('a browser is known for a limited time, for one contact and account, until a new password', slow, async () => {
      await withinRateWindow(seconds, 60)
      const [one, two, moved] = [await site.contact(), await site.contact(), await site.contact()]
      const elsewhere = await SsoSite.open(system, 'elsewhere')
      const stranger = await elsewhere.contact({ email: one.email })
      const their = elsewhere.visitor()
      await elsewhere.signIn(their, await elsewhere.app(), stranger.email)
      const visitor = from('127.0.0.5')
      await site.signIn(visitor, app, moved.email)
      const owner = { token: site.account.auth_token }
      const password = 'another horse battery'
      expect((await system.api('PUT', `contacts/${moved.id}.json`, { password }, owner)).status).toBe(204)
      await login(visitor, two.email, PASSWORD)
      const [own] = await remembered(visitor)
      const [foreign] = (await their.jar.getCookies(elsewhere.sso)).filter(({ key }) => key === 'known-elsewhere')

      const keys = new KeyStore(databaseOf(system, 'sso'), new Encrypter(SECRETS_KEY))
      const { cookies: secret } = await keys.of(site.account.account_id)
      const made = (exp: number): string => {
        const contacts = [{ contact_id: one.id, version: 0, exp }]
        const text = Buffer.from(JSON.stringify({ id: 'x', contacts })).toString('base64url')
        return `${text}.${formToken(secret, `known-browser:${text}`)}`
      }
      const now = Math.floor(Date.now() / 1000)
      const tries: [string, string, string | undefined, number][] = [
        ['nothing', one.email, undefined, 429],
        ['not signed', one.email, `${made(now + 60)}x`, 429],
        [
          'signed for something else',
          one.email,
          made(now + 60).replace(/\..*/, `.${formToken(secret, 'invitation:x')}`),
          429,
        ],
        ['of another account', one.email, foreign?.value, 429],
        ['of another contact', one.email, own?.value, 429],
        ['from before a new password', moved.email, own?.value, 429],
        ['expired', one.email, made(now - 1), 429],
        ['of this contact', one.email, made(now + 60), 200],
        ['of this contact among others', two.email, own?.value, 200],
      ]
      for (const [what, email, value, status] of tries) {
        const browser = from('127.0.0.6')
        if (value !== undefined) await browser.jar.setCookie(`known-acme=${value}; Path=/`, site.sso)
        await exhaust(email)
        const right = email === moved.email ? password : PASSWORD
        expect([what, (await login(browser, email, right)).status]).toEqual([what, status])
      }
    })

    test.each([
      ['203.0.113.7', '203.0.113.7'],
      ['::ffff:203.0.113.7', '203.0.113.7'],
      ['::FFFF:cb00:7107', '203.0.113.7'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
      ['2001:DB8:1:2::6', '2001:db8:1:2::/64'],
      ['2001:db8::', '2001:db8:0:0::/64'],
      ['fe80::1%eth0', 'fe80:0:0:0::/64'],
      ['::1', '0:0:0:0::/64'],
      ['unknown', 'unknown'],
    ])('%s counts as %s', (address, network) => expect(networkOf(address)).toBe(network))
  })

  test('successful sign-ins do not count', slow, async () => {
    const { email } = await site.contact()
    for (let n = 0; n < allowances.login_contact_address.most + 2; n++) {
      expect(await site.code(site.visitor(), app, email)).not.toBe('')
    }
  })

  describe('limits of one network address, for all contacts', () => {
    const GUESS = 'a wrong password'
    let people = 0
    const login = async (place: SsoSite, theirs: SiteApp, fields: Record<string, string>) => {
      const visitor = place.visitor()
      const email = `stranger.${++people}@example.org`
      return visitor.submit(await visitor.open(place.authorize(theirs)), { email, ...fields })
    }

    test.each<[LimitName, number, (place: SsoSite, theirs: SiteApp) => Promise<{ status: number; headers: Headers }>]>([
      ['login_address', 422, (place, theirs) => login(place, theirs, { password: GUESS, step: 'password' })],
      ['login_address', 422, (place, theirs) => login(place, theirs, { code: '12345678', step: 'code' })],
      ['code_address', 200, (place, theirs) => login(place, theirs, { step: 'send_code' })],
      ['authorize_address', 200, (place, theirs) => place.visitor().open(place.authorize(theirs))],
      ['invitation_address', 404, (place) => place.visitor().open(`${place.sso}/invitations/${'x'.repeat(43)}`)],
      ['token_address', 401, (place) => place.token({ ...app, client_id: `guess-${++people}` }, 'x')],
    ])('%s, answered %i before', async (counted, before, ask) => {
      const place = await SsoSite.open(system, `place-${++people}`)
      const theirs = await place.app()
      const { account_id } = place.account
      const { most, seconds } = allowances[counted]
      const db = databaseOf(system, 'sso')
      await withinRateWindow(seconds, 20)
      await new Throttle(db, { off: false }).count(account_id, counted, '127.0.0.1')
      await db.collection('oidc_counts').updateOne({ account_id }, { $set: { count: most - 1 } })
      expect((await ask(place, theirs)).status).toBe(before)
      const refused = await ask(place, theirs)
      expect(refused.status).toBe(429)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(seconds)
    })
  })

  describe('staff members of one network', () => {
    const setCounts = async (counted: LimitName, whose: string) => {
      const counts = databaseOf(system, 'sso').collection('oidc_counts')
      const { account_id } = site.account
      await withinRateWindow(allowances[counted].seconds, 20)
      await counts.deleteMany({ account_id })
      await new Throttle(databaseOf(system, 'sso'), { off: false }).count(account_id, counted, whose)
      return { counts, account_id, most: allowances[counted].most }
    }

    test('join by as many links as they have: those that work do not count', async () => {
      const { counts, account_id, most } = await setCounts('invitation_address', '127.0.0.1')
      await counts.updateMany({ account_id }, { $set: { count: most - 1 } })
      for (let n = 0; n < 3; n++) {
        const made = await invite(system, site.account, { role: 'viewer' })
        const seen = await new StaffVisitor(system, site.account).welcome(made.sign_in_url)
        expect([seen.status, seen.url]).toEqual([303, `${system.url}/console/`])
      }
      await counts.updateMany({ account_id }, { $set: { count: most } })
      const made = await invite(system, site.account, { role: 'viewer' })
      expect((await new StaffVisitor(system, site.account).welcome(made.sign_in_url)).status).toBe(429)
    })

    test('sign in however often strangers ask for tokens as the console', async () => {
      const { counts, account_id, most } = await setCounts('token_app', 'console')
      const made = await invite(system, site.account, { role: 'viewer' })
      expect((await new StaffVisitor(system, site.account).welcome(made.sign_in_url)).status).toBe(303)
      await counts.updateMany({ account_id }, { $set: { count: most + 1 } })
      const stranger = await site.token({ ...app, client_id: 'console' }, 'x')
      expect(stranger.status).toBe(429)
      const seen = await new StaffVisitor(system, site.account).signIn(made.email)
      expect(seen.url).toBe(`${system.url}/console/`)
    })
  })

  test('guesses at an app’s secret count at each endpoint that takes it, however the name is encoded, and are refused in JSON', async () => {
    const { client_id } = await site.app({ name: 'Guessed' })
    const counts = databaseOf(system, 'sso').collection('oidc_counts')
    const { account_id } = site.account
    const guess = async (path: string, name: string) => {
      const authorization = `Basic ${Buffer.from(`${name}:guess`).toString('base64')}`
      return site.post(path, new URLSearchParams({ token: 'x', grant_type: 'authorization_code' }), { authorization })
    }
    const paths = ['/oauth/token', '/oauth/revoke', '/oauth/introspect']
    const names = [client_id, `%${client_id.charCodeAt(0).toString(16)}${client_id.slice(1)}`]
    await withinRateWindow(allowances.token_app.seconds, 20)
    await counts.deleteMany({ account_id })
    for (const path of paths) {
      for (const name of names) expect((await guess(path, name)).status, `${path} ${name}`).toBe(401)
    }
    const counted = await counts.find({ account_id }).toArray()
    expect(counted.map(({ count }) => count)).toEqual([6, 6])
    await counts.updateMany({ account_id }, { $set: { count: allowances.token_app.most + 1 } })
    for (const path of paths) {
      const { status, body, headers } = await guess(path, client_id)
      expect([path, status, body.error]).toEqual([path, 429, 'temporarily_unavailable'])
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
  })
})
