import { createHash } from 'node:crypto'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { storedText } from '@gatehouse/test/harness/stored-text.ts'
import type { Answer, TestAccount } from '@gatehouse/test/harness/system.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import * as topics from '../../topics.ts'
import { isSecretOf } from './secrets.ts'
import { OauthAppStore, type StoredOauthApp } from './store.ts'

const system = await sharedSystem()

const URI = 'https://shop.example/callback'

let other: TestAccount
let mongo: MongoClient
let store: OauthAppStore
beforeAll(async () => {
  other = await system.account('other')
  mongo = await MongoClient.connect(inject('mongodbUrl'))
  store = new OauthAppStore(mongo.db(`${system.namespace}_sso`))
})
afterAll(async () => {
  await mongo?.close()
})

async function create(fields: object = {}, token = system.auth_token): Promise<Answer['body']> {
  const answer = await system.api(
    'POST',
    'oauth_apps.json',
    { name: 'Shop', redirect_uris: [URI], ...fields },
    { token },
  )
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

const stored = async (_id: string): Promise<StoredOauthApp> =>
  (await store.get(system.account_id, _id)) as StoredOauthApp

async function roll(_id: string, overlap_seconds?: number): Promise<Answer['body']> {
  const body = overlap_seconds === undefined ? {} : { overlap_seconds }
  const answer = await system.api('POST', `oauth_apps/${_id}/roll_secret.json`, body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

describe('registering', () => {
  test('answers the secret once, and stores only its SHA-256', slow, async () => {
    const made = await create()
    expect(made).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: 'Shop',
      redirect_uris: [URI],
      is_strict: false,
      client_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      client_secret: expect.stringMatching(/^gs_[\w-]{43}$/),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    for (const path of ['oauth_apps.json', `oauth_apps/${made._id}.json`, 'oauth_apps.xml']) {
      const { text } = await system.api('GET', path)
      expect(text).toContain(made.client_id)
      expect(text).not.toMatch(/secret/)
    }
    const all = await storedText(inject('mongodbUrl'), system.namespace)
    expect(all).toContain(createHash('sha256').update(made.client_secret).digest('hex'))
    expect(all).not.toContain(made.client_secret)
  })

  test('accepts and answers XML', async () => {
    const document = `<oauth-app><name>XML</name><redirect-uris type="array"><redirect-uri>${URI}</redirect-uri><redirect-uri>http://localhost:3000/a?b=c&amp;d=e</redirect-uri></redirect-uris><is-strict type="boolean">true</is-strict></oauth-app>`
    const headers = { 'content-type': 'application/xml' }
    const { status, text } = await system.api('POST', 'oauth_apps.xml', document, { headers })
    expect(status, text).toBe(201)
    expect(text).toContain(
      `<redirect-uris type="array"><redirect-uri>${URI}</redirect-uri><redirect-uri>http://localhost:3000/a?b=c&amp;d=e</redirect-uri></redirect-uris>`,
    )
    expect(text).toMatch(/<client-secret>gs_[\w-]{43}<\/client-secret>/)
  })

  test.each([
    'https://shop.example',
    'https://shop.example/',
    'https://Shop.Example:443/a/../b?x=1&y=%20',
    'http://127.0.0.1:4000/cb',
    'http://[::1]/cb',
    'http://localhost/cb',
  ])('stores an address exactly as it was sent: %s', async (uri) => {
    expect((await create({ redirect_uris: [uri, uri] })).redirect_uris).toEqual([uri])
  })

  test.each([
    ['http://shop.example/cb', 'must begin with https://'],
    ['http://127.0.0.1.example.org/', 'must begin with https://'],
    ['http://localhost.example.org/', 'must begin with https://'],
    ['https://shop.example/cb#', 'has a fragment'],
    ['https://shop.example/#a', 'has a fragment'],
    ['https://me:secret@shop.example/', 'has a user in it'],
    ['https://@shop.example/', 'has a user in it'],
    ['https://*.shop.example/', 'holds a blank, a * or another sign that an address cannot have'],
    ['https://shop.example/a b', 'holds a blank, a * or another sign that an address cannot have'],
    ['https://shop.example\\@evil.example/', 'holds a blank, a * or another sign that an address cannot have'],
    ['https://shöp.example/', 'holds a blank, a * or another sign that an address cannot have'],
    ['https:///shop.example', 'is not an address'],
    ['https://', 'is not an address'],
    ['https://shop.example:99999/', 'is not an address'],
    ['javascript:alert(1)', 'is not valid'],
    ['shop.example', 'is not valid'],
    ['//shop.example', 'is not valid'],
    ['', "can't be blank"],
  ])('refuses %s', async (uri, sentence) => {
    const body = { name: 'x', redirect_uris: [URI, uri] }
    const answer = await system.api('POST', 'oauth_apps.json', body)
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors)).toEqual(['redirect_uris.1'])
    expect(answer.body.errors['redirect_uris.1']).toContain(sentence)
  })

  test('needs a name and at least one address, also in updates', async () => {
    expect((await system.api('POST', 'oauth_apps.json', {})).body.errors).toEqual({
      name: ["can't be blank"],
      redirect_uris: ["can't be blank"],
    })
    const { _id } = await create()
    const answer = await system.api('PUT', `oauth_apps/${_id}.json`, { redirect_uris: [] })
    expect(answer.body).toEqual({ errors: { redirect_uris: ["can't be blank"] } })
  })

  test('a retry with the same Idempotency-Key shows the same secret', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const body = { name: 'Once', redirect_uris: [URI] }
    const [first, again] = [
      await system.api('POST', 'oauth_apps.json', body, { headers }),
      await system.api('POST', 'oauth_apps.json', body, { headers }),
    ]
    expect(again.body).toEqual(first.body)
  })
})

