import { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import { SECRETS_KEY } from '@gatehouse/test/harness/system.ts'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { ContactFieldStore } from '../api/contact-fields/store.ts'
import { ContactStore } from '../api/contacts/store.ts'
import { OauthAppStore } from '../api/oauth-apps/store.ts'
import { ArtifactStore } from './artifacts.ts'
import { MeEndpoint } from './me.ts'
import { TokenAnswerCache } from './token-answers.ts'

const MINUTE = 60
const ISSUER = 'https://gate.example/sso/acme'

describe('the contact of a token, by oidc-provider’s rules for tokens', () => {
  const client = new MongoClient(inject('mongodbUrl'))
  const db = client.db(`test-${crypto.randomUUID()}`)
  const dependencies = {
    artifacts: new ArtifactStore(db, new Encrypter(SECRETS_KEY)),
    contacts: new ContactStore(db),
    fields: new ContactFieldStore(db),
    apps: new OauthAppStore(db),
  }
  const me = new MeEndpoint(dependencies, new TokenAnswerCache())
  const now = new Date()
  const stamps = { created_at: now, updated_at: now }
  const exp = Math.floor(now.getTime() / 1_000) + MINUTE
  const token = {
    accountId: 'ada',
    clientId: 'hub',
    scope: 'public',
    version: 0,
    exp,
    expiresWithSession: true,
    sessionUid: 'u',
  }
  const session = { accountId: 'ada', version: 0, exp }

  beforeAll(async () => {
    await Promise.all(Object.values(dependencies).map((store) => store.prepare()))
    for (const [_id, is_blocked] of [
      ['ada', false],
      ['bob', false],
      ['eve', true],
    ] as const) {
      const nothing = { first_name: null, last_name: null, password_hash: null, values: {} }
      const email = `${_id}@example.org`
      await dependencies.contacts.insert({ _id, account_id: 'acme', email, is_blocked, ...nothing, ...stamps })
    }
    const app = { name: 'Hub', redirect_uris: [], is_strict: false, secrets: [], revision: 0 }
    await dependencies.apps.insert({ _id: 'a', account_id: 'acme', client_id: 'hub', ...app, ...stamps })
    await dependencies.apps.insert({ _id: 'b', account_id: 'other', client_id: 'theirs', ...app, ...stamps })
  })
  afterAll(async () => {
    await db.dropDatabase()
    await client.close()
  })

  /** Stores a token and its session with changes, and requests its contact. */
  async function ask(changes: {
    token?: object
    session?: object | null
    account?: string
    grant?: 'ended' | null
  }): Promise<number> {
    const [id, uid, grantId] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
    const authorizations = { hub: { grantId } }
    const made = { ...token, sessionUid: uid, grantId, ...changes.token }
    if (changes.grant !== null) await dependencies.artifacts.put('acme', 'Grant', grantId, {}, MINUTE, {})
    if (changes.grant === 'ended') await dependencies.artifacts.endGrant('acme', grantId)
    await dependencies.artifacts.put('acme', 'AccessToken', id, made, MINUTE, {})
    if (changes.session !== null) {
      await dependencies.artifacts.put(
        'acme',
        'Session',
        crypto.randomUUID(),
        { ...session, authorizations, ...changes.session },
        MINUTE,
        {
          uid,
        },
      )
    }
    return (await me.answer(changes.account ?? 'acme', ISSUER, `Bearer ${id}`)).status
  }

  test.each([
    ['of a session that goes on', {}],
    ['that outlives its session', { token: { expiresWithSession: false }, session: null }],
    ['with other scopes too', { token: { scope: 'openid public' } }],
  ])('valid: %s', async (_label, changes) => {
    expect(await ask(changes)).toBe(200)
  })

  test.each<[string, Parameters<typeof ask>[0]]>([
    ['expired', { token: { exp: exp - 2 * MINUTE } }],
    ['without the scope', { token: { scope: 'openid' } }],
    ['without any scope', { token: { scope: undefined } }],
    ['of another account', { account: 'other' }],
    ['of a contact that is gone', { token: { accountId: 'nobody' }, session: { accountId: 'nobody' } }],
    ['of a blocked contact', { token: { accountId: 'eve' }, session: { accountId: 'eve' } }],
    ['of an earlier version of the contact', { token: { version: -1 } }],
    ['without a version', { token: { version: undefined } }],
    ['of an app that is gone', { token: { clientId: 'gone', expiresWithSession: false } }],
    ['of an app of another account', { token: { clientId: 'theirs', expiresWithSession: false } }],
    ['whose grant was revoked', { grant: 'ended' }],
    ['whose grant was revoked, that outlives its session', { grant: 'ended', token: { expiresWithSession: false } }],
    ['whose grant is gone', { grant: null }],
    ['whose session is gone', { session: null }],
    ['whose session is expired', { session: { exp: exp - 2 * MINUTE } }],
    ['whose session is of an earlier version', { session: { version: -1 } }],
    ['whose session is another person’s', { session: { accountId: 'bob' } }],
    ['whose session has another grant by now', { session: { authorizations: { hub: { grantId: 'other' } } } }],
    ['whose session knows the app no more', { session: { authorizations: {} } }],
  ])('refused: %s', async (_label, changes) => {
    expect(await ask(changes)).toBe(401)
  })

  test('concurrent requests get their own answers, although others are invalid', async () => {
    await dependencies.artifacts.put('acme', 'Grant', 'g', {}, MINUTE, {})
    const tokens = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const id = crypto.randomUUID()
        const accountId = ['ada', 'bob', 'eve'][n % 3] as string
        const made = { ...token, accountId, grantId: 'g', expiresWithSession: false }
        await dependencies.artifacts.put('acme', 'AccessToken', id, made, MINUTE, {
          contact_id: n === 7 ? 'damaged' : accountId,
        })
        return { id, accountId, isDamaged: n === 7 }
      }),
    )
    await db.collection('oidc_artifacts').updateOne({ contact_id: 'damaged' }, { $set: { sealed: 'AAAA' } })
    const answers = await Promise.allSettled(tokens.map(({ id }) => me.answer('acme', ISSUER, `Bearer ${id}`)))
    for (const [index, { accountId, isDamaged }] of tokens.entries()) {
      const settled = answers[index]
      if (isDamaged) expect(settled?.status).toBe('rejected')
      else if (accountId === 'eve') expect(settled).toMatchObject({ value: { status: 401 } })
      else expect(JSON.parse((settled as PromiseFulfilledResult<{ body: string }>).value.body).id).toBe(accountId)
    }
  })
})
