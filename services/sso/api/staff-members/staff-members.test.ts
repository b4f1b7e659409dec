import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { PASSWORD } from '@gatehouse/test/harness/sso-site.ts'
import { invite, StaffVisitor } from '@gatehouse/test/harness/staff-visitor.ts'
import type { TestAccount } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { rounds, slow } from '@gatehouse/test/rounds.ts'
import { beforeAll, describe, expect, test } from 'vitest'

const LAST_OWNER = { error: 'An account needs an owner: make someone else an owner first' }

const system = await sharedSystem()
const { api } = system
let testEvent: TestEvent
/** The owner who is always there. */
let owner: StaffVisitor & { made: { _id: string; email: string } }

beforeAll(async () => {
  testEvent = await TestEvent.open(system)
  owner = await StaffVisitor.of(system, system, { role: 'owner', email: 'owner@example.org' })
})

let accounts = 0
/** An account of its own, without staff. */
const newAccount = (): Promise<TestAccount> => system.account(`staff-${++accounts}`)
const as = ({ auth_token: token }: TestAccount) => ({ token })

/** The id of the contact who is a staff member. */
async function contactOf(id: string, account: TestAccount = system): Promise<string> {
  const { email } = (await api('GET', `staff_members/${id}.json`, undefined, as(account))).body
  return (await api('GET', `contacts.json?email=${encodeURIComponent(email)}`, undefined, as(account))).body[0]._id
}

