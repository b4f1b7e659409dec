import { type App, PASSWORD, Site } from '@gatehouse/test/site.ts'
import { withinSpan } from '@gatehouse/test/span.ts'
import { type System, startSystem } from '@gatehouse/test/system.ts'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { allowances, type Counted, Throttle, TooMany } from './throttle.ts'

describe('too much is refused', () => {
  let system: System
  let site: Site
  let app: App
  let mongo: MongoClient

  beforeAll(async () => {
    mongo = await MongoClient.connect(inject('mongodbUrl'))
    system = await startSystem({ checkins: 0, sso: { rate_limits: 'on' } })
    site = await Site.open(system, 'acme')
    app = await site.app()
  })
  afterAll(async () => {
    await system?.stop()
    await mongo?.close()
  })

  test('counts of replicas add up: of many at once no more than allowed get through', async () => {
    const db = mongo.db(`${system.namespace}_sso`)
    const replicas = [new Throttle(db, { off: false }), new Throttle(db, { off: false })]
    const { most } = allowances.login_contact
    const now = Date.now()
    const tries = Array.from({ length: most * 3 }, (_, index) =>
      replicas[index % 2]?.count('a', 'login_contact', 'who', now),
    )
    const outcomes = await Promise.allSettled(tries)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(most)
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(TooMany)
    await expect(replicas[0]?.count('b', 'login_contact', 'who')).resolves.toBeUndefined()
  })

  test('a guesser gets a page in the right language with Retry-After, known address or not, and the right password is no way round', async () => {
    await withinSpan(allowances.login_contact.seconds, 30)
    const { email } = await site.contact()
    for (const who of [email, 'nobody@example.org']) {
      const visitor = site.visitor({ 'accept-language': 'sv' })
      const page = await visitor.open(site.authorize(app))
      for (let n = 0; n < allowances.login_contact.most; n++) {
        expect((await visitor.submit(page, { email: who, password: `guess ${n}`, step: 'password' })).status).toBe(422)
      }
      // Whatever the case it is written in: it is the same contact.
      const seen = await visitor.submit(page, { email: who.toUpperCase(), password: PASSWORD, step: 'password' })
      expect(seen.status).toBe(429)
      expect(seen.text).toContain('För många försök')
      expect(Number(seen.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(Number(seen.headers.get('retry-after'))).toBeLessThanOrEqual(allowances.login_contact.seconds)
    }
  })

  test('signing in well does not count', async () => {
    const { email } = await site.contact()
    for (let n = 0; n < allowances.login_contact.most + 2; n++) {
      expect(await site.code(site.visitor(), app, email)).not.toBe('')
    }
  })

  test('an app that asks for too many tokens is told so in JSON', async () => {
    const db = mongo.db(`${system.namespace}_sso`)
    const counts = new Throttle(db, { off: false })
    const { most } = allowances.token_app
    await withinSpan(allowances.token_app.seconds, 20)
    await counts.count(site.account.account_id, 'token_app', app.client_id)
    await db
      .collection('oidc_counts')
      .updateMany({ account_id: site.account.account_id }, { $set: { count: most + 1 } })
    const answer = await site.token(app, 'x')
    expect([answer.status, answer.body.error]).toEqual([429, 'temporarily_unavailable'])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  describe('from one address no more than allowed, whoever it is about', () => {
    const GUESS = 'a wrong password'
    let people = 0
    const login = async (place: Site, theirs: App, fields: Record<string, string>) => {
      const visitor = place.visitor()
      const email = `stranger.${++people}@example.org`
      return visitor.submit(await visitor.open(place.authorize(theirs)), { email, ...fields })
    }

    test.each<[Counted, number, (place: Site, theirs: App) => Promise<{ status: number; headers: Headers }>]>([
      ['login_address', 422, (place, theirs) => login(place, theirs, { password: GUESS, step: 'password' })],
      ['login_address', 422, (place, theirs) => login(place, theirs, { code: '12345678', step: 'code' })],
      ['code_address', 200, (place, theirs) => login(place, theirs, { step: 'send_code' })],
      ['authorize_address', 200, (place, theirs) => place.visitor().open(place.authorize(theirs))],
      ['invitation_address', 404, (place) => place.visitor().open(`${place.sso}/invitations/${'x'.repeat(43)}`)],
      ['token_address', 401, (place) => place.token({ ...app, client_id: `guess-${++people}` }, 'x')],
    ])('%s, answered %i before', async (counted, before, ask) => {
      const place = await Site.open(system, `place-${++people}`)
      const theirs = await place.app()
      const { account_id } = place.account
      const { most, seconds } = allowances[counted]
      const db = mongo.db(`${system.namespace}_sso`)
      await withinSpan(seconds, 20)
      await new Throttle(db, { off: false }).count(account_id, counted, '127.0.0.1')
      await db.collection('oidc_counts').updateOne({ account_id }, { $set: { count: most - 1 } })
      expect((await ask(place, theirs)).status).toBe(before)
      const refused = await ask(place, theirs)
      expect(refused.status).toBe(429)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(seconds)
    })
  })

  test('a guess at an app counts at each endpoint that takes its secret, however the name is written, and is refused in JSON', async () => {
    const { client_id } = await site.app({ name: 'Guessed' })
    const counts = mongo.db(`${system.namespace}_sso`).collection('oidc_counts')
    const { account_id } = site.account
    const guess = async (path: string, name: string) => {
      const authorization = `Basic ${Buffer.from(`${name}:guess`).toString('base64')}`
      return site.post(path, new URLSearchParams({ token: 'x', grant_type: 'authorization_code' }), { authorization })
    }
    const paths = ['/oauth/token', '/oauth/revoke', '/oauth/introspect']
    const names = [client_id, `%${client_id.charCodeAt(0).toString(16)}${client_id.slice(1)}`]
    await withinSpan(allowances.token_app.seconds, 20)
    await counts.deleteMany({ account_id })
    for (const path of paths) {
      for (const name of names) expect((await guess(path, name)).status, `${path} ${name}`).toBe(401)
    }
    const counted = await counts.find({ account_id }).toArray()
    expect(counted.map(({ count }) => count)).toEqual([6, 6])
    await counts.updateMany({ account_id }, { $set: { count: allowances.token_app.most + 1 } })
    for (const path of paths) {
      const { status, body } = await guess(path, client_id)
      expect([path, status, body.error]).toEqual([path, 429, 'temporarily_unavailable'])
    }
  })
})
