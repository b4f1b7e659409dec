import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { Answer, TestAccount } from '@gatehouse/test/harness/system.ts'
import { beforeAll, expect, test } from 'vitest'

const system = await sharedSystem()

let other: TestAccount
beforeAll(async () => {
  other = await system.account('other')
})

const create = (fields: object, token = system.auth_token): Promise<Answer> =>
  system.api('POST', 'contact_fields.json', fields, { token })

test('a field has a key, a label and a type; the label defaults to the key', async () => {
  const { status, body } = await create({ contact_field: { key: 'badge_number' } })
  expect(status).toBe(201)
  expect(body).toEqual({
    _id: expect.stringMatching(/^[0-9a-f]{24}$/),
    key: 'badge_number',
    label: 'badge_number',
    type: 'text',
    available_values: [],
    account_id: system.account_id,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  })
  const xml = await system.api('GET', 'contact_fields.xml')
  expect(xml.text).toMatch(/<contact-fields type="array"><contact-field>.*<key>badge_number<\/key>/)
})

test.each(['', 'Badge', 'badge-number', '1st', 'a.b', '$where', '__proto__', 'ä', 'a'.repeat(65), null])(
  'a key is small letters, digits and underscores: %j is refused',
  async (key) => {
    const { status, body } = await create({ key })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['key']])
  },
)

test.each(['email', 'password', 'is_blocked', 'id', 'sub', 'created_at', 'has_password'])(
  'a key that a contact has anyway is refused: %s',
  async (key) => {
    expect((await create({ key })).body).toEqual({ errors: { key: ['is reserved'] } })
    const { _id } = (await create({ key: `free_${key}` })).body
    expect((await system.api('PUT', `contact_fields/${_id}.json`, { key })).status).toBe(422)
  },
)

test('a key is unique in an account, also for twenty concurrent creations, and can exist in each account', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => create({ key: 'company' })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 19 }, () => 422)])
  expect((await create({ key: 'company' })).body).toEqual({ errors: { key: ['has already been taken'] } })
  expect((await create({ key: 'company' }, other.auth_token)).status).toBe(201)
})

test('a value loses what nobody sees at its ends, and holds no control characters but lines and tabs (docs/interface.md 1.25)', async () => {
  await create({ key: 'note' })
  const make = (note: string, n: number): Promise<Answer> =>
    system.api('POST', 'contacts.json', { email: `note${n}@example.org`, note })
  const kept = await make('\u00a0a\tb\nc\0', 0)
  expect([kept.status, kept.body.note]).toEqual([201, 'a\tb\nc'])
  for (const [n, sign] of ['\u001b', '\u007f', '\u009b'].entries()) {
    const { status, body } = await make(`a${sign}b`, n + 1)
    expect([status, body]).toEqual([422, { errors: { note: ["can't contain control characters"] } }])
  }
  expect((await make('a\0b', 9)).body).toEqual({ errors: { note: ['is not valid'] } })
  const headers = { 'content-type': 'text/csv' }
  const imported = await system.api('POST', 'contacts/import.json', 'email,note\nesc@example.org,a\u001bb\n', {
    headers,
  })
  expect(imported.text).toContain("can't contain control characters")
})

test('contacts keep their values under a new key, and lose them for good with a deleted field', async () => {
  const { _id } = (await create({ key: 'firm' })).body
  const contact = (await system.api('POST', 'contacts.json', { email: 'a@example.org', firm: 'Acme' })).body
  expect(contact.firm).toBe('Acme')
  expect((await system.api('PUT', `contact_fields/${_id}.json`, { key: 'employer' })).status).toBe(204)
  const read = async () => (await system.api('GET', `contacts/${contact._id}.json`)).body
  expect(await read()).toMatchObject({ employer: 'Acme' })
  expect(await read()).not.toHaveProperty('firm')
  expect((await system.api('DELETE', `contact_fields/${_id}.json`)).status).toBe(204)
  expect(await read()).not.toHaveProperty('employer')
  await create({ key: 'employer' })
  expect(await read()).toMatchObject({ employer: null })
})

test('another account can read, change and delete nothing', async () => {
  const { _id } = (await create({ key: 'mine' })).body
  for (const [method, body] of [['GET'], ['PUT', { label: 'x' }], ['DELETE']] as const) {
    const path = `contact_fields/${_id}.json`
    expect((await system.api(method, path, body, { token: other.auth_token })).status).toBe(404)
  }
  const theirs = (await system.api('GET', 'contact_fields.json', undefined, { token: other.auth_token })).body
  expect(theirs.map(({ key }: { key: string }) => key)).toEqual(['company'])
})
