import type { LRUCache } from 'lru-cache'
import { growingCache } from './growing-cache.ts'

const MAX_SCOPES = 1_000
const MAX_ENTRIES = 2_000
/** The longest life of an entry, in case an announcement is lost. */
export const TTL_MS = 60_000

/** An LRU cache by scope (event); entries live for `ttl` ms, for ever with 0. */
export function scopeCache<T extends object>(ttl = TTL_MS): LRUCache<string, T> {
  return growingCache(MAX_SCOPES, { ttl })
}

/** The entries of one scope, by name. */
type CacheEntries = LRUCache<string, object>

/**
 * A cache by scope (event). A process that changes something announces it before it answers, and every process invalidates the scope when it
 * receives the announcement: so an entry is as good as a fresh read.
 */
export class ScopedCache {
  readonly #scopes: LRUCache<string, CacheEntries>

  /** `ttl`: the longest life of an entry, in ms. */
  constructor(ttl = TTL_MS) {
    this.#scopes = scopeCache(ttl)
  }

  /** The entries of a scope. Get them before you read from the store: entries added after an `invalidate` are then dropped with them. */
  of(scope: string): CacheEntries {
    const known = this.#scopes.get(scope)
    if (known) return known
    const entries: CacheEntries = growingCache(MAX_ENTRIES)
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
