import { cases } from '@gatehouse/test/rounds.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { itemsOf, parseItem } from './json-items.ts'

const read = (text: string, keys: string[] = []): unknown[] => [...itemsOf(Buffer.from(text), keys)].map(parseItem)

test('the items of a list are those that JSON.parse finds, however it is written', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.constantFrom(undefined, 1, '\t'), (items, space) => {
      const plain = JSON.parse(JSON.stringify(items))
      const text = JSON.stringify(items, undefined, space)
      expect(read(` ${text}\n`)).toEqual(plain)
      expect(read(`{"a": [1, "]"], "items" : ${text} , "b": {"items": []}}`, ['items'])).toEqual(plain)
    }),
    cases(100, 5_000),
  )
})

test('refuses everything that JSON.parse refuses', () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue(), { maxLength: 3 }),
      fc.nat(),
      fc.constantFrom('', ',', ']', '}', '"', '[', ':'),
      (items, at, piece) => {
        const text = JSON.stringify(items)
        const place = at % (text.length + 1)
        const broken = text.slice(0, place) + piece + text.slice(place + (piece === '' ? 1 : 0))
        let whole: unknown
        try {
          whole = JSON.parse(broken)
        } catch {
          expect(() => read(broken)).toThrow()
          return
        }
        // A number whose digits a double does not give back is one of its own.
        if (Array.isArray(whole)) expect(JSON.stringify(read(broken))).toBe(JSON.stringify(whole))
      },
    ),
    cases(100, 5_000),
  )
})

test.each(['{}', '{"other":[1]}', '"x"', '5', 'null'])('%s is no list', (text) => {
  expect(() => read(text, ['items'])).toThrow(expect.objectContaining({ code: 'invalid' }))
})
