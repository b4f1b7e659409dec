import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { storedText } from '@gatehouse/test/harness/stored-text.ts'
import type { Answer, TestAccount } from '@gatehouse/test/harness/system.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { MongoClient } from 'mongodb'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import * as topics from '../../topics.ts'

const system = await sharedSystem()

const XML = { 'content-type': 'application/xml; charset=utf-8' }
const ID = /^[0-9a-f]{24}$/
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

let other: TestAccount
beforeAll(async () => {
  other = await system.account('other')
})

let count = 0
const email = (): string => `ada${count++}@example.org`

async function create(fields: object = {}, token = system.auth_token): Promise<Answer['body']> {
  const answer = await system.api('POST', 'contacts.json', { email: email(), ...fields }, { token })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

async function field(fields: object, token = system.auth_token): Promise<Answer['body']> {
  const answer = await system.api('POST', 'contact_fields.json', fields, { token })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

async function refused(method: string, path: string, body: unknown): Promise<Record<string, string[]>> {
  const answer = await system.api(method, path, body)
  expect(`${answer.status} ${answer.text}`).toMatch(/^422 /)
  return answer.body.errors
}

const found = async (query: string, token = system.auth_token): Promise<string[]> =>
  (await system.api('GET', `contacts.json?${query}`, undefined, { token })).body.map(
    (contact: { email: string }) => contact.email,
  )

describe('creating', () => {
  test('answers 201 with the contact, and never with its password', slow, async () => {
    const address = email()
    const body = { email: address, first_name: 'Ada', last_name: 'King', password: 'correct horse battery' }
    const answer = await system.api('POST', 'contacts.json', { contact: body })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      _id: expect.stringMatching(ID),
      email: address,
      first_name: 'Ada',
      last_name: 'King',
      is_blocked: false,
      has_password: true,
      created_at: expect.stringMatching(MOMENT),
      updated_at: expect.stringMatching(MOMENT),
    })
    expect((await system.api('GET', `contacts/${answer.body._id}.json`)).body).toEqual(answer.body)
    const stored = await storedText(inject('mongodbUrl'), system.namespace)
    expect(stored).not.toContain(body.password)
    expect(stored).toMatch(/\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}/)
  })

  test('accepts and answers XML', async () => {
    const document = `<contact><email>xml@example.org</email><first-name>Zoë</first-name><last-name nil="true"/><password>correct horse</password><is-blocked type="boolean">true</is-blocked></contact>`
    const answer = await system.api('POST', 'contacts.xml', document, { headers: XML })
    expect(answer.status, answer.text).toBe(201)
    expect(answer.text).toContain('<email>xml@example.org</email><first-name>Zoë</first-name><last-name nil="true"/>')
    expect(answer.text).toContain('<has-password type="boolean">true</has-password>')
    expect(answer.text).toContain('<is-blocked type="boolean">true</is-blocked>')
    expect(answer.text).not.toContain('correct')
    expect((await system.api('GET', 'contacts.xml?search=zoe')).text).toMatch(
      /<contacts type="array"><contact><_id>[0-9a-f]{24}<\/_id><email>xml@example.org</,
    )
  })

  test.each([
    '',
    'ada',
    '@example.org',
    'ada@',
    'a b@example.org',
    'a@b@c',
    'a@b\r\nBcc: c@d',
    'a@b,c@d',
    '<a@b>',
    null,
  ])('needs an e-mail address: %j is refused', async (address) => {
    expect(await refused('POST', 'contacts.json', { email: address })).toHaveProperty('email')
  })

  test('an address is unique in an account, whatever its case, and can exist in each account', async () => {
    const made = await create({ email: 'Grace.Hopper@Example.org' })
    expect(made.email).toBe('Grace.Hopper@Example.org')
    expect(await refused('POST', 'contacts.json', { email: 'grace.hopper@example.ORG' })).toEqual({
      email: ['has already been taken'],
    })
    await create({ email: 'grace.hopper@example.org' }, other.auth_token)
  })

  test('an address from before the rule was narrowed is shown, and an update without a new address works', async () => {
    const { _id } = await create()
    const old = 'jürgen@example.org'
    const mongo = await MongoClient.connect(inject('mongodbUrl'))
    const stored = mongo.db(`${system.namespace}_sso`).collection<{ _id: string }>('contacts')
    await stored.updateOne({ _id }, { $set: { email: old, email_key: old } })
    await mongo.close()
    const { body } = await system.api('GET', `contacts/${_id}.json`)
    expect(body.email).toBe(old)
    expect((await system.api('PUT', `contacts/${_id}.json`, { ...body, last_name: 'Li' })).status).toBe(204)
    expect(await refused('PUT', `contacts/${_id}.json`, { email: 'jörg@example.org' })).toEqual({
      email: ['is not valid'],
    })
  })

  test('one of twenty concurrent creations with the same address succeeds', async () => {
    const address = email()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        system.api('POST', 'contacts.json', { email: n % 2 ? address : address.toUpperCase(), last_name: String(n) }),
      ),
    )
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 422)])
    expect(await found(`email=${address}`)).toHaveLength(1)
  })

  test.each([
    ['seven', '1234567', 'is too short (minimum is 8 characters)'],
    ['seven of two units', '🎟🎟🎟🎟🎟🎟🎟', 'is too short (minimum is 8 characters)'],
    ['1,001', 'x'.repeat(1_001), 'is too long (maximum is 1000 characters)'],
  ])('a password has 8 to 1,000 characters: %s are refused', async (_label, password, sentence) => {
    const body = { email: email(), password }
    expect(await refused('POST', 'contacts.json', body)).toEqual({ password: [sentence] })
    const { _id } = await create()
    expect(await refused('PUT', `contacts/${_id}.json`, { password })).toEqual({ password: [sentence] })
  })

  test('a blank password, null and a missing one mean no password', async () => {
    for (const password of ['', '   ', null, undefined]) {
      expect((await create({ password })).has_password, String(password)).toBe(false)
    }
    expect((await create({ password: 'x'.repeat(1_000) })).has_password).toBe(true)
  })

  test('a retry with the same Idempotency-Key creates no second contact', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const body = { email: email(), password: 'correct horse' }
    const [first, again] = [
      await system.api('POST', 'contacts.json', body, { headers }),
      await system.api('POST', 'contacts.json', body, { headers }),
    ]
    expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([201, 'true', first.body])
    const otherBody = await system.api('POST', 'contacts.json', { ...body, password: 'another one' }, { headers })
    expect(otherBody.status).toBe(422)
  })
})

