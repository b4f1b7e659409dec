import { BSON, ObjectId } from 'mongodb'
import { describe, expect, test } from 'vitest'
import { datetime, decimal, flag, integer, list, optionalText, record, text } from '../declaring/fields.ts'
import { bsonWriterOf } from './bson-to-json.ts'
import { fieldOf, StoredList } from './raw-documents.ts'

const held = {
  name: 'Ada “É” 🎟️',
  count: 3,
  share: 0.25,
  large: 2 ** 40,
  done: false,
  at: new Date('2024-02-29T09:00:00.250Z'),
  nothing: null,
  seat: { row: 1 },
  all: [{ n: 1 }, 'b'],
  id: new ObjectId(),
  bytes: new BSON.Binary(Buffer.from('x')),
  last: 'z',
}

test.each(Object.entries(held))('the field %s equals that of the decoded document', (name, value) => {
  expect(fieldOf(BSON.serialize(held), name)).toEqual(value)
})

test('a field that is not there is undefined, whether its name begins like another or holds more', () => {
  const document = BSON.serialize({ name: 'x', seat: { inner: 1 } })
  for (const name of ['nam', 'names', 'inner', '']) expect(fieldOf(document, name)).toBeUndefined()
})

describe('a list as it is stored', () => {
  const schema = list(
    record({ name: text(), link: optionalText(), at: datetime(), n: integer(), d: decimal(), ok: flag() }),
    'thing',
  )
  const at = new Date('2024-02-29T23:59:59.999Z')
  const stored = ['a', 'b'].map((name) => ({ name, at, n: -1, d: 0.5, ok: true, secret: 'x' }))
  const things = new StoredList<(typeof stored)[number]>(stored.map((each) => BSON.serialize(each)))
  const written = (list: StoredList<object>): unknown => JSON.parse(bsonWriterOf(schema)(list).toString())
  const shown = { at: at.toISOString(), n: -1, d: 0.5, ok: true }

  test('is written with declared fields only, and null for absent ones', () => {
    expect(written(things)).toEqual(['a', 'b'].map((name) => ({ name, link: null, ...shown })))
    expect(written(new StoredList([]))).toEqual([])
  })

  test('has further fields for each document, computed from stored ones', () => {
    const linked = things.with((look) => ({ link: look('ok') ? `/${look('name')}` : null, name: 'same' }))
    expect(written(linked)).toEqual(['a', 'b'].map((name) => ({ ...shown, name: 'same', link: `/${name}` })))
  })

  test.each([
    ['written as it is stored', {}],
    ['decoded first', { bytes: new BSON.Binary(Buffer.from('x')) }],
  ])('what is said to be undefined is not there, though it is stored, in a document that is %s', (_, besides) => {
    const linked = new StoredList([BSON.serialize({ ...stored[0], link: '/stored', ...besides })])
    expect(written(linked)).toEqual([{ ...shown, name: 'a', link: '/stored' }])
    expect(written(linked.with(() => ({ link: undefined })))).toEqual([{ ...shown, name: 'a', link: null }])
    expect(written(linked.with(() => ({ name: undefined })))).toEqual([{ ...shown, name: '', link: '/stored' }])
  })

  test('decodes the documents, or one field of each, on demand', () => {
    expect(things.decoded()).toEqual(stored)
    expect(things.each('name')).toEqual(['a', 'b'])
  })

  test('reads times of many days in turn', () => {
    const moments = [0, -1, 86_399_999, 86_400_000, -86_400_000, 253_402_300_800_000, -62_198_755_200_000]
    const each = moments.map((time) => ({ ...stored[0], at: new Date(time) }))
    const list = new StoredList(each.map((one) => BSON.serialize(one)))
    expect((written(list) as { at: string }[]).map(({ at }) => at)).toEqual(each.map(({ at }) => at.toISOString()))
  })

  test('grows with texts that take more room in JSON', () => {
    const name = '\u0001'.repeat(100_000)
    expect(written(new StoredList([BSON.serialize({ ...stored[0], name })]))).toMatchObject([{ name }])
  })

  test('throws on a stored text that is no UTF-8', () => {
    const document = BSON.serialize({ ...stored[0], name: 'aaaa' })
    document[Buffer.from(document).indexOf('aaaa')] = 0xff
    expect(() => bsonWriterOf(schema)(new StoredList([document]))).toThrow('UTF-8')
  })
})
