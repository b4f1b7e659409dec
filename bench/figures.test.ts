import { expect, test } from 'vitest'
import { median, quantile, slope } from './figures.ts'

test('the median is the middle, or between the two middle ones', () => {
  expect(median([9, 1, 5])).toBe(5)
  expect(median([1, 2, 4, 9])).toBe(3)
})

test('a quantile is a value that was measured', () => {
  const sorted = Array.from({ length: 101 }, (_, n) => n)
  expect([quantile(sorted, 0.5), quantile(sorted, 0.99), quantile([7], 0.99)]).toEqual([50, 99, 7])
})

test('the slope of points around a line is the line’s', () => {
  const points = Array.from({ length: 100 }, (_, x) => ({ x, y: 3 + 2 * x + (x % 2 ? 1 : -1) }))
  expect(slope(points)).toBeCloseTo(2, 2)
  expect(slope([{ x: 1, y: 5 }])).toBe(0)
})