describe("the account's contact fields", () => {
  test('are members of a contact, in JSON and XML, in requests and answers', async () => {
    const account = await system.account('fields')
    const init = { token: account.auth_token }
    await field({ key: 'badge_number', label: 'Badge' }, account.auth_token)
    await field({ key: 'diet', type: 'value_list', available_values: ['all', 'vegan'] }, account.auth_token)
    const made = await create({ badge_number: 17, diet: 'vegan' }, account.auth_token)
    expect(made).toMatchObject({ badge_number: '17', diet: 'vegan' })
    const path = `contacts/${made._id}`
    expect((await system.api('GET', `${path}.json`, undefined, init)).body).toEqual(made)
    expect((await system.api('GET', `${path}.xml`, undefined, init)).text).toContain(
      '<badge-number>17</badge-number><diet>vegan</diet></contact>',
    )
    const change = '<contact><badge-number>18</badge-number><diet nil="true"/></contact>'
    expect((await system.api('PUT', `${path}.xml`, change, { ...init, headers: XML })).status).toBe(204)
    expect((await system.api('GET', 'contacts.json', undefined, init)).body).toEqual([
      { ...made, badge_number: '18', diet: null, updated_at: expect.stringMatching(MOMENT) },
    ])
    const plain = await system.api('POST', 'contacts.xml', `<contact><email>${email()}</email></contact>`, {
      ...init,
      headers: XML,
    })
    expect(plain.text).toContain('<badge-number nil="true"/><diet nil="true"/>')
  })

  test('are validated: values that are no text, too long, or not in the list are 422 on the field', async () => {
    await field({ key: 'shirt', type: 'value_list', available_values: ['S', 'M'] })
    await field({ key: 'remark' })
    for (const [member, sentence] of [
      [{ shirt: 'XXL' }, 'is not one of S, M'],
      [{ remark: { $gt: '' } }, 'is not a string'],
      [{ remark: ['x'] }, 'is not a string'],
      [{ remark: 'x'.repeat(1_001) }, 'is too long (maximum is 1000 characters)'],
    ] as const) {
      const [[key = ''] = []] = Object.entries(member)
      expect(await refused('POST', 'contacts.json', { email: email(), ...member })).toEqual({ [key]: [sentence] })
    }
    expect(await create({ shirt: '', remark: 'x'.repeat(1_000) })).toMatchObject({ shirt: null })
  })

  test('which the account does not have are ignored, like any unknown member', slow, async () => {
    await field({ key: 'theirs' }, other.auth_token)
    const made = await create({ theirs: 'x', never: 'y', constructor: 'z' })
    for (const name of ['theirs', 'never']) expect(made).not.toHaveProperty(name)
    expect(Object.hasOwn(made, 'constructor')).toBe(false)
    expect(await storedText(inject('mongodbUrl'), system.namespace)).not.toContain('never')
  })

  test('concurrent changes of different fields are all stored', async () => {
    await field({ key: 'left_hand' })
    await field({ key: 'right_hand' })
    const { _id } = await create()
    const changes = [{ left_hand: 'a' }, { right_hand: 'b' }, { first_name: 'c' }, { last_name: 'd' }]
    const answers = await Promise.all(changes.map((body) => system.api('PUT', `contacts/${_id}.json`, body)))
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204])
    expect((await system.api('GET', `contacts/${_id}.json`)).body).toMatchObject(Object.assign({}, ...changes))
  })
})

