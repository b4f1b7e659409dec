import { setTimeout as sleep } from 'node:timers/promises'

/** Statuses that pass: the service is unavailable or has too much to do, or an earlier try is still running. */
const PASSING = [503, 409]
const MAX_TRIES = 100
const PAUSE_MS = 50

/** Repeats a request while its status passes, as clients do, each time after `before` has resolved. Returns the last answer after 100 tries. */
export async function retried<T extends { status: number }>(
  ask: () => Promise<T>,
  before: () => Promise<unknown> = async () => {},
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const answer = await ask()
    if (!PASSING.includes(answer.status) || tries === MAX_TRIES) return answer
    await before()
    await sleep(PAUSE_MS)
  }
}

/**
 * Repeats a request until it has an answer, at most 20 times: the gateway closes a connection three seconds after it has refused a body, and a busy
 * client may not have read why by then.
 */
export async function answered<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; tries < 20; tries++) {
    const answer = await ask().catch(() => undefined)
    if (answer !== undefined) return answer
  }
  return ask()
}
