// @module-tag slow
import type { Running } from '@gatehouse/proto/serving/run.ts'
import type { BrowserSession } from '@gatehouse/test/harness/browser-session.ts'
import { startReplica } from '@gatehouse/test/harness/replica.ts'
import { type SiteApp, SsoSite } from '@gatehouse/test/harness/sso-site.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { rounds } from '@gatehouse/test/rounds.ts'
import { type Db, MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { ContactFieldStore } from './api/contact-fields/store.ts'
import { OauthAppStore } from './api/oauth-apps/store.ts'

/** Requests after a change: enough that each of two replicas gets some. */
const MANY = rounds(16, 40)

describe('a change by one replica is effective at all from the next request on', () => {
  let system: System
  let replica: Running
  let site: SsoSite

  beforeAll(async () => {
    system = await startSystem({ checkins: 0 })
    replica = await startReplica('sso', system, { rate_limits: 'off' })
    site = await SsoSite.open(system, 'acme')
  })
  afterAll(async () => {
    await replica?.stop()
    await system?.stop()
  })

  const many = <T>(ask: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: MANY }, ask))
  const api = (method: string, path: string, body?: object) =>
    system.api(method, path, body, { token: site.account.auth_token })

  /** A token about which both replicas have been asked. */
  async function signedIn(app: Awaited<ReturnType<SsoSite['app']>>): Promise<string> {
    return (await visited(app)).token
  }

  /** The same with its contact and browser. */
  async function visited(app: SiteApp): Promise<{ token: string; code: string; id: string; visitor: BrowserSession }> {
    const [{ id, email }, visitor] = [await site.contact(), site.visitor()]
    const code = await site.code(visitor, app, email)
    const token = (await site.token(app, code)).body.access_token
    expect(await statuses(token)).toEqual([200])
    return { token, code, id, visitor }
  }

  /** The answers of all replicas about a token. */
  async function statuses(token: string): Promise<number[]> {
    return [...new Set((await many(() => site.me(token))).map(({ status }) => status))]
  }

  test('tokens of a deleted app are void', async () => {
    const app = await site.app()
    const token = await signedIn(app)
    expect((await api('DELETE', `oauth_apps/${app.id}.json`)).status).toBe(204)
    // Its tokens are deleted later; here the app is unknown already.
    expect((await many(() => site.token(app, 'none'))).map(({ body }) => body.error)).toEqual(
      Array(MANY).fill('invalid_client'),
    )
    expect((await many(() => site.me(token))).map(({ status }) => status)).toEqual(Array(MANY).fill(401))
  })

  test('a replaced secret is refused, and the new one is accepted', async () => {
    const app = await site.app()
    await signedIn(app)
    const rolled = await api('POST', `oauth_apps/${app.id}/roll_secret.json`, { overlap_seconds: 0 })
    const answers = async (secret: string) =>
      (await many(() => site.token({ ...app, client_secret: secret }, 'none'))).map(({ body }) => body.error)
    expect(await answers(app.client_secret)).toEqual(Array(MANY).fill('invalid_client'))
    expect(await answers(rolled.body.client_secret)).toEqual(Array(MANY).fill('invalid_grant'))
  })

  const ends: Record<string, (whose: Awaited<ReturnType<typeof visited>> & { app: SiteApp }) => Promise<unknown>> = {
    'that signed out': ({ visitor }) => visitor.request(`${site.sso}/contacts/sign_out`),
    'that was blocked': ({ id }) => api('PUT', `contacts/${id}.json`, { is_blocked: true }),
    'that got another password': ({ id }) => api('PUT', `contacts/${id}.json`, { password: 'another long password' }),
    'that was deleted': ({ id }) => api('DELETE', `contacts/${id}.json`),
    'whose token was revoked': ({ app, token }) => revoke(app, token),
    'whose code was used again': ({ app, code }) => site.token(app, code),
  }

  function revoke({ client_id, client_secret }: SiteApp, token: string): Promise<unknown> {
    return site.post('/oauth/revoke', new URLSearchParams({ token, client_id, client_secret }))
  }

  test.each(Object.keys(ends))('the token of a contact %s is void at once', async (how) => {
    const app = await site.app({ is_strict: false })
    const [gone, other] = [await visited(app), await visited(app)]
    await ends[how]?.({ ...gone, app })
    expect(await statuses(gone.token)).toEqual([401])
    expect(await statuses(other.token)).toEqual([200])
  })

  test('a token is void as soon as another contact signs in with the same browser', async () => {
    const app = await site.app()
    const { token, visitor } = await visited(app)
    await visitor.request(`${site.sso}/contacts/sign_out`)
    await site.code(visitor, app, (await site.contact()).email)
    expect(await statuses(token)).toEqual([401])
  })

  test('a contact is answered with its last changes', async () => {
    const { token, id } = await visited(await site.app())
    for (const first_name of ['Ada', 'Grace', 'Radia']) {
      await api('PUT', `contacts/${id}.json`, { first_name })
      expect(new Set((await many(() => site.me(token))).map(({ body }) => body.first_name))).toEqual(
        new Set([first_name]),
      )
    }
  })

  test('contact fields are created, renamed and deleted', async () => {
    const token = await signedIn(await site.app())
    const keys = async () => [
      ...new Set((await many(() => site.me(token))).map(({ body }) => Object.keys(body).sort().join())),
    ]
    const fixed = ['id', 'email', 'first_name', 'last_name']
    const made = await api('POST', 'contact_fields.json', { key: 'size' })
    expect(await keys()).toEqual([[...fixed, 'size'].sort().join()])
    await api('PUT', `contact_fields/${made.body._id}.json`, { key: 'shoe' })
    expect(await keys()).toEqual([[...fixed, 'shoe'].sort().join()])
    await api('DELETE', `contact_fields/${made.body._id}.json`)
    expect(await keys()).toEqual([[...fixed].sort().join()])
  })
})