describe('staff members', () => {
  test('are made with a link, which is shown once; name and address are those of their contact', async () => {
    const fields = { email: 'Grace@example.org', name: 'Grace Hopper', role: 'viewer' }
    const { status, body } = await api('POST', 'staff_members.json', fields)
    expect(status).toBe(201)
    const { sign_in_url, ...member } = body
    expect(sign_in_url).toMatch(new RegExp(`^${system.url}/console/welcome/[\\w-]{43}$`))
    const times = { created_at: expect.stringMatching(/Z$/), updated_at: expect.stringMatching(/Z$/) }
    expect(member).toEqual({
      ...fields,
      ...{ _id: expect.stringMatching(/^[0-9a-f]{24}$/), event_id: null, last_signed_in_at: null, ...times },
    })
    expect((await api('GET', `staff_members/${member._id}.json`)).body).toEqual(member)
    expect((await api('GET', 'staff_members.json')).body).toContainEqual(member)
    const [contact] = (await api('GET', 'contacts.json?email=grace@example.org')).body
    expect([contact.first_name, contact.last_name, contact.has_password]).toEqual(['Grace', 'Hopper', false])
  })

  test('a contact who is there keeps the name, and the password until the link is used', async () => {
    const known = { email: 'known@example.org', first_name: 'Known', password: PASSWORD }
    const contact = (await api('POST', 'contacts.json', known)).body
    const made = await invite(system, system, { email: 'KNOWN@example.org', name: 'Other', role: 'viewer' })
    expect((await api('GET', `staff_members/${made._id}.json`)).body).toMatchObject({ name: 'Known' })
    expect((await api('GET', `contacts/${contact._id}.json`)).body).toMatchObject({ has_password: true })
  })

  test(
    'a role counts from the use of the link on: who made the contact and knows its password does not get it',
    slow,
    async () => {
      const organizer = await StaffVisitor.of(system, system, { role: 'organizer' })
      const email = 'boss@example.org'
      const contact = (await organizer.api('POST', 'contacts.json', { email, password: PASSWORD })).body
      const invitations = `contacts/${contact._id}/invitations.json`
      const old = (await organizer.api('POST', invitations, { delivery: 'link' })).body.url
      const made = await invite(system, system, { email, role: 'owner' })
      const thief = new StaffVisitor(system, system)
      const seen = await thief.signIn(email)
      expect([seen.status, seen.text, await thief.cookie()]).toEqual([
        403,
        expect.stringContaining('has not joined yet'),
        undefined,
      ])

      const boss = new StaffVisitor(system, system)
      await boss.welcome(made.sign_in_url, { password: 'known to the boss alone' })
      expect((await boss.session()).body.staff_member).toMatchObject({ email, role: 'owner' })
      expect((await thief.begin()).text).toContain('name="password"')
      expect((await thief.signIn(email)).text).toContain('Wrong e-mail address or password')
      expect((await fetch(old)).status).toBe(404)
    },
  )

  test('a contact who is changed or deleted while it becomes staff is the one who was invited', slow, async () => {
    const organizer = await StaffVisitor.of(system, system, { role: 'organizer' })
    for (let round = 0; round < rounds(6, 60); round++) {
      const email = `becoming.${round}@example.org`
      const { _id } = (await organizer.api('POST', 'contacts.json', { email })).body
      const other = { email: `mine.${round}@example.org` }
      const [made] = await Promise.all([
        api('POST', 'staff_members.json', { email, role: 'owner' }),
        round % 2 ? organizer.api('PUT', `contacts/${_id}.json`, other) : api('DELETE', `contacts/${_id}.json`),
      ])
      expect([201, 409]).toContain(made.status)
      const { body } = await api('GET', 'staff_members.json')
      const found = body.filter((member: { email: string }) => !member.email || member.email === other.email)
      expect(found).toEqual([])
      if (made.status === 201) expect((await api('GET', `staff_members/${made.body._id}.json`)).body.email).toBe(email)
    }
  })

  test('of many who make the same one at once, one does', async () => {
    for (let round = 0; round < rounds(2, 20); round++) {
      const fields = { email: `once.${round}@example.org`, role: 'viewer' }
      const made = await Promise.all(Array.from({ length: 6 }, () => api('POST', 'staff_members.json', fields)))
      expect(made.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422])
    }
  })

  test.each([
    [{ role: 'viewer' }, { email: ["can't be blank"] }],
    [{ email: 'x', role: 'viewer' }, { email: ['is not valid'] }],
    [{ email: 'a@example.org', role: 'king' }, { role: [expect.any(String)] }],
    [{ email: 'owner@example.org', role: 'viewer' }, { email: ['has already been taken'] }],
    [
      { email: 'a@example.org', role: 'viewer', event_id: 'f'.repeat(24) },
      { event_id: ['is not an event of the account'] },
    ],
  ])('%j is 422 and says what is wrong', async (fields, errors) => {
    const { status, body } = await api('POST', 'staff_members.json', fields)
    expect([status, body]).toEqual([422, { errors }])
  })

  test('owners and organizers are bound to no event', async () => {
    const fields = { email: 'bound@example.org', role: 'organizer', event_id: testEvent.id }
    const errors = { event_id: ['is for door managers and viewers only'] }
    expect((await api('POST', 'staff_members.json', fields)).body).toEqual({ errors })
    const { _id } = await invite(system, system, { role: 'viewer', event_id: testEvent.id })
    expect((await api('PUT', `staff_members/${_id}.json`, { role: 'organizer' })).body).toEqual({ errors })
    expect((await api('PUT', `staff_members/${_id}.json`, { role: 'organizer', event_id: null })).status).toBe(204)
  })

  test("another account's staff member is 404", async () => {
    const other = await newAccount()
    for (const [method, path, body] of [
      ['GET', `staff_members/${owner.made._id}.json`],
      ['PUT', `staff_members/${owner.made._id}.json`, { role: 'viewer' }],
      ['DELETE', `staff_members/${owner.made._id}.json`],
      ['POST', `staff_members/${owner.made._id}/roll_link.json`],
    ] as const)
      expect([method, (await api(method, path, body, as(other))).status]).toEqual([method, 404])
  })

  test('another link makes the one before void', async () => {
    const made = await invite(system, system, { role: 'viewer' })
    const { status, body } = await api('POST', `staff_members/${made._id}/roll_link.json`)
    expect(status).toBe(200)
    expect((await fetch(made.sign_in_url)).status).toBe(404)
    expect((await fetch(body.sign_in_url)).status).toBe(200)
  })

  test('what is done to them is in the audit log, and so is what they do, by their name', async () => {
    const organizer = await StaffVisitor.of(system, system, { role: 'organizer' })
    const { _id } = organizer.made
    const event = (await organizer.api('POST', 'events.json', { account_id: system.account_id, title: 'Audited' })).body
    const records = async (query: string) => (await api('GET', `audit_records.json?${query}`)).body
    await expect.poll(() => records(`resource_id=${_id}`)).toMatchObject([{ action: 'sso.staff_members.create' }])
    await expect
      .poll(() => records(`token_id=${_id}`))
      .toMatchObject([{ action: 'guests.events.create', resource_id: event._id, token_name: 'Ada Lovelace' }])
  })
})

