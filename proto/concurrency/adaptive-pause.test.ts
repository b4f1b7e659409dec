import { expect, test } from 'vitest'
import { AdaptivePause, ArrivalRate } from './adaptive-pause.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const SETTINGS = { baselineMs: 0.2, fixed: 50, factor: 60, maxPauseMs: 20, maxDelayMs: 40_000 }

/** A pace that has seen pieces take their usual time. */
function experienced(): AdaptivePause {
  const adaptive = new AdaptivePause(SETTINGS)
  for (let time = 0; time < 10; time++) adaptive.pauseAfter(1_000, 105, 0, time * SECOND)
  return adaptive
}

test('after a piece that took its usual time, or a quarter longer, there is no rest', () => {
  expect(experienced().pauseAfter(1_000, 125, 0, 11 * SECOND)).toBe(0)
  expect(experienced().pauseAfter(1, 6, 0, 11 * SECOND)).toBe(0)
})

test('the longer a piece took beyond the usual the longer the rest, up to five seconds', () => {
  const pauses = [105, 130, 160, 180, 2_000, 60_000].map((took) =>
    experienced().pauseAfter(1_000, took, 0, 11 * SECOND),
  )
  expect(pauses).toEqual(pauses.toSorted((one, other) => one - other))
  expect(pauses[1]).toBe(0)
  expect(pauses[2]).toBeGreaterThan(1_000)
  expect(pauses[2]).toBeLessThan(pauses[3] as number)
  expect(pauses.at(-1)).toBe(5_000)
})

test('after a small piece the rest is small', () => {
  expect(experienced().pauseAfter(1, 5_000, 0, 11 * SECOND)).toBe(20)
  expect(experienced().pauseAfter(100, 5_000, 0, 11 * SECOND)).toBe(2_000)
})

test('the longer something waits the shorter the rest; when patience ends there is none', () => {
  const pauses = [0, 10, 20, 30, 40, 50].map((age) => experienced().pauseAfter(1_000, 900, age * SECOND, 11 * SECOND))
  expect(pauses).toEqual([5_000, 3_750, 2_500, 1_250, 0, 0])
})

test('a database that has become slow for good is usual after a while, a night without work is no reason to think so', () => {
  const adaptive = experienced()
  const first = adaptive.pauseAfter(1_000, 420, 0, MINUTE)
  let last = first
  for (let time = 2; time < 60; time++) last = adaptive.pauseAfter(1_000, 420, 0, time * MINUTE)
  expect(first).toBeGreaterThan(900)
  expect(last).toBe(0)
  expect(experienced().pauseAfter(1_000, 420, 0, 600 * MINUTE)).toBeGreaterThan(900)
})

test('each kind of work has its own usual time, allowance, longest rest and patience', () => {
  const badges = { baselineMs: 4, fixed: 3, tolerance: 2, factor: 60, maxPauseMs: 500, maxDelayMs: 60_000 }
  const pauses = (things: number, took: number, age = 0): number =>
    new AdaptivePause(badges).pauseAfter(things, took, age)
  expect([pauses(10, 52), pauses(10, 104)]).toEqual([0, 0])
  expect(pauses(10, 114)).toBe(600)
  expect([pauses(1, 400), pauses(4, 400), pauses(10, 400)]).toEqual([500, 2_000, 5_000])
  expect([30, 60, 90].map((seconds) => pauses(10, 400, seconds * SECOND))).toEqual([2_500, 0, 0])
})

test('the more comes the longer the rest, up to five seconds, until patience ends; none where that is not asked for', () => {
  const adaptive = new AdaptivePause({ ...SETTINGS, arrivalMs: 10 })
  expect([0, 1, 100, 560, 5_000].map((coming) => adaptive.pauseDuring(coming, 0))).toEqual([0, 10, 1_000, 5_000, 5_000])
  expect([10, 30, 40, 50].map((age) => adaptive.pauseDuring(560, age * SECOND))).toEqual([3_750, 1_250, 0, 0])
  expect(experienced().pauseDuring(560, 0)).toBe(0)
})

test('the rate is recent: a short burst counts little, a rate of some seconds fully, and an ended one is forgotten', () => {
  const arrivalRate = new ArrivalRate()
  expect(arrivalRate.record(1_000, 0)).toBe(0)
  expect(arrivalRate.record(1_003, 100)).toBeLessThan(2)
  let rate = 0
  for (let time = 1; time <= 100; time++) rate = arrivalRate.record(1_003 + 10 * time, 100 + 100 * time)
  expect(rate).toBeGreaterThan(95)
  expect(rate).toBeLessThan(101)
  // Something is handed out again: nothing has come, and it is not counted twice later.
  expect(arrivalRate.record(1_500, 10_200)).toBeLessThan(rate)
  expect(arrivalRate.record(2_003, 20_200)).toBeLessThan(2)
})
