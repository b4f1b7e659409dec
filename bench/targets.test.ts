import { expect, test } from 'vitest'
import type { Sample } from './measure.ts'
import { cases } from './rounds.ts'
import { judge, targets } from './targets.ts'

const sample = (rate: number, p50 = 1, p99 = 1): Sample => ({ rate, p50, p95: p50, p99, cpu: {} })

test('every target names existing cases', () => {
  const names = cases.map(({ name }) => name)
  for (const target of targets) {
    expect(names).toContain(target.case)
    if (target.to !== undefined) expect(names).toContain(target.to)
  }
})

test('ratios are taken within each round, and their median is judged', () => {
  const samples = new Map([
    ['plain check-in', [sample(100), sample(10), sample(1_000)]],
    ['check-in json', [sample(320), sample(1), sample(3_300)]],
  ])
  expect(judge(samples, {})).toEqual([
    { target: 'check-in json / plain check-in, rate', measured: 3.2, bound: 3, sense: '>=', unit: 'x', isMet: true },
  ])
})

test('a rate may be judged by how long many requests take', () => {
  const samples = new Map([['takeover beside 100/s', [sample(5_000)]]])
  const [minutes] = judge(samples, {})
  expect(minutes).toMatchObject({ target: 'takeover beside 100/s, 4,000,000 things', bound: 15, unit: 'min' })
  expect(minutes?.measured).toBeCloseTo(13.33)
})

test('a missed target is not met', () => {
  const samples = new Map([
    ['guest by uid', [sample(1, 2)]],
    ['guest by search', [sample(1, 8.1)]],
    ['check-in, 560/s', [sample(1, 1, 26)]],
  ])
  const holding = (now: number) => ({ now, peak: 900, share: now })
  const memory = { gateway: holding(193), sso: holding(191), mongod: holding(900) }
  const results = Object.fromEntries(judge(samples, memory).map(({ target, isMet }) => [target, isMet]))
  expect(results).toEqual({
    'guest by search, p50': false,
    'check-in, 560/s, p99': false,
    'memory of gateway': false,
    'memory of sso': true,
  })
})
