import { setTimeout as sleep } from 'node:timers/promises'
import { startReplica } from '@gatehouse/test/harness/replica.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { TestAccount } from '@gatehouse/test/harness/system.ts'
import { MongoClient, ObjectId } from 'mongodb'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type AuditEntry, AuditStore, type TakenAct } from './store.ts'

const system = await sharedSystem()

let other: TestAccount
let mongo: MongoClient
let store: AuditStore
beforeAll(async () => {
  other = await system.account('other')
  mongo = await MongoClient.connect(inject('mongodbUrl'))
  store = new AuditStore(mongo.db(`${system.namespace}_sso`), 90)
})
afterAll(async () => {
  await mongo?.close()
})

const list = async (query: string, token = system.auth_token): Promise<{ kind: string; created_at: string }[]> =>
  (await system.api('GET', `audit_records.json?${query}`, undefined, { token })).body

test('records are listed newest first, by kind, contact and time, in pages, and only of the account', async () => {
  const { account_id } = system
  const [ada, li] = ['a'.repeat(24), 'b'.repeat(24)]
  const origin = { client_id: 'shop', address: '192.0.2.7' }
  const happenings: AuditEntry[] = [
    { account_id, kind: 'sign_in', contact_id: ada, ...origin },
    { account_id, kind: 'sign_in_failed', ...origin },
    { account_id, kind: 'consent', contact_id: ada, ...origin },
    { account_id, kind: 'sign_in', contact_id: li, ...origin },
    { account_id: other.account_id, kind: 'sign_out', contact_id: ada },
  ]
  for (const happening of happenings) {
    await store.record(happening)
    // Each has its own millisecond, which identifies it below.
    await sleep(2)
  }

  const all = await list('')
  expect(all.map(({ kind }) => kind)).toEqual(['sign_in', 'consent', 'sign_in_failed', 'sign_in'])
  expect(all[0]).toMatchObject({
    _id: expect.stringMatching(/^[0-9a-f]{24}$/),
    account_id,
    kind: 'sign_in',
    contact_id: li,
    ...origin,
    created_at: expect.stringMatching(/Z$/),
  })
  expect(all[2]).toMatchObject({ contact_id: null, action: null, token_id: null, changed_fields: [] })
  expect((await list('kind=sign_in')).length).toBe(2)
  expect((await list(`contact_id=${ada}`)).map(({ kind }) => kind)).toEqual(['consent', 'sign_in'])
  expect(await list(`since=${all[1]?.created_at}`)).toEqual(all.slice(0, 2))
  expect(await list(`before=${all[1]?.created_at}`)).toEqual(all.slice(2))
  expect(await list('per_page=3&page=2')).toEqual(all.slice(3))
  expect((await list('', other.auth_token)).map(({ kind }) => kind)).toEqual(['sign_out'])
  const xml = await system.api('GET', 'audit_records.xml?per_page=1')
  expect(xml.text).toMatch(/<audit-records type="array"><audit-record>.*<contact-id>b{24}<\/contact-id>/)
})

test("an act with the id of another account's record changes nothing there", async () => {
  const act: Omit<TakenAct, 'account_id'> = {
    _id: new ObjectId().toHexString(),
    address: null,
    action: 'guests.events.create',
    resource_id: null,
    event_id: null,
    token_id: null,
    token_name: 'Ours',
    changed_fields: [],
    items: null,
    outcome: 'done',
    created_at: new Date(),
  }
  await store.take([{ ...act, account_id: system.account_id }])
  const theirs = store.take([{ ...act, account_id: other.account_id, token_name: 'Theirs' }])
  await expect(theirs).rejects.toMatchObject({ code: 'conflict' })
  const found = (token?: string) => list('action=guests.events', token)
  expect(await found()).toEqual([expect.objectContaining({ _id: act._id, token_name: 'Ours' })])
  expect(await found(other.auth_token)).toEqual([])
  // The same act again is stored once.
  await store.take([{ ...act, account_id: system.account_id }])
  expect((await found()).length).toBe(1)
})

test('records expire after 90 days, or after those of AUDIT_RECORDS_KEPT_DAYS', async () => {
  const records = mongo.db(`${system.namespace}_sso`).collection('audit_records')
  const seconds = async () => (await records.indexes()).flatMap(({ expireAfterSeconds }) => expireAfterSeconds ?? [])
  expect(await seconds()).toEqual([90 * 86_400])
  const replica = await startReplica('sso', system, { audit_records_kept_days: 400 })
  await replica.stop()
  expect(await seconds()).toEqual([400 * 86_400])
})

test.each(['read', 'door'])('a %s token cannot read records', async (scope) => {
  const { body } = await system.api('POST', 'tokens.json', { name: 'x', scope })
  expect((await system.api('GET', 'audit_records.json', undefined, { token: body.token })).status).toBe(403)
})
