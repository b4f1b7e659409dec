import { LRUCache } from 'lru-cache'

/**
 * An LRU cache of at most `max` entries, which takes memory as it fills: with its option `max`, lru-cache allocates room for all of them at once.
 * `ttl`: the longest life of an entry, in ms; `dispose` is called with what leaves the cache.
 */
export function growingCache<V extends {}>(
  max: number,
  options: Pick<LRUCache.Options<string, V, unknown>, 'ttl' | 'dispose'> = {},
): LRUCache<string, V> {
  return new LRUCache({ ...options, maxSize: max, sizeCalculation: () => 1 })
}
