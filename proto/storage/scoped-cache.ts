import { LRUCache } from 'lru-cache'

const MAX_SCOPES = 1_000
const MAX_ENTRIES = 2_000
/** What is remembered lives a minute at most, should an announcement ever be lost. */
export const TTL_MS = 60_000

/** What is known of scopes (events), of those asked for last, for `ttl` ms at most; 0 is for good. */
export function scopeCache<T extends object>(ttl = TTL_MS): LRUCache<string, T> {
  return new LRUCache({ max: MAX_SCOPES, ttl })
}

/** What is remembered of one scope, by name. */
export type CacheEntries = LRUCache<string, object>

/**
 * What a process remembers of a scope (an event) for as long as nothing in it changes. Whoever changes something announces
 * it before answering, and every process forgets the scope when it hears that: so what is remembered is as good as read
 * anew.
 */
export class ScopedCache {
  readonly #scopes: LRUCache<string, CacheEntries>

  /** `ttl`: how many ms what is remembered lives at most. */
  constructor(ttl = TTL_MS) {
    this.#scopes = scopeCache(ttl)
  }

  /** The notes of a scope. Take them before reading: what is noted in them after a `invalidate` is noted in vain. */
  of(scope: string): CacheEntries {
    const known = this.#scopes.get(scope)
    if (known) return known
    const entries: CacheEntries = new LRUCache({ max: MAX_ENTRIES })
    this.#scopes.set(scope, entries)
    return entries
  }

  invalidate(scope: string): void {
    this.#scopes.delete(scope)
  }

  invalidateAll(): void {
    this.#scopes.clear()
  }
}
