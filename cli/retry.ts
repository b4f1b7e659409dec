import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'

const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 5_000
const TIMEOUT_MS = 60_000

/**
 * Retries an idempotent request with growing pauses for a minute, while the system does not answer (503) or still works on an earlier try (409).
 * Throws the last fault after that.
 */
export async function retried<T>(ask: () => Promise<T>, timeoutMs = TIMEOUT_MS): Promise<T> {
  const until = performance.now() + timeoutMs
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    try {
      return await ask()
    } catch (error) {
      const passing = error instanceof Fault && (error.code === 'unavailable' || error.code === 'conflict')
      if (!passing || performance.now() + pause > until) throw error
      // With jitter, since many may wait for the same service.
      await sleep(pause * (0.5 + Math.random() / 2))
    }
  }
}
