import { makeLog } from '@gatehouse/proto/process/log.ts'
import { Mailer } from '@gatehouse/proto/process/mail.ts'
import { type MailServer, startMailServer } from '@gatehouse/test/harness/mail-server.ts'
import { storedText } from '@gatehouse/test/harness/stored-text.ts'
import { type System, startSystem, type TestAccount as Tenant } from '@gatehouse/test/harness/system.ts'
import { deep, slow } from '@gatehouse/test/rounds.ts'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { AccountStore, type StoredAccount } from '../api/accounts/store.ts'
import { AuditStore } from '../api/audit/store.ts'
import { ContactStore, type StoredContact } from '../api/contacts/store.ts'
import { StaffContacts } from '../api/staff-members/contacts.ts'
import { StaffStore } from '../api/staff-members/store.ts'
import { Issuers } from '../issuers.ts'
import { CodeStore } from './codes.ts'
import { Credentials } from './credentials.ts'
import { hashPassword, verifyPassword } from './passwords.ts'

const PASSWORD = 'correct horse battery'
const MAIL_FROM = 'Gatehouse <noreply@gatehouse.example>'

let system: System
let other: Tenant
let server: MailServer
let mongo: MongoClient
let contacts: ContactStore
let codes: CodeStore
let credentials: Credentials
let mailer: Mailer
let account: StoredAccount

beforeAll(async () => {
  server = await startMailServer()
  const mail = { smtp_url: server.url, mail_from: MAIL_FROM }
  system = await startSystem({ sso: mail })
  other = await system.account('other')
  mongo = await MongoClient.connect(inject('mongodbUrl'))
  const db = mongo.db(`${system.namespace}_sso`)
  contacts = new ContactStore(db)
  codes = new CodeStore(db)
  mailer = new Mailer(mail)
  credentials = new Credentials({
    contacts,
    staffContacts: new StaffContacts(new StaffStore(db, 10), system.bus),
    codes,
    mailer,
    audit: new AuditStore(db, 90),
    bus: system.bus,
    log: makeLog('test', 'silent'),
    issuers: new Issuers('https://gate.example/'),
  })
  account = (await new AccountStore(db).find('first')) as StoredAccount
})
afterAll(async () => {
  mailer?.close()
  await mongo?.close()
  await system?.stop()
  await server?.stop()
})
beforeEach(() => {
  server.mails.length = 0
  server.plan(() => 'take')
})

let count = 0

