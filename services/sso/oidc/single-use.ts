import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ArtifactStore } from './artifacts.ts'

/** How long a request may hold a code or refresh token. Then another one may take it over: its process was killed, or hangs. */
const TAKE_OVER_MS = 1_000
/** How long a request waits at most for the one that holds it. */
const MAX_MS = 3 * TAKE_OVER_MS
const LOOK_MS = 25
/** The most that one wait counts: if the machine stood still, the other request was stopped too. */
const MAX_LOOK_MS = 4 * LOOK_MS

interface Claim {
  account_id: string
  kind: string
  id: string
  claim: string
}

/** The claims of token requests in progress. */
const claims = new WeakMap<object, Claim>()

/**
 * Claims a code or refresh token for a token request. It is used up when the answer is ready ({@link useUp}), so a process that is killed
 * in between does not lose it. False if it was used before. Waits while another request holds it.
 */
export async function claimFor(
  request: object,
  artifacts: ArtifactStore,
  account_id: string,
  kind: string,
  id: string,
): Promise<boolean> {
  const claim = randomUUID()
  let left: string | undefined
  let isTaken = await artifacts.claim(account_id, kind, id, claim)
  let looked = performance.now()
  for (let waited = 0, since = 0; !isTaken; ) {
    const theirs = await artifacts.claimOf(account_id, kind, id)
    if (theirs === undefined) return false
    if (theirs !== left) since = waited
    left = theirs
    if (waited > MAX_MS) throw new Error('other requests held a code or token for too long')
    // Measured by our own clock, not by that of the other process.
    if (waited - since >= TAKE_OVER_MS) isTaken = await artifacts.claim(account_id, kind, id, claim, left)
    else await sleep(LOOK_MS)
    const now = performance.now()
    waited += Math.min(now - looked, MAX_LOOK_MS)
    looked = now
  }
  claims.set(request, { account_id, kind, id, claim })
  return true
}

/** Uses up a request's claim before it is answered. False if another request took it over: the answer must not be sent then. */
export async function useUp(request: object, artifacts: ArtifactStore): Promise<boolean> {
  const claimed = claims.get(request)
  if (!claimed) return true
  const { account_id, kind, id, claim } = claimed
  return artifacts.consume(account_id, kind, id, claim)
}
