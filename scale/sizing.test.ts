// @module-tag slow
import { describe, expect, test } from 'vitest'
import { answer } from './answer.ts'
import { readCosts } from './costs.ts'
import { PRICES } from './money.ts'
import { peakRates, type Question } from './question.ts'
import { reportOf } from './report.ts'
import { OBJECTIVE_MS } from './sizing.ts'

const question: Question = { guests: 1_000_000, minutes: 30, events: 20, partners: 50, mail: 1_000_000, mailHours: 8 }
const assumptions = { costs: readCosts(), seed: 1, diskMs: 2, utilization: 0.6 }
const answered = answer(question, assumptions, PRICES)

describe('an answer', () => {
  test('has room in the busiest second, and answers in time', () => {
    const { utilization, p99 } = answered.result
    expect(Math.max(...Object.values(utilization))).toBeLessThanOrEqual(0.6)
    expect(p99).toBeLessThanOrEqual(OBJECTIVE_MS)
  })

  test('has two processes of each kind and three members of each store, however few people come', () => {
    const { layout } = answer({ ...question, guests: 10, mail: 0 }, assumptions, PRICES)
    const { gateway, checkin, guests, mail, partners, hooks, nats } = layout
    expect([gateway, checkin, guests, mail, partners, hooks, nats]).toEqual([2, 2, 2, 2, 2, 2, 3])
  })

  test('says what breaks first, and that no processor breaks at the load itself', () => {
    const [first] = answered.breaks
    expect(first).toBeDefined()
    const processors = answered.breaks.filter(({ what }) => what.startsWith('processors'))
    for (const { times } of processors) expect(times).toBeGreaterThan(1)
    expect(answered.breaks).toEqual([...answered.breaks].sort((a, b) => a.times - b.times))
  })

  test('costs more for more guests, and nothing where nothing has a price', () => {
    const twice = answer({ ...question, guests: 2_000_000 }, assumptions, PRICES)
    expect(twice.money.all).toBeGreaterThan(answered.money.all)
    const free = { cpu: 0, memory: 0, disk: 0, egress: 0, mail: 0 }
    expect(answer(question, assumptions, free).money.all).toBe(0)
  })

  test('is for the peak of a triangle, twice the mean', () => {
    expect(peakRates(question).first).toBeCloseTo((2 * 1_000_000) / 1_800)
  })

  test('is said in lines without a missing number', () => {
    const lines = reportOf(answered).join('\n')
    expect(lines).not.toMatch(/NaN|undefined|Infinity/)
    expect(lines).toContain('breaks first')
  })
})