async function contact(fields: object = {}, token = system.auth_token): Promise<{ _id: string; email: string }> {
  const body = { email: `ada${count++}@example.org`, ...fields }
  const answer = await system.api('POST', 'contacts.json', body, { token })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

/** The default sign-in of requests for codes. */
const MINE = 'a sign-in'

/** The result of a code in a sign-in. */
const withCode = (account_id: string, email: string, code: string, secret = MINE) =>
  credentials.withCode(account_id, email, code, { secret })

const change = async (_id: string, body: object): Promise<void> => {
  expect((await system.api('PUT', `contacts/${_id}.json`, body)).status).toBe(204)
}

const kindsOf = async (_id: string): Promise<string[]> =>
  (await system.api('GET', `audit_records.json?contact_id=${_id}`)).body.map(({ kind }: { kind: string }) => kind)

/** Requests a code and returns the one from the e-mail. */
async function sentCode(email: string, secret = MINE): Promise<string> {
  server.mails.length = 0
  credentials.requestCode(account, email, 'en', { secret })
  await credentials.settled()
  const mail = server.mails.find(({ to }) => to.includes(email))
  return /(\d{8}) is your sign-in code/.exec(mail?.text ?? '')?.[1] ?? ''
}

/**
 * The fewest milliseconds of five runs of each work, since a busy machine makes some runs long. They run in turn, so a machine that
 * becomes slow slows all of them.
 */
async function quickest(...works: (() => Promise<unknown>)[]): Promise<number[]> {
  const least = works.map(() => Number.POSITIVE_INFINITY)
  for (let n = 0; n < 5; n++) {
    for (const [index, work] of works.entries()) {
      const started = performance.now()
      await work()
      least[index] = Math.min(least[index] as number, performance.now() - started)
    }
  }
  return least
}

describe('password hashes', () => {
  test('are argon2id in the usual form, each with its own salt', slow, async () => {
    const hashes = await Promise.all([hashPassword(PASSWORD), hashPassword(PASSWORD)])
    expect(new Set(hashes).size).toBe(2)
    for (const hash of hashes) {
      expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
      expect(await verifyPassword(hash, PASSWORD)).toBe(true)
      for (const wrong of ['', PASSWORD.slice(1), `${PASSWORD} `, PASSWORD.toUpperCase()]) {
        expect(await verifyPassword(hash, wrong)).toBe(false)
      }
    }
  })

  test('from other programs or with other parameters are verified', slow, async () => {
    // From the tests of the reference implementation.
    const made = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    expect(await verifyPassword(made, 'password')).toBe(true)
    expect(await verifyPassword(made, 'passwort')).toBe(false)
    await expect(verifyPassword('$2b$10$nonsense', PASSWORD)).rejects.toThrow('cannot be read')
  })

  test('equal letters are the same password, however they are composed', async () => {
    expect(
      await verifyPassword(await hashPassword('Zo\u00eb Zo\u00eb Zo\u00eb'), 'Zoe\u0308 Zoe\u0308 Zoe\u0308'),
    ).toBe(true)
  })

  test('no password matches a missing hash', async () => {
    for (const password of ['', 'x', PASSWORD]) expect(await verifyPassword(null, password)).toBe(false)
  })
})

describe('signing in with a password', () => {
  test('accepts the address in any case, and gives the contact', async () => {
    const { _id, email } = await contact({ password: PASSWORD })
    for (const given of [email, email.toUpperCase(), ` ${email}`]) {
      expect((await credentials.withPassword(account._id, given, PASSWORD))?._id).toBe(_id)
    }
  })

  test('refuses in the same way: wrong, unknown, without a password, blocked, of another account', slow, async () => {
    const { _id, email } = await contact({ password: PASSWORD })
    const none = await contact()
    const blocked = await contact({ password: PASSWORD, is_blocked: true })
    const theirs = await contact({ password: PASSWORD }, other.auth_token)
    for (const [address, password] of [
      [email, 'wrong'],
      [email, ''],
      ['nobody@example.org', PASSWORD],
      ['', ''],
      [none.email, ''],
      [none.email, PASSWORD],
      [blocked.email, PASSWORD],
      [theirs.email, PASSWORD],
    ] as const) {
      expect(await credentials.withPassword(account._id, address, password), address).toBeUndefined()
    }
    expect(await kindsOf(_id)).toEqual(['sign_in_failed', 'sign_in_failed', 'password_changed'])
    expect(await kindsOf(blocked._id)).toEqual(['sign_in_failed', 'password_changed'])
  })

  test('does the same work for an unknown address', deep, async () => {
    const { email } = await contact({ password: PASSWORD })
    const of = (address: string) => () => credentials.withPassword(account._id, address, 'wrong password')
    await quickest(of(email))
    // Without the work it would be a tenth; the bounds are wide because other tests run beside this one.
    const [known = 0, unknown = 0] = await quickest(of(email), of('nobody@example.org'))
    expect(unknown / known).toBeGreaterThan(0.2)
    expect(unknown / known).toBeLessThan(5)
  })

  test('is recorded with its origin and without the password', async () => {
    const { _id, email } = await contact({ password: PASSWORD })
    const origin = { client_id: 'c'.repeat(32), address: '192.0.2.7' }
    await credentials.withPassword(account._id, email, 'some wrong password', origin)
    await credentials.withPassword(account._id, 'stranger@example.org', 'some wrong password', origin)
    const { body } = await system.api('GET', 'audit_records.json?kind=sign_in_failed&per_page=2')
    expect(body).toMatchObject([
      { contact_id: null, ...origin },
      { contact_id: _id, ...origin },
    ])
    const stored = await storedText(inject('mongodbUrl'), system.namespace)
    for (const text of ['some wrong password', 'stranger@example.org']) expect(stored).not.toContain(text)
  })

  test('a new password or a block changes the version of the contact', async () => {
    const { _id } = await contact({ password: PASSWORD })
    const version = async (): Promise<number> => ((await contacts.get(account._id, _id)) as StoredContact).version
    const before = await version()
    await change(_id, { first_name: 'Ada', is_blocked: false })
    expect(await version()).toBe(before)
    await change(_id, { password: 'another password' })
    expect(await version()).toBe(before + 1)
    await change(_id, { is_blocked: true })
    expect(await version()).toBe(before + 2)
    await change(_id, { is_blocked: false })
    expect(await version()).toBe(before + 2)
  })
})

describe('one-time codes', () => {
  test('are sent by e-mail, and are valid only for their contact', async () => {
    const [{ _id, email }, another] = [await contact(), await contact()]
    const code = await sentCode(email)
    expect(code).toMatch(/^\d{8}$/)
    const [mail] = server.mails
    expect(mail).toMatchObject({ from: 'noreply@gatehouse.example', to: [email] })
    expect(mail?.text).toContain(`From: first <noreply@gatehouse.example>`)
    expect(mail?.text).toContain('10 minutes')
    expect(await withCode(account._id, another.email, code)).toBeUndefined()
    expect(await withCode(other.account_id, email, code)).toBeUndefined()
    const [four, rest] = [code.slice(0, 4), code.slice(4)]
    expect((await withCode(account._id, email, ` ${four} ${rest} `))?._id).toBe(_id)
    expect(await storedText(inject('mongodbUrl'), system.namespace)).not.toContain(code)
  })

  test('are in the requested language', async () => {
    const { email } = await contact()
    credentials.requestCode({ ...account, name: 'Café Zürich' }, email, 'fr', { secret: MINE })
    await credentials.settled()
    expect(server.mails[0]?.text).toMatch(/Subject: \d{8} est votre code de connexion/)
    expect(server.mails[0]?.text).toContain('Votre code de connexion à Café Zürich est')
  })

  test('a newer one makes earlier ones void', async () => {
    const { email } = await contact()
    const [first, second] = [await sentCode(email), await sentCode(email)]
    expect(await withCode(account._id, email, first)).toBeUndefined()
    expect(await withCode(account._id, email, second)).toBeDefined()
  })

  test('are valid only in their sign-in, which may repeat a code after a lost answer', async () => {
    const { _id, email } = await contact()
    const code = await sentCode(email)
    for (let n = 0; n < 2; n++) expect((await withCode(account._id, email, code))?._id).toBe(_id)
    expect(await withCode(account._id, email, code, 'another')).toBeUndefined()
    await sentCode(email)
    expect(await withCode(account._id, email, code)).toBeUndefined()
  })

  test('stay valid despite requests and tries in other sign-ins', slow, async () => {
    const { _id, email } = await contact()
    const code = await sentCode(email)
    expect(code).toMatch(/^\d{8}$/)
    for (const secret of ['one', 'two']) {
      const theirs = await sentCode(email, secret)
      for (let n = 0; n < 6; n++) await withCode(account._id, email, '00000000', secret)
      expect(await withCode(account._id, email, theirs)).toBeUndefined()
      for (let n = 0; n < 2; n++) await withCode(account._id, email, '00000000', `${secret} without a code`)
    }
    expect((await withCode(account._id, email, code))?._id).toBe(_id)
  })

  test('are refused after five tries, concurrent or not, even the right one', slow, async () => {
    const { _id, email } = await contact()
    const code = await sentCode(email)
    const wrong = code === '00000000' ? '00000001' : '00000000'
    await Promise.all(Array.from({ length: 20 }, () => withCode(account._id, email, wrong)))
    expect(await withCode(account._id, email, code)).toBeUndefined()
    const stored = await mongo.db(`${system.namespace}_sso`).collection('one_time_codes').findOne({ contact_id: _id })
    expect(stored?.tries).toBe(5)
  })

  test('are refused in the same way: wrong, never sent, unknown, blocked, of another account', slow, async () => {
    const { _id, email } = await contact()
    const none = await contact()
    const blocked = await contact()
    const theirs = await contact({}, other.auth_token)
    const [code, blockedCode] = [await sentCode(email), await sentCode(blocked.email)]
    await change(blocked._id, { is_blocked: true })
    const wrong = code === '00000000' ? '00000001' : '00000000'
    for (const [address, given] of [
      [email, wrong],
      [email, ''],
      [none.email, code],
      [none.email, ''],
      ['nobody@example.org', code],
      ['', ''],
      [blocked.email, blockedCode],
      [theirs.email, code],
    ] as const) {
      expect(await withCode(account._id, address, given), address).toBeUndefined()
    }
    expect(await kindsOf(_id)).toEqual(['sign_in_failed', 'sign_in_failed', 'code_sent'])
    expect(await kindsOf(blocked._id)).toEqual(['sign_in_failed', 'contact_blocked', 'code_sent'])
    expect((await withCode(account._id, email, code))?._id).toBe(_id)
  })

  test(
    'a guess takes the same work whether a code was sent or not, has no tries left, or the contact is unknown',
    deep,
    async () => {
      const [{ email }, none] = [await contact(), await contact()]
      const code = await sentCode(email)
      const wrong = code === '00000000' ? '00000001' : '00000000'
      const of = (address: string) => () => withCode(account._id, address, wrong)
      await quickest(of(none.email))
      const [known = 0] = await quickest(of(email))
      // Its tries are used up now. The bounds are those of passwords.
      for (const took of await quickest(of(email), of(none.email), of('nobody@example.org'))) {
        expect(took / known).toBeGreaterThan(0.2)
        expect(took / known).toBeLessThan(5)
      }
    },
  )

  test('concurrent tries use one try each', async () => {
    const { _id } = await contact()
    await codes.put(account._id, _id, 'one', 'hash')
    const taken = await Promise.all(Array.from({ length: 30 }, () => codes.take(account._id, _id, 'one')))
    expect(taken.filter(Boolean)).toHaveLength(5)
  })

  test('are valid for ten minutes', async () => {
    const { _id } = await contact()
    await codes.put(account._id, _id, 'one', 'hash')
    const later = (minutes: number): Date => new Date(Date.now() + minutes * 60_000)
    expect(await codes.take(account._id, _id, 'one', later(9.9))).toBe('hash')
    expect(await codes.take(account._id, _id, 'one', later(10.1))).toBeNull()
  })

  test('are not sent to unknown or blocked contacts, which a request does not reveal', async () => {
    const blocked = await contact({ is_blocked: true })
    const theirs = await contact({}, other.auth_token)
    for (const email of ['nobody@example.org', '', blocked.email, theirs.email]) {
      expect(credentials.requestCode(account, email, 'en', { secret: MINE })).toBeUndefined()
    }
    await credentials.settled()
    expect(server.mails).toEqual([])
  })

  test.each([{ is_blocked: true }, { password: PASSWORD }, { email: 'another.address@example.org' }])(
    'are void once the contact is changed to %j',
    async (body) => {
      const { _id, email } = await contact()
      const code = await sentCode(email)
      await change(_id, body)
      await change(_id, { is_blocked: false })
      const { email: address } = (await contacts.get(account._id, _id)) as StoredContact
      expect(await withCode(account._id, address, code)).toBeUndefined()
    },
  )

  test('a refusing mail server causes no failure', async () => {
    const { email } = await contact()
    server.plan(() => 'postpone-message')
    expect(await sentCode(email)).toBe('')
    server.plan(() => 'take')
    expect(await sentCode(email)).toMatch(/^\d{8}$/)
  })
})

describe('invitations', () => {
  const invite = (_id: string, body: object = {}, init: { token?: string } = {}) =>
    system.api('POST', `contacts/${_id}/invitations.json`, body, init)
  const tokenOf = (url: string): string => url.split('/').at(-1) as string

  test('are sent by e-mail with a link that is in no answer and is stored only as a hash', async () => {
    const { _id, email } = await contact()
    await system.api('PUT', 'account.json', { name: 'Salon de Paris', locale: 'fr' })
    const answer = await invite(_id)
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        contact_id: _id,
        delivery: 'email',
        created_at: expect.any(String),
        expires_at: expect.any(String),
      },
    ])
    expect(Date.parse(answer.body.expires_at) - Date.parse(answer.body.created_at)).toBe(7 * 86_400_000)
    const [mail] = server.mails
    expect(mail?.to).toEqual([email])
    expect(mail?.text).toContain('Choisissez votre mot de passe pour Salon de Paris')
    const url = /http:\S+\/sso\/first\/invitations\/[\w-]{43}/.exec(mail?.text ?? '')?.[0] as string
    expect(url.startsWith(system.url)).toBe(true)
    expect(await storedText(inject('mongodbUrl'), system.namespace)).not.toContain(tokenOf(url))
    expect((await system.api('GET', `contacts/${_id}/invitations.json`)).body).toHaveLength(1)
    expect((await credentials.acceptInvitation(account._id, tokenOf(url), PASSWORD))?._id).toBe(_id)
    expect((await system.api('GET', `contacts/${_id}/invitations.json`)).body).toEqual([])
    expect(await credentials.withPassword(account._id, email, PASSWORD)).toBeDefined()
    expect(await kindsOf(_id)).toEqual(['sign_in', 'password_changed'])
  })

  test('with the delivery link are in the answer, in JSON and XML, without an e-mail', async () => {
    const { _id } = await contact()
    expect((await invite(_id, { delivery: 'link' })).body.url).toMatch(/\/sso\/first\/invitations\/[\w-]{43}$/)
    const document = '<invitation><delivery>link</delivery></invitation>'
    const headers = { 'content-type': 'application/xml' }
    const xml = await system.api('POST', `contacts/${_id}/invitations.xml`, document, { headers })
    expect([xml.status, xml.text]).toEqual([
      201,
      expect.stringMatching(/<invitation>.*<url>http.*<\/url><\/invitation>$/),
    ])
    expect(server.mails).toEqual([])
  })

  test('set one password when they are used ten times concurrently', slow, async () => {
    const { _id, email } = await contact()
    const { contact: before, url } = await credentials.invite(account, _id)
    const token = tokenOf(url)
    const tries = await Promise.all(
      Array.from({ length: 10 }, (_, n) => credentials.acceptInvitation(account._id, token, `password number ${n}`)),
    )
    expect(tries.filter(Boolean)).toHaveLength(1)
    const winner = tries.findIndex(Boolean)
    expect(await credentials.withPassword(account._id, email, `password number ${winner}`)).toBeDefined()
    expect(tries[winner]?.version).toBe(before.version + 1)
    expect(await credentials.invited(account._id, token)).toBeUndefined()
  })

  test('an unsuitable password is refused and leaves the invitation valid', async () => {
    const { _id } = await contact()
    const token = tokenOf((await credentials.invite(account, _id)).url)
    await expect(credentials.acceptInvitation(account._id, token, 'short')).rejects.toMatchObject({
      errors: { password: ['is too short (minimum is 8 characters)'] },
    })
    expect((await credentials.invited(account._id, token))?._id).toBe(_id)
  })

  test.each<[string, (_id: string) => Promise<unknown>]>([
    ['a newer invitation', (_id) => invite(_id, { delivery: 'link' })],
    ['a new password', (_id) => change(_id, { password: PASSWORD })],
    ['a new address', (_id) => change(_id, { email: `new${_id}@example.org` })],
    ['a block', (_id) => change(_id, { is_blocked: true })],
    ['a deletion', (_id) => system.api('DELETE', `contacts/${_id}.json`)],
    [
      'its week',
      (_id) =>
        contacts.invite(account._id, _id, { hash: 'x', created_at: new Date(0), expires_at: new Date(Date.now() - 1) }),
    ],
  ])('end with %s', async (_what, end) => {
    const { _id } = await contact()
    const token = tokenOf((await credentials.invite(account, _id)).url)
    expect(await credentials.invited(account._id, token)).toBeDefined()
    await end(_id)
    expect(await credentials.invited(account._id, token)).toBeUndefined()
    expect(await credentials.acceptInvitation(account._id, token, PASSWORD)).toBeUndefined()
  })

  test('belong to one account', async () => {
    const { _id } = await contact()
    const token = tokenOf((await credentials.invite(account, _id)).url)
    expect(await credentials.acceptInvitation(other.account_id, token, PASSWORD)).toBeUndefined()
    expect((await invite(_id, { delivery: 'link' }, { token: other.auth_token })).status).toBe(404)
    const list = await system.api('GET', `contacts/${_id}/invitations.json`, undefined, { token: other.auth_token })
    expect(list.status).toBe(404)
    expect(await credentials.invited(account._id, token)).toBeDefined()
  })

  test('of a blocked contact are refused; a refusing mail server is 503', async () => {
    const { _id } = await contact({ is_blocked: true })
    expect((await invite(_id)).body).toEqual({ errors: { contact_id: ['is blocked'] } })
    server.plan(() => 'postpone-message')
    expect((await invite((await contact())._id)).status).toBe(503)
  })

  test('only have the delivery link without a mail server', slow, async () => {
    const plain = await startSystem()
    try {
      const { body } = await plain.api('POST', 'contacts.json', { email: 'ada@example.org' })
      const blocked = await plain.api('POST', 'contacts.json', { email: 'eve@example.org', is_blocked: true })
      const all = await plain.api('POST', `contacts/${blocked.body._id}/invitations.json`, { locale: 'x'.repeat(256) })
      expect([all.status, Object.keys(all.body.errors).sort()]).toEqual([422, ['contact_id', 'delivery', 'locale']])
      const path = `contacts/${body._id}/invitations.json`
      const refused = await plain.api('POST', path, {})
      expect([refused.status, refused.body.errors.delivery[0]]).toEqual([422, expect.stringContaining('SMTP_URL')])
      expect((await plain.api('GET', path)).body).toEqual([])
      expect((await plain.api('POST', path, { delivery: 'link' })).status).toBe(201)
    } finally {
      await plain.stop()
    }
  })
})
