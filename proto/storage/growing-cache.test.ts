import { expect, test } from 'vitest'
import { growingCache } from './growing-cache.ts'

test('a full cache drops what was not used for longest', () => {
  const dropped: string[] = []
  const cache = growingCache<number>(2, { dispose: (_value, key, reason) => dropped.push(`${reason} ${key}`) })
  cache.set('a', 1)
  cache.set('b', 2)
  cache.get('a')
  cache.set('c', 3)
  expect([dropped, cache.size, cache.get('a'), cache.get('b')]).toEqual([['evict b'], 2, 1, undefined])
})

test('an empty cache takes no memory for the entries that it may hold', () => {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  const caches = Array.from({ length: 20 }, () => growingCache<number>(1_000_000))
  const after = process.memoryUsage()
  expect(after.heapUsed + after.arrayBuffers - heapUsed - arrayBuffers).toBeLessThan(10_000_000)
  expect(caches).toHaveLength(20)
})
