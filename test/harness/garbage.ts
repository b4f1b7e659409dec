import { collectGarbage } from '@gatehouse/proto/process/garbage.ts'
import { onTestFinished } from 'vitest'

const EVERY_MS = 100

/** Collects garbage again and again until the test has finished: what only a weak reference holds must not be needed. */
export function keepCollectingGarbage(): void {
  const collecting = setInterval(collectGarbage, EVERY_MS)
  onTestFinished(() => clearInterval(collecting))
}