describe('the last owner', () => {
  const ownerOf = async (account: TestAccount) => (await StaffVisitor.of(system, account, { role: 'owner' })).made._id
  const remove = (account: TestAccount, id: string) => api('DELETE', `staff_members/${id}.json`, undefined, as(account))
  const demote = (account: TestAccount, id: string) =>
    api('PUT', `staff_members/${id}.json`, { role: 'viewer' }, as(account))
  const block = async (account: TestAccount, id: string) =>
    api('PUT', `contacts/${await contactOf(id, account)}.json`, { is_blocked: true }, as(account))

  test(
    'is neither deleted, nor blocked, nor given another role; an owner who has not joined is no other',
    slow,
    async () => {
      const account = await newAccount()
      const _id = await ownerOf(account)
      const invited = await invite(system, account, { role: 'owner' })
      for (const change of [remove, demote, block]) {
        const { status, body } = await change(account, _id)
        expect([status, body]).toEqual([409, LAST_OWNER])
      }
      const same = { role: 'owner', name: 'Same' }
      expect((await api('PUT', `staff_members/${_id}.json`, same, as(account))).status).toBe(204)
      expect((await remove(account, invited._id)).status).toBe(204)
      await ownerOf(account)
      expect((await remove(account, _id)).status).toBe(204)
    },
  )

  test('one who was blocked is another again once the block ends', async () => {
    const account = await newAccount()
    const [first, second] = [await ownerOf(account), await ownerOf(account)]
    expect((await block(account, first)).status).toBe(204)
    expect((await remove(account, second)).status).toBe(409)
    const contact = `contacts/${await contactOf(first, account)}.json`
    expect((await api('PUT', contact, { is_blocked: false }, as(account))).status).toBe(204)
    expect((await remove(account, second)).status).toBe(204)
  })

  test('of owners who are deleted, demoted and blocked at once, one stays', slow, async () => {
    for (let round = 0; round < rounds(2, 20); round++) {
      const account = await newAccount()
      const ids = await Promise.all(Array.from({ length: 4 }, () => ownerOf(account)))
      const changes = [remove, block, demote, block]
      const answers = await Promise.all(ids.map((id, index) => changes[index]?.(account, id)))
      expect(answers.map((answer) => answer?.status).sort()).toEqual([204, 204, 204, 409])
      const kept = ids[answers.findIndex((answer) => answer?.status === 409)] ?? ''
      expect((await api('GET', `staff_members/${kept}.json`, undefined, as(account))).body.role).toBe('owner')
      const contact = `contacts/${await contactOf(kept, account)}.json`
      expect((await api('GET', contact, undefined, as(account))).body.is_blocked).toBe(false)
    }
  })

  test('who becomes an owner and is bound to an event at once is not both', slow, async () => {
    for (let round = 0; round < rounds(5, 50); round++) {
      const path = `staff_members/${(await invite(system, system, { role: 'viewer' }))._id}.json`
      const changes = [{ role: 'owner' }, { event_id: testEvent.id }]
      const answers = await Promise.all(changes.map((change) => api('PUT', path, change)))
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 422])
    }
  })
})

