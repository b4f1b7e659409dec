/** The invariants which the drill checks. */
export const INVARIANTS = {
  stored: 'every answered check-in is stored as it was answered',
  once: 'a repeated request never counts twice',
  allowed: 'no guest has more granted check-ins than allowed at any moment',
  burnt: 'no access is burnt: refused guests have none left, and accesses left are granted',
  reasons: 'every refusal has the reason of the decision table',
  changes: 'the next scan sees an answered change of rights, guests and privileges',
  counts: 'counts and statistics equal a recount',
  failures: 'a failed request gets 503 with Retry-After, or a closed connection during a fault of its gateway',
  deadline: 'no request takes longer than its deadline',
  recovery: 'everything recovers by itself within 10 s after each fault, and retries get an answer',
  alone: 'without Redis, and with an empty one, the door makes at least 300 scans/s, and is fast again by itself',
  finished: 'the drill comes to its end: nothing is waited for beyond the deadline of its phase',
}

/** One of the {@link INVARIANTS}. */
export type Invariant = keyof typeof INVARIANTS
