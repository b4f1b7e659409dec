import { LRUCache } from 'lru-cache'
import { expect, test } from 'vitest'
import { superfluous } from './snapshots.ts'

/** Copies, of which the last one was used last. */
function copies(...all: [event_id: string, size: number, isAsked?: boolean][]) {
  const cache = new LRUCache<string, { size: number; isAsked: boolean }>({ max: 10_000 })
  for (const [event_id, size, isAsked = false] of all) cache.set(event_id, { size, isAsked })
  return cache
}

test('beyond 500,000 guests the copies that were used longest ago are dropped', () => {
  const all = copies(['first', 200_000], ['second', 200_000], ['third', 200_000])
  expect(superfluous(all.entries())).toEqual(['first'])
  all.get('first')
  expect(superfluous(all.entries())).toEqual(['second'])
  all.delete('second')
  expect(superfluous(all.entries())).toEqual([])
})

test('a copy that devices wait for stays, and counts', () => {
  expect(superfluous(copies(['asked', 400_000, true], ['idle', 400_000]).entries())).toEqual([])
  expect(superfluous(copies(['idle', 100_000], ['asked', 400_000, true]).entries())).toEqual(['idle'])
  expect(superfluous(copies(['huge', 900_000, true]).entries())).toEqual([])
  expect(superfluous(copies(['huge', 900_000]).entries())).toEqual(['huge'])
})

test('copies without guests are bounded too', () => {
  const empty = Array.from({ length: 1_100 }, (_, n): [string, number] => [`event ${n}`, 0])
  expect(superfluous(copies(...empty).entries())).toEqual(
    empty
      .slice(0, 100)
      .map(([id]) => id)
      .reverse(),
  )
})
