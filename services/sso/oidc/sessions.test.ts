import { setTimeout as sleep } from 'node:timers/promises'
import { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import type { BrowserSession } from '@gatehouse/test/harness/browser-session.ts'
import { databaseOf } from '@gatehouse/test/harness/databases.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { PASSWORD, type SiteApp, SsoSite } from '@gatehouse/test/harness/sso-site.ts'
import { SECRETS_KEY } from '@gatehouse/test/harness/system.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { ArtifactStore } from './artifacts.ts'
import { merged } from './sessions.ts'

const system = await sharedSystem()

describe('concurrent changes of a session', () => {
  const was = { accountId: 'ada', jti: '1', exp: 10, authorizations: { hub: { grantId: 'g' }, shop: { grantId: 'h' } } }
  const other = { ...was, exp: 12, authorizations: { ...was.authorizations, wiki: { grantId: 'w' } } }

  test('each request keeps its own changes only', () => {
    const mine = { ...was, exp: 11, jti: '2', authorizations: { hub: { grantId: 'new' } } }
    expect(merged(was, mine, other)).toEqual({
      accountId: 'ada',
      jti: '2',
      exp: 11,
      authorizations: { hub: { grantId: 'new' }, wiki: { grantId: 'w' } },
    })
  })

  test('a request from before a sign-in does not change the session of the contact who signed in', () => {
    const nobody = { jti: '1', exp: 10 }
    expect(merged(nobody, { ...nobody, jti: '3', exp: 11 }, was)).toBeUndefined()
  })

  test('the last of two sign-ins counts, with its own fields', () => {
    const nobody = { jti: '1', exp: 10 }
    const bob = { ...nobody, accountId: 'bob', authorizations: { hub: { grantId: 'b' } } }
    expect(merged(nobody, bob, was)).toEqual(bob)
  })

  test('a sign-in keeps the fields of a session without a contact', () => {
    const nobody = { jti: '1', exp: 10 }
    const ada = { ...nobody, jti: '2', accountId: 'ada', authorizations: { hub: { grantId: 'b' } } }
    expect(merged(nobody, ada, { ...nobody, exp: 12 })).toEqual(ada)
  })
})

describe('windows of one browser', () => {
  let site: SsoSite
  let apps: [SiteApp, SiteApp, SiteApp]
  let email: string

  beforeAll(async () => {
    site = await SsoSite.open(system, 'acme')
    apps = [await site.app(), await site.app(), await site.app()]
    ;({ email } = await site.contact())
    const visitor = site.visitor()
    for (const app of apps) await site.signIn(visitor, app, email)
  })

  /** Another browser, in which the contact, who has allowed all apps, is signed in for the first one. */
  async function signedIn() {
    const visitor = site.visitor()
    const token = await site.token(apps[0], await site.code(visitor, apps[0], email))
    return { visitor, token: token.body.access_token as string }
  }

  async function sameCookies(visitor: BrowserSession): Promise<BrowserSession> {
    const other = site.visitor()
    for (const { key, value } of await visitor.jar.getCookies(site.sso)) {
      await other.jar.setCookie(`${key}=${value}; Path=/`, site.sso)
    }
    return other
  }

  test('several apps that are opened concurrently get valid codes and tokens', slow, async () => {
    for (let round = 0; round < 3; round++) {
      const { visitor, token } = await signedIn()
      const codes = await Promise.all(
        apps.map(async (app) => new URL((await visitor.open(site.authorize(app))).url).searchParams.get('code') ?? ''),
      )
      const tokens = []
      for (const [index, app] of apps.entries()) tokens.push((await site.token(app, codes[index] ?? '')).body)
      for (const { access_token } of [...tokens, { access_token: token }]) {
        expect((await site.me(access_token)).status, JSON.stringify(tokens)).toBe(200)
      }
    }
  })

  test('an app that is opened twice concurrently gets two valid codes', slow, async () => {
    for (let round = 0; round < 3; round++) {
      const { visitor } = await signedIn()
      const app = apps[1]
      const seen = await Promise.all([1, 2].map(() => visitor.open(site.authorize(app))))
      for (const { url } of seen) {
        const answer = await site.token(app, new URL(url).searchParams.get('code') ?? '')
        expect(answer.status, JSON.stringify(answer.body)).toBe(200)
        expect((await site.me(answer.body.access_token)).status).toBe(200)
      }
    }
  })

  test('an app that is allowed in two windows keeps both codes', slow, async () => {
    const { email } = await site.contact()
    const visitor = site.visitor()
    const login = await visitor.open(site.authorize(apps[0]))
    const first = await visitor.submit(login, { email, password: PASSWORD, step: 'password' })
    const second = await visitor.open(site.authorize(apps[0]))
    const codes = []
    for (const page of [first, second]) {
      codes.push(new URL((await visitor.submit(page, { step: 'allow' })).url).searchParams.get('code') ?? '')
    }
    for (const code of codes) expect((await site.token(apps[0], code)).status).toBe(200)
  })

  test('a request with the cookie from before an app was allowed is signed in too', slow, async () => {
    const { visitor } = await signedIn()
    const other = await sameCookies(visitor)
    const fresh = await site.app()
    const consent = await visitor.open(site.authorize(fresh))
    const former = await visitor.jar.getCookieString(site.sso)
    await visitor.submit(consent, { step: 'allow' })
    expect(await visitor.jar.getCookieString(site.sso)).not.toBe(former)
    for (const each of [other, visitor]) expect((await each.open(site.authorize(apps[1]))).url).toMatch(/[?]code=/)
  })

  test('signing out is final despite concurrent requests: no session, no valid token is left', slow, async () => {
    for (let round = 0; round < 6; round++) {
      const { visitor, token } = await signedIn()
      const kept = await sameCookies(visitor)
      const opening = visitor.request(site.authorize(apps[round % 2] as SiteApp))
      await sleep(round * 2)
      const [opened, left] = await Promise.all([opening, visitor.request(`${site.sso}/contacts/sign_out`)])
      expect(left.status).toBe(200)
      expect((await site.me(token)).status).toBe(401)
      const code = URL.parse(opened.headers.get('location') ?? '')?.searchParams.get('code')
      if (code) expect((await site.token(apps[round % 2] as SiteApp, code)).status).toBe(400)
      for (const each of [kept, visitor]) {
        expect((await each.open(site.authorize(apps[0]))).text).toContain('name="password"')
      }
    }
  })

  describe('a code whose process was killed', () => {
    const artifacts = () => new ArtifactStore(databaseOf(system, 'sso'), new Encrypter(SECRETS_KEY))

    test('is valid again after a moment, once', slow, async () => {
      const code = await site.code(site.visitor(), apps[0], email)
      expect(await artifacts().claim(site.account.account_id, 'AuthorizationCode', code, 'killed')).toBe(true)
      const answer = await site.token(apps[0], code)
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      expect((await site.me(answer.body.access_token)).status).toBe(200)
      expect((await site.token(apps[0], code)).status).toBe(400)
      expect((await site.me(answer.body.access_token)).status).toBe(401)
    })

    test('is used by one of many concurrent retries', slow, async () => {
      const code = await site.code(site.visitor(), apps[0], email)
      await artifacts().claim(site.account.account_id, 'AuthorizationCode', code, 'killed')
      const answers = await Promise.all(Array.from({ length: 4 }, () => site.token(apps[0], code)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
      const won = answers.find(({ status }) => status === 200)
      expect((await site.me(won?.body.access_token)).status).toBe(401)
    })
  })
})
