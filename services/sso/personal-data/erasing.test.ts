// @module-tag slow
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { type SiteApp, SsoSite } from '@gatehouse/test/harness/sso-site.ts'
import { invite, StaffVisitor } from '@gatehouse/test/harness/staff-visitor.ts'
import { storedText } from '@gatehouse/test/harness/stored-text.ts'
import type { Answer } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { Binary, MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { PasskeyStore } from '../passkeys/store.ts'

const system = await sharedSystem()

interface ErasureEntry {
  data: string
  outcome: string
  count: number
  reason: string | null
}

describe('an erasure of a person who is a contact of the account', () => {
  const site = new SsoSite(system, system)
  const mongo = new MongoClient(inject('mongodbUrl'))
  const passkeys = new PasskeyStore(mongo.db(`${system.namespace}_sso`))
  let app: SiteApp
  let testEvent: TestEvent
  let category: string

  beforeAll(async () => {
    app = await site.app()
    testEvent = await TestEvent.open(system)
    category = await testEvent.category()
  })
  afterAll(() => mongo.close())

  let count = 0
  /** A contact who is signed in at a site, with a passkey. */
  const newContact = async () => {
    const [first_name, last_name] = [`Adaquill${++count}`, `Featherstone${count}`]
    // Other files have contacts in the same databases.
    const contact = await site.contact({ first_name, last_name, email: `${first_name}@featherstone.example` })
    const token = await site.token(app, await site.code(site.visitor(), app, contact.email))
    await passkeys.insert({
      ...{ account_id: system.account_id, contact_id: contact.id, credential_id: `credential-${count}` },
      ...{ name: `Phone of Adaquill${count}`, version: 0, public_key: new Binary(Buffer.from('key')), counter: 0 },
      ...{ transports: [], created_at: new Date(), last_used_at: null },
    })
    return { ...contact, access_token: token.body.access_token as string, traces: [contact.email, `Adaquill${count}`] }
  }
  const erase = async (by: string, value: string): Promise<ErasureEntry[]> => {
    const erasure = await testEvent.make('erasures.json', { by, value })
    expect(erasure.state).toBe('done')
    return erasure.report
  }
  const contactStatus = async (id: string): Promise<number> => (await system.api('GET', `contacts/${id}.json`)).status
  const exported = async (email: string, init?: object): Promise<Record<string, Answer['body'][]>> => {
    const found: Record<string, Answer['body'][]> = {}
    for (let after: string | null = 'sso:'; after !== null; ) {
      const query = new URLSearchParams({ by: 'email', value: email, after })
      const answer: Answer = await testEvent.api('GET', `personal_documents.json?${query}`, undefined, init)
      expect(answer.status, answer.text).toBe(200)
      const { data, items, next } = answer.body
      if (items.length > 0) found[data] = [...(found[data] ?? []), ...items]
      after = next
    }
    return found
  }

  test('by its address deletes the contact and all of single sign-on that hangs on it, and its token is worth nothing', async () => {
    const { id, email, access_token, traces } = await newContact()
    const other = await newContact()
    const deleted = { outcome: 'deleted', count: 1, reason: null }
    expect(await erase('email', email.toUpperCase())).toEqual([
      { data: 'sso.contacts', ...deleted },
      { data: 'sso.passkeys', ...deleted },
      { data: 'sso.consents', ...deleted },
      { data: 'sso.sign_ins', ...deleted, count: expect.any(Number) },
      { data: 'sso.audit_records', outcome: 'kept', count: 3, reason: expect.stringContaining('expire') },
    ])
    expect(await contactStatus(id)).toBe(404)
    expect((await site.me(access_token)).status).toBe(401)
    const text = await storedText(inject('mongodbUrl'), system.namespace)
    expect(traces.filter((trace) => text.includes(trace))).toEqual([])
    const db = mongo.db(`${system.namespace}_sso`)
    for (const collection of ['passkeys', 'oidc_consents', 'oidc_artifacts', 'one_time_codes'])
      expect(await db.collection(collection).countDocuments({ contact_id: id }), collection).toBe(0)
    expect(await contactStatus(other.id)).toBe(200)
    expect((await site.me(other.access_token)).status).toBe(200)
  })

  test('keeps the address of the account for answers, and says so', async () => {
    const email = `desk-${crypto.randomUUID()}@example.org`
    expect((await system.api('PUT', 'account.json', { reply_to_email: email })).status).toBe(204)
    expect(await erase('email', email.toUpperCase())).toEqual([
      { data: 'sso.accounts', outcome: 'kept', count: 1, reason: expect.stringContaining('another reply_to_email') },
    ])
    expect((await system.api('GET', 'account.json')).body.reply_to_email).toBe(email)
    expect((await system.api('PUT', 'account.json', { reply_to_email: null })).status).toBe(204)
    expect(await erase('email', email)).toEqual([])
  })

  test('by a guest keeps the contact with its address, which may be another person’s, and says how to delete it', async () => {
    const { id, email } = await newContact()
    const guest = await testEvent.guest(category, `uid-${count}`, { email })
    const report = await erase('guest_id', guest)
    expect(report).toMatchObject([
      { data: 'guests.guests', outcome: 'blanked' },
      { data: 'sso.contacts', outcome: 'kept', count: 1, reason: expect.stringContaining('e-mail address') },
      { data: 'sso.passkeys', outcome: 'kept' },
      { data: 'sso.consents', outcome: 'kept' },
      { data: 'sso.sign_ins', outcome: 'kept' },
      { data: 'sso.audit_records', outcome: 'kept' },
    ])
    expect(await contactStatus(id)).toBe(200)
  })

  test('with a token that is bound to an event neither exports nor erases the contact', async () => {
    const { id, email } = await newContact()
    const bound = { name: 'bound', scope: 'admin', event_id: testEvent.id }
    const { token } = (await system.api('POST', 'tokens.json', bound)).body
    const answer = await testEvent.api('POST', 'erasures.json', { by: 'email', value: email }, { token })
    expect(answer.body.report).toEqual([])
    expect(await exported(email, { token })).toEqual({})
    expect(await contactStatus(id)).toBe(200)
  })

  test('of everybody, or of another account, deletes no contact', async () => {
    const { id, email } = await newContact()
    const other = await TestEvent.open(system)
    expect((await other.make('erasures.json', { by: 'everybody' })).report).toEqual([])
    const { auth_token: token, account_id } = await system.account('others')
    const event = (await system.api('POST', 'events.json', { title: 'Theirs', account_id }, { token })).body._id
    const theirs = await system.api('POST', `events/${event}/erasures.json`, { by: 'email', value: email }, { token })
    expect([theirs.status, theirs.body.report]).toEqual([201, []])
    expect(await contactStatus(id)).toBe(200)
  })

  test('keeps a staff member, its sessions and its audit records, and says why; an export has them', async () => {
    const visitor = await StaffVisitor.of(system, system, { role: 'owner' })
    const { made } = visitor
    await StaffVisitor.of(system, system, { role: 'owner' })
    const act = await visitor.api('POST', 'events.json', { title: 'Act', account_id: system.account_id })
    expect(act.status, act.text).toBe(201)
    const records = async () => (await exported(made.email))['sso.audit_records'] ?? []
    const done = { kind: 'act', action: 'guests.events.create', token_id: made._id, outcome: 'done' }
    await expect.poll(records).toContainEqual(expect.objectContaining(done))
    const report = await erase('email', made.email)
    expect(report.map(({ data, outcome }) => [data, outcome])).toEqual([
      ['sso.contacts', 'kept'],
      ['sso.console_sessions', 'kept'],
      ['sso.staff_members', 'kept'],
      ['sso.audit_records', 'kept'],
    ])
    for (const { reason } of report) expect(reason).toMatch(/^since /)
    const found = await exported(made.email)
    expect(found).toMatchObject({
      'sso.contacts': [{ email: made.email, first_name: 'Ada' }],
      'sso.console_sessions': [{ staff_member_id: made._id }],
      'sso.staff_members': [{ _id: made._id, role: 'owner' }],
    })
    expect(JSON.stringify(found)).not.toMatch(/hash|version/)

    expect((await system.api('DELETE', `staff_members/${made._id}.json`)).status).toBe(204)
    expect(await erase('email', made.email)).toMatchObject([
      { data: 'sso.contacts', outcome: 'deleted', count: 1 },
      { data: 'sso.audit_records', outcome: 'kept' },
    ])
  })

  test('an export holds the contact, its passkeys, consents, sign-ins and audit records, and no secret', async () => {
    const { id, email } = await newContact()
    await newContact()
    const found = await exported(email)
    expect(found).toMatchObject({
      'sso.contacts': [{ _id: id, email, first_name: `Adaquill${count - 1}` }],
      'sso.passkeys': [{ contact_id: id, name: `Phone of Adaquill${count - 1}` }],
      'sso.consents': [{ contact_id: id, client_id: app.client_id, scopes: ['public'] }],
    })
    expect(found['sso.audit_records']?.map(({ kind }) => kind).sort()).toEqual([
      'consent',
      'password_changed',
      'sign_in',
    ])
    expect(found['sso.sign_ins']?.map(({ kind }) => kind)).toContain('Session')
    expect(JSON.stringify(found)).not.toMatch(/hash|sealed|public_key/)
  })

  test('does not delete a contact who becomes staff at the same time', async () => {
    const { id, email } = await newContact()
    const [made, erased] = await Promise.allSettled([
      invite(system, system, { email, role: 'viewer' }),
      testEvent.make('erasures.json', { by: 'email', value: email }),
    ])
    expect(erased.status).toBe('fulfilled')
    // Whoever came first: a staff member has a contact, and who was deleted is no staff member.
    const isThere = (await contactStatus(id)) === 200
    const members = (await system.api('GET', 'staff_members.json')).body as { email: string }[]
    expect(members.every((member) => member.email !== '')).toBe(true)
    expect(isThere || made.status === 'rejected' || members.some((member) => member.email === email)).toBe(true)
  })
})
