import { expect, test } from 'vitest'
import { cases } from './cases.ts'
import type { Sample } from './report.ts'
import { judge, targets } from './targets.ts'

const sample = (rate: number, p50 = 1, p99 = 1, cpu = 1): Sample => ({ rate, p50, p99, cpu: { one: cpu } })

test('every target names existing cases', () => {
  const names = cases.map(({ name }) => name)
  for (const target of targets) {
    expect(names).toContain(target.case)
    if (target.to !== undefined) expect(names).toContain(target.to)
  }
})

test('ratios are taken within each round, and their median is judged', () => {
  const samples = new Map([
    ['fastify', [sample(100), sample(10), sample(1_000)]],
    ['echo', [sample(80), sample(1), sample(800)]],
  ])
  expect(judge(samples, {})).toEqual([
    { target: 'echo / fastify', measured: 0.8, bound: 0.45, asked: 0.7, sense: '>=', unit: 'x', held: true },
  ])
})

test('an import is compared with the driver and with a number of guests a second', () => {
  const importing = (rate: number) =>
    judge(
      new Map([
        ['insertMany guests', [sample(12_000)]],
        ['import of guests', [sample(rate)]],
      ]),
      {},
    ).map(({ target, measured, bound, unit, held }) => ({ target, measured, bound, unit, held }))
  const a_second = { target: 'import, guests a second', bound: 5_000, unit: '/s' }
  expect(importing(4_800)).toEqual([
    { target: 'import / insertMany', measured: 0.4, bound: 0.3, unit: 'x', held: true },
    { ...a_second, measured: 4_800, held: false },
  ])
  expect(importing(5_000)).toContainEqual({ ...a_second, measured: 5_000, held: true })
})

test('a missed target is not held', () => {
  const samples = new Map([
    ['guest by uid', [sample(1, 2)]],
    ['guest by search', [sample(1, 8.1)]],
    ['check-in, open loop', [sample(1, 1, 26)]],
  ])
  const holding = (now: number) => ({ now, peak: 900, share: now })
  const memory = { gateway: holding(193), sso: holding(191), mongod: holding(900) }
  const held = Object.fromEntries(judge(samples, memory).map(({ target, held }) => [target, held]))
  expect(held).toEqual({
    'search for one': false,
    'open loop at 70 %, p99': false,
    'memory of gateway': false,
    'memory of sso': true,
  })
})