describe('the list', () => {
  test('finds by the beginnings of words in e-mail address and name, whatever the case and accents', async () => {
    const token = (await system.account('search')).auth_token
    await create({ email: 'zoe.unal@acme.example', first_name: 'Zoë', last_name: 'Ünal-Weiß' }, token)
    await create({ email: 'li@beta.example', first_name: 'Li', last_name: 'Wei' }, token)
    const [zoe, li] = ['zoe.unal@acme.example', 'li@beta.example']
    for (const [search, expected] of [
      ['zo', [zoe]],
      ['ZOE unal', [zoe]],
      ['wei', [li, zoe]],
      ['acme', [zoe]],
      ['li@beta.ex', [li]],
      ['wei li', [li]],
      ['oe', []],
      ['', [li, zoe]],
      ['.*', []],
    ] as const) {
      expect(await found(`search=${encodeURIComponent(search)}`, token), search).toEqual(expected)
    }
    expect(await found('email=ZOE.Unal@acme.example', token)).toEqual([zoe])
    expect(await found('email=zoe.unal', token)).toEqual([])
  })

  test('has pages, newest first, and ends with an empty one', async () => {
    const token = (await system.account('pages')).auth_token
    const made: string[] = []
    for (let n = 0; n < 5; n++) made.unshift((await create({}, token)).email)
    expect(await found('per_page=2', token)).toEqual(made.slice(0, 2))
    expect(await found('per_page=2&page=3', token)).toEqual(made.slice(4))
    expect(await found('per_page=2&page=4', token)).toEqual([])
    expect((await system.api('GET', 'contacts.json?per_page=0')).status).toBe(422)
  })

  test('reflects creations, deletions and renames since the previous page was read', async () => {
    const token = (await system.account('moving')).auth_token
    const names = async (query: string): Promise<string[]> =>
      (await system.api('GET', `contacts.json?per_page=1&${query}`, undefined, { token })).body.map(
        (each: { last_name: string }) => each.last_name,
      )
    const change = (method: string, _id: string, body?: object) =>
      system.api(method, `contacts/${_id}.json`, body, { token })
    const one = await create({ last_name: 'Same One' }, token)
    const two = await create({ last_name: 'Same Two' }, token)
    expect([await names('page=1'), await names('page=2')]).toEqual([['Same Two'], ['Same One']])
    const three = await create({ last_name: 'Same Three' }, token)
    expect([await names('page=1'), await names('page=2')]).toEqual([['Same Three'], ['Same Two']])
    await change('DELETE', three._id)
    expect([await names('page=2'), await names('page=3')]).toEqual([['Same One'], []])
    expect([await names('search=same&page=1'), await names('search=same&page=2')]).toEqual([['Same Two'], ['Same One']])
    await change('PUT', two._id, { last_name: 'Other' })
    expect([await names('search=same&page=1'), await names('search=same&page=2')]).toEqual([['Same One'], []])
    await change('PUT', one._id, { last_name: 'Other' })
    expect(await names('search=same')).toEqual([])
  })

  test('has no contact of another account', async () => {
    const { email: address, _id } = await create({ last_name: 'Secretive' })
    for (const query of ['', 'search=secretive', `email=${address}`]) {
      expect(await found(query, other.auth_token)).not.toContain(address)
    }
    for (const [method, body] of [['GET'], ['PUT', { first_name: 'Mallory' }], ['DELETE']] as const) {
      const answer = await system.api(method, `contacts/${_id}.json`, body, { token: other.auth_token })
      expect(answer.status).toBe(404)
    }
    expect(await found(`email=${address}`)).toEqual([address])
  })
})

