import { expect, test } from 'vitest'
import { Clock } from '../src/server/clock.ts'

const HOUR = 3_600_000
const at = (ms: number): string => new Date(ms).toISOString()

test('a clock that is wrong by hours is corrected by what the server says', () => {
  const clock = new Clock(0)
  expect(clock.learn(at(5 * HOUR), 1_000, 2_000)).toBe(true)
  expect(clock.offset).toBe(5 * HOUR - 1_500)
  expect(clock.now().getTime()).toBeCloseTo(Date.now() + clock.offset, -2)
})

test('a difference that the way to the server explains is none, and an answer without a time says nothing', () => {
  const clock = new Clock(100)
  expect(clock.learn(at(10_000), 9_700, 9_900)).toBe(false)
  expect(clock.learn(at(12_000), 5_000, 15_000)).toBe(false)
  expect(clock.learn('', 0, 0)).toBe(false)
  expect(clock.offset).toBe(100)
})