describe('a change of a staff member', () => {
  /** What a session may do at every gateway. */
  const statuses = (visitor: StaffVisitor, method: string, path: string, body?: unknown) =>
    Promise.all(system.urls.map(async (base) => (await visitor.api(method, path, body, { base })).status))

  test('a lower role holds at once at every gateway', async () => {
    const visitor = await StaffVisitor.of(system, system, { role: 'organizer' })
    const path = `events/${testEvent.id}.json`
    expect(await statuses(visitor, 'PUT', path, {})).toEqual([204, 204])
    await api('PUT', `staff_members/${visitor.made._id}.json`, { role: 'viewer' })
    await expect.poll(() => statuses(visitor, 'PUT', path, {})).toEqual([403, 403])
    expect(await statuses(visitor, 'GET', path)).toEqual([200, 200])
  })

  test('an event to which one is bound holds at once', async () => {
    const visitor = await StaffVisitor.of(system, system, { role: 'viewer' })
    const second = await TestEvent.open(system)
    expect(await statuses(visitor, 'GET', `events/${second.id}.json`)).toEqual([200, 200])
    await api('PUT', `staff_members/${visitor.made._id}.json`, { event_id: testEvent.id })
    await expect.poll(() => statuses(visitor, 'GET', `events/${second.id}.json`)).toEqual([403, 403])
    expect((await visitor.api('GET', 'events.json')).body.map(({ _id }: { _id: string }) => _id)).toEqual([
      testEvent.id,
    ])
  })

  test.each([
    ['deleted', (id: string) => api('DELETE', `staff_members/${id}.json`)],
    [
      'blocked as a contact',
      async (id: string) => api('PUT', `contacts/${await contactOf(id)}.json`, { is_blocked: true }),
    ],
    [
      'given another password',
      async (id: string) => api('PUT', `contacts/${await contactOf(id)}.json`, { password: 'another password' }),
    ],
  ])('who is %s is signed out at once at every gateway', async (_label, change) => {
    const visitor = await StaffVisitor.of(system, system, { role: 'viewer' })
    expect(await statuses(visitor, 'GET', 'events.json')).toEqual([200, 200])
    expect((await change(visitor.made._id)).status).toBe(204)
    await expect.poll(() => statuses(visitor, 'GET', 'events.json')).toEqual([401, 401])
    expect((await visitor.session()).status).toBe(401)
  })

  test('a contact who is staff is not deleted, and changed by owners alone', async () => {
    const organizer = await StaffVisitor.of(system, system, { role: 'organizer' })
    const id = await contactOf(owner.made._id)
    expect((await api('DELETE', `contacts/${id}.json`)).status).toBe(409)
    const FORBIDDEN = { error: 'The contact is a staff member: only an owner may do this' }
    for (const [method, path, body] of [
      ['PUT', `contacts/${id}.json`, { password: 'taken over' }],
      ['PUT', `contacts/${id}.json`, { email: 'mine@example.org' }],
      ['POST', `contacts/${id}/invitations.json`, { delivery: 'link' }],
    ] as const) {
      const { status, body: answer } = await organizer.api(method, path, body)
      expect([status, answer]).toEqual([403, FORBIDDEN])
    }
    expect((await owner.api('PUT', `contacts/${id}.json`, { last_name: 'Lovelace' })).status).toBe(204)
  })
})

