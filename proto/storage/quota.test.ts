import { cases } from '@gatehouse/test/rounds.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { freeNumbers } from './quota.ts'

test('whatever comes and goes between a look and an insert, the cap holds, and is reached', () => {
  const step = fc.oneof(
    fc.record({ look: fc.nat() }),
    fc.record({ insert: fc.nat(), which: fc.nat() }),
    fc.record({ remove: fc.nat() }),
  )
  const history = fc.array(step, { maxLength: 120 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.nat({ max: 5 }), history, (cap, older, steps) => {
      const held: { place?: number }[] = Array.from({ length: Math.min(older, cap) }, () => ({}))
      const looks: number[][] = []
      for (const step of steps) {
        if ('look' in step) looks.push(freeNumbers(held, cap))
        else if ('remove' in step) held.splice(step.remove % Math.max(1, held.length), 1)
        else {
          // Of any look, however long ago.
          const free = looks[step.insert % Math.max(1, looks.length)] ?? []
          const place = free[step.which % Math.max(1, free.length)]
          const isTaken = held.some((each) => each.place === place)
          if (place !== undefined && !isTaken) held.push({ place })
        }
        expect(held.length).toBeLessThanOrEqual(cap)
      }
      expect(freeNumbers(held, cap)).toHaveLength(cap - held.length)
    }),
    cases(500, 10_000),
  )
})
