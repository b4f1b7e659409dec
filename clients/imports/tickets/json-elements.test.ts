import { cases, slow } from '@gatehouse/test/rounds.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonElements } from './json-elements.ts'

/** What is cut out of a text that comes in pieces of these lengths. */
function cut(text: string, lengths: readonly number[]): [list: string, value: unknown][] {
  const elements = new JsonElements()
  const found: [string, unknown][] = []
  let at = 0
  for (const length of [...lengths, text.length]) {
    for (const each of elements.push(text.slice(at, at + length))) found.push([each.list, JSON.parse(each.text)])
    at += length
  }
  return found
}

test('objects of lists are cut out whole, wherever the text is divided', slow, () => {
  const value = fc.jsonValue()
  const objects = fc.array(fc.dictionary(fc.string(), value), { maxLength: 4 })
  fc.assert(
    fc.property(
      objects,
      objects,
      value,
      fc.array(fc.nat(9), { maxLength: 60 }),
      fc.boolean(),
      (items, orders, meta, lengths, pretty) => {
        const document = {
          event: { name: '"[{', meta: [meta].flat().filter((each) => typeof each !== 'object'), items, orders },
        }
        const text = JSON.stringify(document, null, pretty ? 2 : 0)
        // JSON has no negative zero.
        const { event } = JSON.parse(text)
        expect(cut(text, lengths)).toEqual([
          ...event.items.map((each: object) => ['items', each]),
          ...event.orders.map((each: object) => ['orders', each]),
        ])
      },
    ),
    cases(100, 2_000),
  )
})

test('an element that is too long is refused in one sentence', () => {
  const elements = new JsonElements()
  elements.push('{"event":{"orders":[{"a":"')
  expect(() => {
    for (let n = 0; n < 20; n++) elements.push('x'.repeat(1024 ** 2))
  }).toThrow('The file has an order that is too long to be read')
})
