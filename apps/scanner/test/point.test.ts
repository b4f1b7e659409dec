import { expect, test } from 'vitest'
import { isBoundTo } from '../src/scanning/point.ts'

test('a device may scan at the check-in points to which it is bound, and at each if it is bound to none', () => {
  expect(isBoundTo(['door'], { _id: 'door' })).toBe(true)
  expect(isBoundTo(['lounge'], { _id: 'door' })).toBe(false)
  expect(isBoundTo([], { _id: 'door' })).toBe(true)
})