describe('scopes', () => {
  test('a read token can read, a door token and one of an event cannot', async () => {
    const event = await system.api('POST', 'events.json', { title: 'Fair', account_id: system.account_id })
    const status = async (scope: string, event_id: string | null, method: string, body?: object): Promise<number> => {
      const issued = await system.api('POST', 'tokens.json', { name: 'x', scope, event_id })
      return (await system.api(method, 'contacts.json', body, { token: issued.body.token })).status
    }
    expect(await status('read', null, 'GET')).toBe(200)
    expect(await status('read', null, 'POST', { email: email() })).toBe(403)
    expect(await status('door', null, 'GET')).toBe(403)
    for (const scope of ['admin', 'read', 'door']) expect(await status(scope, event.body._id, 'GET')).toBe(403)
  })
})

describe('sign-ins end', () => {
  let heard: (string | undefined)[]
  beforeAll(() => {
    system.bus.listen(topics.signIns, ({ contact_id }) => heard.push(contact_id))
  })

  test.each<[string, object, object | undefined, string[]]>([
    ['a new password', {}, { password: 'battery staple' }, ['password_changed']],
    [
      'no password any more',
      { password: 'correct horse' },
      { password: null },
      ['password_changed', 'password_changed'],
    ],
    ['a block', {}, { is_blocked: true }, ['contact_blocked']],
    ['a deletion', {}, undefined, []],
  ])('by %s, announced before the answer, and recorded', async (_what, before, change, kinds) => {
    heard = []
    const { _id } = await create(before)
    const answer = await system.api(change ? 'PUT' : 'DELETE', `contacts/${_id}.json`, change)
    expect(answer.status).toBe(204)
    await system.bus.flush()
    expect(heard).toEqual([_id])
    const records = await system.api('GET', `audit_records.json?contact_id=${_id}`)
    expect(records.body.map(({ kind }: { kind: string }) => kind).toReversed()).toEqual(kinds)
  })

  test('by nothing else', async () => {
    heard = []
    const { _id } = await create({ is_blocked: false })
    await system.api('PUT', `contacts/${_id}.json`, { first_name: 'Ada', email: email(), is_blocked: false })
    await system.bus.flush()
    expect(heard).toEqual([])
  })
})
