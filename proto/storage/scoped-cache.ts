import { LRUCache } from 'lru-cache'

const MAX_SCOPES = 1_000
const MAX_NOTES = 2_000
/** What is remembered lives a minute at most, should an announcement ever be lost. */
export const TTL_MS = 60_000

/** What is known of scopes (events), of those asked for last, for `ttl` ms at most; 0 is for good. */
export function byScope<T extends object>(ttl = TTL_MS): LRUCache<string, T> {
  return new LRUCache({ max: MAX_SCOPES, ttl })
}

/** What is remembered of one scope, by name. */
export type Notes = LRUCache<string, object>

/**
 * What a process remembers of a scope (an event) for as long as nothing in it changes. Whoever changes something announces
 * it before answering, and every process forgets the scope when it hears that: so what is remembered is as good as read
 * anew.
 */
export class Memory {
  readonly #scopes: LRUCache<string, Notes>

  /** `ttl`: how many ms what is remembered lives at most. */
  constructor(ttl = TTL_MS) {
    this.#scopes = byScope(ttl)
  }

  /** The notes of a scope. Take them before reading: what is noted in them after a `forget` is noted in vain. */
  of(scope: string): Notes {
    const known = this.#scopes.get(scope)
    if (known) return known
    const notes: Notes = new LRUCache({ max: MAX_NOTES })
    this.#scopes.set(scope, notes)
    return notes
  }

  forget(scope: string): void {
    this.#scopes.delete(scope)
  }

  forgetAll(): void {
    this.#scopes.clear()
  }
}
