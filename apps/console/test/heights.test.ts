import { expect, test } from 'vitest'
import { Heights } from '../src/list/heights.ts'

test('a card begins where those above it end: as measured, or as high as the first ones were on average', () => {
  const heights = new Heights(72)
  expect([heights.top(2), heights.at(143, 10), heights.at(144, 10)]).toEqual([144, 1, 2])
  expect(
    heights.take(
      new Map([
        [0, 100],
        [1, 60],
      ]),
    ),
  ).toBe(true)
  expect([heights.usual, heights.top(1), heights.top(2), heights.top(3)]).toEqual([80, 100, 160, 240])
  expect(heights.take(new Map([[5, 180]]))).toBe(true)
  expect(heights.take(new Map([[5, 180]]))).toBe(false)
  expect([heights.usual, heights.top(5), heights.top(6)]).toEqual([80, 400, 580])
})

test('the card at a place is the last one that begins there or above, and none without cards', () => {
  const heights = new Heights(10)
  heights.take(new Map([[0, 30]]))
  heights.take(new Map([[1, 5]]))
  const at = (place: number): number => heights.at(place, 3)
  expect([0, 29, 30, 34, 35, 1_000].map(at)).toEqual([0, 0, 1, 1, 2, 2])
  expect(heights.at(0, 0)).toBe(-1)
})
