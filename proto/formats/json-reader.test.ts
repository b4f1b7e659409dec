import { slow } from '@gatehouse/test/rounds.ts'
import type { TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import { Fault } from '../declaring/faults.ts'
import {
  COLOUR,
  choice,
  datetime,
  decimal,
  email,
  flag,
  freeObject,
  identifier,
  integer,
  list,
  maybe,
  optionalDatetime,
  optionalEmail,
  optionalText,
  record,
  type SchemaNode,
  scannedUid,
  subset,
  TIME_OF_DAY,
  text,
  WEB_ADDRESS,
} from '../declaring/fields.ts'
import { internalReaderOf, parseJson, queryReaderOf, readDateTime, readerOf, unwrap } from './json-reader.ts'

/** Reads one field called `it`. */
function readField(field: TSchema, given: unknown): { value: unknown; errors: string[] | undefined } {
  const { value, errors } = readerOf(record({ it: field }))({ it: given })
  return { value: (value as { it: unknown }).it, errors: errors?.it?.map(String) }
}

test.each([
  [email(), 'nobody', 'invalid_email'],
  [optionalEmail(), 'nobody@', 'invalid_email'],
  [text({ pattern: WEB_ADDRESS }), 'example.com', 'invalid_url'],
  [optionalText({ pattern: COLOUR }), 'red', 'invalid_colour'],
  [text({ pattern: TIME_OF_DAY }), '6', 'invalid_time_of_day'],
  [text({ pattern: '^a+$' }), 'b', 'invalid'],
])('by the code of what is wrong with %j people can be told what is expected', (field, given, code) => {
  expect(readerOf(record({ it: field }))({ it: given }).errors?.it).toMatchObject([{ code }])
})

test('half of a surrogate pair is read as it will be stored, in texts, list items and values of objects', () => {
  expect(readField(text(), 'A\ud83d').value).toBe('A\ufffd')
  expect(readField(optionalText(), '\ude00\u{1f600}').value).toBe('\ufffd\u{1f600}')
  expect(readField(list(text(), 'one'), ['\ud800']).value).toEqual(['\ufffd'])
  const pairs = list(record({ name: text(), value: optionalText() }), 'pair', { fromObject: ['name', 'value'] })
  expect(readField(pairs, { 'a\ud800': '\ud800b' }).value).toEqual([{ name: 'a\ufffd', value: '\ufffdb' }])
})

describe('strings are read as values of the schema', () => {
  test.each([
    [integer(), '12', 12],
    [integer(), ' -1 ', -1],
    [decimal(), '0.25', 0.25],
    [decimal(), '+3', 3],
    [flag(), 'true', true],
    [flag(), '1', true],
    [flag(), 1, true],
    [flag(), ' false ', false],
    [flag(), '0', false],
    [flag(), 0, false],
    [flag(), 'True', true],
    [flag(), 'on', true],
    [flag(), 'No\r\n', false],
    [flag({ default: true }), '', true],
    [optionalDatetime(), ' \n', null],
    [text(), 12, '12'],
    [text(), true, 'true'],
    [maybe(list(integer(), 'number')), ['1', 2], [1, 2]],
    [list(text(), 'word'), '', []],
    [optionalDatetime(), '', null],
    [optionalText(), '', ''],
  ])('%#', (field, given, value) => {
    expect(readField(field, given)).toEqual({ value, errors: undefined })
  })
})

describe('what nobody sees is taken off the ends of texts from outside, and off no text of another service', () => {
  test.each([
    [text(), '\ufeffAda\r\n', 'Ada'],
    [optionalText(), '\u00a0\u200b', ''],
    [choice(['a', 'b']), ' b\t', 'b'],
    [identifier(), '\n6b09dfc497a1873be4f8f3dc\0', '6b09dfc497a1873be4f8f3dc'],
    [list(text(), 'word'), ['a ', ' b'], ['a', 'b']],
    [text({ verbatim: true }), ' secret ', ' secret '],
  ])('%#', (field, given, value) => {
    expect(readField(field, given)).toEqual({ value, errors: undefined })
    const within = internalReaderOf(record({ it: text() }))({ it: '\u00a0a\0' })
    expect(within).toEqual({ value: { it: '\u00a0a\0' } })
  })

  test('members that an account has declared are read so too', () => {
    expect(readerOf(record({}, { others: true }))({ badge: ' 12\n' }).value).toEqual({ badge: '12' })
  })
})

describe('an invalid value is refused by the name of its field, in the words of the interface', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(9)}1${'}'.repeat(9)}`)
  test.each([
    [text(), '', ["can't be blank"]],
    [text(), ' \n\t', ["can't be blank"]],
    [text(), '\u200b\ufeff', ["can't be blank"]],
    [scannedUid(), '\u200b\0', ["can't be blank"]],
    [text(), 'a\0b', ['is not valid']],
    [optionalText(), 'a\0b', ['is not valid']],
    [scannedUid(), 'a\0b\r\n', ['is not valid']],
    [text(), null, ['is not a string']],
    [text(), ['a'], ['is not a string']],
    [text(), { $gt: '' }, ['is not a string']],
    [text(), 'a'.repeat(256), ['is too long (maximum is 255 characters)']],
    [optionalText({ pattern: '^a*$' }), 'b', ['is not valid']],
    [text({ pattern: '^a+$' }), '', ["can't be blank"]],
    [integer(), 1.5, ['is not a whole number']],
    [integer(), '1e3', ['is not a whole number']],
    [integer(), Number.POSITIVE_INFINITY, ['is not a whole number']],
    [integer(), 2147483648, ['must be less than or equal to 2147483647']],
    [integer({ minimum: -1 }), -2, ['must be greater than or equal to -1']],
    [decimal(), Number.POSITIVE_INFINITY, ['is not a number']],
    [flag(), 'maybe', ['is not true or false']],
    [flag(), 2, ['is not true or false']],
    [datetime(), 'yesterday', ['is not a valid date-time']],
    [datetime(), 5, ['is not a valid date-time']],
    [datetime(), null, ['is not a valid date-time']],
    [datetime({ unix: true }), 1e300, ['is not a valid date-time']],
    [choice(['a', 'b']), 'c', ['is not one of a, b']],
    [list(text(), 'word'), 'a', ['is not a list']],
    [list(text(), 'word', { maxBytes: 1_024 }), Array(10).fill('x'.repeat(200)), ['is too large (maximum is 1 KiB)']],
    [list(text(), 'word', { maxItems: 1 }), ['a', 'b'], ['has too many entries (maximum is 1)']],
    [freeObject(), 'a', ['is not an object']],
    [freeObject(), [], ['is not an object']],
    [freeObject(), { $where: '1' }, ['is nested too deeply or has a name with $ or . in it']],
    [freeObject(), { a: [{ 'b.c': 1 }] }, ['is nested too deeply or has a name with $ or . in it']],
    [freeObject(), JSON.parse('{"__proto__":{}}'), ['is nested too deeply or has a name with $ or . in it']],
    [freeObject(), deep, ['is nested too deeply or has a name with $ or . in it']],
  ])('%#', (field, given, errors) => {
    expect(readField(field, given).errors).toEqual(errors)
  })
})

describe('a number in JSON text is read by its field', () => {
  const read = (field: TSchema, number: string): unknown =>
    readField(field, (parseJson(Buffer.from(`{"it": ${number} }`)) as { it: unknown }).it)
  test.each([
    '10853738742371098624',
    '1e5',
    '1E+2',
    '1.10',
    '-0',
    '0.00000001',
    '-9007199254740993',
    '123456789.1234567890',
  ])('as it is written where a text is meant: %s', (number) => {
    expect(read(text(), number)).toEqual({ value: number, errors: undefined })
    expect(read(decimal(), number)).toEqual({ value: Number(number), errors: undefined })
    const others = readerOf(record({}, { others: true }))(parseJson(Buffer.from(`{"it":${number}}`)))
    expect(others.value).toEqual({ it: number })
  })

  test('as the nearest number where a number is meant, and in values of a client’s own unless it has too many digits', () => {
    expect(read(integer(), '1e3')).toEqual({ value: 1_000, errors: undefined })
    expect(read(flag(), '1.0')).toEqual({ value: true, errors: undefined })
    expect(read(text(), '12')).toEqual({ value: '12', errors: undefined })
    const own = '{"a":[1.50,10853738742371098624],"b":{"c":1e3}}'
    expect(read(freeObject(), own)).toEqual({
      value: { a: [1.5, '10853738742371098624'], b: { c: 1_000 } },
      errors: undefined,
    })
    expect(read(list(text(), 'one'), '[1.0,2]')).toEqual({ value: ['1.0', '2'], errors: undefined })
  })

  test.each(['10853738742371098624', '1.10'])('alone and in lists: %s', (number) => {
    expect(String(parseJson(Buffer.from(number)))).toBe(number)
    expect(String((parseJson(Buffer.from(`[ ${number}\n]`)) as unknown[])[0])).toBe(number)
  })

  test('a long text of what numbers begin with takes linear time', () => {
    for (const piece of [',', ', ', ',1', ',1.1', '1', '0.', '[-', ',1e'])
      expect(parseJson(Buffer.from(JSON.stringify(piece.repeat(100_000))))).toBe(piece.repeat(100_000))
  })
})

test('a missing field is blank, and the answer names every wrong field, with its place in a list', () => {
  const schema = record({ name: text(), seats: list(record({ row: integer(), id: identifier() }), 'seat') })
  expect(readerOf(schema)({}).errors).toEqual({ name: ["can't be blank"], seats: ["can't be blank"] })
  expect(readerOf(schema)({ name: 1, seats: [{ row: 1, id: 'x' }, { row: 'A' }] }).errors).toEqual({
    'seats.1.row': ['is not a whole number'],
    'seats.1.id': ["can't be blank"],
  })
  expect(readerOf(schema)([]).errors).toEqual({ base: ['is not an object'] })
  expect(readerOf(schema)(null).errors).toEqual({ base: ['is not an object'] })
})

describe('no input is dear to refuse', () => {
  const schema = record({
    name: text(),
    lines: list(record({ x: integer(), y: integer() }), 'line', { maxItems: 5_000 }),
  })

  test('a list of a million bad items is refused for its length', slow, () => {
    const { errors } = readerOf(schema)({ name: 'a', lines: Array.from({ length: 1_000_000 }, () => ({})) })
    expect(errors).toEqual({ lines: ['has too many entries (maximum is 5000)'] })
  })

  test('the answer has the first of thousands of errors, and the first twenty nested fields of few', () => {
    const bad = (length: number) => ({ name: 'a', lines: Array.from({ length }, () => ({ x: 'no', y: 1 })) })
    expect(readerOf(schema)(bad(4_000)).errors).toEqual({ 'lines.0.x': ['is not a whole number'] })
    expect(Object.keys(readerOf(schema)(bad(100)).errors ?? {})).toHaveLength(20)
  })

  test('a list given as an object is refused for its length too', () => {
    const pairs = record({
      it: list(record({ name: text(), value: text() }), 'pair', { maxItems: 3, fromObject: ['name', 'value'] }),
    })
    expect(readerOf(pairs)({ it: { a: 'b', c: 'd', e: 'f', g: 'h' } }).errors).toEqual({
      it: ['has too many entries (maximum is 3)'],
    })
  })

  test('a million nested levels are refused, or dropped if undeclared', slow, () => {
    const deep = JSON.parse(`${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`)
    expect(readerOf(record({ it: freeObject() }))({ it: { deep } }).errors?.it).toBeDefined()
    expect(readerOf(schema)({ name: 'a', lines: [], deep }).errors).toBeUndefined()
  })
})

test('bytes that are not UTF-8 are malformed', () => {
  expect(() => parseJson(Buffer.from('{"name":"Zo\xeb"}', 'latin1'))).toThrow(
    expect.objectContaining({ code: 'malformed' }),
  )
  expect(parseJson(Buffer.from('{"name":"Zoë"}'))).toEqual({ name: 'Zoë' })
})

test('undeclared members are dropped, at every level', () => {
  const schema = record({ name: text(), seat: record({ row: integer() }) })
  const given = JSON.parse('{"name":"a","_id":"x","$where":1,"__proto__":{"admin":true},"seat":{"row":1,"column":2}}')
  const { value, errors } = readerOf(schema)(given)
  expect(errors).toBeUndefined()
  expect(value).toEqual({ name: 'a', seat: { row: 1 } })
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
})

describe('defaults', () => {
  const fields = {
    name: text({ default: 'none' }),
    note: optionalText(),
    start: optionalDatetime(),
    tags: list(text(), 'tag', { default: [] }),
    map: freeObject({ default: {} }),
  }

  test('a create fills them in, moments and lists included', () => {
    expect(readerOf(record(fields))({})).toEqual({
      value: { name: 'none', note: null, start: null, tags: [], map: {} },
    })
  })

  test('two reads do not share a default list or object', () => {
    const read = readerOf(record(fields))
    const [first, second] = [read({}).value, read({}).value] as { tags: unknown[]; map: object }[]
    expect(first?.tags).not.toBe(second?.tags)
    expect(first?.map).not.toBe(second?.map)
  })

  test('an update ignores absent fields, and takes null if it is a value', () => {
    const read = readerOf(subset(fields))
    expect(read({})).toEqual({ value: {} })
    expect(read({ note: null, start: null })).toEqual({ value: { note: null, start: null } })
    expect(read({ name: null }).errors).toEqual({ name: ['is not a string'] })
  })
})

describe('old names', () => {
  const schema = record({
    allowed: integer({ default: -1, formerly: [{ name: 'once', values: { true: 1, false: -1, '1': 1, '0': -1 } }] }),
    open: flag({ default: true, formerly: [{ name: 'opened' }] }),
  })

  test.each([
    [{ once: true }, 1],
    [{ once: 'false' }, -1],
    [{ once: 0 }, -1],
    [{ once: true, allowed: 7 }, 7],
  ])('%j', (given, allowed) => {
    expect(readerOf(schema)(given)).toEqual({ value: { allowed, open: true } })
  })

  test('an old name without a translation takes the values of the new one', () => {
    expect(readerOf(schema)({ opened: 'false' })).toEqual({ value: { allowed: -1, open: false } })
  })

  test.each(['constructor', '__proto__', { toString: 1, valueOf: 1 }, [true], null])(
    'a value without a translation is refused: %j',
    (once) => {
      expect(readerOf(schema)({ once }).errors).toEqual({ allowed: ['is not a whole number'] })
    },
  )
})

test('a list of pairs is read from an object too', () => {
  const pairs = list(record({ name: text(), value: optionalText() }), 'pair', { fromObject: ['name', 'value'] })
  const wanted = [
    { name: 'job', value: 'poet' },
    { name: 'age', value: '36' },
  ]
  expect(readField(pairs, { job: 'poet', age: 36 }).value).toEqual(wanted)
  expect(readField(pairs, wanted).value).toEqual(wanted)
  expect(readField(pairs, { '': 'x' }).errors).toBeUndefined()
})

describe('moments', () => {
  test.each([
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2024-02-29T10:00', '2024-02-29T10:00:00.000Z'],
    ['2024-02-29 10:00:05', '2024-02-29T10:00:05.000Z'],
    ['2024-02-29T10:00:05Z', '2024-02-29T10:00:05.000Z'],
    ['2024-02-29t10:00:05z', '2024-02-29T10:00:05.000Z'],
    ['2024-02-29T10:00:05.25Z', '2024-02-29T10:00:05.250Z'],
    ['2024-02-29T10:00:05,25Z', '2024-02-29T10:00:05.250Z'],
    ['2024-02-29T10:00:05.123456789Z', '2024-02-29T10:00:05.123Z'],
    ['2024-02-29T10:00:00+01:00', '2024-02-29T09:00:00.000Z'],
    ['2024-02-29T10:00:00-0530', '2024-02-29T15:30:00.000Z'],
    ['2024-02-29T10:00:00+00:00', '2024-02-29T10:00:00.000Z'],
    [' 2024-02-29T10:00:00Z ', '2024-02-29T10:00:00.000Z'],
  ])('%s is read as UTC where it has no offset', (given, wanted) => {
    expect(readDateTime(given)?.toISOString()).toBe(wanted)
  })

  test.each([
    '2024-02-31',
    '2023-02-29T10:00:00Z',
    '2026-02-31T10:00:00.000Z',
    '2024-04-31',
    '2024-13-01',
    '2024-00-10',
    '2024-02-29T25:00:00Z',
    '2024-02-29T10:61:00Z',
    '2024-02-29T10:00:00+99:00',
    '2024-2-9',
    '29.02.2024',
    '20240229',
    '1700000000',
    '+12024-02-29',
    '2024-02-29T',
    'now',
    '',
    ' ',
  ])('%j is no moment', (given) => {
    expect(readDateTime(given)).toBeUndefined()
  })

  test('Unix seconds are read only where the field says so', () => {
    const wanted = new Date('2023-11-14T22:13:20Z')
    expect(readField(datetime({ unix: true }), '1700000000').value).toEqual(wanted)
    expect(readField(datetime({ unix: true }), 1700000000).value).toEqual(wanted)
    expect(readField(datetime(), '1700000000').errors).toEqual(['is not a valid date-time'])
  })

  test('a value that is neither a moment nor blank is refused once', () => {
    expect(readField(optionalDatetime(), 'soon').errors).toEqual(['is not a valid date-time'])
  })
})

describe('a body is read flat and wrapped', () => {
  const schema = record({ name: text(), guest: maybe(text()) }) as unknown as SchemaNode
  const items = list(record({ name: text() }), 'guest') as unknown as SchemaNode

  test.each([
    [{ name: 'a' }, ['event'], schema, { name: 'a' }],
    [{ event: { name: 'a' } }, ['event'], schema, { name: 'a' }],
    [{ event: { name: 'a' }, token: 'x' }, ['event'], schema, { name: 'a' }],
    [{ event: 'a' }, ['event'], schema, { event: 'a' }],
    [{ guest: { name: 'a' } }, ['guest'], schema, { guest: { name: 'a' } }],
    [{ guests: [{ name: 'a' }] }, ['guest', 'guests'], items, [{ name: 'a' }]],
    [[{ name: 'a' }], ['guest'], items, [{ name: 'a' }]],
    [null, ['guest'], schema, null],
  ])('%j', (body, roots, as, wanted) => {
    expect(unwrap(body, roots, as)).toEqual(wanted)
  })
})

test('a body that is no JSON is malformed, and an empty one is an empty object', () => {
  expect(parseJson(Buffer.alloc(0))).toEqual({})
  expect(parseJson(Buffer.from('[1]'))).toEqual([1])
  for (const bytes of ['{', '{"a":}', 'undefined', "{'a':1}", '\u0000']) {
    expect(() => parseJson(Buffer.from(bytes))).toThrow(Fault)
  }
})

describe('the reader of a query string', () => {
  const read = queryReaderOf(record({ page: integer({ default: 1 }), category: maybe(list(identifier(), 'category')) }))

  test.each([
    [{ 'category[]': ['a', 'b'] }, ['a', 'b']],
    [{ 'category[]': 'a' }, ['a']],
    [{ category: 'a' }, ['a']],
    [{ category: ['a', 'b'] }, ['a', 'b']],
    [{ 'category[0]': 'a', 'category[1]': 'b' }, ['a', 'b']],
    [{ 'category[]': ['', 'a'] }, ['a']],
    [{ 'category[]': '' }, undefined],
  ])('takes %j as a list', (query, category) => {
    expect(read(query)).toEqual({ value: { page: 1, ...(category && { category }) } })
  })

  test('gives a name with brackets no meaning where the schema has no list', () => {
    expect(read({ 'page[]': '2' })).toEqual({ value: { page: 1 } })
  })
})

test('a record with others passes on members with plain names, and drops the rest', () => {
  const read = readerOf(
    record({ email: text(), tel: optionalText({ formerly: [{ name: 'phone' }] }) }, { others: true }),
  )
  const given = {
    email: 'a@b',
    phone: '1',
    badge_number: 7,
    list: [1],
    constructor: null,
    Big: 1,
    'a.b': 1,
    $set: 1,
    _x: 1,
  }
  const { value } = read(JSON.parse(`{"__proto__":1,${JSON.stringify(given).slice(1)}`))
  expect(value).toEqual({ email: 'a@b', tel: '1', badge_number: 7, list: [1], constructor: null })
  expect(readerOf(subset({ email: text() }, { others: true }))({ company: 'x' }).value).toEqual({ company: 'x' })
})

test('a value of the wrong type has one error', () => {
  expect(readerOf(record({ scope: choice(['a', 'b']) }))({ scope: ['a'] }).errors).toEqual({
    scope: ['is not a string'],
  })
})
