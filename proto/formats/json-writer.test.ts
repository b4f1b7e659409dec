import { ObjectId } from 'mongodb'
import { describe, expect, test } from 'vitest'
import {
  choice,
  datetime,
  decimal,
  flag,
  freeObject,
  identifier,
  integer,
  list,
  maybe,
  optionalDatetime,
  optionalDecimal,
  optionalText,
  record,
  text,
} from '../declaring/fields.ts'
import { messageOf } from '../declaring/messages.ts'
import { type Gap, tellGaps } from './gaps.ts'
import { batchItemsWriterOf, writerOf } from './json-writer.ts'

const written = (schema: Parameters<typeof writerOf>[0], value: unknown): unknown => JSON.parse(writerOf(schema)(value))

test('only declared fields go out, at every level', () => {
  const schema = record({ name: text(), seat: record({ row: integer() }), rows: list(record({ n: integer() }), 'row') })
  const stored = { _id: 'x', name: 'a', hash: 'secret', seat: { row: 1, secret: 1 }, rows: [{ n: 1, secret: 1 }] }
  expect(written(schema, stored)).toEqual({ name: 'a', seat: { row: 1 }, rows: [{ n: 1 }] })
})

describe('a field that holds nothing', () => {
  const schema = record({ note: optionalText(), at: optionalDatetime(), extra: maybe(optionalText()) })

  test('goes out as null where null is a value', () => {
    expect(written(schema, {})).toEqual({ note: null, at: null })
    expect(written(schema, { note: null, at: null, extra: null })).toEqual({ note: null, at: null, extra: null })
  })

  test('does not go out where it is optional', () => {
    expect(written(record({ a: maybe(integer()), b: flag() }), { b: true })).toEqual({ b: true })
  })

  test('goes out as its default where it is neither, or as the least of its kind', () => {
    const schema = record({
      ...{ t: text(), n: integer(), d: decimal(), b: flag(), all: list(text(), 'each'), in: record({}) },
      state: choice(['on', 'off'], { default: 'off' }),
    })
    const least = { t: '', n: 0, d: 0, b: false, all: [], in: {}, state: 'off' }
    expect(written(schema, {})).toEqual(least)
    expect(written(schema, Object.fromEntries(Object.keys(least).map((name) => [name, null])))).toEqual(least)
  })

  test('does not go out where its kind has no least value', () => {
    const schema = record({ at: datetime(), state: choice(['on', 'off']), moments: list(datetime(), 'moment') })
    expect(written(schema, { moments: [null] })).toEqual({ moments: [] })
  })
})

test('moments go out in UTC with milliseconds and Z', () => {
  const schema = record({ at: datetime(), end: optionalDatetime() })
  const at = new Date('2024-02-29T10:00:00+01:00')
  expect(writerOf(schema)({ at, end: at })).toBe('{"at":"2024-02-29T09:00:00.000Z","end":"2024-02-29T09:00:00.000Z"}')
})

test('moments of many years, each twice, go out as they are', () => {
  const moments = Array.from({ length: 3_000 }, (_, n) => new Date((n % 1_500) * 1_024 * 1_000_003 - 7e11))
  const schema = list(datetime(), 'moment')
  expect(written(schema, moments)).toEqual(moments.map((each) => each.toISOString()))
})

test('a value of another kind goes out as text where a text is declared, otherwise as if there were none', () => {
  const id = new ObjectId()
  const at = new Date(0)
  const texts = list(text(), 'text')
  expect(written(texts, [7, true, at, id, {}, []])).toEqual(['7', 'true', at.toISOString(), id.toHexString(), '', ''])
  expect(written(list(optionalText(), 'text'), [{}])).toEqual([null])
  const schema = record({
    ...{
      n: integer(),
      d: optionalDecimal(),
      b: flag(),
      all: texts,
      in: record({ row: integer() }),
      free: freeObject(),
    },
    ...{ at: datetime(), end: optionalDatetime() },
  })
  const odd = { n: 'one', d: Number.NaN, b: 'no', all: 'a', in: [], free: 'x', at: 7, end: new Date(Number.NaN) }
  expect(written(schema, odd)).toEqual({ n: 0, d: null, b: false, all: [], in: {}, free: {}, end: null })
})

test('each gap is told of once, with document and field, of ten documents for each field', () => {
  const gaps: Gap[] = []
  tellGaps((gap) => gaps.push(gap))
  const row = record({ n: integer() })
  const schema = list(
    record({ _id: identifier(), name: text(), note: optionalText(), rows: list(row, 'row') }),
    'thing',
  )
  const documents = Array.from({ length: 20 }, (_, n) => ({ _id: `id-${n}`, rows: n === 0 ? [{}] : [] }))
  for (let again = 0; again < 2; again++) writerOf(schema)(documents)
  expect(gaps).toEqual([
    { document: 'id-0', field: 'thing.name' },
    { document: 'id-0', field: 'thing.rows.row.n' },
    ...documents.slice(1, 10).map(({ _id }) => ({ document: _id, field: 'thing.name' })),
  ])
})

test.each([
  'quotes " and \\ backslashes',
  'line\nbreaks\r\n and \t tabs',
  'NUL \u0000 and other \u001f controls',
  '\u2028 and \u2029',
  '</script><b>&amp;',
  'مرحبا 🎟️ é',
  `${'long '.repeat(2_000)}"`,
])('any text comes back as it was: %j', (value) => {
  expect(written(record({ it: text() }), { it: value })).toEqual({ it: value })
})

test('a lone surrogate is written as an escape, so that the bytes are valid UTF-8', () => {
  const bytes = Buffer.from(writerOf(record({ it: text() }))({ it: 'a\ud800b' }))
  expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).not.toThrow()
  expect(JSON.parse(bytes.toString())).toEqual({ it: 'a\ud800b' })
})

test('numbers, lists and free objects go out as they are', () => {
  const schema = record({ n: integer(), d: decimal(), all: list(text(), 'each'), free: freeObject() })
  const value = { n: -1, d: 0.25, all: ['a', ''], free: { deep: [1, { x: null, y: true }] } }
  expect(written(schema, value)).toEqual(value)
})

test('in a batch a refused item goes out in its place, with codes if they are asked for', () => {
  const schema = list(record({ name: text() }), 'thing')
  const items = [
    { name: 'a', hash: 'secret' },
    { errors: { name: [messageOf('too_long', { limit: 9 })] } },
    { name: 'b' },
  ]
  const write = batchItemsWriterOf(schema)
  const errors = { name: ['is too long (maximum is 9 characters)'] }
  expect(JSON.parse(write(items))).toEqual([{ name: 'a' }, { errors }, { name: 'b' }])
  const codes = { name: [{ code: 'too_long', values: { limit: 9 } }] }
  expect(JSON.parse(write(items, true))).toEqual([{ name: 'a' }, { errors, codes }, { name: 'b' }])
})

test('of a record with others the members beside the declared ones go out too, and of no other record', () => {
  const held = { name: 'x', badge_number: '7', diet: null }
  expect(writerOf(record({ name: text() }, { others: true }))(held)).toBe('{"name":"x","badge_number":"7","diet":null}')
  expect(writerOf(record({ name: text() }))(held)).toBe('{"name":"x"}')
})
