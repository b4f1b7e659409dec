import { expect, test } from 'vitest'
import { Inflow, Pace } from './adaptive-pause.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const BURDEN = { usualMs: 0.2, fixed: 50, rests: 60, longestRestMs: 20, patienceMs: 40_000 }

/** A pace that has seen pieces take their usual time. */
function experienced(): Pace {
  const pace = new Pace(BURDEN)
  for (let time = 0; time < 10; time++) pace.restAfter(1_000, 105, 0, time * SECOND)
  return pace
}

test('after a piece that took its usual time, or a quarter longer, there is no rest', () => {
  expect(experienced().restAfter(1_000, 125, 0, 11 * SECOND)).toBe(0)
  expect(experienced().restAfter(1, 6, 0, 11 * SECOND)).toBe(0)
})

test('the longer a piece took beyond the usual the longer the rest, up to five seconds', () => {
  const rests = [105, 130, 160, 180, 2_000, 60_000].map((took) => experienced().restAfter(1_000, took, 0, 11 * SECOND))
  expect(rests).toEqual(rests.toSorted((one, other) => one - other))
  expect(rests[1]).toBe(0)
  expect(rests[2]).toBeGreaterThan(1_000)
  expect(rests[2]).toBeLessThan(rests[3] as number)
  expect(rests.at(-1)).toBe(5_000)
})

test('after a small piece the rest is small', () => {
  expect(experienced().restAfter(1, 5_000, 0, 11 * SECOND)).toBe(20)
  expect(experienced().restAfter(100, 5_000, 0, 11 * SECOND)).toBe(2_000)
})

test('the longer something waits the shorter the rest; when patience ends there is none', () => {
  const rests = [0, 10, 20, 30, 40, 50].map((age) => experienced().restAfter(1_000, 900, age * SECOND, 11 * SECOND))
  expect(rests).toEqual([5_000, 3_750, 2_500, 1_250, 0, 0])
})

test('a database that has become slow for good is usual after a while, a night without work is no reason to think so', () => {
  const pace = experienced()
  const first = pace.restAfter(1_000, 420, 0, MINUTE)
  let last = first
  for (let time = 2; time < 60; time++) last = pace.restAfter(1_000, 420, 0, time * MINUTE)
  expect(first).toBeGreaterThan(900)
  expect(last).toBe(0)
  expect(experienced().restAfter(1_000, 420, 0, 600 * MINUTE)).toBeGreaterThan(900)
})

test('each kind of work has its own usual time, allowance, longest rest and patience', () => {
  const badges = { usualMs: 4, fixed: 3, granted: 2, rests: 60, longestRestMs: 500, patienceMs: 60_000 }
  const rests = (things: number, took: number, age = 0): number => new Pace(badges).restAfter(things, took, age)
  expect([rests(10, 52), rests(10, 104)]).toEqual([0, 0])
  expect(rests(10, 114)).toBe(600)
  expect([rests(1, 400), rests(4, 400), rests(10, 400)]).toEqual([500, 2_000, 5_000])
  expect([30, 60, 90].map((seconds) => rests(10, 400, seconds * SECOND))).toEqual([2_500, 0, 0])
})

test('the more comes the longer the rest, up to five seconds, until patience ends; none where that is not asked for', () => {
  const pace = new Pace({ ...BURDEN, comingMs: 10 })
  expect([0, 1, 100, 560, 5_000].map((coming) => pace.restWhile(coming, 0))).toEqual([0, 10, 1_000, 5_000, 5_000])
  expect([10, 30, 40, 50].map((age) => pace.restWhile(560, age * SECOND))).toEqual([3_750, 1_250, 0, 0])
  expect(experienced().restWhile(560, 0)).toBe(0)
})

test('what comes is counted of late: a few at once are little, what goes on for seconds is what it is, and what ended is forgotten', () => {
  const inflow = new Inflow()
  expect(inflow.note(1_000, 0)).toBe(0)
  expect(inflow.note(1_003, 100)).toBeLessThan(2)
  let rate = 0
  for (let time = 1; time <= 100; time++) rate = inflow.note(1_003 + 10 * time, 100 + 100 * time)
  expect(rate).toBeGreaterThan(95)
  expect(rate).toBeLessThan(101)
  // Something is handed out again: nothing has come, and it is not counted twice later.
  expect(inflow.note(1_500, 10_200)).toBeLessThan(rate)
  expect(inflow.note(2_003, 20_200)).toBeLessThan(2)
})
