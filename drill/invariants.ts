/** What the drill holds the system to; everything that breaks one of them is a violation. */
export const INVARIANTS = {
  stored: 'no check-in that was answered is missing, and each is stored as it was answered',
  once: 'a request that is repeated never counts twice',
  allowed: 'no guest has more granted check-ins than allowed at any moment',
  burnt: 'no access is burnt: whoever was refused had none left, and what is left is given',
  reasons: 'whoever is refused is refused for the reason of the decision table',
  changes: 'a change of rights, guests and privileges that was answered is seen by the next scan',
  counts: 'counts and statistics equal a recount',
  failures: 'a request that fails gets 503 with Retry-After, or a closed connection where its gateway was harmed',
  deadline: 'no request hangs longer than its deadline',
  recovery: 'after each harm everything serves again by itself within 10 s, and whoever insists gets an answer',
  alone: 'without Redis, and with an empty one, the door makes at least 300 scans/s, and is fast again by itself',
  finished: 'the drill comes to its end: nothing is waited for beyond the deadline of its phase',
}

/** One of the {@link INVARIANTS}. */
export type Invariant = keyof typeof INVARIANTS
