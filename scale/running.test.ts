// @module-tag slow
import { expect, test } from 'vitest'
import { comparisonOf, isOff } from './checking.ts'
import { KINDS, OPERATIONS, readCosts } from './costs.ts'
import { FLOWS } from './flows.ts'
import { byKind, costsOf } from './running.ts'

test('costs of a turn and of each request add up to those of a request alone, and of 32 that share a turn', () => {
  const { checkin } = costsOf({ checkin: 0.9 }, { checkin: 0.1 })
  expect(checkin!.turn + checkin!.each).toBeCloseTo(0.9)
  expect(checkin!.turn / 32 + checkin!.each).toBeCloseTo(0.1)
})

test('no cost is negative, however measurements vary', () => {
  expect(costsOf({ redis: 0.01 }, { redis: 0.02 })).toEqual({ redis: { turn: 0, each: 0.02 } })
  expect(costsOf({ redis: 9 }, { redis: 0.01 }).redis!.each).toBe(0)
})

test('PostgreSQL and the server before it are the database; peers of the bench count nowhere', () => {
  expect(byKind({ postgres: 1, mongod: 2, sso: 1, gateway: 1, receiver: 5 })).toEqual({ database: 3, gateway: 2 })
})

test('a prediction is off beyond 20 %', () => {
  const compared = { rate: 100, predicted: 1.19, measured: 1, predictedP50: 3, measuredP50: 4 }
  expect(isOff(compared)).toBe(false)
  expect(isOff({ ...compared, predicted: 1.21 })).toBe(true)
  expect(isOff({ ...compared, predicted: 0.79 })).toBe(true)
  expect(comparisonOf([{ ...compared, predicted: 0.79 }])[0]).toContain('-21 %, MISSED')
})

test('each stop on each way has a measured cost', () => {
  const { operations } = readCosts()
  const stops = Object.values(FLOWS).flatMap((flow) =>
    flow.flatMap(({ operation, at, within }) => [at, ...within].map((kind) => [operation, kind] as const)),
  )
  const missing = stops.filter(([operation, kind]) => !operations[operation][kind])
  expect(missing).toEqual([])
})

test('costs are of known operations and kinds', () => {
  const { operations } = readCosts()
  expect(Object.keys(operations)).toEqual([...OPERATIONS])
  for (const costs of Object.values(operations)) for (const kind of Object.keys(costs)) expect(KINDS).toContain(kind)
})
