import { pauseFor } from '../../../../clients/typescript/retrying.ts'
import { asRefusal, type GatehouseError } from './server.ts'

/** The pauses after refusals that pass by themselves. */
const PAUSE_MS = { first: 1_000, longest: 30_000 }
/** How often a request is sent that gets no answer. */
const TRIES = 5
const TOO_MANY = 429

/** Sends one of many requests; again while there are too many of them, and some times where it gets no answer. `signal` ends the waiting. */
export async function patiently<Result>(send: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  let pause = PAUSE_MS.first
  for (let tries = 1; ; tries++) {
    try {
      return await send()
    } catch (problem) {
      const refusal = asRefusal(problem)
      if (refusal.status !== TOO_MANY && !(tries < TRIES && isOfTheWay(refusal))) throw problem
      await pauseFor((refusal.retryAfter ?? 0) * 1_000 + pause, signal)
      pause = Math.min(2 * pause, PAUSE_MS.longest)
    }
  }
}

/** Whether there was no answer, or one that does not come from the service. A 409 with `Retry-After` is about another try that is still at work. */
function isOfTheWay({ status, retryAfter }: GatehouseError): boolean {
  return status === 0 || status >= 500 || (status === 409 && retryAfter !== undefined)
}
