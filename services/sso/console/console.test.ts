import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { PASSWORD } from '@gatehouse/test/harness/sso-site.ts'
import { invite, StaffVisitor } from '@gatehouse/test/harness/staff-visitor.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { describe, expect, test } from 'vitest'

const system = await sharedSystem()
const account = system

describe('the console', () => {
  test('a staff member follows the link, chooses a password and is signed in', async () => {
    const owner = await StaffVisitor.of(system, account, { role: 'owner' })
    const { status, body } = await owner.session()
    expect([status, body]).toEqual([
      200,
      {
        account_id: account.account_id,
        account: account.slug,
        account_name: null,
        staff_member: {
          _id: owner.made._id,
          name: 'Ada Lovelace',
          email: owner.made.email,
          role: 'owner',
          event_id: null,
        },
        expires_at: expect.stringMatching(/Z$/),
        passkeys: { available: false, reason: expect.any(String) },
      },
    ])
    expect((await owner.api('GET', 'events.json')).status).toBe(200)
  })

  test('a staff member signs in by single sign-on, without consent, and goes on where the app was', slow, async () => {
    const { made } = await StaffVisitor.of(system, account, { role: 'viewer' })
    const visitor = new StaffVisitor(system, account)
    expect((await visitor.session()).status).toBe(401)
    const seen = await visitor.signIn(made.email, '/console/events?x=1#guests')
    expect(seen.url).toBe(`${system.url}/console/events?x=1#guests`)
    expect((await visitor.api('GET', 'events.json')).status).toBe(200)
    const { body } = await system.api('GET', `staff_members/${made._id}.json`)
    expect(body.last_signed_in_at).toMatch(/Z$/)
  })

  test('signing out ends the session and that of single sign-on', slow, async () => {
    const { made } = await StaffVisitor.of(system, account, { role: 'viewer' })
    const visitor = new StaffVisitor(system, account)
    await visitor.signIn(made.email)
    const id = await visitor.cookie()
    expect((await visitor.signOut()).status).toBe(204)
    expect(await visitor.cookie()).toBeUndefined()
    for (const url of system.urls) {
      const again = await fetch(`${url}/console/api/v1/events.json`, { headers: { cookie: `console=${id}` } })
      expect(again.status).toBe(401)
    }
    expect((await visitor.begin()).text).toContain('name="password"')
  })

  test('signing out after a link ends single sign-on of who was signed in there before', slow, async () => {
    const { made } = await StaffVisitor.of(system, account, { role: 'viewer' })
    const visitor = new StaffVisitor(system, account)
    await visitor.signIn(made.email)
    await visitor.welcome((await invite(system, account, { role: 'viewer' })).sign_in_url)
    expect((await visitor.session()).body.staff_member.email).not.toBe(made.email)
    expect((await visitor.signOut()).status).toBe(204)
    expect((await visitor.begin()).text).toContain('name="password"')
  })

  test('a contact who is not staff gets a page that says so, and no session', async () => {
    const { made } = await StaffVisitor.of(system, account, { role: 'viewer' })
    await system.api('DELETE', `staff_members/${made._id}.json`)
    const visitor = new StaffVisitor(system, account)
    const seen = await visitor.signIn(made.email)
    expect([seen.status, seen.text]).toEqual([403, expect.stringContaining('is not on the staff')])
    expect(await visitor.cookie()).toBeUndefined()
  })

  test('who was invited and has not followed the link gets a page that says so, and no session', async () => {
    const email = 'known.before@example.org'
    const contact = { email, password: PASSWORD }
    expect((await system.api('POST', 'contacts.json', contact, { token: account.auth_token })).status).toBe(201)
    await invite(system, account, { role: 'viewer', email })
    const visitor = new StaffVisitor(system, account)
    const seen = await visitor.signIn(email)
    expect([seen.status, seen.text]).toEqual([403, expect.stringContaining('has not joined yet')])
    expect(await visitor.cookie()).toBeUndefined()
  })

  test('a link works once', async () => {
    const made = await invite(system, account, { role: 'viewer' })
    const visitors = Array.from({ length: 8 }, () => new StaffVisitor(system, account))
    const seen = await Promise.all(visitors.map((visitor) => visitor.welcome(made.sign_in_url)))
    expect(seen.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(seen.filter(({ status }) => status === 404)).toHaveLength(7)
  })
})
