import { expect, test } from 'vitest'
import { randomHex } from './random-hex.ts'

test('random digits are as many as asked for, and different also when the bytes have to be filled again', () => {
  const all = Array.from({ length: 5_000 }, (_, n) => randomHex(7 + (n % 10)))
  expect(all.map(({ length }) => length)).toEqual(all.map((_, n) => 2 * (7 + (n % 10))))
  expect(new Set(all.map((each) => each.slice(0, 14))).size).toBe(all.length)
})
