import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ArtifactStore } from './artifacts.ts'

/** How long a request may be busy with a code or refresh token before another one may take it over: it was killed, or hangs. */
const TAKE_OVER_MS = 1_000
/** How long one waits at most to learn what became of the request that has it. */
const MAX_MS = 3 * TAKE_OVER_MS
const LOOK_MS = 25
/** What is counted of the time from one look to the next: a machine that stands still does so for whoever has the code, too. */
const MAX_LOOK_MS = 4 * LOOK_MS

interface Claim {
  account_id: string
  kind: string
  id: string
  claim: string
}

/** What token requests under way are using up. */
const claims = new WeakMap<object, Claim>()

/**
 * Begins to use up a code or refresh token for a token request: it is used up once its answer stands ({@link useUp}), so a process that
 * is killed between takes none with it. False where it was used before. Who comes while another has it waits for what becomes of it.
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
    if (waited > MAX_MS) throw new Error('a code or token is being used all the while')
    // By our own clock, not by that of the one who has it.
    if (waited - since >= TAKE_OVER_MS) isTaken = await artifacts.claim(account_id, kind, id, claim, left)
    else await sleep(LOOK_MS)
    const now = performance.now()
    waited += Math.min(now - looked, MAX_LOOK_MS)
    looked = now
  }
  claims.set(request, { account_id, kind, id, claim })
  return true
}

/** Uses up what a request claimed, before it is answered. False where another one took it over: nobody may get what this one made. */
export async function useUp(request: object, artifacts: ArtifactStore): Promise<boolean> {
  const claimed = claims.get(request)
  if (!claimed) return true
  const { account_id, kind, id, claim } = claimed
  return artifacts.consume(account_id, kind, id, claim)
}
