import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Waits where a span of counting, which begins anew each so many `seconds` of the clock, ends within the `needed` ones: what a test counts is to be
 * of one span.
 */
export async function withinRateWindow(seconds: number, needed: number): Promise<void> {
  const left = seconds - ((Date.now() / 1000) % seconds)
  // A timer may ring a little early.
  if (left < needed) await sleep(left * 1000 + 100)
}
