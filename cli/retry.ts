import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'

const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 5_000
const TIMEOUT_MS = 60_000

/**
 * Asks again, with growing pauses, while the system does not answer (503) or still works on an earlier try of the same
 * question (409), for a minute. Only for questions that may be asked twice. Throws the last fault when the minute is over.
 */
export async function retried<T>(ask: () => Promise<T>, timeoutMs = TIMEOUT_MS): Promise<T> {
  const until = performance.now() + timeoutMs
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    try {
      return await ask()
    } catch (error) {
      const passing = error instanceof Fault && (error.code === 'unavailable' || error.code === 'conflict')
      if (!passing || performance.now() + pause > until) throw error
      // Not all at once, when many wait for the same service.
      await sleep(pause * (0.5 + Math.random() / 2))
    }
  }
}
