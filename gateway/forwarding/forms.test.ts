import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { describe, expect, test } from 'vitest'
import { readForm } from './forms.ts'

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
    ['m[][tag][]=a&m[][tag][]=b&m[][name]=c', { m: [{ tag: ['a', 'b'], name: 'c' }] }],
    ['m[9]=b&m[1]=a', { m: ['a', 'b'] }],
    ['a=1&a=2', { a: ['1', '2'] }],
    ['a[=1&b]=2', { 'a[': '1', 'b]': '2' }],
    ['__proto__[admin]=1', JSON.parse('{"__proto__":{"admin":"1"}}')],
  ])('%s', (form, value) => {
    expect(readForm(form)).toEqual(value)
  })

  test('with too many brackets is malformed', () => {
    expect(() => readForm(`a${'[b]'.repeat(100)}=1`)).toThrow(expect.objectContaining({ code: 'malformed' }))
  })

  test('lists of the greatest length are read', () => {
    const pairs = Array.from({ length: 9_990 }, (_, n) => `a${n % 10}[${Math.floor(n / 10)}]=1`)
    expect(Object.keys(readForm(pairs.join('&')) as object)).toHaveLength(10)
  })

  test.each(['[][a', '[][', '[]\n[', '%5B%5D%5B', '[', ']', '=', 'a[]', '[]='])(
    'a megabyte of %j is read or refused',
    (piece) => {
      try {
        readForm(piece.repeat(Math.floor(1_000_000 / piece.length)))
      } catch (error) {
        expect(error).toBeInstanceOf(Fault)
      }
    },
  )
})
