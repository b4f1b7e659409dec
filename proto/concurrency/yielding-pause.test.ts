import { expect, test } from 'vitest'
import { yieldingPause } from './yielding-pause.ts'

test('the longer a batch took the longer the pause, up to five seconds', () => {
  expect([0, 10, 1_000, 60_000].map((tookMs) => yieldingPause(tookMs, 0, 40_000))).toEqual([0, 40, 4_000, 5_000])
})

test('the longer work waits the shorter the pause; when patience ends there is none', () => {
  const pauses = [0, 10_000, 20_000, 40_000, 50_000].map((ageMs) => yieldingPause(1_000, ageMs, 40_000))
  expect(pauses).toEqual([4_000, 3_000, 2_000, 0, 0])
})
