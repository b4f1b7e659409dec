import { cases } from '@gatehouse/test/rounds.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Counters } from './counters.ts'

test('counts equal those of a map, below and beyond a byte', () => {
  const change = fc.record({
    index: fc.constantFrom(0, 7, 1_023, 1_024, 100_000),
    by: fc.integer({ min: 1, max: 200 }),
  })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      const counters = new Counters()
      const plain = new Map<number, number>()
      for (const { index, by } of changes) {
        const before = plain.get(index) ?? 0
        // Every third call takes some away.
        const next = by % 3 === 0 ? Math.max(0, before - by) : before + by
        plain.set(index, next)
        expect(counters.add(index, next - before)).toBe(next)
      }
      for (const [index, count] of plain) expect(counters.get(index)).toBe(count)
      expect(counters.get(5)).toBe(0)
    }),
    cases(100, 5_000),
  )
})
