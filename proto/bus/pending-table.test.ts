import { cases } from '@gatehouse/test/rounds.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PendingTable } from './pending-table.ts'

function all<T>(slots: PendingTable<T>): [id: string, item: T][] {
  const found: [string, T][] = []
  slots.forEach((item, id) => {
    found.push([id, item])
  })
  return found
}

test('after any history each id gives its item until it is deleted, and no id comes again', () => {
  const steps = fc.array(fc.oneof(fc.record({ add: fc.nat() }), fc.record({ remove: fc.nat() })), { maxLength: 200 })
  fc.assert(
    fc.property(steps, (history) => {
      const slots = new PendingTable<number>()
      const expected = new Map<string, number>()
      const given: string[] = []
      for (const step of history) {
        if ('add' in step) {
          const id = slots.add(step.add)
          expect(given).not.toContain(id)
          given.push(id)
          expected.set(id, step.add)
        } else if (given.length > 0) {
          const id = given[step.remove % given.length] as string
          slots.delete(id)
          expected.delete(id)
        }
      }
      for (const id of given) expect(slots.get(id)).toBe(expected.get(id))
      expect(all(slots).sort()).toEqual([...expected].sort())
      expect(slots.size).toBe(expected.size)
    }),
    cases(100, 5_000),
  )
})

test.each(['', '-', '0', '0-', '0-1', '1-0', '-1-0', 'zz-0', '0-0-0', 'Infinity', 'constructor-0'])(
  'an id that was never given, as a stranger on the bus may send it, gives nothing: %s',
  (id) => {
    const slots = new PendingTable<string>()
    const given = slots.add('first')
    slots.delete(id)
    expect(slots.get(id)).toBeUndefined()
    expect(all(slots)).toEqual([[given, 'first']])
  },
)

test('an id has 122 random bits, so that nobody who knows others can guess it', () => {
  const slots = new PendingTable<number>()
  const secrets = Array.from({ length: 100 }, (_, n) => slots.add(n).replace(/^\w+-/, ''))
  for (const each of secrets)
    expect(each).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(secrets).size).toBe(100)
})

test('a deletion frees the place for the next item', () => {
  const slots = new PendingTable<number>()
  for (let n = 0; n < 1_000; n++) slots.delete(slots.add(n))
  expect(slots.add(0)).toMatch(/^0-/)
})
