// @module-tag slow
import { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import { SECRETS_KEY } from '@gatehouse/test/harness/secrets-key.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { StaffVisitor } from '@gatehouse/test/harness/staff-visitor.ts'
import { MongoClient } from 'mongodb'
import { afterAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { ArtifactStore } from '../oidc/artifacts.ts'
import type { ConsoleSession } from './session-store.ts'

const HOUR_MS = 3_600_000
const system = await sharedSystem()
const client = new MongoClient(inject('mongodbUrl'))
const db = client.db(`${system.namespace}_sso`)
const sessions = db.collection<ConsoleSession>('console_sessions')
const { account_id } = system

describe('a browser that was left alone for an hour', () => {
  let visitor: StaffVisitor
  let session: ConsoleSession

  beforeEach(async () => {
    const { made } = await StaffVisitor.of(system, system, { role: 'viewer' })
    visitor = new StaffVisitor(system, system)
    await visitor.signIn(made.email)
    session = (await sessions.findOne({ staff_member_id: made._id, sso_session_uid: { $exists: true } })) as never
  })
  afterAll(() => client.close())

  const use = (ago_ms: number) =>
    sessions.updateOne({ _id: session._id }, { $set: { last_used_at: new Date(Date.now() - ago_ms) } })

  /** Has the session of single sign-on begun longer ago. */
  async function age(ms: number): Promise<void> {
    const artifacts = new ArtifactStore(db, new Encrypter(SECRETS_KEY))
    const uid = session.sso_session_uid ?? ''
    const at = await artifacts.sessions.findByUid(account_id, uid)
    if (!at) throw new Error('no session of single sign-on')
    const payload = { ...at.payload, loginTs: Number(at.payload.loginTs) - ms / 1000 }
    const options = { at, contact_id: session.contact_id, isSame: true }
    expect(await artifacts.sessions.replace(account_id, uid, String(at.payload.jti), payload, 3_600, options)).toBe(
      true,
    )
  }

  test('is asked for the password again: single sign-on, which lasts longer, makes no session by itself', async () => {
    await use(HOUR_MS + 60_000)
    await age(HOUR_MS + 60_000)
    expect((await visitor.session()).status).toBe(401)
    expect((await visitor.begin()).text).toContain('name="password"')
    expect((await visitor.session()).status).toBe(401)
  })

  test('gets no session either if max_age is taken off the address', async () => {
    await use(HOUR_MS * 2)
    await age(HOUR_MS * 2)
    const begun = await visitor.browser.request(`${system.url}/console/sign-in?account=${system.slug}`)
    const authorization = new URL(begun.headers.get('location') ?? '')
    expect(authorization.searchParams.get('max_age')).toBe('3600')
    authorization.searchParams.delete('max_age')
    const seen = await visitor.browser.open(authorization.href)
    expect([seen.status, new URL(seen.url).pathname]).toEqual([400, '/console/callback'])
    expect((await visitor.session()).status).toBe(401)
  })

  test('is not kept signed in by the page, which reads the state of the session', async () => {
    await use(HOUR_MS / 2)
    const before = await sessions.findOne({ _id: session._id })
    expect((await visitor.session()).status).toBe(200)
    expect(await sessions.findOne({ _id: session._id })).toEqual(before)
  })
})
