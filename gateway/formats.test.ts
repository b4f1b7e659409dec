import { Fault } from '@gatehouse/proto/faults.ts'
import { describe, expect, test } from 'vitest'
import { toJsonBytes } from './formats.ts'

const FORM = 'application/x-www-form-urlencoded'

/** What a body holds once it is JSON. */
function read(body: string, mediaType: string): unknown {
  return JSON.parse(toJsonBytes(Buffer.from(body), mediaType, {}).toString())
}

describe('a form', () => {
  test.each([
    ['a=1&b=', { a: '1', b: '' }],
    ['guest[first_name]=Ada', { guest: { first_name: 'Ada' } }],
    ['guest%5Bfirst_name%5D=Ada+L%C3%B6w', { guest: { first_name: 'Ada Löw' } }],
    ['ids[]=1&ids[]=2', { ids: ['1', '2'] }],
    [
      'm[][name]=a&m[][value]=1&m[][name]=b&m[][value]=2',
      {
        m: [
          { name: 'a', value: '1' },
          { name: 'b', value: '2' },
        ],
      },
    ],
    ['m[0][name]=a&m[1][name]=b', { m: [{ name: 'a' }, { name: 'b' }] }],
    ['m%5B%5D%5Bname%5D=a=b', { m: [{ name: 'a=b' }] }],
    ['m[][name]', { m: [{ name: '' }] }],
  ])('%s', (form, value) => {
    expect(read(form, FORM)).toEqual(value)
  })

  test.each([
    ['too deep', `a${'[b]'.repeat(100)}=1`],
    ['too many items', Array.from({ length: 1_002 }, (_, n) => `a[${n}]=1`).join('&')],
    ['too many values', 'a=1&'.repeat(10_002)],
  ])('%s is malformed', (_what, form) => {
    expect(() => read(form, FORM)).toThrow(expect.objectContaining({ code: 'malformed' }))
  })

  test('lists that are as long as they may be are read within a moment', () => {
    const pairs = Array.from({ length: 9_990 }, (_, n) => `a${n % 10}[${Math.floor(n / 10)}]=1`)
    const started = performance.now()
    expect(Object.keys(read(pairs.join('&'), FORM) as object)).toHaveLength(10)
    expect(performance.now() - started).toBeLessThan(20_000)
  })

  test.each(['[][a', '[][', '[]\n[', '%5B%5D%5B', '[', ']', '=', 'a[]', '[]='])(
    'megabytes of %j are read or refused within a moment',
    (piece) => {
      const started = performance.now()
      try {
        read(piece.repeat(Math.floor(4_000_000 / piece.length)), FORM)
      } catch (error) {
        expect(error).toBeInstanceOf(Fault)
      }
      expect(performance.now() - started).toBeLessThan(20_000)
    },
  )
})

test('a media type that nobody reads is unsupported', () => {
  expect(() => read('a: 1', 'application/yaml')).toThrow(expect.objectContaining({ code: 'unsupported' }))
})

describe('an XML document', () => {
  test('is read in the encoding that it declares', () => {
    const document = Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?><a><b>Zo\xeb</b></a>', 'latin1')
    expect(JSON.parse(toJsonBytes(document, 'application/xml', {}).toString())).toEqual({ b: 'Zoë' })
  })

  test.each([
    ['bytes that are not UTF-8', Buffer.from('<a><b>Zo\xeb</b></a>', 'latin1')],
    ['an encoding that nobody knows', Buffer.from('<?xml version="1.0" encoding="klingon"?><a/>')],
  ])('%s are malformed', (_what, bytes) => {
    expect(() => toJsonBytes(bytes, 'text/xml', {})).toThrow(expect.objectContaining({ code: 'malformed' }))
  })
})
