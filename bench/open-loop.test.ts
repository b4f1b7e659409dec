import { expect, test } from 'vitest'
import { summed } from './open-loop.ts'

test('the latencies of an open loop are those of all its stretches', () => {
  const stretch = (rate: number, latencies: number[], cpu: number) => ({
    most: 100,
    rate,
    latencies,
    stolen: 0,
    cpu: { gateway: cpu },
  })
  const sum = summed([stretch(10, [1, 2, 3], 1), stretch(50, [9], 5)])
  expect(sum).toMatchObject({ rate: 20, p50: 2, cpu: { gateway: 2 } })
})
