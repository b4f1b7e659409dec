import { expect, test } from 'vitest'
import { median, quantile } from './figures.ts'

test('the median is the middle value, or the mean of the two middle values', () => {
  expect(median([9, 1, 5])).toBe(5)
  expect(median([1, 2, 4, 9])).toBe(3)
})

test('a quantile is one of the measured values', () => {
  const sorted = Array.from({ length: 101 }, (_, n) => n)
  expect([quantile(sorted, 0.5), quantile(sorted, 0.99), quantile([7], 0.99)]).toEqual([50, 99, 7])
})
