import { describe, expect, test } from 'vitest'
import {
  freeObject,
  identifier,
  list,
  maybe,
  optionalText,
  record,
  type SchemaNode,
  text,
} from '../declaring/fields.ts'
import type { PersonalDocuments } from '../declaring/personal-data.ts'
import { xmlWriterOf } from '../formats/xml.ts'
import { Blanking, isErased, pseudonymOf } from './blanking.ts'

const declared: PersonalDocuments = {
  name: 'test.things',
  collection: 'things',
  scope: ['event_id'],
  fields: {
    _id: identifier({ personal: 'guest_id' }),
    uid: text({ personal: 'guest_uid' }),
    email: optionalText({ personal: 'email' }),
    name: text({ personal: true }),
    notes: list(text(), 'note', { personal: true }),
    registration: maybe(freeObject({ personal: true })),
    count: text(),
  },
  order: { _id: 1 },
  outcome: 'blanked',
}
const nobody = { guest_ids: [], guest_uids: [], emails: [] }
const subject = { account_id: 'a', event_id: 'e', with_account: true }

describe('a pseudonym', () => {
  test('is the same for the same text and key, another for another one, and its own', () => {
    const one = pseudonymOf('ada', 'key')
    expect(pseudonymOf('ada', 'key')).toBe(one)
    expect(new Set([one, pseudonymOf('bob', 'key'), pseudonymOf('ada', 'other')]).size).toBe(3)
    expect(pseudonymOf(one, 'other')).toBe(one)
    expect(isErased(one)).toBe(true)
    expect(isErased('ada')).toBe(false)
  })
})

describe('blanking', () => {
  const blanking = new Blanking(declared)

  test('replaces each personal field by what its schema allows, and no other', () => {
    const change = blanking.changeOf({ _id: '1', uid: 'ada', email: 'ada@example.org', name: 'Ada', count: '1' }, 'key')
    expect(change).toEqual({
      $set: { uid: pseudonymOf('ada', 'key'), email: null, name: '', notes: [] },
      $unset: { registration: '' },
    })
  })

  test('finds documents by what is known of a person, within the event only, and none of nobody', () => {
    expect(blanking.filterOf({ ...subject, person: { ...nobody, guest_uids: ['ada'], emails: ['a@x'] } })).toEqual({
      event_id: 'e',
      $or: [{ uid: { $in: ['ada'] } }, { email: { $in: ['a@x'] } }],
    })
    expect(blanking.filterOf({ ...subject, person: nobody })).toBeUndefined()
    expect(blanking.filterOf(subject)).toEqual({ event_id: 'e' })
  })

  test('what an account has besides the event is found for one person only, and only where that is asked for', () => {
    const ofAccount = new Blanking({ ...declared, scope: ['account_id'] })
    const person = { ...nobody, emails: ['a@x'] }
    expect(ofAccount.filterOf(subject)).toBeUndefined()
    expect(ofAccount.filterOf({ ...subject, person, with_account: false })).toBeUndefined()
    expect(ofAccount.filterOf({ ...subject, person })).toMatchObject({ account_id: 'a' })
  })

  test('an address as it was typed is found in any case, and whole', () => {
    const typed = new Blanking({ ...declared, fields: { email: optionalText({ personal: 'typed_email' }) } })
    const filter = typed.filterOf({ ...subject, person: { ...nobody, emails: ['a.b@x.org', 'c+d@x.org'] } }) as {
      $or: { email: { $regex: string; $options: string } }[]
    }
    const { $regex = '', $options } = filter.$or[0]?.email ?? {}
    const pattern = new RegExp($regex, $options)
    const texts = ['A.B@x.org', 'C+D@X.ORG', 'aab@x.org', 'xa.b@x.org', 'a.b@x.orgs']
    expect(texts.map((text) => pattern.test(text))).toEqual([true, true, false, false, false])
  })

  test('a kind that is part of another one is found for one person only', () => {
    const part = new Blanking({ ...declared, partOf: 'test.all' })
    expect(part.filterOf(subject)).toBeUndefined()
    expect(part.filterOf({ ...subject, person: { ...nobody, guest_uids: ['ada'] } })).toMatchObject({ event_id: 'e' })
  })

  test('a text mentions a person as it stands in JSON or XML, whatever signs it has', () => {
    const mention = new Blanking({ ...declared, fields: { payload: text({ personal: 'mention' }) } })
    const filter = mention.filterOf({ ...subject, person: { ...nobody, guest_uids: ['a.b"(c&'] } }) as {
      $or: { payload: { $regex: string } }[]
    }
    const pattern = new RegExp(filter.$or[0]?.payload.$regex ?? '')
    expect(pattern.test(JSON.stringify({ guest_uid: 'a.b"(c&' }))).toBe(true)
    expect(pattern.test(JSON.stringify({ guest_uid: 'axb"(c&' }))).toBe(false)
    const schema = record({ guest_uid: text() }) as unknown as SchemaNode
    const write = xmlWriterOf(schema, 'access_control', '')
    expect(pattern.test(write({ guest_uid: 'a.b"(c&' }))).toBe(true)
    expect(pattern.test(write({ guest_uid: 'a.b"(c&d' }))).toBe(false)
  })

  test('a text mentions an address in any case; and a guest by its `_id`, unless it tells what is left of one', () => {
    const mention = new Blanking({ ...declared, fields: { payload: text({ personal: 'mention' }) } })
    const person = { ...nobody, guest_ids: ['g1'], emails: ['a.b@x.org'] }
    const { $or } = mention.filterOf({ ...subject, person }) as { $or: object[] }
    const patternOf = (text: string) => ({
      $regex: [JSON.stringify(text), `>${text}<`].map((each) => RegExp.escape(each)).join('|'),
    })
    expect($or).toEqual([
      { payload: { ...patternOf('a.b@x.org'), $options: 'i' } },
      { $and: [{ payload: patternOf('g1') }, { payload: { $not: { $regex: '[">]erased-' } } }] },
    ])
  })
})
