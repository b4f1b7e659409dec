import { growingCache } from '@gatehouse/proto/storage/growing-cache.ts'

const MINUTE_MS = 60_000

/** A limit: of one minute, except for concurrent requests. */
export interface Policy {
  /** As the headers name it. */
  name: string
  /** The maximum, in requests unless `unit` names another unit. */
  max: number
  unit?: 'content-bytes' | 'concurrent-requests'
}

/** How far a key has come within its minute. */
export interface MinuteUse {
  policy: Policy
  /** Below zero beyond the limit. */
  left: number
  /** Whole seconds until the minute of this key is over. */
  seconds: number
}

/** Counts by key, each for a minute that begins with its first count. */
export class MinuteCounts {
  readonly policy: Policy
  readonly #minutes = growingCache<{ count: number; since: number }>(20_000)

  constructor(policy: Policy) {
    this.policy = policy
  }

  /** Adds to the count of a key and returns what is left. */
  add(key: string, amount: number): MinuteUse {
    const now = performance.now()
    let minute = this.#minutes.get(key)
    if (!minute || now - minute.since >= MINUTE_MS) {
      minute = { count: 0, since: now }
      this.#minutes.set(key, minute)
    }
    minute.count += amount
    return {
      policy: this.policy,
      left: this.policy.max - minute.count,
      seconds: Math.max(1, Math.ceil((MINUTE_MS - (now - minute.since)) / 1_000)),
    }
  }

  /** What is left to a key. */
  standing(key: string): MinuteUse {
    return this.add(key, 0)
  }
}