describe('the first owner', () => {
  const link = (account: string) =>
    system.bus.call('sso.staff_members.first_link', {}, Buffer.from(JSON.stringify({ account })))
  async function urlOf({ slug }: TestAccount): Promise<string | null> {
    return JSON.parse(Buffer.from((await link(slug)).body).toString()).sign_in_url
  }
  const form = { email: 'first@example.org' }

  test('of an account without staff gets a link, gives name, address and password, and is signed in', async () => {
    const account = await newAccount()
    const url = (await urlOf(account)) ?? ''
    const visitor = new StaffVisitor(system, account)
    expect((await visitor.welcome(url, { email: 'nobody' })).status).toBe(422)
    expect((await visitor.welcome(url, form)).url).toBe(`${system.url}/console/`)
    const { staff_member } = (await visitor.session()).body
    expect(staff_member).toMatchObject({ name: 'Ada Lovelace', email: form.email, role: 'owner' })
    expect(await urlOf(account)).toBeNull()
    const again = new StaffVisitor(system, account)
    expect((await again.signIn(form.email)).url).toBe(`${system.url}/console/`)
  })

  test('a link for one, its use, and the sign-in by it are in the audit log', async () => {
    const account = await newAccount()
    const visitor = new StaffVisitor(system, account)
    await visitor.welcome((await urlOf(account)) ?? '', form)
    const { _id } = (await visitor.session()).body.staff_member
    const { body } = await api('GET', 'audit_records.json', undefined, as(account))
    const contact_id = await contactOf(_id, account)
    const address = '127.0.0.1'
    for (const record of [
      { kind: 'act', action: 'sso.staff_members.first_link', token_id: 'cli', address: null },
      { kind: 'act', action: 'sso.staff_members.create', resource_id: _id, token_id: _id, token_name: 'Ada Lovelace' },
      { kind: 'password_changed', contact_id, address },
      { kind: 'sign_in', contact_id, address },
    ])
      expect(body).toContainEqual(expect.objectContaining(record))
  })

  test('the next link makes the one before void', async () => {
    const account = await newAccount()
    const [first, second] = [await urlOf(account), await urlOf(account)]
    expect((await fetch(first ?? '')).status).toBe(404)
    expect((await fetch(second ?? '')).status).toBe(200)
  })

  test('of many who use a link at once, one becomes the owner', async () => {
    for (let round = 0; round < rounds(1, 20); round++) {
      const account = await newAccount()
      const url = (await urlOf(account)) ?? ''
      const people = Array.from({ length: 6 }, (_, index) => ({ email: `race.${index}@example.org` }))
      const seen = await Promise.all(people.map((fields) => new StaffVisitor(system, account).welcome(url, fields)))
      expect(seen.map(({ status }) => status).sort()).toEqual([303, 404, 404, 404, 404, 404])
      expect((await api('GET', 'staff_members.json', undefined, as(account))).body).toHaveLength(1)
    }
  })

  test('a link ends as soon as an owner has joined the account', async () => {
    const account = await newAccount()
    const url = (await urlOf(account)) ?? ''
    await StaffVisitor.of(system, account, { role: 'owner' })
    expect((await new StaffVisitor(system, account).welcome(url, form)).status).toBe(404)
  })

  test('may be a person who is staff already; until then other staff does not keep the account from having one', async () => {
    const account = await newAccount()
    const viewer = await StaffVisitor.of(system, account, { role: 'viewer' })
    await invite(system, account, { role: 'owner' })
    const visitor = new StaffVisitor(system, account)
    await visitor.welcome((await urlOf(account)) ?? '', { email: viewer.made.email })
    const { _id, email } = viewer.made
    expect((await visitor.session()).body.staff_member).toMatchObject({ _id, email, role: 'owner' })
    expect(await urlOf(account)).toBeNull()
  })

  test('is nobody whose contact is blocked; the link is not used up', async () => {
    const account = await newAccount()
    await api('POST', 'contacts.json', { email: 'blocked@example.org' }, as(account))
    const [{ _id }] = (await api('GET', 'contacts.json', undefined, as(account))).body
    await api('PUT', `contacts/${_id}.json`, { is_blocked: true }, as(account))
    const url = (await urlOf(account)) ?? ''
    const visitor = new StaffVisitor(system, account)
    const seen = await visitor.welcome(url, { email: 'blocked@example.org' })
    expect([seen.status, seen.text]).toEqual([422, expect.stringContaining('This address is blocked here')])
    expect((await visitor.welcome(url, form)).status).toBe(303)
  })
})
