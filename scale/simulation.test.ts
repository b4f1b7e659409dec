// @module-tag slow
import { describe, expect, test } from 'vitest'
import { type Costs, readCosts } from './costs.ts'
import { type Layout, type Rates, type SimulationPlan, simulate } from './simulation.ts'

const layout: Layout = {
  gateway: 2,
  nats: 3,
  checkin: 2,
  guests: 2,
  redis: 1,
  database: 4,
  mail: 2,
  partners: 2,
  hooks: 2,
}
const rates: Rates = { scan: 20, first: 200, page: 5, mail: 20, webhook: 220, feed: 220 }
const measured = readCosts()
// What is measured differs from machine to machine, and the rules hold for all.
const costOfAny = { turn: 0.25, each: 0.06 }
const operations = Object.fromEntries(
  Object.entries(measured.operations).map(([name, kinds]) => [
    name,
    Object.fromEntries(Object.keys(kinds).map((kind) => [kind, costOfAny])),
  ]),
) as Costs['operations']
const costs: Costs = { ...measured, operations, idle: {} }
const plan: SimulationPlan = { layout, rates, seconds: 3, seed: 1, costs, burst: 100, diskMs: 2 }

const timesAll = <Key extends string>(numbers: Record<Key, number>, times: number): Record<Key, number> =>
  Object.fromEntries(Object.entries<number>(numbers).map(([key, number]) => [key, number * times])) as never

describe('a simulation', () => {
  test.for([1, 30])('answers every request once, at %i times the rate', (times) => {
    const { arrived, answered } = simulate({ ...plan, rates: timesAll(rates, times), seconds: 1 })
    expect(answered).toBe(arrived)
    expect(arrived).toBeGreaterThan(300 * times)
  })

  test('is the same for the same seed, and another one for another', () => {
    expect(simulate(plan)).toEqual(simulate(plan))
    expect(simulate({ ...plan, seed: 2 })).not.toEqual(simulate(plan))
  })

  test('answers no later with twice the processors, also where all processes share them', () => {
    const rush = { ...plan, rates: timesAll(rates, 10), seconds: 1 }
    expect(simulate({ ...rush, layout: timesAll(layout, 2) }).p99).toBeLessThan(simulate(rush).p99)
    const together = (sharedCores: number): number => simulate({ ...plan, sharedCores }).p99
    expect(together(4)).toBeLessThanOrEqual(together(2))
    expect(together(2)).toBeLessThan(together(1))
  })

  test('leaves few waiting below its capacity, and ever more above it', () => {
    const waiting = (times: number, seconds: number): number =>
      simulate({ ...plan, rates: timesAll(rates, times), seconds, burst: 0 }).waiting
    expect(waiting(1, 4)).toBeLessThan(50)
    expect(waiting(60, 2)).toBeGreaterThan(1.5 * waiting(60, 1))
  })

  test('uses more processors for more check-ins, but fewer for each, since they share flushes', () => {
    const few = simulate({ ...plan, burst: 0 })
    const many = simulate({ ...plan, burst: 0, rates: timesAll(rates, 10) })
    expect(many.cores.checkin).toBeGreaterThan(few.cores.checkin)
    expect(many.cores.checkin).toBeLessThan(10 * few.cores.checkin)
    expect(many.batch.checkin).toBeGreaterThan(few.batch.checkin)
  })

  test('works no longer than its processors can', () => {
    const { utilization } = simulate({ ...plan, rates: timesAll(rates, 60), seconds: 1 })
    for (const used of Object.values(utilization)) expect(used).toBeLessThanOrEqual(1)
  })

  test('answers later where disks are slower', () => {
    expect(simulate({ ...plan, diskMs: 20 }).p50).toBeGreaterThan(simulate(plan).p50 + 17)
  })
})
