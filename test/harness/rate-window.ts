import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Waits for the next rate window if the current one ends within `needed` seconds, so that all requests of a test count in one window. Windows are
 * `seconds` long and aligned to the clock.
 */
export async function withinRateWindow(seconds: number, needed: number): Promise<void> {
  const left = seconds - ((Date.now() / 1000) % seconds)
  // A timer may fire a little early.
  if (left < needed) await sleep(left * 1000 + 100)
}
