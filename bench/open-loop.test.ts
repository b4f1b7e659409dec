import { expect, test } from 'vitest'
import { summed } from './open-loop.ts'

test('the sample of an open loop has the latencies of all its intervals', () => {
  const interval = (rate: number, latencies: number[], cpu: number) => ({
    most: 100,
    rate,
    latencies,
    stolen: 0,
    cpu: { gateway: cpu },
  })
  const sum = summed([interval(10, [1, 2, 3], 1), interval(50, [9], 5)])
  expect(sum).toMatchObject({ rate: 20, p50: 2, cpu: { gateway: 2 } })
})
