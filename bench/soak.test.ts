import { expect, test } from 'vitest'
import { trendOf } from './soak.ts'

const sampled = (held: (at: number) => number) =>
  Array.from({ length: 240 }, (_, n) => ({ at: n * 5, held: { gateway: held(n * 5) } }))

test('memory that oscillates around a level is flat, whatever it did in the first half', () => {
  const memory = sampled((at) => (at < 600 ? at / 10 : 100) + ((at / 5) % 7))
  const { grows, allowed } = trendOf(memory, 'gateway', 600)
  expect(grows).toBeLessThan(1)
  expect(allowed).toBe(8)
})

test('memory that grows is not flat, and its growth is given by the hour', () => {
  const { perHour, grows, allowed } = trendOf(
    sampled((at) => 100 + at / 60),
    'gateway',
    600,
  )
  expect(perHour).toBeCloseTo(60)
  expect(grows).toBeGreaterThan(allowed)
})