describe('caches without announcements', () => {
  const client = new MongoClient(inject('mongodbUrl'))
  const db: Db = client.db(`test-${crypto.randomUUID()}`)
  const other = new OauthAppStore(db)
  const now = new Date()
  const app = {
    _id: 'a',
    account_id: 'acme',
    client_id: 'hub',
    name: 'Hub',
    redirect_uris: [],
    is_strict: false,
    secrets: [],
    revision: 0,
    created_at: now,
    updated_at: now,
  }
  const field = {
    _id: 'f',
    account_id: 'acme',
    key: 'size',
    label: 'Size',
    type: 'text' as const,
    available_values: [],
    created_at: now,
    updated_at: now,
  }

  beforeAll(async () => {
    await other.prepare()
    await new ContactFieldStore(db).prepare()
  })
  afterAll(async () => {
    await db.dropDatabase()
    await client.close()
  })

  test('an app that is read while a change is announced is not cached', async () => {
    const store = new OauthAppStore(db)
    await other.insert(app)
    const reading = store.findByClientId('acme', 'hub')
    store.cache.invalidate('acme')
    await reading
    await other.update('acme', 'a', { name: 'Other' })
    expect((await store.findByClientId('acme', 'hub'))?.name).toBe('Other')
  })

  test('fields that are read while a change is announced are not cached', async () => {
    const store = new ContactFieldStore(db)
    const reading = store.ofAccount('acme')
    store.cache.invalidate('acme')
    expect(await reading).toEqual([])
    await new ContactFieldStore(db).insert(field)
    expect(await store.ofAccount('acme')).toEqual([field])
  })

  test('everything is read again when announcements may have been missed, and missing documents are not cached', async () => {
    const [apps, fields] = [new OauthAppStore(db), new ContactFieldStore(db)]
    expect(await apps.findByClientId('acme', 'later')).toBeNull()
    await other.insert({ ...app, _id: 'b', client_id: 'later' })
    expect((await apps.findByClientId('acme', 'later'))?._id).toBe('b')
    const before = await fields.ofAccount('acme')
    await other.delete('acme', 'b')
    await new ContactFieldStore(db).insert({ ...field, _id: 'g', key: 'shoe' })
    apps.cache.invalidateAll()
    fields.cache.invalidateAll()
    expect(await apps.findByClientId('acme', 'later')).toBeNull()
    expect((await fields.ofAccount('acme')).length).toBe(before.length + 1)
  })

  test('expire after some seconds, in case an announcement is lost', async () => {
    const store = new OauthAppStore(db)
    await other.insert({ ...app, _id: 'c', client_id: 'gone' })
    await store.findByClientId('acme', 'gone')
    await other.delete('acme', 'c')
    await expect.poll(() => store.findByClientId('acme', 'gone'), { interval: 500 }).toBeNull()
  })
})