test('an update changes only its fields and leaves secret and client_id', async () => {
  const { _id, client_id, client_secret } = await create()
  const uris = ['https://a.example/', 'https://b.example/']
  expect((await system.api('PUT', `oauth_apps/${_id}.json`, { redirect_uris: uris })).status).toBe(204)
  expect((await system.api('PUT', `oauth_apps/${_id}.json`, { is_strict: true, client_id: 'mine' })).status).toBe(204)
  const { body } = await system.api('GET', `oauth_apps/${_id}.json`)
  expect(body).toMatchObject({ name: 'Shop', redirect_uris: uris, is_strict: true, client_id })
  expect(isSecretOf(await stored(_id), client_secret)).toBe(true)
})

describe('rolling the secret', () => {
  test('leaves the old one valid for a day, and answers until when', async () => {
    const { _id, client_secret: old } = await create()
    const before = Date.now()
    const rolled = await roll(_id)
    const now = Date.now()
    const app = await stored(_id)
    expect(rolled.client_secret).not.toBe(old)
    for (const secret of [old, rolled.client_secret]) expect(isSecretOf(app, secret)).toBe(true)
    expect(isSecretOf(app, old, new Date(before + 86_390_000))).toBe(true)
    expect(isSecretOf(app, old, new Date(now + 86_401_000))).toBe(false)
    expect(isSecretOf(app, rolled.client_secret, new Date(now + 1e12))).toBe(true)
    const { body } = await system.api('GET', `oauth_apps/${_id}.json`)
    expect(Math.abs(Date.parse(body.old_secret_expires_at) - now - 86_400_000)).toBeLessThan(60_000)
  })

  test('with 0 ends all old ones at once', async () => {
    const { _id, client_secret: first } = await create()
    const { client_secret: second } = await roll(_id)
    const { client_secret: third, old_secret_expires_at } = await roll(_id, 0)
    const app = await stored(_id)
    expect([first, second, third].map((secret) => isSecretOf(app, secret))).toEqual([false, false, true])
    expect(old_secret_expires_at).toBeUndefined()
  })

  test('never prolongs a secret that is about to end', async () => {
    const { _id, client_secret: first } = await create()
    await roll(_id, 60)
    const end = new Date(Date.now() + 61_000)
    await roll(_id, 86_400)
    expect(isSecretOf(await stored(_id), first, end)).toBe(false)
  })

  test('ten concurrent rolls get their own secrets, and the last one is valid', async () => {
    const { _id } = await create()
    const secrets = (await Promise.all(Array.from({ length: 10 }, () => roll(_id)))).map((each) => each.client_secret)
    expect(new Set(secrets).size).toBe(10)
    const app = await stored(_id)
    expect(app.revision).toBe(10)
    expect(secrets.filter((secret) => isSecretOf(app, secret))).toHaveLength(5)
    const lasting = secrets.filter((secret) => isSecretOf(app, secret, new Date(Date.now() + 1e12)))
    expect(lasting).toHaveLength(1)
  })

  test.each([-1, 2_592_001, 1.5, 'soon'])('an overlap of %s is refused', async (overlap_seconds) => {
    const { _id } = await create()
    const answer = await system.api('POST', `oauth_apps/${_id}/roll_secret.json`, { overlap_seconds })
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['overlap_seconds']])
  })

  test('anything else is not a secret of the app', async () => {
    const [{ _id }, another] = [await create(), await create()]
    for (const wrong of [
      '',
      'gs_',
      another.client_secret,
      `${another.client_secret}x`,
      '\u0000',
      'x'.repeat(100_000),
    ]) {
      expect(isSecretOf(await stored(_id), wrong)).toBe(false)
    }
  })
})

test('deleting an app is announced before the answer, and recorded', async () => {
  const heard: unknown[] = []
  system.bus.listen(topics.signIns, (ended) => heard.push(ended))
  const { _id, client_id } = await create()
  expect((await system.api('DELETE', `oauth_apps/${_id}.json`)).status).toBe(204)
  await system.bus.flush()
  expect(heard).toEqual([{ account_id: system.account_id, client_id }])
  expect(await store.findByClientId(system.account_id, client_id)).toBeNull()
  const acts = async () => (await system.api('GET', `audit_records.json?resource_id=${_id}`)).body
  await expect.poll(async () => (await acts())[0]).toMatchObject({ action: 'sso.oauth_apps.delete', outcome: 'done' })
})

test('another account can read, change, roll and delete nothing', async () => {
  const { _id, client_id } = await create()
  const { auth_token: token } = other
  for (const [method, path, body] of [
    ['GET', `oauth_apps/${_id}.json`],
    ['PUT', `oauth_apps/${_id}.json`, { name: 'Theirs' }],
    ['POST', `oauth_apps/${_id}/roll_secret.json`, {}],
    ['DELETE', `oauth_apps/${_id}.json`],
  ] as const) {
    expect((await system.api(method, path, body, { token })).status, method).toBe(404)
  }
  expect((await system.api('GET', 'oauth_apps.json', undefined, { token })).body).toEqual([])
  expect(await store.findByClientId(other.account_id, client_id)).toBeNull()
  expect((await stored(_id)).revision).toBe(0)
})

test.each(['read', 'door'])('a %s token cannot read apps', async (scope) => {
  const issued = await system.api('POST', 'tokens.json', { name: 'x', scope })
  expect((await system.api('GET', 'oauth_apps.json', undefined, { token: issued.body.token })).status).toBe(403)
})
